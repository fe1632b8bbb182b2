/** Rows of people who do not exist. Each of these reads whole tables: they are for checks, not for requests. */
import type { Database } from './database.ts';
import type { RowFinding } from './store-findings.ts';

type Reading = Pick<Database, 'query'>;

/** Of each kind so many are found at most. */
const MOST = 1000;
/** People who are looked up at a time. */
const PORTION = 5000;

/** What a repair of rows of a missing person does before it deletes them: counters that counted them. */
const counted: Readonly<Record<string, (isMissing: (column: string) => string) => readonly string[]>> = {
  likes: (isMissing) => [
    `UPDATE "posts" SET "like_count" = max(0, "like_count" - (SELECT count(*) FROM "likes" AS t WHERE t."post_id" = "posts"."id" AND ${isMissing('user_id')}))
      WHERE "id" IN (SELECT t."post_id" FROM "likes" AS t WHERE ${isMissing('user_id')})`,
  ],
  poll_votes: (isMissing) =>
    [1, 2, 3, 4].map(
      (choice) =>
        `UPDATE "polls" SET "votes_${choice}" = max(0, "votes_${choice}" - (SELECT count(*) FROM "poll_votes" AS t
            WHERE t."poll_id" = "polls"."id" AND t."choice" = ${choice} AND ${isMissing('user_id')}))
          WHERE "id" IN (SELECT t."poll_id" FROM "poll_votes" AS t WHERE ${isMissing('user_id')})`,
    ),
  follows: (isMissing) =>
    [
      ['followers_count', 'followed_id', 'follower_id'],
      ['following_count', 'follower_id', 'followed_id'],
    ].map(
      ([counter, of, missing = '']) =>
        `UPDATE "users" SET "${counter}" = max(0, "${counter}" - (SELECT count(*) FROM "follows" AS t
            WHERE t."${of}" = CAST("users"."id" AS INTEGER) AND t."state" = 'approved' AND ${isMissing(missing)}))
          WHERE "id" IN (SELECT CAST(t."${of}" AS TEXT) FROM "follows" AS t WHERE ${isMissing(missing)})`,
    ),
};

/** Tables whose rows mean something without the person: what others wrote or see may refer to them. */
const BY_HAND = ['apps', 'posts', 'draft_posts', 'scheduled_posts'];

/**
 * Finds rows of the platform store whose person does not exist.
 * @param columns the columns that hold the ids of the people whose rows they are, by table
 */
export async function rowsWithoutPerson(
  platform: Reading,
  columns: Readonly<Record<string, readonly string[]>>,
): Promise<RowFinding[]> {
  const found: RowFinding[] = [];
  for (const [table, names] of Object.entries(columns)) {
    const conditions = names.map(isMissing);
    for (const [index, column] of names.entries()) {
      const rows = await platform.query(
        `SELECT t."${column}", count(*) FROM "${table}" AS t WHERE ${conditions[index]} GROUP BY 1 LIMIT ${MOST}`,
      );
      const repair = BY_HAND.includes(table)
        ? []
        : [...(counted[table]?.(isMissing) ?? []), `DELETE FROM "${table}" AS t WHERE ${conditions.join(' OR ')}`];
      for (const [id, count] of rows) found.push({ table, id: String(id), what: said(column, count), repair });
    }
  }
  return found;
}

function isMissing(column: string): string {
  return `(t."${column}" IS NOT NULL AND NOT EXISTS (SELECT 1 FROM "users" WHERE "users"."id" = CAST(t."${column}" AS TEXT)))`;
}

function said(column: string, count: unknown): string {
  return `${String(count)} rows have it as their ${column}, and there is no such person`;
}

/**
 * Finds rows of a store of advertising whose person does not exist.
 * @param columns as of {@link rowsWithoutPerson}
 */
export async function advertisingWithoutPerson(
  store: Reading,
  platform: Reading,
  columns: Readonly<Record<string, readonly string[]>>,
): Promise<RowFinding[]> {
  const found: RowFinding[] = [];
  for (const [table, names] of Object.entries(columns)) {
    for (const column of names) {
      for (let after: string | undefined = ''; after !== undefined; ) {
        const people: readonly (readonly unknown[])[] = await store.query(
          `SELECT "${column}", count(*) FROM "${table}" WHERE "${column}" > ? GROUP BY 1 ORDER BY 1 LIMIT ${PORTION}`,
          [after],
        );
        const ids = people.map(([id]) => String(id));
        const missing = await platform.query(
          `SELECT wanted."value" FROM json_each(?) AS wanted WHERE NOT EXISTS (SELECT 1 FROM "users" WHERE "users"."id" = wanted."value")`,
          [JSON.stringify(ids)],
        );
        const gone = new Set(missing.map(([id]) => String(id)));
        for (const [id, count] of people) {
          if (!gone.has(String(id))) continue;
          const repair = BY_HAND.includes(table) ? [] : [`DELETE FROM "${table}" WHERE "${column}" = ${literal(id)}`];
          found.push({ table, id: String(id), what: said(column, count), repair });
        }
        after = people.length === PORTION ? ids.at(-1) : undefined;
      }
    }
  }
  return found;
}

/** An id as a literal of SQL: it comes out of a store that may be damaged. */
export function literal(id: unknown): string {
  return `'${String(id).replaceAll("'", "''")}'`;
}

/**
 * Finds grants of audiences to accounts that do not exist.
 * @param directory the store that knows all accounts of the environment
 */
export async function grantsToNobody(store: Reading, directory: Reading): Promise<RowFinding[]> {
  const isElsewhere = `"deleted" = 0 AND NOT EXISTS (SELECT 1 FROM "accounts" WHERE "accounts"."id" = "audience_grants"."granted_account_id")`;
  const rows = await store.query(
    `SELECT DISTINCT "granted_account_id" FROM "audience_grants" WHERE ${isElsewhere} ORDER BY 1`,
  );
  const missing = await directory.query(
    `SELECT wanted."value" FROM json_each(?) AS wanted WHERE NOT EXISTS (SELECT 1 FROM "accounts" WHERE "accounts"."id" = wanted."value") LIMIT ${MOST}`,
    [JSON.stringify(rows.map(([account]) => account))],
  );
  const found: RowFinding[] = [];
  for (const [account] of missing) {
    const isWrong = `"deleted" = 0 AND "granted_account_id" = ${literal(account)}`;
    const grants = await store.query(`SELECT "id" FROM "audience_grants" WHERE ${isWrong} LIMIT ${MOST}`);
    const what = `it is granted to the account ${String(account)}, which does not exist`;
    const repair = [`UPDATE "audience_grants" SET "deleted" = 1 WHERE ${isWrong}`];
    for (const [id] of grants) found.push({ table: 'audience_grants', id: String(id), what, repair });
  }
  return found;
}

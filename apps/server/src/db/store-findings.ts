/** What is wrong with the rows of a store, as far as SQL can tell. Each of these reads whole tables: they are for checks, not for requests. */
import { getTableName } from 'drizzle-orm';
import type { Database } from './database.ts';
import type { Entity } from './entity.ts';
import { unorderedUntil } from './moved-log.ts';

/** Something that is wrong with a row. */
export interface RowFinding {
  readonly table: string;
  readonly id: string;
  /** What is wrong, as the end of a sentence. */
  readonly what: string;
  /** Statements that set it right; none where it has to be done by hand. */
  readonly repair: readonly string[];
}

type Reading = Pick<Database, 'query'>;

/** Of each kind so many are found at most. */
const MOST = 1000;
/** Tables that triggers derive from others, and those that say where accounts are. */
const PASSED_OVER = ['accounts', 'list_counts', 'list_names', 'account_shards', 'account_work', 'moved_changes'];

/** Finds rows of accounts that do not exist. */
export async function rowsWithoutAccount(database: Reading): Promise<RowFinding[]> {
  const found: RowFinding[] = [];
  for (const { table } of await columnsNamed(database, 'account_id')) {
    if (PASSED_OVER.includes(table)) continue;
    const rows = await database.query(
      `SELECT "account_id", count(*) FROM "${table}" WHERE "account_id" IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM "accounts" WHERE "accounts"."id" = "${table}"."account_id") GROUP BY 1 LIMIT ${MOST}`,
    );
    for (const [account, count] of rows) {
      found.push({
        table,
        id: String(account),
        what: `${count} rows belong to an account that does not exist`,
        repair: [],
      });
    }
  }
  return found;
}

/** Finds entities whose parent is missing, and those that are hidden although their parent is not, or the other way round. */
export async function wrongParents(database: Reading, entities: readonly Entity[]): Promise<RowFinding[]> {
  const found: RowFinding[] = [];
  for (const { table: child, parent } of parentsFirst(entities)) {
    if (!parent || !child.account_id || !parent.entity.table.account_id) continue;
    const [table, above, column] = [getTableName(child), getTableName(parent.entity.table), parent.column.name];
    const join = `"${above}" AS p WHERE p."account_id" = c."account_id" AND p."id" = c."${column}"`;
    const hides = parent.entity.table.parent_deleted ? `p."deleted" OR p."parent_deleted"` : `p."deleted"`;
    const missing = await database.query(
      `SELECT c."id", c."${column}" FROM "${table}" AS c WHERE NOT EXISTS (SELECT 1 FROM ${join}) LIMIT ${MOST}`,
    );
    for (const [id, of] of missing) {
      found.push({ table, id: String(id), what: `its ${column} ${String(of)} does not exist in ${above}`, repair: [] });
    }
    const isWrong = `"parent_deleted" <> (SELECT ${hides} FROM ${join})`;
    const wrong = await database.query(
      `SELECT c."id", c."parent_deleted" FROM "${table}" AS c WHERE c.${isWrong} LIMIT ${MOST}`,
    );
    const repair = [`UPDATE "${table}" AS c SET "parent_deleted" = (SELECT ${hides} FROM ${join}) WHERE c.${isWrong}`];
    for (const [id, hidden] of wrong) {
      const what =
        Number(hidden) === 1
          ? 'it is hidden, and its parent is not'
          : 'its parent is deleted or hidden, and it is not hidden';
      found.push({ table, id: String(id), what, repair });
    }
  }
  return found;
}

/** Finds holes in the numbers of the change log, and changes that are missing at its end. */
export async function changeLogGaps(database: Reading): Promise<RowFinding[]> {
  const table = 'change_log';
  // Before that, changes have gone with their accounts.
  const moved = await unorderedUntil(database);
  const gaps = await database.query(
    `SELECT "seq", "before" FROM (SELECT "seq", lag("seq") OVER (ORDER BY "seq") AS "before" FROM "${table}")
      WHERE "seq" <> "before" + 1 AND "before" > ? LIMIT ${MOST}`,
    [moved],
  );
  const found = gaps.map(([seq, before]) => ({
    table,
    id: String(seq),
    what: `the changes after ${String(before)} and before it are missing`,
    repair: [],
  }));
  const [last] = await database.query(
    `SELECT "sqlite_sequence"."seq", coalesce((SELECT max("seq") FROM "${table}"), 0) FROM "sqlite_sequence" WHERE "name" = '${table}' LIMIT 1`,
  );
  if (last && Number(last[0]) > Number(last[1]) && Number(last[1]) > Number(moved)) {
    found.push({ table, id: String(last[0]), what: `the changes after ${String(last[1])} are missing`, repair: [] });
  }
  return found;
}

/** Returns where a store of advertising refers to media: keys of media, with a row that has each. */
export async function mediaReferences(database: Reading): Promise<{ table: string; id: string; media_key: string }[]> {
  const found: { table: string; id: string; media_key: string }[] = [];
  for (const { table, column } of await columnsNamed(database, '%media_key', '%media_keys')) {
    const source = column.endsWith('s')
      ? `SELECT k."value" AS "key", t."id" AS "id" FROM "${table}" AS t, json_each(t."${column}") AS k WHERE t."deleted" = 0`
      : `SELECT t."${column}" AS "key", t."id" AS "id" FROM "${table}" AS t WHERE t."${column}" IS NOT NULL AND t."deleted" = 0`;
    for (const [media_key, id] of await database.query(`SELECT "key", min("id") FROM (${source}) GROUP BY "key"`)) {
      found.push({ table, id: String(id), media_key: String(media_key) });
    }
  }
  return found;
}

/** Finds posts and polls that refer to media which do not exist. */
export async function postsWithoutMedia(platform: Reading): Promise<RowFinding[]> {
  const isMissing = (key: string) => `NOT EXISTS (SELECT 1 FROM "media" WHERE "media"."media_key" = ${key})`;
  const posts = await platform.query(
    `SELECT "posts"."id", k."value" FROM "posts", json_each("posts"."media_keys") AS k
      WHERE "posts"."media_keys" IS NOT NULL AND "posts"."deleted_ms" IS NULL AND ${isMissing('k."value"')} LIMIT ${MOST}`,
  );
  return posts.map(([id, key]) => ({
    table: 'posts',
    id: String(id),
    what: `it shows the medium ${String(key)}, which does not exist`,
    repair: [],
  }));
}

/** Returns which keys of media exist. */
export async function knownMedia(platform: Reading): Promise<Set<string>> {
  return new Set((await platform.query('SELECT "media_key" FROM "media"')).map(([key]) => String(key)));
}

/** Finds jobs of kinds that nobody does. @param kinds those that somebody does */
export async function unknownJobs(platform: Reading, kinds: readonly string[]): Promise<RowFinding[]> {
  const rows = await platform.query('SELECT "id", "kind" FROM "jobs"');
  return rows
    .filter(([, kind]) => !kinds.includes(String(kind)))
    .map(([id, kind]) => ({
      table: 'jobs',
      id: String(id),
      what: `nobody does jobs of the kind ${String(kind)}: it is of another version`,
      repair: [],
    }));
}

/** Returns the subjects of the jobs of a kind. */
export async function subjectsOf(platform: Reading, kind: string): Promise<string[]> {
  return (await platform.query('SELECT "subject" FROM "jobs" WHERE "kind" = ?', [kind])).map(([one]) => String(one));
}

/** Returns the ids of all rows of some tables. */
export async function idsOf(database: Reading, tables: readonly string[]): Promise<Set<string>> {
  const found = await Promise.all(tables.map((table) => database.query(`SELECT "id" FROM "${table}"`)));
  return new Set(found.flat().map(([id]) => String(id)));
}

async function columnsNamed(database: Reading, ...forms: readonly string[]) {
  const rows = await database.query(
    `SELECT m."name", c."name" FROM "sqlite_master" AS m, pragma_table_info(m."name") AS c
      WHERE m."type" = 'table' AND (${forms.map(() => 'c."name" LIKE ?').join(' OR ')}) ORDER BY 1, 2`,
    forms,
  );
  return rows.map(([table, column]) => ({ table: String(table), column: String(column) }));
}

/** So that what follows from a parent is set right after it. */
function parentsFirst(entities: readonly Entity[]): readonly Entity[] {
  const depth = ({ parent }: Entity): number => (parent ? 1 + depth(parent.entity) : 0);
  return [...entities].sort((one, other) => depth(one) - depth(other));
}

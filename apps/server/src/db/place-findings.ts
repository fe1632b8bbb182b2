/** What the stores of an environment say of where its accounts are. It reads whole tables: for checks, not for requests. */
import { type AccountTable, accountTables } from './account-rows.ts';
import type { Database } from './database.ts';
import { hasTable } from './has-table.ts';
import { literal } from './person-findings.ts';

type Reading = Pick<Database, 'query'>;

/** What one store has of accounts. */
export interface AccountsOfStore {
  /** What it says of where accounts are. */
  readonly places: ReadonlyMap<string, { readonly shard: string; readonly closed: boolean }>;
  /** Records of accounts: the assignments of all columns, by which they are compared and copied. */
  readonly records: ReadonlyMap<string, string>;
  /** Numbers of rows of accounts, without those by which accounts are found. */
  readonly rows: ReadonlyMap<string, number>;
  readonly tables: readonly AccountTable[];
}

/** Reads all that a store has of accounts. */
export async function accountsOfStore(store: Reading): Promise<AccountsOfStore> {
  const tables = await accountTables(store);
  const placed = await store.query('SELECT "account_id", "shard", "closed" FROM "account_shards"');
  const rows = new Map<string, number>();
  for (const table of tables) {
    if (table.name === ACCOUNTS) continue;
    const counted = await store.query(
      `SELECT "account_id", count(*) FROM "${table.name}" WHERE ${table.where.replace('= ?', "<> ''")} GROUP BY 1`,
    );
    for (const [id, count] of counted) rows.set(String(id), (rows.get(String(id)) ?? 0) + Number(count));
  }
  return {
    places: new Map(
      placed.map(([id, shard, closed]) => [
        String(id),
        { shard: String(shard), closed: closed === 1n || closed === 1 },
      ]),
    ),
    records: await recordsOf(store, tables.find(({ name }) => name === ACCOUNTS)?.columns ?? []),
    rows,
    tables,
  };
}

const ACCOUNTS = 'accounts';

async function recordsOf(store: Reading, columns: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const names = columns.map((name) => `"${name}"`).join(', ');
  const found = await store.query(`SELECT "id", ${names} FROM "${ACCOUNTS}"`);
  return new Map(
    found.map(([id, ...values]) => [
      String(id),
      values.map((value, i) => `"${columns[i]}" = ${literalOf(value)}`).join(', '),
    ]),
  );
}

function literalOf(value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  if (value instanceof ArrayBuffer) return `X'${Buffer.from(value).toString('hex')}'`;
  if (value instanceof Uint8Array) return `X'${Buffer.from(value).toString('hex')}'`;
  return literal(value);
}

/** The accounts that something is being done with which several stores take part in. The next start of a server ends it. */
export async function accountsAtWork(directory: Reading): Promise<ReadonlySet<string>> {
  return new Set((await directory.query('SELECT "account_id" FROM "account_work"')).map(([id]) => String(id)));
}

/** The names of the shards that a directory has taken in. */
export async function namesOfShards(directory: Reading): Promise<ReadonlySet<string>> {
  return new Set((await directory.query('SELECT "name" FROM "shards"')).map(([name]) => String(name)));
}

/** The shards that accounts are on, as a directory says. It may be of a version that had none. */
export async function shardsWithAccounts(directory: Reading): Promise<readonly string[]> {
  if (!(await hasTable(directory, 'account_shards'))) return [];
  const rows = await directory.query(`SELECT DISTINCT "shard" FROM "account_shards" WHERE "shard" <> ''`);
  return rows.map(([shard]) => String(shard));
}

/** Statements that set places and records of accounts right. */
export const placeRepairs = {
  /** Says that an account is on a shard, in the store of that one. */
  place: (id: string, shard: string) =>
    `INSERT OR REPLACE INTO "account_shards" ("account_id", "shard", "closed") VALUES (${literal(id)}, ${literal(shard)}, 0)`,
  open: (id: string) => `UPDATE "account_shards" SET "closed" = 0 WHERE "account_id" = ${literal(id)}`,
  forget: (id: string) => `DELETE FROM "account_shards" WHERE "account_id" = ${literal(id)}`,
  /** @param record as in {@link AccountsOfStore} */
  copy: (id: string, record: string) => `UPDATE "${ACCOUNTS}" SET ${record} WHERE "id" = ${literal(id)}`,
  /** Removes all rows of an account. @param isDirectory leaves those by which it is found */
  remove: (id: string, tables: readonly AccountTable[], isDirectory: boolean): readonly string[] => [
    ...(isDirectory ? [] : [placeRepairs.forget(id)]),
    ...tables
      .filter(({ name }) => !isDirectory || name !== ACCOUNTS)
      .map(({ name, where }) => `DELETE FROM "${name}" WHERE ${where.replace('?', () => literal(id))}`),
    ...['list_counts', 'list_names'].map((name) => `DELETE FROM "${name}" WHERE "account_id" = ${literal(id)}`),
  ],
};

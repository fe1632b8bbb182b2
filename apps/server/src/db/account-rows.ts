/** All rows of one account in a store, whatever tables there are. */
import type { Database, Writer } from './database.ts';

/** A table with rows of accounts. */
export interface AccountTable {
  readonly name: string;
  readonly columns: readonly string[];
  /** The columns of its primary key. */
  readonly key: readonly string[];
  /** The condition for the rows of an account, which is the one argument; the column is `account_id`, or `id` of an account itself. */
  readonly where: string;
}

/** Rows of accounts that are not data of the account: who may use it, where it is, and counts that triggers keep. */
const NOT_OF_ACCOUNT = [
  'account_access',
  'account_shards',
  'account_work',
  'list_counts',
  'list_names',
  'moved_changes',
];
/** Counts stay at zero when their rows are removed. */
const COUNTS = ['list_counts', 'list_names'];
/** The log of who may use an account is the directory's. */
const OF_DIRECTORY = 'ACCOUNT_ACCESS';

const listColumns = `SELECT m.name, p.name, p.pk FROM sqlite_master AS m JOIN pragma_table_info(m.name) AS p
  WHERE m.type = 'table' ORDER BY m.name, p.cid`;

/** The table of the records of accounts. */
export const RECORDS = 'accounts';

/** The tables of a store that have data of accounts, from its schema. */
export async function accountTables(database: Pick<Database, 'query'>): Promise<readonly AccountTable[]> {
  const found = Map.groupBy(await database.query(listColumns), ([table]) => String(table));
  return [...found].flatMap(([name, rows]): AccountTable[] => {
    const columns = rows.map(([, column]) => String(column));
    const keys = rows.filter(([, , pk]) => Number(pk) > 0).toSorted((a, b) => Number(a[2]) - Number(b[2]));
    const key = keys.map(([, column]) => String(column));
    if (name === RECORDS) return [{ name, columns, key, where: '"id" = ?' }];
    if (!columns.includes('account_id') || NOT_OF_ACCOUNT.includes(name)) return [];
    const where = name === 'change_log' ? `"account_id" = ? AND "entity" <> '${OF_DIRECTORY}'` : '"account_id" = ?';
    return [{ name, columns, key, where }];
  });
}

/** Rows that are removed in one transaction. */
const CHUNK = 500;

/** A write of a store, possibly on a condition. */
export type Change = <Result>(body: (writer: Writer) => Promise<Result>) => Promise<Result>;

/**
 * Removes all rows of an account, some in each transaction. Can be interrupted and done again.
 * @param options.keepRecord leave the record: it is the copy by which the directory finds the account
 * @param options.change makes each of the writes
 */
export async function removeAccountRows(
  database: Database,
  account_id: string,
  {
    keepRecord = false,
    change = (body) => database.write(body),
  }: { readonly keepRecord?: boolean; readonly change?: Change } = {},
): Promise<void> {
  for (const { name, key, where } of await accountTables(database)) {
    if (keepRecord && name === RECORDS) continue;
    const columns = quoted(key);
    const sql = `DELETE FROM "${name}" WHERE (${columns}) IN (SELECT ${columns} FROM "${name}" WHERE ${where} LIMIT ${CHUNK})`;
    const isThere = `SELECT 1 FROM "${name}" WHERE ${where} LIMIT 1`;
    while ((await database.query(isThere, [account_id])).length > 0) {
      await change((writer) => writer.run(sql, [account_id]));
    }
  }
  await change(async (writer) => {
    for (const name of COUNTS) await writer.run(`DELETE FROM "${name}" WHERE "account_id" = ?`, [account_id]);
  });
}

/** Quotes names of columns, as a list. */
export function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
}

/** Counts the rows of an account. */
export async function countAccountRows(database: Database, account_id: string): Promise<number> {
  let found = 0;
  for (const { name, where } of await accountTables(database)) {
    const [row] = await database.query(`SELECT count(*) FROM "${name}" WHERE ${where} LIMIT 1`, [account_id]);
    found += Number(row?.[0] ?? 0);
  }
  return found;
}

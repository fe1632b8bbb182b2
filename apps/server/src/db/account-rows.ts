/** All rows of one account in a store, whatever tables there are. */
import type { Arg, Database } from './database.ts';

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
const NOT_OF_ACCOUNT = ['account_access', 'account_shards', 'account_work', 'list_counts', 'list_names'];
/** Counts stay at zero when their rows are removed. */
const COUNTS = ['list_counts', 'list_names'];
/** The log of who may use an account is the directory's. */
const OF_DIRECTORY = 'ACCOUNT_ACCESS';

const listColumns = `SELECT m.name, p.name, p.pk FROM sqlite_master AS m JOIN pragma_table_info(m.name) AS p
  WHERE m.type = 'table' ORDER BY m.name, p.cid`;

/** The tables of a store that have data of accounts, from its schema. */
export async function accountTables(database: Pick<Database, 'query'>): Promise<readonly AccountTable[]> {
  const found = Map.groupBy(await database.query(listColumns), ([table]) => String(table));
  return [...found].flatMap(([name, rows]): AccountTable[] => {
    const columns = rows.map(([, column]) => String(column));
    const keys = rows.filter(([, , pk]) => Number(pk) > 0).toSorted((a, b) => Number(a[2]) - Number(b[2]));
    const key = keys.map(([, column]) => String(column));
    if (name === 'accounts') return [{ name, columns, key, where: '"id" = ?' }];
    if (!columns.includes('account_id') || NOT_OF_ACCOUNT.includes(name)) return [];
    const where = name === 'change_log' ? `"account_id" = ? AND "entity" <> '${OF_DIRECTORY}'` : '"account_id" = ?';
    return [{ name, columns, key, where }];
  });
}

/** Rows that are removed in one transaction. */
const CHUNK = 500;

/** Removes all rows of an account, some in each transaction. Can be interrupted and done again. */
export async function removeAccountRows(database: Database, account_id: string): Promise<void> {
  for (const { name, key, where } of await accountTables(database)) {
    const columns = quoted(key);
    const sql = `DELETE FROM "${name}" WHERE (${columns}) IN (SELECT ${columns} FROM "${name}" WHERE ${where} LIMIT ${CHUNK})`;
    while ((await run(database, sql, [account_id])) === CHUNK);
  }
  for (const name of COUNTS) await run(database, `DELETE FROM "${name}" WHERE "account_id" = ?`, [account_id]);
}

/** Quotes names of columns, as a list. */
function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
}

function run(database: Database, sql: string, args: readonly Arg[]): Promise<number> {
  return database.write((writer) => writer.change(sql, args));
}

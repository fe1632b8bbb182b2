/** Copies the rows of one account to another store while they change: in slices by their keys, and then what triggers have noted. */
import { type AccountTable, quoted } from './account-rows.ts';
import type { Arg, Database, Reader, Row, Writer } from './database.ts';
import { quote } from './insertion.ts';
import { asArg } from './native-connection.ts';

/** Rows that are copied in one transaction: few, so that nobody waits for long. */
export const SLICE = 100;
/** Changes that are copied in one transaction where more of them come than slices can copy. */
export const MOST_CHANGES = 400;
/** Rows of one statement. */
const TOGETHER = 20;

const LOG = 'change_log';

/** Returns the row of an account that is the last in the order of keys. */
export async function readLast(reader: Reader, table: AccountTable, account_id: string): Promise<Row | undefined> {
  const order = ownKey(table).map((column) => `${quote(column)} DESC`);
  const by = order.length === 0 ? '' : ` ORDER BY ${order.join(', ')}`;
  const sql = `SELECT ${quoted(table.columns)} FROM ${quote(table.name)} WHERE ${table.where}${by} LIMIT 1`;
  const [row] = await reader.query(sql, [account_id]);
  return row;
}

/**
 * Reads rows of an account in the order of their keys.
 * @param after the last row of the slice before
 * @param until the last row that is wanted: those behind it may be added as fast as slices are read
 */
export function readSlice(
  reader: Reader,
  table: AccountTable,
  account_id: string,
  after: Row | undefined,
  until: Row,
): Promise<readonly Row[]> {
  const key = ownKey(table);
  const valuesIn = (row: Row) => key.map((column) => asArg(row[table.columns.indexOf(column)]));
  const place = `(${key.map(() => '?').join(', ')})`;
  const bounds = [
    ...(after === undefined ? [] : [{ bound: `(${quoted(key)}) > ${place}`, values: valuesIn(after) }]),
    ...(key.length === 0 ? [] : [{ bound: `(${quoted(key)}) <= ${place}`, values: valuesIn(until) }]),
  ];
  const where = [table.where, ...bounds.map(({ bound }) => bound)].join(' AND ');
  const order = key.length === 0 ? '' : ` ORDER BY ${quoted(key)}`;
  const sql = `SELECT ${quoted(table.columns)} FROM ${quote(table.name)} WHERE ${where}${order} LIMIT ${SLICE}`;
  return reader.query(sql, [account_id, ...bounds.flatMap(({ values }) => values)]);
}

/** The columns of the key that tell rows of one account apart. */
function ownKey(table: AccountTable): string[] {
  return table.key.filter((column) => column !== 'account_id');
}

/** Reads the rows with some keys. @param keys JSON arrays of the values of primary keys */
export function readRows(
  reader: Reader,
  table: AccountTable,
  account_id: string,
  keys: readonly string[],
): Promise<readonly Row[]> {
  const sql = `SELECT ${quoted(table.columns)} FROM ${quote(table.name)} WHERE ${table.where} AND ${isAmong(table)}`;
  return reader.query(sql, [account_id, `[${keys.join(',')}]`]);
}

/**
 * Puts rows into another store in place of those with the same keys. A row that has a unique value of another one is left out: one of the two
 * has changed since it was read, so that both come again.
 * @param keys of rows that are removed first
 * @param numbered gives changes in the log the numbers that they have there
 */
export async function replaceRows(
  writer: Writer,
  table: AccountTable,
  keys: readonly string[],
  rows: readonly Row[],
  numbered: (seq: bigint) => bigint,
): Promise<void> {
  const isLog = table.name === LOG;
  const work: Promise<number>[] = [];
  if (keys.length > 0) {
    const shifted = isLog ? keys.map((key) => `[${numbered(BigInt(key.slice(1, -1)))}]`) : keys;
    work.push(writer.run(`DELETE FROM ${quote(table.name)} WHERE ${isAmong(table)}`, [`[${shifted.join(',')}]`]));
  }
  const number = table.columns.indexOf('seq');
  const values = rows.map((row) =>
    row.map((value, i) => (isLog && i === number && typeof value === 'bigint' ? numbered(value) : asArg(value))),
  );
  const place = `(${table.columns.map(() => '?').join(', ')})`;
  const head = `INSERT INTO ${quote(table.name)} (${quoted(table.columns)}) VALUES `;
  for (let at = 0; at < values.length; ) {
    const size = values.length - at >= TOGETHER ? TOGETHER : 1;
    const places = Array.from({ length: size }, () => place).join(', ');
    work.push(writer.run(`${head}${places} ON CONFLICT DO NOTHING`, values.slice(at, at + size).flat()));
    at += size;
  }
  await Promise.all(work);
}

function isAmong({ key }: AccountTable): string {
  const values = key.map((_, i) => `json_extract("value", '$[${i}]')`).join(', ');
  return `(${quoted(key)}) IN (SELECT ${values} FROM json_each(?))`;
}

/** Has each change of rows of an account noted from now on. Repeated, it changes nothing. */
export async function noteChanges(writer: Writer, tables: readonly AccountTable[], account_id: string): Promise<void> {
  await Promise.all(tables.flatMap((table) => triggersOf(table, account_id).map((sql) => writer.run(sql))));
}

/** Ends what {@link noteChanges} began. */
export async function noteNoChanges(
  writer: Writer,
  tables: readonly AccountTable[],
  account_id: string,
): Promise<void> {
  const names = tables.flatMap(({ name }) => kinds.map((kind) => triggerName(name, kind, account_id)));
  await Promise.all(names.map((name) => writer.run(`DROP TRIGGER IF EXISTS ${quote(name)}`)));
}

const kinds = ['insert', 'update', 'delete'] as const;

function triggerName(table: string, kind: string, account_id: string): string {
  return `${table}_moved_${kind}_${account_id}`;
}

function triggersOf(table: AccountTable, account_id: string): string[] {
  const id = `'${account_id.replaceAll("'", "''")}'`;
  const list = `'${table.name}'`;
  const condition = (row: string) =>
    table.where.replaceAll(/"(id|account_id|entity)"/g, `${row}."$1"`).replace('?', id);
  const note = (row: string) => {
    const key = table.key.map((column) => `${row}.${quote(column)}`).join(', ');
    return `INSERT INTO "moved_changes" ("account_id", "list", "key") SELECT ${id}, ${list}, json_array(${key}) WHERE ${condition(row)};`;
  };
  const bodies = { insert: note('NEW'), update: `${note('OLD')} ${note('NEW')}`, delete: note('OLD') };
  const when = {
    insert: condition('NEW'),
    update: `${condition('OLD')} OR ${condition('NEW')}`,
    delete: condition('OLD'),
  };
  return kinds.map(
    (kind) => `CREATE TRIGGER IF NOT EXISTS ${quote(triggerName(table.name, kind, account_id))}
    AFTER ${kind.toUpperCase()} ON ${quote(table.name)} WHEN ${when[kind]} BEGIN ${bodies[kind]} END`,
  );
}

/** Rows that have changed. */
export interface NotedChanges {
  /** The number of the last note. */
  readonly last: bigint;
  readonly count: number;
  /** Keys by table. */
  readonly keys: ReadonlyMap<string, readonly string[]>;
}

/** Reads the next notes. @param after the number of the last note that was read @param size the most notes */
export async function readChanges(
  database: Database,
  account_id: string,
  after: bigint,
  size: number,
): Promise<NotedChanges> {
  const found = await database.query(
    `SELECT "seq", "list", "key" FROM "moved_changes" WHERE "account_id" = ? AND "seq" > ? ORDER BY "seq" LIMIT ?`,
    [account_id, after, size],
  );
  const keys = new Map<string, Set<string>>();
  for (const [, list, key] of found) {
    const known = keys.get(String(list)) ?? new Set();
    known.add(String(key));
    keys.set(String(list), known);
  }
  const last = found.at(-1)?.[0];
  return {
    last: typeof last === 'bigint' ? last : after,
    count: found.length,
    keys: new Map([...keys].map(([list, own]) => [list, [...own]])),
  };
}

/** Counts the notes that were not read yet, at most. @param after the number of the last note that was read */
export async function countNotes(database: Database, account_id: string, after: bigint): Promise<number> {
  const [row] = await database.query(
    'SELECT count(*) FROM "moved_changes" WHERE "account_id" = ? AND "seq" > ? LIMIT 1',
    [account_id, after],
  );
  return Number(row?.[0] ?? 0);
}

/** Removes the notes on an account. @param change makes each of the writes */
export async function forgetNotes(change: (sql: string, args: readonly Arg[]) => Promise<number>, account_id: string) {
  const sql = `DELETE FROM "moved_changes" WHERE "seq" IN (SELECT "seq" FROM "moved_changes" WHERE "account_id" = ? LIMIT ${REMOVED})`;
  while ((await change(sql, [account_id])) === REMOVED);
}

const REMOVED = 1000;

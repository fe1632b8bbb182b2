/** The tables of a store and their rows, in slices and in an order that is the same everywhere: of an image on a server, or of a file. */
import { LibsqlError } from '@libsql/client/sqlite3';
import type { Arg } from './access.ts';
import { quoted } from './account-rows.ts';
import type { BoundValue } from './arguments.ts';
import { quote } from './insertion.ts';
import { asArg, type Row } from './native-connection.ts';
import type { RemoteImage } from './remote-store.ts';

/** Rows that are read at once. The server rejects a result beyond 10 MB, and then fewer are read. */
const MOST_ROWS = 400;

/** A store that nobody changes meanwhile. */
export type Reading = Pick<RemoteImage, 'read'>;

/** What a store has been made of, by statements. */
interface Schema {
  readonly tables: readonly { readonly name: string; readonly sql: string }[];
  /** Indexes, triggers and views. */
  readonly others: readonly string[];
}

/** Reads the schema of a store, without what SQLite makes by itself. */
export async function readSchema(reading: Reading): Promise<Schema> {
  const found = await reading.read(
    "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid",
  );
  const tables = found.filter(([type]) => type === 'table');
  return {
    tables: tables.map(([, name, sql]) => ({ name: String(name), sql: String(sql) })),
    others: found.flatMap(([type, , sql]) => (type === 'table' ? [] : [String(sql)])),
  };
}

/** How the rows of a table are read and written. */
export interface TableRows {
  /** Inserts a row. */
  readonly insert: string;
  /** The rows, in the order of their key. Each can be written by {@link insertedFrom}. */
  slices(): AsyncGenerator<readonly Row[]>;
  /** The arguments of {@link insert} for a row that was read. */
  insertedFrom(row: Row): BoundValue[];
}

/** Prepares reading the rows of a table. */
export async function tableRows(reading: Reading, name: string): Promise<TableRows> {
  const [kind] = await reading.read('SELECT wr FROM pragma_table_list WHERE schema = ? AND name = ?', ['main', name]);
  const columns = await reading.read('SELECT name, type, pk FROM pragma_table_info(?) ORDER BY cid', [name]);
  const all = columns.map(([column]) => String(column));
  const keys = columns.filter(([, , pk]) => Number(pk) > 0).toSorted((a, b) => Number(a[2]) - Number(b[2]));
  const [first] = keys;
  const isNumbered = keys.length === 1 && /^integer$/i.test(String(first?.[1]));
  const withoutRowid = kind?.[0] === 1n;
  const key = withoutRowid ? keys.map(([column]) => String(column)) : ['rowid'];
  const read = [...key, ...all];
  const written = withoutRowid || isNumbered ? all : read;
  const from = `SELECT ${quoted(read)} FROM ${quote(name)}`;
  // The first columns may be read for the order alone: what they hold is written as the value of other columns.
  const passedOver = read.length - written.length;
  return {
    insert: `INSERT INTO ${quote(name)} (${quoted(written)}) VALUES (${written.map(() => '?').join(', ')})`,
    slices: () => slicesOf(reading, from, key),
    insertedFrom: (row) => row.slice(passedOver).map(asArg),
  };
}

async function* slicesOf(reading: Reading, from: string, key: readonly string[]): AsyncGenerator<readonly Row[]> {
  const bound = ` WHERE (${quoted(key)}) > (${key.map(() => '?').join(', ')})`;
  let last: Row | undefined;
  for (;;) {
    const after = last?.slice(0, key.length).map(asArg) ?? [];
    const sql = `${from}${last === undefined ? '' : bound} ORDER BY ${quoted(key)} LIMIT ?`;
    const { rows, size } = await readSome(reading, sql, after);
    if (rows.length > 0) yield rows;
    last = rows.at(-1);
    if (last === undefined || rows.length < size) return;
  }
}

/** Reads the next rows: fewer where the result of so many is too large for the server. */
async function readSome(reading: Reading, sql: string, after: readonly Arg[]) {
  for (let size = MOST_ROWS; ; size = Math.ceil(size / 4)) {
    try {
      return { rows: await reading.read(sql, [...after, size]), size };
    } catch (error) {
      if (!(error instanceof LibsqlError) || size === 1) throw error;
    }
  }
}

/** Reads the numbers that tables with AUTOINCREMENT have got to, which are beyond those of their rows; `undefined` where there is no such table. */
export async function sequenceRows(reading: Reading): Promise<readonly Row[] | undefined> {
  const isThere = "SELECT 1 FROM sqlite_master WHERE name = 'sqlite_sequence' LIMIT 1";
  if ((await reading.read(isThere)).length === 0) return undefined;
  return reading.read('SELECT name, seq FROM sqlite_sequence ORDER BY name');
}

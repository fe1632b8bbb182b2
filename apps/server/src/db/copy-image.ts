/** Writes what a store on a server holds at an instant into a file: the same tables, rows, indexes and triggers. */
import { LibsqlError } from '@libsql/client/sqlite3';
import type { Arg } from './access.ts';
import { quoted } from './account-rows.ts';
import { quote } from './insertion.ts';
import { asArg, NativeConnection, type Row } from './native-connection.ts';
import type { RemoteImage } from './remote-store.ts';

/** Rows that are read at once. The server rejects a result beyond 10 MB, and then fewer are read. */
const MOST_ROWS = 400;

type Reading = Pick<RemoteImage, 'read'>;

/** What a store has been made of, by statements. */
interface Schema {
  readonly tables: readonly string[];
  /** Indexes, triggers and views. */
  readonly others: readonly string[];
  readonly names: readonly string[];
}

/**
 * Copies all that an image has. The file holds everything, in no WAL; it is not on disk yet.
 * @param file is not there yet
 * @throws StoreUnreachableError where the server has ended the transaction; LibsqlError
 */
export async function copyImage(image: Reading, file: string): Promise<void> {
  const { tables, others, names } = await readSchema(image);
  const target = new NativeConnection(file, [
    'PRAGMA journal_mode = OFF',
    'PRAGMA synchronous = OFF',
    'PRAGMA foreign_keys = OFF',
  ]);
  try {
    for (const sql of tables) target.script(sql);
    for (const name of names) await copyTable(image, target, name);
    await copySequences(image, target);
  } finally {
    target.close();
  }
  await finish(file, others);
}

async function readSchema(image: Reading): Promise<Schema> {
  const found = await image.read(
    "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid",
  );
  const tables = found.filter(([type]) => type === 'table');
  return {
    tables: tables.map(([, , sql]) => String(sql)),
    names: tables.map(([, name]) => String(name)),
    others: found.flatMap(([type, , sql]) => (type === 'table' ? [] : [String(sql)])),
  };
}

/** How the rows of a table are read and written. */
interface Copied {
  readonly from: string;
  /** The columns that rows are ordered and told apart by, which are read first. */
  readonly key: readonly string[];
  readonly insert: string;
  /** The first columns, where they are read for the order alone: what they hold is written as the value of other columns. */
  readonly passedOver: number;
}

async function readTable(image: Reading, name: string): Promise<Copied> {
  const [kind] = await image.read('SELECT wr FROM pragma_table_list WHERE schema = ? AND name = ?', ['main', name]);
  const columns = await image.read('SELECT name, type, pk FROM pragma_table_info(?) ORDER BY cid', [name]);
  const all = columns.map(([column]) => String(column));
  const keys = columns.filter(([, , pk]) => Number(pk) > 0).toSorted((a, b) => Number(a[2]) - Number(b[2]));
  const [first] = keys;
  const isNumbered = keys.length === 1 && /^integer$/i.test(String(first?.[1]));
  const withoutRowid = kind?.[0] === 1n;
  const key = withoutRowid ? keys.map(([column]) => String(column)) : ['rowid'];
  const read = [...key, ...all];
  const written = withoutRowid || isNumbered ? all : read;
  const places = written.map(() => '?').join(', ');
  return {
    from: `SELECT ${quoted(read)} FROM ${quote(name)}`,
    key,
    insert: `INSERT INTO ${quote(name)} (${quoted(written)}) VALUES (${places})`,
    passedOver: read.length - written.length,
  };
}

async function copyTable(image: Reading, target: NativeConnection, name: string): Promise<void> {
  const { from, key, insert, passedOver } = await readTable(image, name);
  const bound = ` WHERE (${quoted(key)}) > (${key.map(() => '?').join(', ')})`;
  let last: Row | undefined;
  for (;;) {
    const after = last?.slice(0, key.length).map(asArg) ?? [];
    const sql = `${from}${last === undefined ? '' : bound} ORDER BY ${quoted(key)} LIMIT ?`;
    const { rows, size } = await readSome(image, sql, after);
    target.script('BEGIN');
    for (const row of rows) target.runBound(insert, row.slice(passedOver).map(asArg));
    target.script('COMMIT');
    last = rows.at(-1);
    if (last === undefined || rows.length < size) return;
  }
}

/** Reads the next rows: fewer where the result of so many is too large for the server. */
async function readSome(image: Reading, sql: string, after: readonly Arg[]) {
  for (let size = MOST_ROWS; ; size = Math.ceil(size / 4)) {
    try {
      return { rows: await image.read(sql, [...after, size]), size };
    } catch (error) {
      if (!(error instanceof LibsqlError) || size === 1) throw error;
    }
  }
}

/** Copies the numbers that tables with AUTOINCREMENT have got to, which are beyond those of their rows. */
async function copySequences(image: Reading, target: NativeConnection): Promise<void> {
  const isThere = "SELECT 1 FROM sqlite_master WHERE name = 'sqlite_sequence' LIMIT 1";
  if ((await image.read(isThere)).length === 0) return;
  target.script('DELETE FROM sqlite_sequence');
  for (const row of await image.read('SELECT name, seq FROM sqlite_sequence'))
    target.runBound('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)', row.map(asArg));
}

/** Makes the rest in another thread: an index of many rows takes long. */
async function finish(file: string, statements: readonly string[]): Promise<void> {
  // Loaded when it is used: a start needs none of it.
  const { default: Database } = await import('libsql/promise');
  const connection = new Database(file, { timeout: 5 });
  try {
    await connection.exec('PRAGMA synchronous = OFF');
    for (const sql of statements) await connection.exec(sql);
    await connection.exec('PRAGMA journal_mode = WAL');
  } finally {
    connection.close();
  }
}

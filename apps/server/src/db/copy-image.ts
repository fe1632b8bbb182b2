/** Writes what a store on a server holds at an instant into a file: the same tables, rows, indexes and triggers. */
import { asArg, NativeConnection } from './native-connection.ts';
import { type Reading, readSchema, sequenceRows, tableRows } from './table-rows.ts';

/**
 * Copies all that an image has. The file holds everything, in no WAL; it is not on disk yet.
 * @param file is not there yet
 * @throws StoreUnreachableError where the server has ended the transaction; LibsqlError
 */
export async function copyImage(image: Reading, file: string): Promise<void> {
  const { tables, others } = await readSchema(image);
  const target = new NativeConnection(file, [
    'PRAGMA journal_mode = OFF',
    'PRAGMA synchronous = OFF',
    'PRAGMA foreign_keys = OFF',
  ]);
  try {
    for (const { sql } of tables) target.script(sql);
    for (const { name } of tables) await copyTable(image, target, name);
    await copySequences(image, target);
  } finally {
    target.close();
  }
  await finish(file, others);
}

async function copyTable(image: Reading, target: NativeConnection, name: string): Promise<void> {
  const { insert, slices, insertedFrom } = await tableRows(image, name);
  for await (const rows of slices()) {
    target.script('BEGIN');
    for (const row of rows) target.runBound(insert, insertedFrom(row));
    target.script('COMMIT');
  }
}

async function copySequences(image: Reading, target: NativeConnection): Promise<void> {
  const rows = await sequenceRows(image);
  if (rows === undefined) return;
  target.script('DELETE FROM sqlite_sequence');
  for (const row of rows) target.runBound('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)', row.map(asArg));
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

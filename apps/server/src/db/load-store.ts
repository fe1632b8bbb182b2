/** Puts what a file holds into a store on a server: the same tables, rows, indexes and triggers. The way back of `copy-image.ts`. */
import type { BoundValue } from './arguments.ts';
import type { Database } from './database.ts';
import type { Filling } from './filling.ts';
import { quote } from './insertion.ts';
import { asArg, type Row, type Value } from './native-connection.ts';
import { openDatabase } from './open-database.ts';
import { type Reading, readSchema, sequenceRows, tableRows } from './table-rows.ts';

/** Bytes of values, about, that are sent at once. */
const MOST_BYTES = 1_000_000;
/** Rows that are sent at once. */
const MOST_ROWS = 400;

/** Called with the number of rows that were dealt with since the last call. */
type OnRows = (rows: number) => void;

/** Returns the number of rows of a file, in all tables. */
export function countRows(file: string): Promise<number> {
  return reading(file, async (source) => {
    let count = 0;
    for (const { name } of (await readSchema(source)).tables)
      count += Number((await source.read(`SELECT count(*) FROM ${quote(name)}`))[0]?.[0]);
    return count;
  });
}

/**
 * Loads all that a file has.
 * @param file nobody changes it
 * @throws TakenFillingError, StoreUnreachableError, LibsqlError
 */
export function loadStore(file: string, filling: Filling, onRows: OnRows): Promise<void> {
  return reading(file, async (source) => {
    const { tables, others } = await readSchema(source);
    await filling.run(tables.map(({ sql }) => ({ sql })));
    for (const { name } of tables) await loadTable(source, filling, name, onRows);
    const sequences = await sequenceRows(source);
    if (sequences !== undefined) {
      const sql = 'INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)';
      const rows = sequences.map((row) => ({ sql, args: row.map(asArg) }));
      await filling.run([{ sql: 'DELETE FROM sqlite_sequence' }, ...rows]);
    }
    // Each by itself: an index of many rows takes long.
    for (const sql of others) await filling.run([{ sql }]);
  });
}

async function loadTable(source: Reading, filling: Filling, name: string, onRows: OnRows): Promise<void> {
  const { insert, slices, insertedFrom } = await tableRows(source, name);
  let steps: { readonly sql: string; readonly args: BoundValue[] }[] = [];
  let bytes = 0;
  const flush = async () => {
    if (steps.length === 0) return;
    await filling.run(steps);
    onRows(steps.length);
    steps = [];
    bytes = 0;
  };
  for await (const rows of slices()) {
    for (const row of rows) {
      const size = sizeOf(row);
      if (bytes + size > MOST_BYTES || steps.length === MOST_ROWS) await flush();
      steps.push({ sql: insert, args: insertedFrom(row) });
      bytes += size;
    }
  }
  await flush();
}

function sizeOf(row: Row): number {
  return row.reduce<number>((sum, value) => {
    if (typeof value === 'string') return sum + value.length;
    return sum + (value instanceof ArrayBuffer ? value.byteLength : 8);
  }, 0);
}

/**
 * Compares a store with the file that it was loaded from: the schema, and each row.
 * @returns what differs, as the end of a sentence about the store; `undefined` where nothing does
 * @throws StoreUnreachableError, LibsqlError
 */
export function compareStore(file: string, database: Database, onRows: OnRows): Promise<string | undefined> {
  return reading(file, async (source) => {
    const image = await database.remoteImage();
    if (image === undefined) throw new TypeError('the store is on a server');
    try {
      await image.begin();
      return await differenceOf(source, image, onRows);
    } finally {
      image.close();
    }
  });
}

async function differenceOf(source: Reading, target: Reading, onRows: OnRows): Promise<string | undefined> {
  const [wanted, found] = [await readSchema(source), await readSchema(target)];
  // The order is not the same where a store was filled anew, and it says itself that it is being filled.
  const texts = ({ tables, others }: typeof wanted) => new Set([...tables.map(({ sql }) => sql), ...others]);
  const lacking = [...texts(wanted)].find((sql) => !texts(found).has(sql));
  if (lacking !== undefined) return `lacks ${lacking.replace(/\s+/g, ' ').slice(0, 60)}`;
  for (const { name } of wanted.tables) {
    const from = (await tableRows(source, name)).slices();
    const held = rowsOf((await tableRows(target, name)).slices());
    for await (const rows of from) {
      for (const row of rows) {
        const other = await held.next();
        if (other.done || !isSame(row, other.value)) return `has other rows in ${name}`;
      }
      onRows(rows.length);
    }
    if (!(await held.next()).done) return `has further rows in ${name}`;
  }
  const [own, theirs] = [await sequenceRows(source), await sequenceRows(target)];
  const isEqual = own?.length === theirs?.length && own?.every((row, i) => isSame(row, theirs?.[i] ?? [])) !== false;
  return isEqual ? undefined : 'has other sequences';
}

async function* rowsOf(slices: AsyncGenerator<readonly Row[]>): AsyncGenerator<Row> {
  for await (const rows of slices) yield* rows;
}

function isSame(one: Row, other: Row): boolean {
  return one.length === other.length && one.every((value, i) => isSameValue(value, other[i]));
}

function isSameValue(one: Value, other: Value | undefined): boolean {
  if (one instanceof ArrayBuffer) return other instanceof ArrayBuffer && Buffer.from(one).equals(Buffer.from(other));
  return Object.is(one, other);
}

async function reading<Result>(file: string, work: (source: Reading) => Promise<Result>): Promise<Result> {
  const source = await openDatabase(file, { synced: false });
  try {
    return await work({ read: (sql, args) => source.query(sql, args) });
  } finally {
    await source.close();
  }
}

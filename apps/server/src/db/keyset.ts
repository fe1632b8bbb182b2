/** Orders of lists, and the cursors that continue them: a cursor holds the order and the sort values of the last row. */
import { type CursorValue, decodeCursor, encodeCursor } from '@broadside/core';
import { asc, desc, getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { toArg } from './compile.ts';
import { orderColumn } from './list-indexes.ts';

/** A strict order: its name, and the columns behind it. */
export interface Order {
  readonly name: string;
  readonly keys: readonly { readonly column: SQLiteColumn; readonly descending: boolean }[];
}

/** A row with the values that it is sorted by. */
type SortedRow = Readonly<Record<string, unknown>>;

/** The default order of a list. */
export const NEWEST_FIRST = ['created_at-desc'];

/** The terms of lists whose requests name neither an order nor deleted rows nor a count: the first to be created first. */
export const FIRST_CREATED_FIRST = {
  sort_by: ['created_at-asc'],
  with_deleted: false,
  with_total_count: false,
} as const;

/**
 * The order of `sort_by`.
 * @throws TypeError on a name that is no column, which the contract has let through
 */
export function orderOf(table: SQLiteTable & { readonly seq: SQLiteColumn }, sort_by: readonly string[]): Order {
  const columns: Readonly<Record<string, SQLiteColumn>> = getTableColumns<SQLiteTable>(table);
  const keys: { column: SQLiteColumn; descending: boolean }[] = [];
  const names: string[] = [];
  for (const part of sort_by) {
    const column = orderColumn(columns, part.slice(0, part.lastIndexOf('-')));
    if (!column) throw new TypeError(`the contract sorts by ${part}, which is no column`);
    const descending = part.endsWith('-desc');
    // By the column: a cursor from when names were ordered by another one is none of this order.
    names.push(`${column.name}-${descending ? 'desc' : 'asc'}`);
    // Rows that are equal in an attribute are still equal when it is named again.
    if (!keys.some((key) => key.column === column)) keys.push({ column, descending });
  }
  // Deletion is part of the class of a row, so that the index on creation serves this order (our choice among equals).
  if (keys.length === 1 && keys[0]?.column.name === 'deleted' && columns['created_at']) {
    keys.push({ column: columns['created_at'], descending: keys[0].descending });
  }
  // Equal values keep the order of creation, which makes the whole order strict.
  keys.push({ column: table.seq, descending: keys[0]?.descending ?? false });
  return { name: names.join(','), keys };
}

/** The terms of ORDER BY. */
export function orderBy({ keys }: Order): SQL[] {
  return keys.map(({ column, descending }) => (descending ? desc(sortKey(column)) : asc(sortKey(column))));
}

/** Compares rows as ORDER BY does. */
export function comparer({ keys }: Order): (one: SortedRow, other: SortedRow) => number {
  return (one, other) => {
    for (const { column, descending } of keys) {
      const compared = compareValues(sortValue(column, one), sortValue(column, other));
      if (compared !== 0) return descending ? -compared : compared;
    }
    return 0;
  };
}

/** Compares the values of two rows in a column, as the database does. */
export function compareValues(one: CursorValue, other: CursorValue): number {
  // The database compares texts by the bytes of UTF-8, which is not the order of UTF-16.
  if (typeof one === 'string' && typeof other === 'string') return Buffer.compare(Buffer.from(one), Buffer.from(other));
  return one < other ? -1 : Number(one > other);
}

/** The cursor after a row. */
export function cursorOf({ name, keys }: Order, last: SortedRow): string {
  return encodeCursor({ order: name, after: keys.map(({ column }) => sortValue(column, last)) });
}

function sortValue(column: SQLiteColumn, row: SortedRow): CursorValue {
  const value = row[column.name];
  const driver = value === null ? lowest(column) : toArg(column.mapToDriverValue(value));
  return typeof driver === 'bigint' ? driver : String(driver);
}

/** The sort values in a cursor; `undefined` when it is not one of this order. */
export function readCursor({ name, keys }: Order, cursor: string): readonly CursorValue[] | undefined {
  const read = decodeCursor(cursor);
  return read?.order === name && read.after.length === keys.length ? read.after : undefined;
}

/** The name of the argument for a cursor's value. @param place counted from 0 */
export function cursorArgument(place: number): string {
  return `after_${place}`;
}

/** The rows after the cursor's. A row value where the directions agree, because an index can serve only that form. */
export function afterCursor(
  { keys }: Order,
  value = (place: number): SQL => sql`${sql.placeholder(cursorArgument(place))}`,
): SQL {
  const [lead] = keys;
  if (lead && keys.every((key) => key.descending === lead.descending)) {
    const columns = keys.map(({ column }) => sortKey(column));
    const values = keys.map((_, place) => value(place));
    const [left, right] = [sql.join(columns, sql`, `), sql.join(values, sql`, `)];
    return lead.descending ? sql`(${left}) < (${right})` : sql`(${left}) > (${right})`;
  }
  const [first, ...rest] = keys.map(({ column, descending }, place) => ({
    beyond: descending ? sql`${sortKey(column)} < ${value(place)}` : sql`${sortKey(column)} > ${value(place)}`,
    level: sql`${sortKey(column)} = ${value(place)}`,
  }));
  if (!first) throw new TypeError('an order has keys');
  const nest = (key: { beyond: SQL; level: SQL }, others: typeof rest): SQL => {
    const [next, ...further] = others;
    return next ? sql`(${key.beyond} OR (${key.level} AND ${nest(next, further)}))` : key.beyond;
  };
  return nest(first, rest);
}

/** NULL sorts before every value, so that a nullable column still gives a strict order. */
function sortKey(column: SQLiteColumn): SQL {
  return column.notNull ? sql`${column}` : sql`ifnull(${column}, ${sql.raw(literal(lowest(column)))})`;
}

/** Stands for NULL in a cursor: less than every value of the column. */
export function lowest(column: SQLiteColumn): CursorValue {
  return column.getSQLType() === 'text' ? '' : -(2n ** 63n) + 1n;
}

function literal(value: CursorValue): string {
  return typeof value === 'bigint' ? value.toString() : "''";
}

/** Rows after a cursor as ranges of an index: a range that an index cannot begin at would be read from its start. */
import type { CursorValue } from '@broadside/core';
import { isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import { afterCursor, cursorArgument, lowest, type Order } from './keyset.ts';

type Key = Order['keys'][number];

/** A key of an order, and its place among the values of a cursor. */
export interface PlacedKey extends Key {
  readonly place: number;
}

/** The keys of an order with their places. */
export function placedKeys({ keys }: Order): readonly PlacedKey[] {
  return keys.map((key, place) => ({ ...key, place }));
}

/** Returns whether a value of a cursor stands for NULL. */
export function isNullValue({ column, place }: PlacedKey, values: readonly CursorValue[]): boolean {
  return !column.notNull && values[place] === lowest(column);
}

/** The argument for the value of a key in the cursor. */
function argumentOf({ place }: Pick<PlacedKey, 'place'>): SQL {
  return sql`${sql.placeholder(cursorArgument(place))}`;
}

/**
 * The rows after a cursor, as conditions each of which is one range of an index on the keys. Together they are all of them,
 * and no row is in two. There are none without a cursor.
 */
export function rangesAfter(keys: readonly PlacedKey[], values: readonly CursorValue[]): readonly SQL[] {
  const [first, ...rest] = keys;
  if (!first || values.length === 0) return [];
  const { column, descending } = first;
  const beyond = () => (descending ? sql`${column} < ${argumentOf(first)}` : sql`${column} > ${argumentOf(first)}`);
  if (rest.length === 0) return [beyond()];
  if (isNullValue(first, values)) {
    const level = sql`${isNull(column)} AND ${restAfter(rest)}`;
    return descending ? [level] : [level, isNotNull(column)];
  }
  const nulls = descending && !column.notNull ? [isNull(column)] : [];
  // A row value is one range where all directions agree and nothing behind the first key can be NULL.
  if (rest.every((key) => key.descending === descending && key.column.notNull)) {
    const columns = sql.join(
      keys.map((key) => sql`${key.column}`),
      sql`, `,
    );
    const values = sql.join(keys.map(argumentOf), sql`, `);
    return [descending ? sql`(${columns}) < (${values})` : sql`(${columns}) > (${values})`, ...nulls];
  }
  return [sql`${column} = ${argumentOf(first)} AND ${restAfter(rest)}`, beyond(), ...nulls];
}

function restAfter(keys: readonly PlacedKey[]): SQL {
  return afterCursor({ name: '', keys }, (index) => argumentOf(keys[index] ?? { place: index }));
}

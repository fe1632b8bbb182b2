/** Orders of rows that have been read, as the database has them. */
import type { CursorValue } from '@broadside/core';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { Row, Value } from './database.ts';
import { compareValues, type Order } from './keyset.ts';
import { cursorValue } from './list-request.ts';

type Keys = Order['keys'];

export class RowOrder {
  /** Places of columns in rows. */
  readonly #places: ReadonlyMap<string, number>;

  /** @param columns those of the rows, the keys of orders among them */
  constructor(columns: readonly SQLiteColumn[]) {
    this.#places = new Map(columns.map(({ name }, place) => [name, place]));
  }

  cell(row: Row | undefined, { column }: Keys[number]): Value {
    return row?.[this.#places.get(column.name) ?? -1] ?? null;
  }

  /** The values that a row is ordered by, as a cursor holds them. */
  values(row: Row, keys: Keys): readonly CursorValue[] {
    return keys.map((key) => cursorValue(key.column, this.cell(row, key)));
  }

  sort(rows: readonly Row[], keys: Keys): readonly Row[] {
    return rows
      .map((row) => ({ row, values: this.values(row, keys) }))
      .sort((one, other) => compareInOrder(one.values, other.values, keys))
      .map(({ row }) => row);
  }
}

/** Compares the values of two rows. */
export function compareInOrder(one: readonly CursorValue[], other: readonly CursorValue[], keys: Keys): number {
  for (const [place, { descending }] of keys.entries()) {
    const compared = compareValues(one[place] ?? '', other[place] ?? '');
    if (compared !== 0) return descending ? -compared : compared;
  }
  return 0;
}

import { decodeCursor, encodeCursor, type Page } from '@broadside/core';

/** Rows in a fixed order, each under a key. */
interface Table<Row> {
  readonly rows: readonly Row[];
  /** Returns the position of the row with a key; `undefined` if there is none. */
  indexOf(key: string): number | undefined;
}

/**
 * A page of a table that does not change while the server runs, in the order of the table. A cursor names the last row
 * handed out, so it stays good while the table grows from one version to the next.
 * @param order names the list in its cursors
 * @param keyOf the key of a row
 * @param fits selects the rows
 * @returns `undefined` when the cursor is not one of this list
 */
export function tablePage<Row>(
  order: string,
  table: Table<Row>,
  keyOf: (row: Row) => string,
  { count, cursor }: { readonly count: number; readonly cursor?: string | undefined },
  fits: (row: Row) => boolean = () => true,
): Page<Row> | undefined {
  const last = cursor === undefined ? -1 : after(order, table, cursor);
  if (last === undefined) return undefined;
  const data: Row[] = [];
  for (let i = last + 1; i < table.rows.length; i++) {
    const row = table.rows[i];
    if (row === undefined || !fits(row)) continue;
    const end = data.at(-1);
    if (end !== undefined && data.length === count) {
      return { data, next_cursor: encodeCursor({ order, after: [keyOf(end)] }) };
    }
    data.push(row);
  }
  return { data, next_cursor: null };
}

function after(order: string, table: Table<unknown>, cursor: string): number | undefined {
  const read = decodeCursor(cursor);
  const [key] = read?.after ?? [];
  if (read?.order !== order || read.after.length !== 1 || typeof key !== 'string') return undefined;
  return table.indexOf(key);
}

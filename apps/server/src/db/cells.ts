/** Reads the cells of rows that plain SQL asks for. What drizzle describes has its columns for that (`columns.ts`). */
import type { Value } from './database.ts';

type Cell = Value | undefined;

/** A 64-bit whole number. @throws TypeError when the cell holds none */
export function bigOf(cell: Cell): bigint {
  if (typeof cell === 'bigint') return cell;
  throw new TypeError('a whole number was expected in this column');
}

/** A 64-bit whole number, where there may be none. */
export function bigOrNull(cell: Cell): bigint | null {
  return typeof cell === 'bigint' ? cell : null;
}

/** A whole number that fits a double, where there may be none. */
export function numberOrNull(cell: Cell): number | null {
  return typeof cell === 'bigint' ? Number(cell) : null;
}

/** A text, where there may be none. */
export function textOrNull(cell: Cell): string | null {
  return typeof cell === 'string' ? cell : null;
}

/** A boolean, which is stored as 1 and 0. */
export function isSet(cell: Cell): boolean {
  return cell === 1n;
}

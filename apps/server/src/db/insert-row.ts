import type { Awaitable } from '../awaitable.ts';
import type { Arg, Touched, Writer } from './access.ts';
import type { Insertion } from './insertion.ts';

/** Inserts a row, with others where the writer can. */
export function insertRow(
  writer: Writer,
  insertion: Insertion,
  row: readonly Arg[],
  touched: Touched | undefined,
): Awaitable<unknown> {
  return writer.insertSoon
    ? writer.insertSoon(insertion, row, touched)
    : writer.change(insertion.text(1), row, touched);
}

import { encodeCursor } from '@broadside/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tablePage } from './table-page.ts';

const table = (rows: readonly number[]) => ({ rows, indexOf: (key: string) => rows.indexOf(Number(key)) });
const keyOf = (row: number) => `${row}`;

/** The lengths of all pages, and their rows. */
function walk(rows: readonly number[], count: number, fits: (row: number) => boolean) {
  const pages: (readonly number[])[] = [];
  let cursor: string | undefined;
  do {
    const page = tablePage('numbers', table(rows), keyOf, { count, cursor }, fits);
    pages.push(page?.data ?? []);
    cursor = page?.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return pages;
}

test('following the cursors returns each matching row once, in table order, on full pages', () => {
  const rows = fc.uniqueArray(fc.nat(1000), { maxLength: 40 });
  fc.assert(
    fc.property(rows, fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 3 }), (numbers, count, divisor) => {
      const fits = (row: number) => row % divisor === 0;
      const pages = walk(numbers, count, fits);
      expect(pages.flat()).toEqual(numbers.filter(fits));
      expect(pages.slice(0, -1).every(({ length }) => length === count)).toBe(true);
      // No page is empty but the only one.
      expect(pages.length === 1 || pages.every(({ length }) => length > 0)).toBe(true);
    }),
  );
});

test('a cursor stays good while the table grows', () => {
  const cursor = tablePage('numbers', table([1, 2, 3]), keyOf, { count: 2 })?.next_cursor ?? '';
  expect(tablePage('numbers', table([0, 1, 5, 2, 7, 3]), keyOf, { count: 5, cursor })?.data).toEqual([7, 3]);
});

test.each([
  ['of another list', encodeCursor({ order: 'letters', after: ['1'] })],
  ['with too much in it', encodeCursor({ order: 'numbers', after: ['1', '2'] })],
  ['with a number for a key', encodeCursor({ order: 'numbers', after: [1n] })],
  ['that is none', 'c-abc'],
])('a cursor %s gives no page', (_what, cursor) => {
  expect(tablePage('numbers', table([1, 2, 3]), keyOf, { count: 1, cursor })).toBeUndefined();
});

test('a cursor of a removed row returns no page', () => {
  const gone = { rows: [1, 2], indexOf: () => undefined };
  const cursor = encodeCursor({ order: 'numbers', after: ['3'] });
  expect(tablePage('numbers', gone, keyOf, { count: 1, cursor })).toBeUndefined();
});

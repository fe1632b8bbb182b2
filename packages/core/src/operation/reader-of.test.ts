/** The short way of reading a parameter gives what its schema gives. */
import { expect, test } from 'vitest';
import * as z from 'zod';
import { allAuthOperations, allDataOperations, allOperations } from '../families.ts';
import { id, REJECTED, readerOf, text } from '../wire/types.ts';

const samples = [
  ...[
    '',
    'a',
    '8wku2',
    '12',
    '-1',
    '1.5',
    'true',
    'false',
    'a,b',
    '2026-01-01',
    '2026-01-01T00:00:00Z',
    'ACTIVE',
    'x'.repeat(300),
  ],
  ...[0, 1, -1, 1.5, 2 ** 53, 10n, 2n ** 63n, Number.NaN, true, false, null, {}, { a: 1 }, new Date(0), '\0', '\ud800'],
];

test('every parameter of the contract reads as its schema does', () => {
  let short = 0;
  for (const { id: name, params } of [...allOperations, ...allAuthOperations, ...allDataOperations]) {
    for (const [member, schema] of Object.entries(params.shape)) {
      const read = schema instanceof z.ZodType ? readerOf(schema) : undefined;
      if (!read || !(schema instanceof z.ZodType)) continue;
      short++;
      for (const sample of samples) {
        const parsed = schema.safeParse(sample);
        expect(read(sample), `${name} ${member} ${String(sample)}`).toEqual(parsed.success ? parsed.data : REJECTED);
      }
    }
  }
  expect(short).toBeGreaterThan(500);
});

test('a schema that does more has no short way', () => {
  expect(readerOf(text().describe('a text'))).toBeDefined();
  expect(readerOf(text().optional())).toBeDefined();
  expect(readerOf(text().refine((value) => value !== 'a'))).toBeUndefined();
  expect(readerOf(text().transform((value) => value.length))).toBeUndefined();
  expect(readerOf(text().nullable())).toBeUndefined();
  expect(readerOf(z.string())).toBeUndefined();
  expect(
    readerOf(
      id()
        .optional()
        .refine(() => true),
    ),
  ).toBeUndefined();
});

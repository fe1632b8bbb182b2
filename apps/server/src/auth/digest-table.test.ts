import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DigestTable } from './digest-table.ts';

const digestOf = (n: number) => createHash('sha256').update(`${n}`).digest('base64url').slice(0, 22);

test('a table has what a map has, whatever was added and deleted', () => {
  const step = fc.record({ adds: fc.boolean(), nonce: fc.nat(400), timestamp: fc.integer({ min: 1, max: 10 ** 12 }) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300, size: 'max' }), fc.integer(), (steps, seed) => {
      const table = new DigestTable(seed);
      const known = new Map<string, number>();
      for (const { adds, nonce, timestamp } of steps) {
        const digest = digestOf(nonce);
        expect(table.has(digest)).toBe(known.has(digest));
        if (!adds) {
          table.delete(digest);
          known.delete(digest);
        } else if (!known.has(digest)) {
          table.add(timestamp, digest);
          known.set(digest, timestamp);
        }
      }
      expect(table.size).toBe(known.size);
      expect(new Map([...table.entries()].map(([timestamp, digest]) => [digest, timestamp]))).toEqual(known);
    }),
    { seed: 14, numRuns: 100 },
  );
});

test('digests in one place are told apart, and tables grow', () => {
  const table = new DigestTable(7);
  // The same first ten characters, and so the same place.
  const alike = Array.from({ length: 40 }, (_, n) => digestOf(0).slice(0, 10) + digestOf(n).slice(10));
  const others = Array.from({ length: 20_000 }, (_, n) => digestOf(n + 1));
  for (const digest of [...alike, ...others]) {
    expect(table.has(digest)).toBe(false);
    table.add(1, digest);
  }
  for (const digest of [...alike, ...others]) expect(table.has(digest)).toBe(true);
  expect(new Set([...table.entries()].map(([, digest]) => digest))).toEqual(new Set([...alike, ...others]));
});

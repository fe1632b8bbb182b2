import fc from 'fast-check';
import { expect, test } from 'vitest';
import { audienceSize, blurOf, blurredCount, SMALLEST_AUDIENCE } from './size.ts';

const counts = fc.oneof(fc.nat(3000), fc.nat(2_000_000_000));

test.for([
  [0, 0, 1000],
  [999, 0, 1000],
  [1000, 1000, 1100],
  [1099, 1000, 1100],
  [1100, 1100, 1200],
  [9999, 9900, 10_000],
  [10_000, 10_000, 11_000],
  [41_999, 41_000, 42_000],
  [1_000_000, 1_000_000, 1_100_000],
])('%i people are reported as %i to %i', ([count = 0, min, max]) => {
  expect(audienceSize(count)).toEqual({ min, max });
});

test('a count is between its bounds, which are never equal', () => {
  fc.assert(
    fc.property(counts, (count) => {
      const { min, max } = audienceSize(count);
      expect(min).toBeLessThanOrEqual(count);
      expect(max).toBeGreaterThanOrEqual(count);
      expect(max - min).toBeGreaterThanOrEqual(100);
      expect(max - min).toBeLessThanOrEqual(Math.max(SMALLEST_AUDIENCE, count / 10));
    }),
  );
});

test('bounds never decrease as the count grows', () => {
  fc.assert(
    fc.property(counts, fc.nat(5000), (count, more) => {
      const [few, many] = [audienceSize(count), audienceSize(count + more)];
      expect(many.min).toBeGreaterThanOrEqual(few.min);
      expect(many.max).toBeGreaterThanOrEqual(few.max);
    }),
  );
});

test('one person more or less changes the bounds of few counts only, and of no small one', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: SMALLEST_AUDIENCE - 1 }), (count) => {
      expect(audienceSize(count)).toEqual(audienceSize(count - 1));
    }),
  );
});

test.for([
  [999, 1000, 100],
  [100, 100, 10],
  [40, 100, 10],
  [5400, 1000, 100],
  [123_456, 1000, 10_000],
])('a count of %i is moved by up to a step of its rounding', ([count = 0, smallest = 0, step]) => {
  expect(blurOf(count, 0, smallest)).toBe(-(step ?? 0));
  expect(blurOf(count, 0.5, smallest)).toBe(0);
  expect(blurOf(count, 1 - 1e-9, smallest)).toBe(step);
});

test('a count is moved by each whole number of its range equally often, and never below nobody', () => {
  const shares = Array.from({ length: 21 * 50 }, (_, i) => (i + 0.5) / (21 * 50));
  const moved = Map.groupBy(shares, (share) => blurOf(100, share, 100));
  expect(moved.size).toBe(21);
  expect(new Set([...moved.values()].map(({ length }) => length))).toEqual(new Set([50]));
  expect(blurredCount(3, 0, 100)).toBe(0);
});

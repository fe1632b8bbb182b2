import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MAX_RANGES, TimeRanges } from './time-ranges.ts';

test('a set has what was added, and keeps no more ranges than it may', () => {
  const range = fc
    .tuple(fc.integer({ min: -50, max: 2000 }), fc.integer({ min: 0, max: 20 }))
    .map(([from, length]): [number, number] => [from, from + length]);
  fc.assert(
    fc.property(fc.array(range, { maxLength: 120, size: 'max' }), (added) => {
      const set = new TimeRanges(added);
      expect(set.ranges.length).toBeLessThanOrEqual(MAX_RANGES);
      for (const [from, to] of added) for (let time = from; time <= to; time += 1) expect(set.has(time)).toBe(true);
      for (const [index, [from, to]] of set.ranges.entries()) {
        expect(from).toBeLessThanOrEqual(to);
        expect(from).toBeGreaterThan((set.ranges[index - 1]?.[1] ?? Number.NEGATIVE_INFINITY) + 1);
        expect([set.has(from - 1), set.has(to + 1)]).toEqual([false, false]);
      }
    }),
    { numRuns: 200 },
  );
});

test('few ranges stay as they are, those that touch become one', () => {
  const set = new TimeRanges([
    [100, 200],
    [300, 310],
    [201, 210],
    [0, 5],
  ]);
  expect(set.ranges).toEqual([
    [0, 5],
    [100, 210],
    [300, 310],
  ]);
  expect([set.overlaps(6, 99), set.overlaps(5, 6), set.overlaps(211, 300)]).toEqual([false, true, true]);
});

test('with too many, the two with the least between them become one', () => {
  const set = new TimeRanges();
  for (let index = 0; index < MAX_RANGES; index += 1) set.add(index * 100, index * 100);
  set.add(550, 550);
  expect(set.ranges).toHaveLength(MAX_RANGES);
  expect([set.has(525), set.has(575), set.has(450)]).toEqual([true, false, false]);
});

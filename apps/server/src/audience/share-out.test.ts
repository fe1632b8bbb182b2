import fc from 'fast-check';
import { expect, test } from 'vitest';
import { snowflakeAt } from '../world/ids.ts';
import { ALL_RANGES, RANGES, rangeCount, rangeOf, rangesIn } from './ranges.ts';
import { type Sharer, shareOut } from './share-out.ts';

const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
/** Any state, also those in which ranges are nobody's or of several. */
const sharersArbitrary = fc
  .uniqueArray(fc.constantFrom(...names), { minLength: 1 })
  .chain((ids) =>
    fc.tuple(...ids.map((id) => fc.record({ id: fc.constant(id), takes: fc.bigInt({ min: 0n, max: ALL_RANGES }) }))),
  );

/** The state once everybody has what they are to have. */
function settled(sharers: readonly Sharer[]): Sharer[] {
  return [...shareOut(sharers)].map(([id, takes]) => ({ id, takes }));
}

test('every range is had by one, and nobody has more than one more than others', () => {
  fc.assert(
    fc.property(sharersArbitrary, (sharers) => {
      const shares = settled(sharers);
      expect(shares.reduce((all, { takes }) => all | takes, 0n)).toBe(ALL_RANGES);
      const counts = shares.map(({ takes }) => rangeCount(takes));
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(RANGES);
      expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
      expect(new Map(settled([...sharers].reverse()).map(({ id, takes }) => [id, takes]))).toEqual(
        new Map(shares.map(({ id, takes }) => [id, takes])),
      );
    }),
    { numRuns: 15 },
  );
});

test('who comes takes from others, who goes leaves to others, and nobody else gives and takes', () => {
  fc.assert(
    fc.property(sharersArbitrary, (any) => {
      const before = settled(any);
      expect(new Set(settled(before))).toEqual(new Set(before));
      const after = settled([...before, { id: 'new', takes: 0n }]);
      for (const { id, takes } of before) {
        const now = after.find((one) => one.id === id)?.takes ?? 0n;
        expect(now & ~takes).toBe(0n);
      }
      const [gone, ...left] = before;
      if (!gone || left.length === 0) return;
      for (const { id, takes } of settled(left)) {
        const old = left.find((one) => one.id === id)?.takes ?? 0n;
        expect(old & ~takes).toBe(0n);
      }
    }),
    { numRuns: 15 },
  );
});

test('while ranges are handed over, one after the other, what everybody is to have stays', () => {
  fc.assert(
    fc.property(sharersArbitrary, fc.array(fc.nat(6)), (any, order) => {
      let state = [...settled(any), { id: 'new', takes: 0n }];
      const goal = shareOut(state);
      // The newcomer first: before that nobody gives anything away.
      state = state.map((one) => (one.id === 'new' ? { ...one, takes: goal.get('new') ?? 0n } : one));
      for (const step of order) {
        expect(shareOut(state)).toEqual(goal);
        state = state.map((one, place) => (place === step ? { ...one, takes: goal.get(one.id) ?? 0n } : one));
      }
      expect(shareOut(state)).toEqual(goal);
    }),
    { numRuns: 15 },
  );
});

test('people are in ranges evenly, those of one moment and those of years', () => {
  const start = Date.UTC(2026, 0, 1);
  const crowds = [
    (i: number) => snowflakeAt(start, BigInt(i)),
    (i: number) => snowflakeAt(start + i * 1000, 0n),
    (i: number) => snowflakeAt(start + i * 86_400_000, 5n << 12n),
    (i: number) => BigInt(i),
  ];
  for (const idAt of crowds) {
    const counts = new Array<number>(RANGES).fill(0);
    const people = RANGES * 40;
    for (let i = 0; i < people; i++) {
      const range = rangeOf(idAt(i));
      counts[range] = (counts[range] ?? 0) + 1;
    }
    expect(Math.min(...counts)).toBeGreaterThan(10);
    expect(Math.max(...counts)).toBeLessThan(90);
  }
  expect(rangesIn(ALL_RANGES)).toHaveLength(RANGES);
});

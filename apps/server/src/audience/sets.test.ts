/** The sets of queries, compared with plain `Set`s. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Pace } from '../pace.ts';
import { BirthDates } from './birth-dates.ts';
import { CompressedSet } from './compressed-set.ts';
import { DenseSet } from './dense-set.ts';
import { FollowGraph } from './follow-graph.ts';
import { IdTable } from './id-table.ts';
import { SetPool } from './set-pool.ts';
import { Tally } from './tally.ts';

const SIZE = 200_000;
const ordinal = fc.oneof(fc.nat(300), fc.nat(SIZE - 1), fc.integer({ min: 65_530, max: 65_545 }));

function members(set: CompressedSet | DenseSet): number[] {
  const dense = new DenseSet(SIZE);
  if (set instanceof CompressedSet) set.addTo(dense);
  else dense.unite(set);
  return Array.from({ length: SIZE }, (_, i) => i).filter((i) => dense.has(i));
}

describe('a compressed set', () => {
  /** A range of numbers that turns a block from a list into a bitmap and back. */
  const change = fc.record({
    from: ordinal,
    length: fc.oneof(fc.constant(1), fc.nat(6000)),
    step: fc.integer({ min: 1, max: 3 }),
    adds: fc.boolean(),
    backwards: fc.boolean(),
  });

  test('contains what was added and not removed, in any form of its blocks', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 10 }), (changes) => {
        const set = new CompressedSet();
        const model = new Set<number>();
        for (const { from, length, step, adds, backwards } of changes) {
          const range = Array.from({ length }, (_, i) => from + i * step).filter((i) => i < SIZE);
          for (const one of backwards ? range.reverse() : range) {
            if (adds) set.add(one);
            else set.delete(one);
            if (adds) model.add(one);
            else model.delete(one);
          }
        }
        expect(members(set)).toEqual([...model].sort((a, b) => a - b));
        for (const { from } of changes) expect(set.has(from)).toBe(model.has(from));
      }),
      { numRuns: 60 },
    );
  });

  test('adds nobody beyond the end of a smaller set', () => {
    const set = new CompressedSet();
    for (let i = 0; i < SIZE; i += 3) set.add(i);
    const small = new DenseSet(70_016);
    set.addTo(small);
    expect(small.count).toBe(Math.ceil(70_016 / 3));
  });
});

test('dense sets implement union, intersection, difference and size', () => {
  const numbers = fc.array(ordinal, { maxLength: 60 });
  fc.assert(
    fc.property(numbers, numbers, (one, other) => {
      const [a, b] = [new Set(one), new Set(other)];
      const both = [...a].filter((value) => b.has(value)).length;
      const make = (values: readonly number[]) => {
        const set = new DenseSet(SIZE);
        for (const value of values) set.add(value);
        return set;
      };
      const [united, crossed, left, again] = [make(one), make(one), make(one), new DenseSet(SIZE)];
      united.unite(make(other));
      crossed.intersect(make(other));
      left.subtract(make(other));
      make(one).addAll(Uint32Array.from([...b]), again);
      expect(united.count).toBe(new Set([...one, ...other]).size);
      expect(crossed.count).toBe(both);
      expect(left.count).toBe(a.size - both);
      expect(again.count).toBe(both);
    }),
  );
});

test('an id table numbers ids in order of appearance, and finds them again', () => {
  const id = fc.oneof(
    fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }),
    fc.bigInt({ min: 0n, max: 40n }),
    fc.bigInt({ min: 0n, max: 40n }).map((n) => n << 32n),
  );
  fc.assert(
    fc.property(fc.array(id, { maxLength: 3000 }), id, (ids, other) => {
      const table = new IdTable();
      const model = new Map<bigint, number>();
      for (const one of ids) {
        if (!model.has(one)) model.set(one, model.size);
        expect(table.add(one)).toBe(model.get(one));
      }
      expect(table.size).toBe(model.size);
      for (const one of [...ids, other]) expect(table.get(one)).toBe(model.get(one));
    }),
    { numRuns: 50 },
  );
});

interface Ages {
  readonly from: number;
  readonly to: number | null;
  readonly now_ms: number;
  readonly size: number;
}

function aged(dates: BirthDates, { from, to, now_ms, size }: Ages): DenseSet {
  const found = new DenseSet(size);
  dates.addAgedTo(found, from, to, now_ms);
  return found;
}

describe('ages', () => {
  const day = fc.date({ min: new Date('1900-01-01'), max: new Date('2079-06-05'), noInvalidDate: true });
  const text = (date: Date) => date.toISOString().slice(0, 10);
  const leapDays = fc
    .constantFrom('2000-02-29', '2004-02-29', '2013-02-28', '2013-03-01')
    .map((date) => new Date(date));

  test('are counted as people count them, on the day of the clock', () => {
    const birth = fc.option(fc.oneof(day, leapDays));
    const age = fc.nat(70);
    fc.assert(
      fc.property(
        fc.array(birth, { maxLength: 50 }),
        fc.oneof(day, leapDays),
        age,
        fc.option(age),
        (births, now, from, more) => {
          const to = more === null ? null : from + more;
          const dates = new BirthDates();
          for (const [person, date] of births.entries()) dates.set(person, date ? text(date) : undefined);
          const today = text(now);
          const expected = births.map((date) => {
            if (!date) return false;
            const born = text(date);
            const years =
              Number(today.slice(0, 4)) - Number(born.slice(0, 4)) - (today.slice(5) < born.slice(5) ? 1 : 0);
            return years >= from && (to === null || years <= to);
          });
          const found = aged(dates, { from, to, now_ms: now.getTime(), size: births.length });
          expect(births.map((_, person) => found.has(person))).toEqual(expected);
        },
      ),
    );
  });

  test('a corrected date no longer counts', () => {
    const dates = new BirthDates();
    const now = Date.UTC(2026, 0, 15);
    dates.set(3, '2000-01-01');
    expect(aged(dates, { from: 13, to: 40, now_ms: now, size: 10 }).count).toBe(1);
    dates.set(3, '1950-01-01');
    expect(aged(dates, { from: 13, to: 40, now_ms: now, size: 10 }).count).toBe(0);
    dates.set(3, undefined);
    expect(aged(dates, { from: 0, to: null, now_ms: now, size: 10 }).count).toBe(0);
  });
});

test('a follow graph contains the loaded follows and later changes, in both directions', async () => {
  const who = fc.nat(12);
  const pair = fc.tuple(who, who);
  await fc.assert(
    fc.asyncProperty(fc.array(pair), fc.array(fc.tuple(who, who, fc.boolean())), async (loaded, changes) => {
      const graph = new FollowGraph();
      const tally = new Tally();
      tally.fit(13);
      const model = new Set<string>();
      for (const [a, b] of loaded) {
        if (model.has(`${a} ${b}`)) continue;
        graph.load(a, b);
        model.add(`${a} ${b}`);
      }
      // People who joined later have numbers beyond those at the time of loading.
      await graph.seal(Math.max(0, ...loaded.flat()) + 1, new Pace());
      for (const [a, b, follows] of changes) {
        graph.set(a, b, follows);
        if (follows) model.add(`${a} ${b}`);
        else model.delete(`${a} ${b}`);
        expect([...graph.followersOf(b)].includes(a)).toBe(follows);
      }
      for (let one = 0; one <= 12; one++) {
        const all = Array.from({ length: 13 }, (_, i) => i);
        expect([...graph.followersOf(one)].sort((a, b) => a - b)).toEqual(all.filter((i) => model.has(`${i} ${one}`)));
        graph.countFollowedBy(one, tally);
        expect(tally.takeLargest(13, () => true)).toEqual(all.filter((i) => model.has(`${one} ${i}`)));
      }
    }),
  );
});

test('a tally returns the most frequent, the smaller ones on a tie, of those who can be among them, repeatedly', () => {
  const SIZE = 40;
  const met = fc.array(fc.array(fc.nat(SIZE - 1), { maxLength: 60 }), { maxLength: 6 });
  const tally = new Tally();
  fc.assert(
    fc.property(
      fc.integer({ min: SIZE, max: 3 * SIZE }),
      met,
      fc.nat(SIZE - 1),
      fc.nat(12),
      (size, lists, gone, most) => {
        tally.fit(size);
        for (const list of lists) tally.countEach(Uint32Array.from(list));
        tally.forget(gone);
        const people = lists.flat();
        const expected = Array.from({ length: SIZE }, (_, person) => person)
          .map((person) => ({ person, count: person === gone ? 0 : people.filter((one) => one === person).length }))
          .filter(({ person, count }) => count > 0 && person % 5 !== 0)
          .sort((one, other) => other.count - one.count || one.person - other.person);
        expect(tally.takeLargest(most, (person) => person % 5 !== 0)).toEqual(
          expected.slice(0, most).map(({ person }) => person),
        );
      },
    ),
  );
});

test('a pool returns empty sets of the requested size, none of them twice', () => {
  const pool = new SetPool();
  const size = fc.constantFrom(10, 31, 33, 70);
  fc.assert(
    fc.property(fc.array(fc.oneof(size, fc.constant(undefined)), { maxLength: 40 }), (asked) => {
      const held: DenseSet[] = [];
      for (const wanted of asked) {
        if (wanted === undefined) {
          const set = held.shift();
          if (set) pool.give(set);
          continue;
        }
        const set = pool.take(wanted);
        expect([set.count, set.words.length]).toEqual([0, Math.ceil(wanted / 32)]);
        expect(held).not.toContain(set);
        set.add(wanted - 1);
        held.push(set);
      }
    }),
  );
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Pace } from '../../pace.ts';
import { DenseSet } from '../dense-set.ts';
import { IdTable } from '../id-table.ts';
import { foundWhenMet, type SyntheticMember, SyntheticMembers, triedWhenMet } from '../testing/synthetic-members.ts';
import type { EventCondition } from './event-condition.ts';
import { keyOf, MemberSets } from './member-sets.ts';
import type { MemberSetName } from './member-tree.ts';
import { inOrderOfTime } from './time-order.ts';

const BOUND = 60;
const PEOPLE = 12;
/** Ids beyond what a double holds. */
const idOf = (person: number) => 2_011_000_000_000_000_000n + BigInt(person);

const ascending = (count: number) =>
  fc.uniqueArray(fc.nat(BOUND), { maxLength: count }).map((times) => times.toSorted((one, other) => one - other));
const intervalsArbitrary = ascending(6).map((times) => times.slice(0, Math.floor(times.length / 2) * 2));
const conditionArbitrary: fc.Arbitrary<EventCondition> = fc.record({
  window_s: fc.integer({ min: 1, max: 20 }),
  frequency_comparator: fc.constantFrom('NUM_GTE', 'NUM_GT', 'NUM_EQ', 'NUM_LTE', 'NUM_LT'),
  frequency: fc.nat(3),
});

test('a condition on events holds in the intervals that trying each second finds', () => {
  fc.assert(
    fc.property(intervalsArbitrary, ascending(6), conditionArbitrary, (intervals, events, condition) => {
      expect(foundWhenMet(intervals, events, condition, BOUND * 2)).toEqual(
        triedWhenMet(intervals, events, condition, BOUND * 2),
      );
    }),
    { numRuns: 1000 },
  );
});

test('transitions are sorted by time, those of one time in their order', async () => {
  const times = fc.array(fc.oneof(fc.nat(3), fc.integer({ min: 0, max: 0xffffffff })), { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(times, async (list) => {
      const values = list.map((_, i) => i);
      const sorted = await inOrderOfTime(
        { times: Uint32Array.from(list), values: Uint32Array.from(values) },
        new Pace(),
      );
      const expected = values.toSorted((one, other) => (list[one] ?? 0) - (list[other] ?? 0));
      expect([...sorted.values]).toEqual(expected);
      expect([...sorted.times]).toEqual(expected.map((i) => list[i]));
    }),
  );
});

interface Stage {
  readonly members: SyntheticMembers;
  readonly sets: MemberSets;
  ask(name: MemberSetName, now_s: number): Promise<bigint[]>;
}

function open(budget_bytes = 1e9, members = new SyntheticMembers()): Stage {
  const ids = new IdTable();
  const idsByNumber: bigint[] = [];
  for (let person = 0; person < 5000; person++) idsByNumber[ids.add(idOf(person))] = idOf(person);
  const sets = new MemberSets({ members, ids, budget_bytes });
  return {
    members,
    sets,
    async ask(name, now_s) {
      const found = new DenseSet(ids.size);
      (await sets.at([name], now_s, new Pace())).get(keyOf(name))?.addTo(found);
      return idsByNumber.filter((_, number) => found.has(number));
    },
  };
}

const memberArbitrary: fc.Arbitrary<SyntheticMember> = fc.record({
  user_id: fc.nat(PEOPLE - 1).map(idOf),
  intervals: intervalsArbitrary,
  events: ascending(4),
});
const peopleArbitrary = fc.uniqueArray(memberArbitrary, { selector: ({ user_id }) => user_id, maxLength: 6 });
const audienceArbitrary = fc.constantFrom('production/a', 'production/b', 'sandbox/a');
const stepArbitrary = fc.oneof(
  fc.record({ kind: fc.constant('put' as const), audience: audienceArbitrary, people: peopleArbitrary }),
  fc.record({ kind: fc.constant('wait' as const), seconds: fc.integer({ min: -6, max: 15 }) }),
  fc.record({
    kind: fc.constant('ask' as const),
    name: fc.record({ audience: audienceArbitrary, condition: fc.option(conditionArbitrary, { nil: undefined }) }),
  }),
);
const sorted = (ids: readonly bigint[]) => ids.toSorted((one, other) => (one < other ? -1 : 1));

test('sets have the members that are in effect, after any changes and however the clock moves', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(stepArbitrary, { maxLength: 30 }),
      fc.constantFrom(0, 60, 1e9),
      async (steps, budget_bytes) => {
        const { members, ask } = open(budget_bytes);
        let now = 10;
        for (const step of steps) {
          if (step.kind === 'put') members.put(step.audience, step.people);
          else if (step.kind === 'wait') now = Math.max(0, now + step.seconds);
          else {
            const { audience, condition } = step.name;
            expect(await ask(step.name, now)).toEqual(sorted(members.at(audience, now, condition)));
          }
        }
      },
    ),
    { numRuns: 400 },
  );
});

const member = (person: number, intervals: readonly number[] = [0, 100]): SyntheticMember => ({
  user_id: idOf(person),
  intervals,
  events: [],
});
const people = (count: number, intervals?: readonly number[]) =>
  Array.from({ length: count }, (_, person) => member(person, intervals));
const name = { audience: 'production/a' };

test('what changes while a set is loaded is neither lost nor undone', async () => {
  for (const delays of [
    [0, 3],
    [3, 0],
    [2, 2],
  ] as const) {
    const { members, ask } = open();
    members.put('production/a', people(3));
    members.delays = delays;
    const asked = ask(name, 10);
    await new Promise(setImmediate);
    members.put('production/a', [member(0, []), member(7)]);
    await asked;
    expect(await ask(name, 10)).toEqual([1, 2, 7].map(idOf));
    // Only one load: the changes came with it or after it.
    expect(members.loads).toHaveLength(1);
  }
});

test('time passing and single changes load nothing again', async () => {
  const { members, ask } = open();
  members.put('production/a', [...people(20, [0, 50]), member(30, [40, 60])]);
  expect(await ask(name, 10)).toHaveLength(20);
  for (let now = 11; now < 40; now++) {
    members.put('production/a', [member(now % 20, [0, now])]);
    await ask(name, now);
  }
  // The later part of them expires, others begin.
  expect(await ask(name, 49)).toEqual(sorted(members.at('production/a', 49)));
  expect(await ask(name, 50)).toEqual([idOf(30)]);
  expect(members.loads).toHaveLength(1);
});

test('a clock that goes back to before a change has the set loaded again', async () => {
  const { members, ask } = open();
  members.put('production/a', people(3, [20, 50]));
  expect(await ask(name, 25)).toHaveLength(3);
  expect(await ask(name, 60)).toHaveLength(0);
  expect(await ask(name, 30)).toHaveLength(3);
  expect(members.loads).toHaveLength(1);
  expect(await ask(name, 15)).toHaveLength(0);
  expect(members.loads).toHaveLength(2);
});

test('a set of which very much changed is loaded again, and what it waits for is bounded', async () => {
  const { members, sets, ask } = open();
  members.put('production/a', people(10));
  await ask(name, 10);
  const held = sets.bytes;
  for (let i = 0; i < 3; i++) members.put('production/a', people(4500));
  expect(sets.bytes).toBeLessThanOrEqual(held);
  expect(await ask(name, 10)).toHaveLength(4500);
  expect(members.loads).toHaveLength(2);
  for (let i = 0; i < 40; i++) {
    members.put('production/a', people(4500).slice(i * 100, i * 100 + 2000));
    expect(await ask(name, 10)).toHaveLength(4500);
  }
  expect(members.loads.length).toBeGreaterThan(2);
});

test('the sets that were not used for longest are dropped when memory runs out', async () => {
  const { members, sets, ask } = open(30_000);
  for (const audience of ['a', 'b', 'c']) members.put(audience, people(1000));
  await ask({ audience: 'a' }, 10);
  await ask({ audience: 'b' }, 10);
  await ask({ audience: 'a' }, 11);
  await ask({ audience: 'c' }, 11);
  expect(sets.bytes).toBeLessThanOrEqual(30_000);
  await ask({ audience: 'a' }, 12);
  expect(members.loads).toEqual(['a', 'b', 'c']);
  await ask({ audience: 'b' }, 12);
  expect(members.loads).toEqual(['a', 'b', 'c', 'b']);
});

test('a query is answered whatever its sets take', async () => {
  const { members, sets } = open(100);
  for (const audience of ['a', 'b', 'c']) members.put(audience, people(1000));
  const found = await sets.at([{ audience: 'a' }, { audience: 'b' }, { audience: 'c' }], 10, new Pace());
  expect(found.size).toBe(3);
});

test('concurrent questions share one load, and a failure is reported to those who asked only', async () => {
  const members = new SyntheticMembers();
  members.put('production/a', people(3));
  const { matched } = members;
  let failing = true;
  members.matched = (audience) => (failing ? Promise.reject(new Error('no')) : matched.call(members, audience));
  const { ask } = open(1e9, members);
  await expect(ask(name, 10)).rejects.toThrow('no');
  failing = false;
  members.delays = [1, 1];
  const all = await Promise.all(Array.from({ length: 5 }, () => ask(name, 10)));
  expect(all.map(({ length }) => length)).toEqual([3, 3, 3, 3, 3]);
  expect(members.loads).toHaveLength(1);
});

test('sets are loaded again when the store of members has started again, and when an audience was dropped', async () => {
  const { members, sets, ask } = open();
  members.put('production/a', people(3));
  expect(await ask(name, 10)).toHaveLength(3);
  members.restart('production/a', [member(0, [])]);
  expect(await ask(name, 10)).toHaveLength(2);
  sets.drop('production/b');
  await ask(name, 10);
  expect(members.loads).toHaveLength(2);
  sets.drop('production/a');
  await ask(name, 10);
  expect(members.loads).toHaveLength(3);
});

test('closed sets listen no longer', () => {
  const { members, sets } = open();
  expect(members.listeners).toBe(2);
  sets.close();
  expect(members.listeners).toBe(0);
});

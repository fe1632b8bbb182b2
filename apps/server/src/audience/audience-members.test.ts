/** Members of audiences as the index counts them, over a store of members in memory. */
import {
  type AudienceMember,
  evaluateSegments,
  frequencyComparators,
  lookbackWindows,
  type Segment,
} from '@broadside/core/resources/custom-audiences';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inBulk } from './bulk.ts';
import { type AudienceScope, memberTree } from './members/member-tree.ts';
import {
  addPerson,
  addPost,
  ask,
  audience,
  clock,
  DAY_MS,
  database,
  everybody,
  members,
  personId,
  run,
  useAudienceWorld,
} from './testing/audience-world.ts';
import type { SyntheticMember } from './testing/synthetic-members.ts';

useAudienceWorld();

const now_s = () => Math.floor(clock.now() / 1000);
const DAY_S = 86_400;

const named = (id: string, segments?: Segment) => memberTree('production', { id, segments });
const scope = (more: Partial<AudienceScope> = {}): AudienceScope => ({
  audiences: new Map(['a', 'b', 'c'].map((id) => [id, named(id)])),
  without: [],
  ...more,
});
const isIn = (id: string) => ({ kind: 'custom_audience', id }) as const;
const member = (person: number, to_s = now_s() + 400 * DAY_S): SyntheticMember => ({
  user_id: BigInt(personId(person)),
  intervals: [now_s(), to_s],
  events: [now_s()],
});
const put = (id: string, people: readonly number[]) =>
  members.put(
    `production/${id}`,
    people.map((person) => member(person)),
  );

test('members are counted beside other traits, included and left out', async () => {
  const english = await addPerson({ languages: '["en"]' });
  const french = await addPerson({ languages: '["fr"]' });
  const other = await addPerson({ languages: '["en"]' });
  put('a', [english, french]);
  const count = (...query: Parameters<typeof audience.count>) => audience.count(...query);
  expect(await count(ask(isIn('a')), scope())).toBe(2);
  expect(await count({ all: [[isIn('a')], [{ kind: 'language', value: 'en' }]], none: [] }, scope())).toBe(1);
  expect(await count({ all: [], none: [isIn('a')] }, scope())).toBe(1);
  expect(await count(ask(isIn('a'), isIn('unknown')), scope())).toBe(2);
  expect(await count(ask(isIn('unknown')), scope())).toBe(0);
  put('b', [other]);
  expect(await count(ask(isIn('a'), isIn('b')), scope())).toBe(3);
  // The same id in another environment is another audience.
  const sandbox = scope({ audiences: new Map([['a', memberTree('sandbox', { id: 'a' })]]) });
  expect(await count(ask(isIn('a')), sandbox)).toBe(0);
});

test('people of a list that is not to be reached are left out of every count, and stay in audiences', async () => {
  const people = [await addPerson(), await addPerson(), await addPerson()];
  put('a', people.slice(0, 2));
  put('list', people.slice(1));
  const without = scope({ without: [{ audience: 'production/list' }] });
  expect(await audience.count(everybody, without)).toBe(1);
  expect(await audience.count(ask(isIn('a')), without)).toBe(1);
  expect((await audience.countActive(named('a'))).count).toBe(2);
});

test('people who have left the platform, and members who never were on it, are not counted', async () => {
  const people = [await addPerson(), await addPerson()];
  put('a', [...people, 77]);
  expect(await audience.count(ask(isIn('a')), scope())).toBe(2);
  await run('DELETE FROM users WHERE id = ?', [personId(people[0] ?? 0)]);
  expect(await audience.count(ask(isIn('a')), scope())).toBe(1);
  expect((await audience.countActive(named('a'))).count).toBe(1);
});

test('members take effect and expire by the clock of the world, without any write', async () => {
  const person = await addPerson();
  members.put('production/a', [
    { user_id: BigInt(personId(person)), intervals: [now_s() + 60, now_s() + 120], events: [] },
  ]);
  const counts: number[] = [];
  for (let i = 0; i < 4; i++) {
    counts.push(await audience.count(ask(isIn('a')), scope()));
    clock.advance(i === 1 ? 59_000 : 60_000);
  }
  expect(counts).toEqual([0, 1, 1, 0]);
  expect(members.loads).toHaveLength(1);
});

test('an index that is built again knows the members again, by new numbers', async () => {
  const people = [await addPerson(), await addPerson(), await addPerson()];
  put('a', people.slice(1));
  expect(await audience.count(ask(isIn('a')), scope())).toBe(2);
  await database.write((writer) =>
    inBulk(writer, () => writer.run('DELETE FROM users WHERE id = ?', [personId(people[0] ?? 0)])),
  );
  expect(await audience.count(ask(isIn('a')), scope())).toBe(2);
  expect(members.loads).toHaveLength(2);
  // The sets of the index before are gone: each listens twice.
  expect(members.listeners).toBe(2);
});

test('concurrent counts, changes and passing time give one of the counts that were right meanwhile', async () => {
  const people = await Promise.all(Array.from({ length: 40 }, () => addPerson()));
  members.delays = [1, 2];
  put('a', people.slice(0, 20));
  const asked: Promise<number>[] = [];
  for (let i = 20; i < 40; i++) {
    asked.push(audience.count(ask(isIn('a')), scope()));
    put('a', people.slice(i, i + 1));
    await new Promise(setImmediate);
  }
  expect(await audience.count(ask(isIn('a')), scope())).toBe(40);
  for (const [i, count] of (await Promise.all(asked)).entries()) {
    expect(count).toBeGreaterThanOrEqual(20 + i);
    expect(count).toBeLessThanOrEqual(40);
  }
});

test('active are those who joined, posted or reposted in the last 90 days', async () => {
  const people = await Promise.all(Array.from({ length: 6 }, () => addPerson()));
  const [joined = 0, posted = 0, reposted = 0, promoted = 0, idle = 0, late = 0] = people;
  const old = new Date(clock.now() - 200 * DAY_MS).toISOString();
  for (const person of [posted, reposted, promoted, idle, late]) {
    await run('UPDATE users SET created_at = ? WHERE id = ?', [old, personId(person)]);
  }
  await run('UPDATE users SET created_at = ? WHERE id = ?', [new Date(clock.now()).toISOString(), personId(joined)]);
  put('a', people);
  await addPost(posted, { text: 'tea' });
  await addPost(idle, { text: 'tea', days_ago: 91 });
  const active = async () => (await audience.countActive(named('a'))).count;
  expect(await active()).toBe(2);
  // Without a rebuild: the triggers tell of each of these.
  await addPost(reposted, { text: 'tea', reposted: true });
  await addPost(promoted, { text: 'tea', nullcast: true });
  expect(await active()).toBe(4);
  clock.advance(30 * DAY_MS);
  await addPost(late, { text: 'tea' });
  expect(await active()).toBe(5);
  clock.advance(60 * DAY_MS);
  expect(await active()).toBe(5);
  clock.advance(1000);
  expect(await active()).toBe(1);
});

test('a count of active members tells until when it holds', async () => {
  const [one, other] = [await addPerson(), await addPerson()];
  const joined = new Date(clock.now() - 10 * DAY_MS).toISOString();
  await run('UPDATE users SET created_at = ?', [joined]);
  members.put('production/a', [member(one, now_s() + 5 * DAY_S), member(other, now_s() + 400 * DAY_S)]);
  const until = async () => (await audience.countActive(named('a'))).until_s;
  expect(await until()).toBe(now_s() + 5 * DAY_S);
  clock.advance(5 * DAY_MS);
  expect(await until()).toBe(Math.floor(Date.parse(joined) / 1000) + 90 * DAY_S + 1);
  expect((await audience.countActive(named('b'))).until_s).toBeUndefined();
});

const PEOPLE = 12;
const audienceArbitrary = fc.constantFrom('a', 'b', 'c');
const leafArbitrary = fc
  .record({
    id: audienceArbitrary,
    negate: fc.boolean(),
    lookback_window: fc.option(fc.constantFrom(...lookbackWindows), { nil: undefined }),
    frequency: fc.integer({ min: 1, max: 3 }),
    frequency_comparator: fc.constantFrom(...frequencyComparators),
  })
  .map(
    ({ id, lookback_window, ...terms }): Segment => ({
      custom_audience_id: id,
      ...terms,
      ...(lookback_window === undefined ? {} : { lookback_window }),
      child_segments: [],
    }),
  );
const { tree: treeArbitrary } = fc.letrec<{ tree: Segment; node: Segment }>((tie) => ({
  node: fc.oneof({ weight: 3, arbitrary: leafArbitrary }, { weight: 2, arbitrary: tie('tree') }),
  tree: fc.record({
    boolean_operator: fc.constantFrom('AND' as const, 'OR' as const),
    frequency: fc.constant(1),
    frequency_comparator: fc.constant('NUM_GTE' as const),
    negate: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, fc.constant(true)),
    child_segments: fc.array(tie('node'), { minLength: 1, maxLength: 3 }),
  }),
}));
/** Days relative to the start. */
const memberArbitrary = fc.record({
  audience: audienceArbitrary,
  person: fc.nat(PEOPLE - 1),
  days: fc.uniqueArray(fc.integer({ min: -20, max: 20 }), { maxLength: 4 }),
  from: fc.integer({ min: -20, max: 5 }),
  length: fc.integer({ min: 0, max: 30 }),
});

test('a tree has the people that a naive evaluation finds, after any changes and waits', async () => {
  const step = fc.oneof(
    { weight: 3, arbitrary: memberArbitrary.map((value) => ({ kind: 'put' as const, value })) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 4 }).map((days) => ({ kind: 'wait' as const, days })) },
    { weight: 2, arbitrary: treeArbitrary.map((tree) => ({ kind: 'ask' as const, tree })) },
  );
  for (let person = 0; person < PEOPLE; person++) await addPerson();
  const start = clock.now();
  let round = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 30 }), async (steps) => {
      clock.advance(start - clock.now());
      const start_s = now_s();
      // Other ids for each round, as if nothing had been there before.
      round++;
      const idOf = (id: string) => `${id}${round}`;
      for (const done of steps) {
        if (done.kind === 'wait') clock.advance(done.days * DAY_MS);
        else if (done.kind === 'put') {
          const { audience: id, person, days, from, length } = done.value;
          const at = (day: number) => start_s + day * DAY_S;
          members.put(`production/${idOf(id)}`, [
            {
              user_id: BigInt(personId(person)),
              intervals: length === 0 ? [] : [at(from), at(from + length)],
              events: days.toSorted((one, other) => one - other).map(at),
            },
          ]);
        } else {
          const tree = renamed(done.tree, idOf);
          const expected = evaluateSegments(tree, (id) => inEffect(`production/${id}`), now_s());
          const shown = JSON.stringify(tree);
          const audiences = new Map([['flexible', memberTree('production', { id: 'flexible', segments: tree })]]);
          const found = await audience.count(ask(isIn('flexible')), { audiences, without: [] });
          expect([shown, found]).toEqual([shown, expected.size]);
        }
      }
    }),
    { numRuns: 80 },
  );
});

function renamed(tree: Segment, idOf: (id: string) => string): Segment {
  if ('custom_audience_id' in tree) return { ...tree, custom_audience_id: idOf(tree.custom_audience_id) };
  return { ...tree, child_segments: tree.child_segments.map((child) => renamed(child, idOf)) };
}

function inEffect(name: string): AudienceMember<bigint>[] {
  return members.inEffect(name, now_s()).map(({ user_id, events }) => ({ person: user_id, events_s: events }));
}

test('a blurred count is the same for the same inputs, and another one for any other input', async () => {
  const people = await Promise.all(Array.from({ length: 30 }, () => addPerson()));
  put('a', people.slice(0, 20));
  put('b', people.slice(10, 20));
  const query = { all: [[isIn('a'), isIn('b')]], none: [] };
  const count = (...blur: string[]) => audience.count(query, scope({ blur }));
  const first = await count('asked');
  expect(await count('asked')).toBe(first);
  const others = new Set<number>();
  for (let i = 0; i < 20; i++) others.add(await count(`asked ${i}`));
  // Half of them would be below nobody.
  expect(others.size).toBeGreaterThan(4);
  // One more person in a set, who is in the other set anyway: the same people, and as if they were others.
  const after = new Set<number>([first]);
  for (const person of people.slice(0, 10)) {
    put('b', [person]);
    after.add(await count('asked'));
  }
  expect(after.size).toBeGreaterThan(2);
  expect(await audience.count(query, scope())).toBe(20);
});

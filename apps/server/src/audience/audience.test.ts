import { findCity, findCountry } from '@broadside/core/data';
import type { AudienceQuery, Trait } from '@broadside/core/resources/audience-estimate';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { snowflakeAt } from '../world/ids.ts';
import { inBulk } from './bulk.ts';
import {
  addPerson,
  addPost,
  audience,
  clock,
  DAY_MS,
  database,
  type Known,
  NOW,
  personId,
  reopenAudience,
  run,
  skipNumbers,
  traitColumns,
  useAudienceWorld,
  wrote,
} from './testing/audience-world.ts';
import { ageTrait, countByScan, readRows } from './testing/scan.ts';

useAudienceWorld();

const words = ['tea', 'rain', 'garden', 'the', 'boat'];
const cities = [findCity('US', 'Bellingham'), findCity('US', 'Portland'), findCity('GB', 'Whitby')].map(
  (city) => city?.targeting_value ?? '',
);
const places = [...cities, ...['US', 'GB', 'FR'].map((code) => findCountry(code)?.targeting_value ?? '')];

const some = <Value>(values: readonly Value[]) => fc.constantFrom(...values);
const json = (values: readonly string[], maxLength: number) =>
  fc.oneof(
    fc.constant(null),
    fc.uniqueArray(some(values), { maxLength }).map((list) => JSON.stringify(list)),
  );
const knownArbitrary: fc.Arbitrary<Known> = fc.record({
  country: fc.option(some(['US', 'GB', 'FR'])),
  place: fc.option(some(cities)),
  birth_date: fc.option(
    some([
      '2013-03-01',
      '2013-03-02',
      '2008-02-29',
      '2001-03-01',
      '1992-02-28',
      '1991-03-01',
      '1977-06-30',
      '1900-01-01',
    ]),
  ),
  gender: fc.option(some([1, 2])),
  languages: json(['en', 'fr'], 2),
  platforms: json(['0', '1', '4'], 3),
  interests: json(['1001', '1002', '9001'], 3),
});
const textArbitrary = fc.array(some(words), { minLength: 1, maxLength: 4 }).map((list) => list.join(' '));
/** Writes that change one of a number of people, or add one. */
const stepsAmong = (count: number) => {
  const person = fc.nat(count - 1);
  return fc.oneof(
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('join' as const), known: knownArbitrary }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('change' as const), person, known: knownArbitrary }) },
    {
      weight: 6,
      // Many at once: common interests of followers appear only if there are many.
      arbitrary: fc.record({
        kind: fc.constant('follow' as const),
        pairs: fc.array(fc.tuple(person, person), { minLength: 1, maxLength: 25 }),
        state: some(['approved', 'approved', 'requested']),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('approve' as const), person, other: person }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('unfollow' as const), person, other: person }) },
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constant('post' as const),
        person,
        wording: fc.record({
          text: textArbitrary,
          days_ago: some([0, 10, 364, 366]),
          reposted: some([false, false, false, true]),
          nullcast: some([false, false, true]),
        }),
      }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), post: fc.nat(9) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('leave' as const), person }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('wait' as const), days: some([1, 30, 100, -2]) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart' as const) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('bulk' as const), known: knownArbitrary }) },
  );
};
type Step = ReturnType<typeof stepsAmong> extends fc.Arbitrary<infer S> ? S : never;

async function take(step: Step): Promise<void> {
  const people = await database.query('SELECT CAST(id AS TEXT) FROM users ORDER BY rowid');
  const idOf = (number: number) => BigInt(String(people[number % Math.max(1, people.length)]?.[0] ?? 0));
  switch (step.kind) {
    case 'join':
      await addPerson(step.known);
      return;
    case 'change':
      for (const name of traitColumns) {
        await run(`UPDATE users SET ${name} = ? WHERE id = ?`, [step.known[name] ?? null, `${idOf(step.person)}`]);
      }
      return;
    case 'follow':
      await database.write(async (writer) => {
        for (const [follower, followed] of step.pairs) {
          await writer.run('INSERT INTO follows VALUES (?, ?, ?, 0) ON CONFLICT DO NOTHING', [
            idOf(follower),
            idOf(followed),
            step.state,
          ]);
        }
      });
      return;
    case 'approve':
      await run(`UPDATE follows SET state = 'approved' WHERE follower_id = ? AND followed_id = ?`, [
        idOf(step.person),
        idOf(step.other),
      ]);
      return;
    case 'unfollow':
      await run('DELETE FROM follows WHERE follower_id = ? AND followed_id = ?', [idOf(step.person), idOf(step.other)]);
      return;
    case 'post': {
      if (people.length === 0) return;
      const id = await addPost(0, step.wording);
      await run('UPDATE posts SET author_id = ? WHERE id = ?', [idOf(step.person), id]);
      return;
    }
    case 'delete': {
      const [post] = await database.query('SELECT id FROM posts ORDER BY id LIMIT 1 OFFSET ?', [step.post]);
      if (post) await run('UPDATE posts SET deleted_ms = 1 WHERE id = ?', [BigInt(String(post[0]))]);
      return;
    }
    case 'leave':
      await run('DELETE FROM users WHERE id = ?', [`${idOf(step.person)}`]);
      return;
    case 'wait':
      clock.advance(step.days * DAY_MS);
      return;
    case 'restart':
      reopenAudience();
      return;
    case 'bulk':
      await database.write((writer) =>
        inBulk(writer, async () => {
          await writer.run('UPDATE users SET languages = ?, place = ?', [
            step.known.languages ?? null,
            step.known.place ?? null,
          ]);
          await writer.run('DELETE FROM follows WHERE follower_id % 3 = 0');
        }),
      );
  }
}

const keywordArbitrary = fc
  .array(fc.array(some(words), { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 2 })
  .map((groups) => () => wrote(...groups));

const traitAmong = (count: number): fc.Arbitrary<(users: readonly string[]) => Trait> =>
  fc.oneof(
    some(places).map((value) => () => ({ kind: 'location', value }) as const),
    some(['en', 'fr']).map((value) => () => ({ kind: 'language', value }) as const),
    some(['0', '1', '4']).map((value) => () => ({ kind: 'platform', value }) as const),
    some(['1', '2']).map((value) => () => ({ kind: 'gender', value }) as const),
    some(['1001', '1002', '9001']).map((value) => () => ({ kind: 'interest', value }) as const),
    some(['AGE_13_TO_24', 'AGE_18_TO_34', 'AGE_OVER_13', 'AGE_35_TO_49', 'AGE_25_TO_49']).map(
      (bucket) => () => ageTrait(bucket),
    ),
    fc.record({ kind: some(['followers_of', 'similar_to_followers_of'] as const), person: fc.nat(count - 1) }).map(
      ({ kind, person: number }) =>
        (users: readonly string[]): Trait => ({ kind, user_id: users[number % Math.max(1, users.length)] ?? '1' }),
    ),
    keywordArbitrary,
    fc
      .array(some(words), { minLength: 1, maxLength: 3 })
      .map((list) => () => ({ kind: 'wrote_exactly', words: list }) as const),
    fc.constant(() => ({ kind: 'unknown' }) as const),
  );
const queryAmong = (count: number) =>
  fc.record({
    all: fc.array(
      fc.oneof(
        { weight: 3, arbitrary: fc.array(traitAmong(count), { minLength: 1, maxLength: 3 }) },
        { weight: 1, arbitrary: fc.array(keywordArbitrary, { minLength: 3, maxLength: 6 }) },
      ),
      { maxLength: 3 },
    ),
    none: fc.array(traitAmong(count), { maxLength: 2 }),
  });
type Query = ReturnType<typeof queryAmong> extends fc.Arbitrary<infer Q> ? Q : never;

async function expectCountsOfRows(queries: readonly Query[]): Promise<void> {
  const rows = await readRows(database);
  const users = rows.people.map(({ id }) => id);
  for (const { all, none } of queries) {
    const query: AudienceQuery = {
      all: all.map((traits) => traits.map((trait) => trait(users))),
      none: none.map((trait) => trait(users)),
    };
    const shown = JSON.stringify(query);
    expect([shown, await audience.count(query)]).toEqual([shown, countByScan(rows, query, clock.now())]);
  }
}

test('a person who has left is neither asked for the accounts that followers follow most, nor one of them', async () => {
  const people: number[] = [];
  for (let i = 0; i < 15; i++) people.push(await addPerson());
  const [gone = 0, user = 0, follower = 0, similar = 0, ...accounts] = people;
  const follow = (one: number, other: number) =>
    run(`INSERT INTO follows VALUES (?, ?, 'approved', 0)`, [personId(one), personId(other)].map(BigInt));
  for (const followed of [gone, user, ...accounts]) await follow(follower, followed);
  // Of eleven that the follower follows once each, the last is among the ten only if the one who has left is not.
  const [first = 0] = accounts;
  const tenth = accounts[9] ?? 0;
  for (const followed of [first, tenth]) await follow(similar, followed);
  const query = () =>
    audience.count({ all: [[{ kind: 'similar_to_followers_of', user_id: personId(user) }]], none: [] });
  expect(await query()).toBe(0);
  await run('DELETE FROM users WHERE id = ?', [personId(gone)]);
  expect(await query()).toBe(1);
});

test('the index agrees with a full scan, after any writes, waits, bulks and restarts', async () => {
  const round = fc.record({
    steps: fc.array(stepsAmong(12), { maxLength: 12 }),
    queries: fc.array(queryAmong(12), { minLength: 1, maxLength: 8 }),
  });
  await fc.assert(
    fc
      .asyncProperty(fc.array(round, { minLength: 1, maxLength: 5 }), async (rounds) => {
        for (const { steps, queries } of rounds) {
          for (const step of steps) await take(step);
          await expectCountsOfRows(queries);
        }
      })
      .beforeEach(async () => {
        for (const table of ['users', 'follows', 'posts']) await run(`DELETE FROM ${table}`);
        skipNumbers(1000);
      }),
    { numRuns: 60 },
  );
});

const CROWD = 3000;

/** Thousands of people, some with very many followers, and posts of words that are common, rare or in between. */
async function gatherCrowd(): Promise<void> {
  const [low, high] = [personId(0), personId(1)].map(BigInt);
  if (low === undefined || high === undefined) throw new TypeError('two ids were made');
  const id = (number: string) => `(${low} + (${number}) * ${high - low})`;
  // A prime multiplier and modulus scatter numbers over people, deterministically.
  const scattered = (factor: number, bound: number) => `((i * ${factor}) % 1000003 % ${bound})`;
  const numbers = (count: number) =>
    `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${count - 1})`;
  const pick = (factor: number, values: readonly (string | number | null)[]) =>
    `CASE ${scattered(factor, values.length)} ${values
      .map((value, i) => `WHEN ${i} THEN ${typeof value === 'string' ? `'${value}'` : value}`)
      .join(' ')} END`;
  await database.write(async (writer) => {
    await writer.run(
      `INSERT INTO users (id, screen_name, screen_name_folded, name, password_hash, created_at, ${traitColumns.join(', ')})
       ${numbers(CROWD)} SELECT CAST(${id('i')} AS TEXT), 'p' || i, 'p' || i, 'Name', '', '2026-01-01T00:00:00Z',
         ${pick(7919, ['US', 'GB', 'FR', null])}, ${pick(104_729, [...cities, null, null])},
         ${pick(1299, ['2013-03-01', '2008-02-29', '1992-02-28', '1977-06-30', null])}, ${pick(611_953, [1, 2, null])},
         ${pick(15_485, ['["en"]', '["fr","en"]', '[]', null])}, ${pick(32_452, ['["0","4"]', '["1"]', null])},
         ${pick(86_028, ['["1001","9001"]', '["1002"]', '[]', null, null])} FROM n`,
    );
    // The square of a random number: people with small numbers have many followers.
    const popular = `(${scattered(275_604, 1000)} * ${scattered(373_587, 1000)} * ${CROWD} / 1000000)`;
    await writer.run(
      `INSERT INTO follows ${numbers(20_000)}
       SELECT ${id(scattered(49_979, CROWD))}, ${id(popular)}, ${pick(67_867, ['approved', 'approved', 'approved', 'requested'])}, 0 FROM n
       WHERE true ON CONFLICT DO NOTHING`,
    );
    const word = (factor: number) =>
      `CASE WHEN ${scattered(factor, 100)} < 40 THEN 'the' WHEN ${scattered(factor, 100)} < 60 THEN 'tea'
         WHEN ${scattered(factor, 100)} < 75 THEN 'rain' WHEN ${scattered(factor, 1000)} < 770 THEN 'boat' ELSE 'word' || ${scattered(factor, 999)} END`;
    await writer.run(
      `INSERT INTO posts (id, author_id, created_ms, text, lang, source, conversation_id, possibly_sensitive, reply_settings, nullcast)
       ${numbers(6000)} SELECT ${snowflakeAt(NOW - 366 * DAY_MS, 0n)} + i * (${snowflakeAt(NOW, 0n) - snowflakeAt(NOW - 366 * DAY_MS, 0n)} / 6000),
         ${id(scattered(86_453, CROWD))}, ${NOW - 366 * DAY_MS} + i * (366 * ${DAY_MS} / 6000),
         ${word(5003)} || ' ' || ${word(7001)} || ' ' || ${word(9001)}, 'en', 'Test', 1, 0, 'everyone', i % 50 = 0 FROM n`,
    );
  });
  skipNumbers(CROWD);
}

test('the index agrees with a full scan over thousands of people, while they change', async () => {
  await gatherCrowd();
  const round = fc.record({
    // The first have the most followers.
    steps: fc.array(fc.oneof(stepsAmong(20), stepsAmong(CROWD)), { maxLength: 8 }),
    queries: fc.array(fc.oneof(queryAmong(20), queryAmong(CROWD)), { minLength: 5, maxLength: 10 }),
  });
  await fc.assert(
    fc.asyncProperty(round, async ({ steps, queries }) => {
      for (const step of steps) await take(step);
      await expectCountsOfRows(queries);
    }),
    { numRuns: 12 },
  );
});

/** People, follows and posts of some ranges: those that a scan of everybody finds for them, read by indexes. */
import { expect, test } from 'vitest';
import type { Reader } from '../db/database.ts';
import { ALL_RANGES, isIn, RANGES, type Ranges, rangeOf, rangesOf } from './ranges.ts';
import { type FollowToIndex, type PostToIndex, scanFollows, scanPeople, scanPosts } from './rows.ts';
import { scanRanges } from './rows-of-ranges.ts';
import { DAY_MS, database, NOW, personId, run, useAudienceWorld } from './testing/audience-world.ts';
import type { Person } from './traits.ts';

useAudienceWorld();

const SINCE_MS = NOW - 100 * DAY_MS;
const step = async () => {};

interface Found {
  readonly people: Person[];
  readonly follows: FollowToIndex[];
  readonly posts: PostToIndex[];
  readonly seen: string[];
}
const nothing = (): Found => ({ people: [], follows: [], posts: [], seen: [] });

/** What is found by ranges. */
async function found(ranges: Ranges, reader: Reader = database): Promise<Found> {
  const all = nothing();
  let isSealed = false;
  const take = {
    person: (person: Person) => void all.people.push(person),
    follow: (follow: FollowToIndex) => void all.follows.push(follow),
    seal: async () => {
      isSealed = true;
    },
    post: (post: PostToIndex) => {
      expect(isSealed).toBe(true);
      all.posts.push(post);
    },
    seen: (author: bigint, created_ms: number) => void all.seen.push(`${author} ${created_ms}`),
  };
  await scanRanges(reader, { ranges, since_ms: SINCE_MS }, take, step);
  return all;
}

/** And by a scan of everybody. */
async function scanned(ranges: Ranges): Promise<Found> {
  const has = isIn(ranges);
  const all = nothing();
  await scanPeople(database, (person) => has(person.id) && all.people.push(person), step);
  await scanFollows(database, (follow) => has(follow.follower_id) && all.follows.push(follow), step);
  const seen = (author: bigint, created_ms: number) => has(author) && all.seen.push(`${author} ${created_ms}`);
  await scanPosts(database, SINCE_MS, (post) => has(post.author_id) && all.posts.push(post), step, seen);
  return all;
}

const byId = (one: { readonly id: bigint }, other: { readonly id: bigint }) => (one.id < other.id ? -1 : 1);
const byFollow = (one: FollowToIndex, other: FollowToIndex) =>
  Number(one.follower_id - other.follower_id) || Number(one.followed_id - other.followed_id);
/** Posts stay in their order. */
const sorted = ({ people, follows, posts, seen }: Found): Found => ({
  people: people.sort(byId),
  follows: follows.sort(byFollow),
  posts,
  seen: seen.sort(),
});

/** Ids of people of one range. */
function idsIn(range: number, count: number): bigint[] {
  const ids: bigint[] = [];
  for (let id = BigInt(personId(0)); ids.length < count; id += 1n) if (rangeOf(id) === range) ids.push(id);
  return ids;
}

const addPeople = (ids: readonly bigint[]) =>
  run(
    `INSERT INTO users (id, screen_name, screen_name_folded, name, password_hash, created_at, country)
     SELECT value, 'p' || value, 'p' || value, 'Name', '', '2026-01-01T00:00:00Z', 'FR' FROM json_each(?)`,
    [JSON.stringify(ids.map(String))],
  );

test('a person is found in the range of their id', async () => {
  const edges = [
    1n,
    2n ** 31n - 2n,
    2n ** 31n - 1n,
    2n ** 32n - 1n,
    2n ** 32n,
    (2n ** 31n - 1n) << 32n,
    2n ** 63n - 1n,
  ];
  const ids = [...edges, ...Array.from({ length: 600 }, (_, i) => BigInt(personId(i * 977)))];
  await addPeople(ids);
  const ranges = new Map<bigint, number>();
  for (let range = 0; range < RANGES; range++) {
    for (const { id } of (await found(rangesOf([range]))).people) ranges.set(id, range);
  }
  expect([...ranges].sort()).toEqual(ids.map((id) => [id, rangeOf(id)]).sort());
});

test('what belongs to people of some ranges is found over many pages, and nothing else', async () => {
  const [few, many, others] = [idsIn(7, 40), idsIn(300, 1100), idsIn(8, 40)];
  const people = [...few, ...many, ...others];
  await addPeople(people);
  const [eager] = many.slice(3);
  if (eager === undefined) throw new TypeError('there are people');
  const follow = (pairs: readonly (readonly [bigint, bigint, string])[]) =>
    run(
      `INSERT OR IGNORE INTO follows SELECT CAST(value ->> 0 AS INTEGER), CAST(value ->> 1 AS INTEGER), value ->> 2, 0 FROM json_each(?)`,
      [JSON.stringify(pairs.map(([one, other, state]) => [`${one}`, `${other}`, state]))],
    );
  await follow(people.map((other) => [eager, other, 'approved']));
  await follow(
    people.flatMap((one, i) =>
      [7, 31].map((n) => [one, people[(i * n) % 1180] ?? one, i % 5 ? 'approved' : 'requested'] as const),
    ),
  );
  const write = (authors: readonly bigint[], count: number, days: number) =>
    run(
      `INSERT INTO posts (id, author_id, created_ms, text, lang, source, conversation_id, possibly_sensitive, reply_settings, nullcast, deleted_ms)
       WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
       SELECT ((? + i - 1288834974657) << 22) + i % 4096, json_extract(?, '$[' || (i * 13 % ?) || ']'), ? + i, 'Rain ' || i, 'en', 'Test', i, 0,
         'everyone', i % 7 = 0, CASE WHEN i % 11 = 0 THEN 1 END FROM n`,
      [count, NOW - days * DAY_MS, `[${authors.join()}]`, authors.length, NOW - days * DAY_MS],
    );
  await write([eager], 10_500, 50);
  await write(people, 600, 40);
  await write(people, 300, 101);
  for (const ranges of [[7, 300], [300], [8], [7, 8, 100, 300, 511]].map(rangesOf)) {
    expect(sorted(await found(ranges))).toEqual(sorted(await scanned(ranges)));
  }
  const { people: all, follows, posts } = await found(ALL_RANGES);
  expect([all.length, follows.length > 2000, posts.length > 8000]).toEqual([1180, true, true]);
  expect((await found(rangesOf([9]))).people).toEqual([]);
});

test('rows are found by indexes', async () => {
  await addPeople(idsIn(7, 3));
  const plans: string[] = [];
  const query: Reader['query'] = async (text, args) => {
    plans.push(...(await database.query(`EXPLAIN QUERY PLAN ${text}`, args)).map((row) => String(row[3])));
    return database.query(text, args);
  };
  await found(rangesOf([7]), { query, read: query });
  const steps = [...new Set(plans)].filter((plan) => !plan.includes('json_each'));
  expect(steps).toEqual([
    'SEARCH users USING INDEX users_by_range (<expr>=? AND rowid>?)',
    expect.stringMatching(/^SEARCH follows USING .*\(follower_id=\? AND followed_id>\?\)$/),
    'SEARCH posts USING COVERING INDEX posts_by_author (author_id=? AND id>?)',
  ]);
});

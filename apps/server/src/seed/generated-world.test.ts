import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseJson } from '@broadside/core';
import { extractEntities, repostText, weightedLength } from '@broadside/core/text';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database, Row } from '../db/database.ts';
import { verifyPassword } from '../identity/password.ts';
import { openBlobStore } from '../media/blobs/open-blob-store.ts';
import { snowflakeAt } from '../world/ids.ts';
import { generate } from './generate.ts';
import { places } from './places.ts';
import { planWorld } from './plan.ts';
import { openSeedPlatform, rowsOf } from './testing/platform.ts';

const UNTIL = Date.UTC(2026, 10, 1);

interface Post {
  readonly id: bigint;
  readonly author: bigint;
  readonly ms: number;
  readonly text: string;
  readonly conversation: bigint;
  readonly answered: bigint | null;
  readonly parent: bigint | null;
  readonly quoted: bigint | null;
  readonly reposted: bigint | null;
  readonly settings: string;
  readonly entities: string | null;
  readonly counts: readonly number[];
}

function postOf(row: Row): Post {
  const number = (at: number) => (typeof row[at] === 'bigint' ? row[at] : null);
  return {
    id: number(0) ?? 0n,
    author: number(1) ?? 0n,
    ms: Number(row[2]),
    text: String(row[3]),
    conversation: number(4) ?? 0n,
    answered: number(5),
    parent: number(6),
    quoted: number(7),
    reposted: number(8),
    settings: String(row[9]),
    entities: typeof row[10] === 'string' ? row[10] : null,
    counts: row.slice(11).map(Number),
  };
}

async function readPosts(database: Database): Promise<Post[]> {
  const rows = await database.query(
    `SELECT id, author_id, created_ms, text, conversation_id, in_reply_to_user_id, replied_to_id, quoted_id, reposted_id,
       reply_settings, entities, repost_count, reply_count, quote_count, like_count, impression_count FROM posts ORDER BY id`,
  );
  return rows.map(postOf);
}

function tally(values: readonly (bigint | null)[]): Map<bigint, number> {
  const counts = new Map<bigint, number>();
  for (const value of values) if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

// One world of some size, for what is true of every one.
let database: Database;
let posts: readonly Post[];
let people: readonly Row[];
const directory = mkdtempSync(path.join(tmpdir(), 'broadside-seed-'));

beforeAll(async () => {
  const platform = await openSeedPlatform(directory);
  database = platform.database;
  await generate(platform.seeds, { seed: 'large', users: 600, posts: 6000, until_ms: UNTIL });
  posts = await readPosts(database);
  people = await database.query(
    'SELECT id, screen_name, protected, followers_count, following_count, post_count, created_at, description, url, entities, country FROM users ORDER BY length(id), id',
  );
});

afterAll(async () => {
  await database.close();
  rmSync(directory, { recursive: true, force: true });
});

test('counters of posts are what the rows say', async () => {
  const reposts = tally(posts.map(({ reposted }) => reposted));
  const replies = tally(posts.map(({ parent }) => parent));
  const quotes = tally(posts.map(({ quoted }) => quoted));
  const likes = tally((await rowsOf(database, 'likes')).map(([post]) => (typeof post === 'bigint' ? post : null)));
  for (const { id, counts, reposted } of posts) {
    const [repostCount, replyCount, quoteCount, likeCount = 0, impressions = 0] = counts;
    expect([repostCount, replyCount, quoteCount]).toEqual([
      reposts.get(id) ?? 0,
      replies.get(id) ?? 0,
      quotes.get(id) ?? 0,
    ]);
    // Only the first likes are rows.
    expect(likes.get(id) ?? 0).toBe(Math.min(2, likeCount));
    expect(impressions).toBeGreaterThanOrEqual(likeCount);
    if (reposted !== null) expect(counts).toEqual([0, 0, 0, 0, 0]);
  }
  expect(Math.max(...posts.map(({ counts }) => counts[3] ?? 0))).toBeGreaterThan(20);
});

test('counters of people are what the rows say, and requests do not count', async () => {
  const follows = await rowsOf(database, 'follows');
  const approved = follows.filter(([, , state]) => state === 'approved');
  const big = (value: unknown) => (typeof value === 'bigint' ? value : null);
  const followers = tally(approved.map(([, followed]) => big(followed)));
  const following = tally(approved.map(([follower]) => big(follower)));
  const written = tally(posts.map(({ author }) => author));
  for (const [id, , , ...counts] of people) {
    const key = BigInt(String(id));
    expect(counts.slice(0, 3).map(Number)).toEqual([
      followers.get(key) ?? 0,
      following.get(key) ?? 0,
      written.get(key) ?? 0,
    ]);
  }
  const guarded = new Set(people.filter((row) => row[2] === 1n).map(([id]) => BigInt(String(id))));
  expect(guarded.size).toBeGreaterThan(10);
  for (const [follower, followed, state] of follows) {
    expect(follower).not.toBe(followed);
    if (state === 'requested') expect(guarded.has(big(followed) ?? 0n)).toBe(true);
  }
  const asked = follows.length - approved.length;
  expect(asked).toBeGreaterThan(5);
  expect(approved.some(([, followed]) => guarded.has(big(followed) ?? 0n))).toBe(true);
  // A few are known to many.
  expect(Math.max(...followers.values())).toBeGreaterThan(10 * (approved.length / people.length));
});

test('some originals have polls, and their counts are what the votes say', async () => {
  const [polls, votes] = [await rowsOf(database, 'polls'), await rowsOf(database, 'poll_votes')];
  const counted = new Map<string, number>();
  const joined = new Map(people.map((row) => [BigInt(String(row[0])), Date.parse(String(row[6]))]));
  const ends = new Map(polls.map((row) => [row[0], Number(row[4])]));
  for (const [poll, user, choice, ms] of votes) {
    counted.set(`${poll} ${choice}`, (counted.get(`${poll} ${choice}`) ?? 0) + 1);
    expect(Number(ms)).toBeGreaterThanOrEqual(joined.get(typeof user === 'bigint' ? user : 0n) ?? Number.NaN);
    expect(Number(ms)).toBeLessThan(Math.min(UNTIL, ends.get(poll ?? 0n) ?? 0));
  }
  for (const [id, choices, minutes, start, end, , ...counts] of polls) {
    const labels: unknown = JSON.parse(String(choices));
    expect(new Set(Array.isArray(labels) ? labels : []).size).toBeGreaterThanOrEqual(2);
    for (const label of Array.isArray(labels) ? labels : []) expect([...String(label)].length).toBeLessThanOrEqual(25);
    expect(Number(end) - Number(start)).toBe(Number(minutes) * 60_000);
    expect(counts.map(Number)).toEqual([1, 2, 3, 4].map((choice) => counted.get(`${id} ${choice}`) ?? 0));
  }
  const shown = await database.query(
    `SELECT p.card_uri, p.media_keys, p.reposted_id, p.replied_to_id, u.protected FROM posts p
      JOIN users u ON u.id = CAST(p.author_id AS TEXT) WHERE p.card_uri IS NOT NULL`,
  );
  expect(shown.map(([uri]) => String(uri)).sort()).toEqual(polls.map(([id]) => `card://${id}`).sort());
  for (const [, ...rest] of shown) expect(rest).toEqual([null, null, null, 0n]);
  // A small share of 6,000 posts.
  expect(polls.length).toBeGreaterThan(10);
  expect(polls.length).toBeLessThan(100);
  expect(votes.length).toBeGreaterThan(polls.length);
});

test('posts relate as the platform would let them', () => {
  const guarded = new Set(people.filter((row) => row[2] === 1n).map(([id]) => BigInt(String(id))));
  const byId = new Map(posts.map((post) => [post.id, post]));
  const seen = new Set<string>();
  const kinds = { reply: 0, quote: 0, repost: 0, chain: 0 };
  for (const post of posts) {
    const [target, ...more] = [post.parent, post.quoted, post.reposted].filter((id) => id !== null);
    expect(more).toEqual([]);
    const parent = byId.get(post.parent ?? -1n);
    expect(post.conversation).toBe(parent?.conversation ?? post.id);
    expect(post.answered).toBe(parent?.author ?? null);
    if (target === undefined) continue;
    const other = byId.get(target);
    expect(other?.reposted).toBe(null);
    expect(other?.ms).toBeLessThan(post.ms);
    if (other && other.author !== post.author) expect(guarded.has(other.author)).toBe(false);
    if (parent) {
      expect(parent.settings).toBe('everyone');
      kinds.reply++;
      if (parent.parent !== null) kinds.chain++;
    }
    if (post.quoted !== null) kinds.quote++;
    if (post.reposted === null) continue;
    kinds.repost++;
    expect(other?.author).not.toBe(post.author);
    const key = `${post.author} ${post.reposted}`;
    expect(seen.has(key)).toBe(false);
    seen.add(key);
  }
  expect(kinds.reply).toBeGreaterThan(1000);
  expect(kinds.chain).toBeGreaterThan(300);
  expect(kinds.quote).toBeGreaterThan(200);
  expect(kinds.repost).toBeGreaterThan(300);
});

test('entities are what the extractor finds, with the ids of whom a text names', () => {
  const idOf = new Map(people.map(([id, name]) => [String(name), String(id)]));
  for (const { text, entities } of posts) {
    expect(entities === null ? {} : parseJson(entities)).toEqual(expectedEntities(text, idOf));
    expect(text).toBe(text.normalize('NFC'));
    expect(weightedLength(text).valid).toBe(true);
  }
  const found = posts.map(({ entities }) => entities ?? '').join('');
  for (const member of ['urls', 'mentions', 'hashtags']) expect(found).toContain(`"${member}"`);
  for (const [, , , , , , , description, url, entities] of people) {
    const inDescription = expectedEntities(String(description), new Map());
    const inUrl = url === null ? {} : expectedEntities(String(url), new Map());
    expect(entities === null ? {} : parseJson(String(entities))).toEqual({
      ...(Object.keys(inUrl).length > 0 ? { url: inUrl } : {}),
      ...(Object.keys(inDescription).length > 0 ? { description: inDescription } : {}),
    });
  }
});

function expectedEntities(text: string, idOf: ReadonlyMap<string, string>): object {
  const found = extractEntities(text);
  const mentions = found.mentions.map((mention) => {
    const id = idOf.get(mention.username);
    return id === undefined ? mention : { ...mention, id };
  });
  return Object.fromEntries(Object.entries({ ...found, mentions }).filter(([, list]) => list.length > 0));
}

test('a repost says what it passes on', () => {
  const byId = new Map(posts.map((post) => [post.id, post]));
  const names = new Map(people.map(([id, name]) => [String(id), String(name)]));
  for (const { text, reposted } of posts) {
    const original = reposted === null ? undefined : byId.get(reposted);
    if (original) expect(text).toBe(repostText(names.get(`${original.author}`) ?? '', original.text));
  }
});

test('ids carry the times, and sort by them', () => {
  let before = 0;
  for (const { id, ms } of posts) {
    expect(id >> 22n).toBe(snowflakeAt(ms, 0n) >> 22n);
    expect(ms).toBeGreaterThan(before);
    expect(ms).toBeLessThan(UNTIL);
    before = ms;
  }
  for (const [id, , , , , , created_at] of people) {
    const seconds = Number(snowflakeAt(Date.parse(String(created_at)), 0n) >> 22n) / 1000;
    expect(Math.floor(Number(BigInt(String(id)) >> 22n) / 1000)).toBe(Math.floor(seconds));
  }
  const joined = new Map(people.map((row) => [String(row[0]), Date.parse(String(row[6]))]));
  for (const { author, ms } of posts) expect(joined.get(`${author}`)).toBeLessThanOrEqual(ms);
});

test('among a million posts no two are of one millisecond, and none is later than the end', () => {
  const { created_ms } = planWorld({ seed: 'many', users: 10, posts: 1_000_000, until_ms: UNTIL }).posts;
  const together = created_ms.findIndex((ms, index) => index > 0 && ms <= (created_ms[index - 1] ?? 0));
  expect(together).toBe(-1);
  expect(created_ms.at(-1)).toBeLessThan(UNTIL);
});

test('people sleep at night, wherever they live', () => {
  const offset = new Map(places.map(({ country, utc_offset }) => [country, utc_offset]));
  // Countries with several time zones are inconclusive.
  const single = people.filter((row) =>
    places
      .filter(({ country }) => country === row[10])
      .every((place) => place.utc_offset === offset.get(place.country)),
  );
  const offsetOf = new Map(single.map((row) => [String(row[0]), offset.get(String(row[10])) ?? 0]));
  const hours = new Array<number>(24).fill(0);
  for (const { author, ms } of posts) {
    const ahead = offsetOf.get(`${author}`);
    const hour = ahead === undefined ? -1 : (Math.floor(ms / 3_600_000) + ahead + 24) % 24;
    if (hour >= 0) hours[hour] = (hours[hour] ?? 0) + 1;
  }
  const sum = (from: number) => hours.slice(from, from + 4).reduce((total, count) => total + count, 0);
  expect(sum(18)).toBeGreaterThan(4 * sum(1));
});

test('nobody who was seeded can sign in', async () => {
  const hashes = new Set(
    (await database.query('SELECT DISTINCT "password_hash" FROM "users"')).map(([hash]) => String(hash)),
  );
  expect(hashes.size).toBe(1);
  for (const hash of hashes) {
    for (const password of ['', 'password', hash]) expect(await verifyPassword(hash, password)).toBe(false);
  }
});

test('many languages and scripts are spoken', async () => {
  const rows = await database.query('SELECT "lang", count(*) FROM "posts" GROUP BY 1');
  expect(rows.length).toBe(12);
  for (const [, count] of rows) expect(Number(count)).toBeGreaterThan(60);
});

test('some posts show media: each has a row of its author, bytes in the store, and reposts show the same', async () => {
  const shown = await database.query(
    `SELECT posts.id, posts.author_id, posts.created_ms, posts.reposted_id, media.owner_user_id, media.kind, media.blob_key,
       media.preview_blob_key, media.content_type, media.total_bytes, media.created_ms, posts.media_keys, media.alt_text
     FROM posts JOIN json_each(posts.media_keys) AS wanted JOIN media ON media.media_key = wanted.value`,
  );
  const withMedia = await database.query('SELECT id, media_keys, reposted_id FROM posts WHERE media_keys IS NOT NULL');
  // Every key leads to media, and all media are of a post.
  const keys = withMedia.flatMap(([, list]) => String(list).split(','));
  expect(shown).toHaveLength(keys.length);
  const originals = shown.filter((row) => row[3] === null);
  expect(await database.query('SELECT count(*) FROM media')).toEqual([[BigInt(originals.length)]]);
  expect(withMedia.length / posts.length).toBeGreaterThan(0.08);
  expect(withMedia.length / posts.length).toBeLessThan(0.16);
  expect(new Set(shown.map((row) => row[5]))).toEqual(new Set(['photo', 'video', 'animated_gif']));
  expect(new Set(shown.map((row) => row[12] === null))).toEqual(new Set([true, false]));
  for (const [, author, ms, , owner, kind, , still, , , made] of originals) {
    expect([owner, made]).toEqual([author, ms]);
    expect(still === null).toBe(kind === 'photo');
  }
  const keysOf = new Map((await database.query('SELECT id, media_keys FROM posts')).map(([id, list]) => [id, list]));
  let passedOn = 0;
  for (const [id, list] of keysOf) {
    const { reposted } = posts.find((post) => post.id === id) ?? {};
    if (typeof reposted !== 'bigint') continue;
    expect(list).toBe(keysOf.get(reposted));
    if (list !== null) passedOn++;
  }
  expect(passedOn).toBeGreaterThan(0);
  const files = new Map<unknown, unknown>();
  for (const row of shown) {
    files.set(row[6], row[9]);
    if (row[7] !== null) files.set(row[7], null);
  }
  expect(files.size).toBeLessThan(30);
  const store = await openBlobStore({ directory: path.join(directory, 'media') }, path.join(directory, 'media'));
  for (const [key, size] of files) {
    const held = await store.size(String(key));
    expect(held).toBeGreaterThan(0);
    if (size !== null) expect(BigInt(held ?? 0)).toBe(size);
  }
});

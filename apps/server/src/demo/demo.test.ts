import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseJson } from '@broadside/core';
import { checkCuratedTerms } from '@broadside/core/resources/curated-categories';
import { checkPublisher } from '@broadside/core/resources/publishers';
import { extractEntities, repostText, weightedLength } from '@broadside/core/text';
import { expect, onTestFinished, test } from 'vitest';
import type { Row } from '../db/database.ts';
import { temporaryDirectory } from '../db/testing/temporary.ts';
import { World } from '../open-world.ts';
import { campaign, showCampaigns } from '../resources/campaigns/find.ts';
import { findGenericCard } from '../resources/cards/find.ts';
import { curatedCategory } from '../resources/curated-categories/find.ts';
import { findLibraryMedia, libraryMedia } from '../resources/media-library/find.ts';
import { promotedPost } from '../resources/promoted-posts/find.ts';
import { publisher } from '../resources/publishers/find.ts';
import { generate } from '../seed/generate.ts';
import { ManualClock, timestamp } from '../world/clock.ts';
import { SeededRandom } from '../world/random.ts';
import type { Credentials } from './credentials.ts';
import { ensureDemo } from './demo.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const DAY_MS = 86_400_000;
const urls = { api: 'http://api.test', ads: 'http://ads.test', sandbox: 'http://sandbox.test' };

async function openWorld(directory = temporaryDirectory()): Promise<World> {
  // Of two demos in the same millisecond, one in 256 has ids of the other; a clock that stands still needs chosen randomness.
  const random = new SeededRandom('demo');
  const world = await World.open({ dataDirectory: directory, clock: new ManualClock(NOW), random });
  onTestFinished(() => world.close());
  return world;
}

async function demoOf(world: World): Promise<Credentials> {
  const file = await ensureDemo(world, urls, { advertisement: true });
  return JSON.parse(readFileSync(file ?? '', 'utf8'));
}

const POSTS = `SELECT id, author_id, created_ms, text, entities, reposted_id, replied_to_id, quoted_id, conversation_id,
  repost_count, reply_count, quote_count, like_count FROM posts ORDER BY id`;
const USERS = `SELECT id, screen_name, protected, description, url, entities, followers_count, following_count, post_count,
  created_at FROM users`;

function count(rows: readonly Row[], at: number, value: unknown): number {
  return rows.filter((row) => row[at] === value).length;
}

test('the demo has posts of several people in the days before the start, of every kind', async () => {
  const world = await openWorld();
  const { post_ids, user_id } = await demoOf(world);
  const { reader } = world.seeds;
  const posts = await reader.query(POSTS);
  expect(post_ids.length).toBeGreaterThanOrEqual(20);
  expect(new Set(post_ids).size).toBe(post_ids.length);
  const shown = posts.filter(([id]) => post_ids.includes(String(id)));
  expect(shown).toHaveLength(post_ids.length);
  expect(new Set(shown.map(([, author]) => author)).size).toBeGreaterThanOrEqual(5);
  expect(shown.some(([, author]) => String(author) === user_id)).toBe(true);
  for (const [, , ms] of posts) {
    expect(Number(ms)).toBeLessThanOrEqual(NOW);
    expect(Number(ms)).toBeGreaterThan(NOW - 8 * DAY_MS);
  }
  for (const column of [5, 6, 7]) expect(shown.filter((row) => row[column] !== null).length).toBeGreaterThanOrEqual(2);
  const entities = shown.map(([, , , , found]) => String(found)).join('');
  for (const member of ['urls', 'mentions', 'hashtags']) expect(entities).toContain(`"${member}"`);
});

test('the rows of the demo are consistent', async () => {
  const world = await openWorld();
  const { post_ids } = await demoOf(world);
  const { reader } = world.seeds;
  const posts = await reader.query(POSTS);
  const users = await reader.query(USERS);
  const follows = await reader.query(`SELECT follower_id, followed_id, state FROM follows`);
  const likes = await reader.query(`SELECT post_id, user_id FROM likes`);
  const byId = new Map(posts.map((post) => [post[0], post]));
  const people = new Map(users.map((user) => [String(user[0]), user]));
  const idOf = new Map(users.map((user) => [String(user[1]), String(user[0])]));
  for (const [id, author, , text, entities, reposted, replied, quoted, conversation, ...counts] of posts) {
    expect(counts).toEqual(
      [count(posts, 5, id), count(posts, 6, id), count(posts, 7, id), count(likes, 0, id)].map(BigInt),
    );
    expect(weightedLength(String(text)).valid).toBe(true);
    const found = extractEntities(String(text));
    const mentions = found.mentions.map((mention) => ({ ...mention, id: idOf.get(mention.username) }));
    const wanted = Object.entries({ ...found, mentions }).filter(([, list]) => list.length > 0);
    expect(entities === null ? {} : parseJson(String(entities))).toEqual(Object.fromEntries(wanted));
    expect(conversation).toBe(byId.get(replied ?? null)?.[8] ?? id);
    for (const target of [reposted, replied, quoted]) {
      if (target !== null)
        expect(Number(byId.get(target ?? null)?.[2])).toBeLessThan(Number(byId.get(id ?? null)?.[2]));
    }
    const original = byId.get(reposted ?? null);
    if (original) expect(text).toBe(repostText(String(people.get(String(original[1]))?.[1]), String(original[3])));
    const guarded = people.get(String(author))?.[2] === 1n;
    expect(post_ids.includes(String(id))).toBe(!guarded);
  }
  for (const [id, , , description, url, entities, followers, following, written, created_at] of users) {
    const key = BigInt(String(id));
    expect([followers, following, written]).toEqual(
      [count(follows, 1, key), count(follows, 0, key), count(posts, 1, key)].map(BigInt),
    );
    const first = posts.find(([, author]) => author === key);
    expect(Date.parse(String(created_at))).toBeLessThanOrEqual(Number(first?.[2]));
    const about = Object.entries(extractEntities(String(description))).filter(([, list]) => list.length > 0);
    const link = url === null ? [] : extractEntities(String(url)).urls;
    expect(entities === null ? {} : parseJson(String(entities))).toEqual({
      ...(link.length > 0 ? { url: { urls: link } } : {}),
      ...(about.length > 0 ? { description: Object.fromEntries(about) } : {}),
    });
  }
  expect(users.some((user) => user[2] === 1n)).toBe(true);
});

test('after a start that was interrupted while creating the demo, the next start creates a complete one', async () => {
  const directory = temporaryDirectory();
  const world = await openWorld(directory);
  const first = await demoOf(world);
  rmSync(path.join(directory, 'credentials.json'));
  writeFileSync(path.join(directory, 'demo.unfinished'), '');
  const second = await demoOf(world);
  expect(second.screen_name).toMatch(/^demo_/);
  expect(second.post_ids).toHaveLength(first.post_ids.length);
  expect(second.post_ids.some((id) => first.post_ids.includes(id))).toBe(false);
  expect(existsSync(path.join(directory, 'demo.unfinished'))).toBe(false);
  const mine = await world.seeds.reader.query('SELECT "entities" FROM "posts" WHERE "id" = ?', [
    BigInt(second.post_ids.at(-2) ?? ''),
  ]);
  const other = await world.seeds.reader.query(
    `SELECT "id" FROM "users" WHERE "screen_name" LIKE 'harborbo%' AND "screen_name" <> 'harborbooks'`,
  );
  expect(String(mine[0]?.[0])).toContain(`"id":"${other.at(0)?.[0]}"`);
  const categories = await world.ads.sandbox.catalogue.of(curatedCategory).every({});
  expect(categories).toHaveLength(9);
  expect(categories.flatMap((category) => category.publisher_user_ids)).toContain(`${other.at(0)?.[0]}`);
});

test('a platform with only seeded people gets a demo, one where somebody can sign in does not', async () => {
  const seeded = await openWorld();
  await generate(seeded.seeds, { seed: 'x', users: 20, posts: 50, until_ms: NOW - DAY_MS });
  expect((await demoOf(seeded)).screen_name).toMatch(/^demo/);
  const used = await openWorld();
  await used.identity.users.create(
    { user_id: null, platform: 'OPERATOR' },
    { screen_name: 'someone', name: 'Someone', password: 'a password' },
  );
  expect(await ensureDemo(used, urls)).toBeUndefined();
});

test('the demo shows an image, a video and an animated GIF, with their bytes', async () => {
  const world = await openWorld();
  const { post_ids } = await demoOf(world);
  const rows = await world.seeds.reader.query(
    `SELECT media.kind, media.blob_key, media.preview_blob_key, media.content_type, media.total_bytes, media.expires_ms, posts.id
     FROM posts JOIN json_each(posts.media_keys) AS shown JOIN media ON media.media_key = shown.value
     WHERE posts.reposted_id IS NULL ORDER BY 1`,
  );
  expect(rows.map(([kind]) => kind)).toEqual(['animated_gif', 'photo', 'video']);
  for (const [kind, blob, still, content_type, total_bytes, expires, post] of rows) {
    expect(expires).toBeNull();
    expect(post_ids).toContain(String(post));
    expect(await world.servedMedia.find(String(blob))).toMatchObject({
      content_type,
      total_bytes: Number(total_bytes),
    });
    const { size, body } = await world.servedMedia.open(String(blob));
    body.destroy();
    expect(BigInt(size)).toBe(total_bytes);
    expect(still === null).toBe(kind === 'photo');
    if (still !== null)
      expect(await world.servedMedia.find(String(still))).toMatchObject({ content_type: 'image/png' });
  }
  // A repost shows the media of its original.
  const passed = await world.seeds.reader.query(
    'SELECT posts.media_keys, original.media_keys FROM posts JOIN posts AS original ON original.id = posts.reposted_id',
  );
  expect(passed.some(([keys]) => keys !== null)).toBe(true);
  for (const [keys, original] of passed) expect(keys).toBe(original);
});

test('the demo has publishers and nine curated categories of them, in both environments', async () => {
  const world = await openWorld();
  await demoOf(world);
  for (const { catalogue } of Object.values(world.ads)) {
    const publishers = await catalogue.of(publisher).every({});
    expect(publishers.length).toBeGreaterThanOrEqual(3);
    const known = publishers.map(({ id }) => id);
    expect((await world.identity.users.screenNames(known)).size).toBe(known.length);
    for (const terms of publishers) expect(checkPublisher(terms)).toEqual([]);
    const categories = await catalogue.of(curatedCategory).every({ country_codes: ['US'] });
    expect(categories.map(({ id, videos_monetized_in_last_thirty_days: videos }) => `${id} ${videos}`).sort()).toEqual([
      '8tujg1lvi8sn 254',
      '8tujj1ep7t34 1330',
      '8tujl1p3yn0g 1365',
      '929wbl6ymlfk 2446',
      '94ngssfrr01x 448',
      '9ddrgesiap6o 421',
      '9fg8gmz96qdg 1395',
      '9lav5usxfmdc 190',
      '9ys3jz3ktreo 169',
    ]);
    for (const category of categories) {
      expect(category.publisher_user_ids.length).toBeGreaterThan(0);
      expect(checkCuratedTerms(category, new Set(known))).toEqual([]);
    }
  }
});

test('the demo promotes a post with a website card, whose picture is in the media library', async () => {
  const world = await openWorld();
  const { post_ids, sandbox_account_id, user_id } = await demoOf(world);
  const account = world.ads.sandbox.account(sandbox_account_id);
  const [post] = await world.seeds.reader.query('SELECT card_uri, author_id, nullcast FROM posts WHERE id = ?', [
    BigInt(post_ids.at(-1) ?? ''),
  ]);
  const [card_uri, author_id, nullcast] = post ?? [];
  expect([String(author_id), Number(nullcast)]).toEqual([user_id, 0]);
  const card = await findGenericCard(account, String(card_uri));
  expect(card?.card_type).toBe('IMAGE_WEBSITE');
  const library = await account.of(libraryMedia).every({});
  expect(library.map(({ name }) => name)).toEqual(['Autumn shelf']);
  const facts = (
    await findLibraryMedia(
      account,
      world,
      library.map(({ id }) => id),
    )
  ).values();
  expect([...facts][0]).toMatchObject({ width: 800, height: 419, kind: 'photo' });
  expect((await account.of(promotedPost).every({})).map(({ post_id }) => post_id)).toEqual(post_ids.slice(-1));
  const rows = await account.of(campaign).every({});
  const record = await world.ads.sandbox.record(sandbox_account_id);
  if (!record) throw new TypeError('the demo has an account');
  const show = await showCampaigns(account, record, timestamp(world.clock), rows);
  expect(rows.map(show)).toHaveLength(1);
  expect(rows.map(show)[0]).toMatchObject({ servable: true, effective_status: 'ACTIVE' });
});

test('a demo without an advertisement has empty accounts', async () => {
  const world = await openWorld();
  const file = await ensureDemo(world, urls);
  const { sandbox_account_id }: Credentials = JSON.parse(readFileSync(file ?? '', 'utf8'));
  const account = world.ads.sandbox.account(sandbox_account_id);
  expect(await account.of(campaign).every({})).toEqual([]);
  expect(await account.of(libraryMedia).every({})).toEqual([]);
});

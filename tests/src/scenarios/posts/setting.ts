/** The world that the scenarios of data retrieval read: people, and posts of every kind. */
import type { TestUser, TestWorld } from '@broadside/testkit';
import { expect } from 'vitest';
import {
  insertRows,
  mediaRow,
  openReadingWorld,
  operatorOf,
  type ReadingStage,
  readingScenario,
  updateRow,
} from '../../support/reading.ts';

export const PHOTO = '3_7001';
export const VIDEO = '3_7002';
export const POLL = '88';
const TEXT = 'Hej 👋 @ben, läs https://books.example.com/höst #böcker $ACME';

/** A post that shows media ends with a short link, which leads to its page. */
export function linkTo(id: string): string {
  return `http://api.test/s/p${BigInt(id).toString(36).padStart(13, '0')}`;
}

/** Returns what `rich` says. */
export function saidBy({ rich }: Posts): string {
  return `${TEXT} ${linkTo(rich)}`;
}

export interface Posts {
  /** Of anna, with everything that a text and its settings can bring. */
  readonly rich: string;
  /** Of ben, with nothing. */
  readonly plain: string;
  /** Of ben, to `rich`. */
  readonly reply: string;
  /** Of ben, of `rich`. */
  readonly quote: string;
  /** Of ben, of `rich`. */
  readonly repost: string;
  /** Of carla, who is protected. */
  readonly hidden: string;
  /** Of carla, to `rich`. */
  readonly guarded: string;
  readonly deleted: string;
  /** Of ben, to what is deleted. */
  readonly orphan: string;
  /** Of ben, to `hidden`, from before carla was protected. */
  readonly blind: string;
}

/** Reposts around somebody who became protected later. */
export interface Reposts {
  readonly shy: TestUser;
  /** Follows `shy`. */
  readonly fan: TestUser;
  /** Of `shy`, of a post that everybody sees. */
  readonly byShy: string;
  /** Of `fan`, of a post of `shy`. */
  readonly ofShy: string;
  /** Of `fan`, of `byShy`. */
  readonly quoting: string;
}

/** People who have read and written posts in a world. */
interface People {
  readonly anna: TestUser;
  readonly ben: TestUser;
  /** Protected. */
  readonly carla: TestUser;
  readonly approved: TestUser;
  readonly requested: TestUser;
}

export interface Setting extends People {
  readonly world: TestWorld;
  readonly posts: Posts;
  readonly reposts: Reposts;
}

export async function openSetting(): Promise<Setting> {
  const world = await openReadingWorld();
  const anna = await world.createUser('anna');
  const ben = await world.createUser('ben');
  const carla = await world.createUser('carla');
  const approved = await world.createUser('approved');
  const requested = await world.createUser('requested');
  const people = { anna, ben, carla, approved, requested };
  const posts = await write(world, people);
  return { world, ...people, posts, reposts: await passOn(world, posts) };
}

/** Closes the world, in which nothing must have failed. */
export async function closeSetting(world: TestWorld): Promise<void> {
  expect(world.failures).toEqual([]);
  await world.close();
}

/** Scenarios of a test file, whose world is open once they are played. */
export function scenariosOf(world: () => TestWorld) {
  return (id: string, play: (stage: ReadingStage) => Promise<void>) => readingScenario(id, world, play);
}

async function write(world: TestWorld, { anna, ben, carla, approved, requested }: People): Promise<Posts> {
  const operator = operatorOf(world);
  insertRows(world, 'media', [
    mediaRow(7001n, anna, { alt_text: 'A shelf' }),
    mediaRow(7002n, anna, {
      kind: 'video',
      content_type: 'video/mp4',
      category: 'post_video',
      duration_ms: 1234,
      bit_rate: 832_000,
      blob_key: 'clip.mp4',
      preview_blob_key: 'clip.png',
      view_count: 17,
    }),
  ]);
  insertRows(world, 'posts', [
    {
      id: 42n,
      author_id: BigInt(ben.user_id),
      created_ms: 1_768_464_000_000,
      text: 'Early',
      lang: 'en',
      source: 'Test desk',
      conversation_id: 42n,
      possibly_sensitive: 0,
      reply_settings: 'everyone',
      nullcast: 0,
    },
  ]);
  const post = async (author: TestUser, text: string, more: object = {}) =>
    (await operator.posts.create.mutate({ user_id: author.user_id, text, lang: 'sv', source: 'Test desk', ...more }))
      .id;
  const rich = await post(anna, TEXT, {
    media_keys: [PHOTO],
    possibly_sensitive: true,
    reply_settings: 'following',
  });
  await operator.follows.create.mutate({ user_id: anna.user_id, followed_user_id: ben.user_id });
  await operator.follows.create.mutate({ user_id: anna.user_id, followed_user_id: carla.user_id });
  const plain = await post(ben, 'Nothing but words');
  const reply = await post(ben, 'An answer', { replied_to_id: rich });
  const quote = await post(ben, 'Look at this', { quoted_id: rich, media_keys: undefined });
  const { id: repost } = await operator.posts.repost.mutate({ user_id: ben.user_id, post_id: rich });
  const guarded = await post(carla, 'A guarded answer', { replied_to_id: rich });
  const hidden = await post(carla, 'For friends');
  const blind = await post(ben, 'To a friend', { replied_to_id: hidden });
  const deleted = await post(anna, 'Gone soon');
  const orphan = await post(ben, 'To nobody', { replied_to_id: deleted });
  await operator.posts.delete.mutate({ post_id: deleted });
  await operator.users.update.mutate({ user_id: carla.user_id, protected: true });
  await operator.users.update.mutate({
    user_id: anna.user_id,
    name: 'Anna Ek',
    description: 'Reads #books with @ben',
    location: 'Lund',
    url: 'https://anna.example.com',
    verified: true,
  });
  updateRow(world, 'users', anna.user_id, {
    profile_image_url: 'https://img.example.com/a.png',
    pinned_post_id: BigInt(rich),
    listed_count: 4,
    withheld: '{"country_codes":["DE"],"scope":"user"}',
  });
  for (const person of [approved, requested]) {
    const follow = { user_id: person.user_id, followed_user_id: carla.user_id };
    expect(await operator.follows.create.mutate(follow)).toEqual({ state: 'requested' });
    if (person === approved) expect(await operator.follows.approve.mutate(follow)).toEqual({ changed: true });
  }
  const start_ms = BigInt(world.clock.now());
  const open = { duration_minutes: 60n, start_ms, end_ms: start_ms + 3_600_000n };
  insertRows(world, 'polls', [{ id: BigInt(POLL), choices: '["Ja","Nej"]', votes_1: 2n, ...open }]);
  const context = '[{"domain":{"id":"47","name":"Brand"},"entity":{"id":"1","name":"Acme","description":"A firm"}}]';
  updateRow(world, 'posts', BigInt(rich), {
    context_annotations: context,
    coordinates: '{"type":"Point","coordinates":[13.19,55.7]}',
    place: '{"id":"00aa11bb22cc33dd","full_name":"Lund, Sverige","country":"Sverige","place_type":"city"}',
    card_uri: `card://${POLL}`,
    card_type: 'TEXT_POLLS',
    withheld: '{"copyright":true,"country_codes":["XY"],"scope":"post"}',
    impression_count: 1000,
    url_link_clicks: 10,
    user_profile_clicks: 20,
  });
  return { rich, plain, reply, quote, repost, hidden, guarded, deleted, orphan, blind };
}

async function passOn(world: TestWorld, posts: Posts): Promise<Reposts> {
  const operator = operatorOf(world);
  const shy = await world.createUser('shy');
  const fan = await world.createUser('fan');
  await operator.follows.create.mutate({ user_id: fan.user_id, followed_user_id: shy.user_id });
  const { id: own } = await operator.posts.create.mutate({ user_id: shy.user_id, text: 'Open until now' });
  const { id: byShy } = await operator.posts.repost.mutate({ user_id: shy.user_id, post_id: posts.plain });
  const { id: ofShy } = await operator.posts.repost.mutate({ user_id: fan.user_id, post_id: own });
  const quote = { user_id: fan.user_id, text: 'What they pass on', quoted_id: byShy };
  const { id: quoting } = await operator.posts.create.mutate(quote);
  await operator.users.update.mutate({ user_id: shy.user_id, protected: true });
  return { shy, fan, byShy, ofShy, quoting };
}

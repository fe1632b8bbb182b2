/** Data retrieval answers from memory as it would from the store: byte for byte, whatever is written in between. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { dataContract, type LookupResult } from '@broadside/core';
import { MediaObject } from '@broadside/core/resources/media';
import { Place, Poll, Post, postExpansionNames } from '@broadside/core/resources/posts';
import { UserObject } from '@broadside/core/resources/users';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { encodeSuccess } from '../../adapters/rest/encode.ts';
import type { Database } from '../../db/database.ts';
import { migrate } from '../../db/migrate.ts';
import { openDatabase } from '../../db/open-database.ts';
import { FollowStore } from '../../follows/follow-store.ts';
import { IdentityWrites } from '../../identity/identity-writes.ts';
import { UserStore } from '../../identity/user-store.ts';
import { deleteUpload, insertUpload, setFacts, setFailure } from '../../media/store.ts';
import { packageFile } from '../../package-file.ts';
import { PollStore } from '../../polls/poll-store.ts';
import { ManualClock } from '../../world/clock.ts';
import { Snowflakes } from '../../world/ids.ts';
import { SeededRandom } from '../../world/random.ts';
import { countForPost } from '../counters.ts';
import { type NewPost, PostRejectedError } from '../new-post.ts';
import { PostStore } from '../post-store.ts';
import type { PostQuery, Viewer } from './lookup.ts';
import { PostLookups } from './post-lookups.ts';

const { lookup } = dataContract.posts;
const actor = { user_id: null, platform: 'OPERATOR' } as const;
const baseUrl = 'http://127.0.0.1:8000';
/** An address of the same length, so that what follows a link stays where it is. */
const elsewhereUrl = 'http://platform.test1';
const shown = (url: string) => `"${url.slice('http://'.length)}/s/`;
const START = Date.UTC(2026, 0, 15);

const directory = mkdtempSync(path.join(tmpdir(), 'broadside-lookups-'));
const clock = new ManualClock(START);
const random = new SeededRandom('lookups');
const ids = new Snowflakes(clock, random);
let database: Database;
let posts: PostStore;
let polls: PollStore;
let users: UserStore;
let follows: FollowStore;
let kept: PostLookups;
let fresh: PostLookups;
const people: string[] = [];

beforeAll(async () => {
  database = await openDatabase(path.join(directory, 'platform.db'));
  await migrate(database, packageFile('drizzle/platform'), new Date(0));
  posts = new PostStore({ database, clock, ids, cache: false });
  polls = new PollStore({ database, clock });
  follows = new FollowStore({ database, clock });
  users = new UserStore({ database, clock, ids, writes: new IdentityWrites(database, clock, () => {}) });
  kept = new PostLookups({ database, clock, cache: true });
  fresh = new PostLookups({ database, clock, cache: false });
  for (const name of ['anna', 'ben', 'carla', 'dora']) {
    people.push((await users.create(actor, { screen_name: name, name, password: null })).id);
  }
});
afterAll(async () => {
  await database.close();
  rmSync(directory, { recursive: true, force: true });
});

beforeEach(async () => {
  for (const id of people) await users.update(actor, id, { protected: false });
});

const names = (schema: { readonly shape: object }) => Object.keys(schema.shape);
const everything = {
  'post.fields': names(Post),
  'user.fields': names(UserObject),
  'media.fields': names(MediaObject),
  'poll.fields': names(Poll),
  'place.fields': names(Place),
  expansions: [...postExpansionNames],
};
const queries: readonly Omit<PostQuery, 'ids'>[] = [
  everything,
  {},
  { 'post.fields': ['public_metrics', 'attachments', 'entities'], expansions: ['referenced_posts.id.author_id'] },
  { 'user.fields': ['public_metrics', 'protected'], expansions: ['author_id', 'edit_history_post_ids'] },
];

/** The bytes of an answer on REST. */
async function answer(lookups: PostLookups, query: PostQuery, viewer: Viewer): Promise<string> {
  const result: LookupResult = await lookups.run(query, viewer);
  return String(encodeSuccess(lookup, undefined, result));
}

/** Compares what is kept with what is read, for each viewer. */
async function compare(of: readonly string[]): Promise<void> {
  if (of.length === 0) return;
  for (const user_id of [null, ...people]) {
    for (const fields of queries) {
      const query = { ...fields, ids: [...of] };
      const expected = await answer(fresh, query, { user_id, baseUrl });
      // The first may write texts; the second finds them, also after they were written for another address.
      expect(await answer(kept, query, { user_id, baseUrl })).toBe(expected);
      const elsewhere = await answer(kept, query, { user_id, baseUrl: elsewhereUrl });
      expect(elsewhere).toBe(
        expected.replaceAll(baseUrl, elsewhereUrl).replaceAll(shown(baseUrl), shown(elsewhereUrl)),
      );
      expect(await answer(kept, query, { user_id, baseUrl })).toBe(expected);
    }
  }
}

/** The results of a run of commands. */
interface Made {
  readonly posts: string[];
  readonly media: bigint[];
  readonly polls: bigint[];
}

type Command = (made: Made) => Promise<unknown>;

const pick = <T>(list: readonly T[], at: number): T | undefined => list[at % Math.max(1, list.length)];
const person = fc.nat({ max: 3 });
const any = fc.nat({ max: 50 });
const userAt = (at: number) => pick(people, at) ?? '';

function addMedia(made: Made): Promise<void> {
  const id = BigInt(ids.next());
  made.media.push(id);
  return database.write(async (writer) => {
    await insertUpload(writer, {
      id,
      media_key: `3_${id}`,
      owner_user_id: BigInt(userAt(0)),
      additional_owners: people,
      category: 'post_image',
      category_given: true,
      state: 'receiving',
      content_type: 'image/png',
      total_bytes: 10,
      blob_key: null,
      created_ms: clock.now(),
      expires_ms: clock.now() + 1000,
    });
    await succeed(writer, id);
  });
}

const succeed = (writer: Parameters<typeof setFacts>[0], id: bigint) =>
  setFacts(writer, id, {
    facts: { media_type: 'image/png', kind: 'photo', size_bytes: 10, width: 3, height: 2 },
    category: 'post_image',
    blob_key: `blob${id}`,
    preview_blob_key: null,
  });

const kinds = ['reply', 'quote', 'media', 'poll', 'mention'] as const;

const post =
  (author: number, other: number, kind: (typeof kinds)[number]): Command =>
  async (made) => {
    const media = pick(made.media, other);
    const poll = { id: made.polls[other] ?? BigInt(ids.next()), choices: ['Yes', 'No'], duration_minutes: 5 };
    const card = { card_uri: `card://${poll.id}`, card_type: 'TEXT_POLLS', environment: 'production', account_id: 'a' };
    const attached: Partial<NewPost> = {
      reply: { replied_to_id: pick(made.posts, other) },
      quote: { quoted_id: pick(made.posts, other) },
      media: media === undefined ? {} : { media_keys: [`3_${media}`] },
      poll: {
        poll: { ...poll, start_ms: clock.now(), media_key: null },
        card: { ...card, environment: 'production' as const },
      },
      mention: {},
    }[kind];
    const text = `Post ${clock.now()} ${kind === 'mention' ? '@ben @anna' : 'é'}`;
    const written = { author_id: userAt(author), text, source: 'Test', lang: 'en' };
    made.posts.push(await posts.create(actor, { ...written, ...attached }));
    if (kind === 'poll') made.polls.push(poll.id);
  };

const repost =
  (author: number, at: number): Command =>
  async (made) => {
    const post_id = pick(made.posts, at) ?? '1';
    made.posts.push(await posts.repost(actor, { author_id: userAt(author), post_id, source: 'Test' }));
  };

/** Every run begins with posts of each kind, among them some of the same media and poll. */
const beginning: readonly Command[] = [
  addMedia,
  ...kinds.flatMap((kind, at) => [post(at % 3, 50, kind), post(3, 0, kind)]),
  repost(2, 2),
  repost(0, 3),
];

const commands: fc.Arbitrary<Command> = fc.oneof(
  fc.tuple(person, any, fc.constantFrom(...kinds)).map(([author, other, kind]) => post(author, other, kind)),
  fc.tuple(person, any).map(([author, at]) => repost(author, at)),
  any.map(
    (at): Command =>
      async (made) =>
        posts.delete(actor, pick(made.posts, at) ?? '1'),
  ),
  any.map(
    (at): Command =>
      async (made) =>
        posts.rename(actor, BigInt(pick(made.posts, at) ?? 1), `Name ${at}`),
  ),
  fc.tuple(person, any, fc.boolean()).map(
    ([user, at, liked]): Command =>
      async (made) =>
        posts.like(actor, userAt(user), pick(made.posts, at) ?? '1', liked),
  ),
  fc.tuple(person, any, fc.integer({ min: 1, max: 2 })).map(
    ([user, at, choice]): Command =>
      async (made) =>
        polls.vote(actor, { user_id: userAt(user), post_id: pick(made.posts, at) ?? '1', choice }),
  ),
  fc.tuple(person, fc.boolean()).map(
    ([user, isProtected]): Command =>
      async () =>
        users.update(actor, userAt(user), { protected: isProtected }),
  ),
  fc.tuple(person, any).map(
    ([user, at]): Command =>
      async () =>
        users.update(actor, userAt(user), { description: `I am #${at}`, url: `https://example.com/${at}` }),
  ),
  fc.tuple(person, person).map(
    ([a, b]): Command =>
      async () =>
        follows.follow(actor, userAt(a), userAt(b)),
  ),
  fc.tuple(person, person).map(
    ([a, b]): Command =>
      async () =>
        follows.approve(actor, userAt(a), userAt(b)),
  ),
  fc.tuple(person, person).map(
    ([a, b]): Command =>
      async () =>
        follows.unfollow(actor, userAt(a), userAt(b)),
  ),
  fc.constant(addMedia),
  fc.tuple(any, fc.constantFrom('fail', 'succeed', 'delete')).map(
    ([at, what]): Command =>
      async (made) => {
        const id = pick(made.media, at);
        if (id === undefined) return;
        await database.write(async (writer) => {
          if (what === 'fail') await setFailure(writer, id, { code: 1, name: 'InvalidMedia', message: 'It is broken' });
          else if (what === 'succeed') await succeed(writer, id);
          else await deleteUpload(writer, id);
        });
      },
  ),
  fc.constant<Command>(async () => clock.advance(6 * 60_000)),
);

describe('what data retrieval keeps', () => {
  test('is what it would read after any writes, for every viewer', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(commands, { minLength: 4, maxLength: 25 }), async (run) => {
        const made: Made = { posts: [], media: [], polls: [] };
        for (const command of [...beginning, ...run]) {
          clock.advance(1000);
          await command(made).catch((error: unknown) => {
            if (!(error instanceof PostRejectedError)) throw error;
          });
          await compare(made.posts.slice(0, 100));
        }
      }),
      { numRuns: process.env['BROADSIDE_TEST_LONG'] === undefined ? 10 : 25 },
    );
  });

  test('is not what a write has not committed yet, and not what it was before', async () => {
    const id = await posts.create(actor, { author_id: userAt(1), text: 'Hello', source: 'Test', lang: 'en' });
    const query: PostQuery = { ids: [id], 'post.fields': ['public_metrics'] };
    const viewer = { user_id: null, baseUrl };
    const before = await answer(kept, query, viewer);
    await database.write(async (writer) => {
      await countForPost(writer, 'like_count', BigInt(id), 1);
      expect(await answer(kept, query, viewer)).toBe(before);
    });
    expect(await answer(kept, query, viewer)).toBe(before.replace('"like_count":0', '"like_count":1'));
    const rolledBack = database.write(async (writer) => {
      await countForPost(writer, 'like_count', BigInt(id), 1);
      throw new Error('not after all');
    });
    await expect(rolledBack).rejects.toThrow('not after all');
    expect(await answer(kept, query, viewer)).toContain('"like_count":1');
  });

  test('stays when something else is written, and is read again when it was written itself', async () => {
    const [one, other] = [
      await posts.create(actor, { author_id: userAt(1), text: 'One', source: 'Test', lang: 'en' }),
      await posts.create(actor, { author_id: userAt(2), text: 'Other', source: 'Test', lang: 'en' }),
    ];
    const query: PostQuery = { ids: [one], expansions: ['author_id'] };
    const read = vi.spyOn(database, 'read');
    const reads = async () => {
      read.mockClear();
      await kept.run(query, { user_id: null, baseUrl });
      return read.mock.calls.length;
    };
    await reads();
    expect(await reads()).toBe(0);
    await posts.like(actor, userAt(3), other, true);
    await users.update(actor, userAt(2), { description: 'Somebody else' });
    await posts.create(actor, { author_id: userAt(3), text: 'New', source: 'Test', lang: 'en' });
    expect(await reads()).toBe(0);
    await posts.like(actor, userAt(3), one, true);
    expect(await reads()).toBe(1);
    await users.update(actor, userAt(1), { description: 'The author' });
    expect(await reads()).toBe(1);
    expect(await reads()).toBe(0);
    read.mockRestore();
  });
});

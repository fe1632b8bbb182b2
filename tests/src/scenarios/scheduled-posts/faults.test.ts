/** Scheduled posts when something fails on the way to their publication. */
import path from 'node:path';
import { families } from '@broadside/server';
import type { TestWorld } from '@broadside/testkit';
import Sqlite from 'libsql';
import { describe, expect, test } from 'vitest';
import { minutesAhead } from '../../fixtures/scheduled-posts.ts';
import { adapters } from '../../support/adapters.ts';
import { newText } from '../../support/drafting.ts';
import { about, Stage } from '../../support/scenario.ts';
import { openWorld } from '../../support/world.ts';
import { MINUTE_MS, now, publishedPosts, reach, schedule } from './setting.ts';

const SERVER = { user_id: null, platform: 'SERVER' } as const;
const { scheduledPost } = families.scheduled_posts;

async function openStage(): Promise<Stage & AsyncDisposable> {
  const world = await openWorld();
  const account_id = await world.createAccount('sandbox');
  const stage = new Stage(world, adapters.rest, { account_id, funding_instrument_id: '', user: world.user });
  return Object.assign(stage, { [Symbol.asyncDispose]: () => world.close() });
}

/** Changes the schema of a store behind the server's back. */
function alter({ directory }: TestWorld, store: string, statement: string): void {
  const database = new Sqlite(path.join(directory, `${store}.db`));
  database.exec(statement);
  database.close();
}

/** Has a kind of write fail, as if the disk were gone. @returns repairs it */
function breakWrites(world: TestWorld, store: string, write: string): () => void {
  alter(world, store, `CREATE TRIGGER "broken" BEFORE ${write} BEGIN SELECT RAISE(ABORT, 'the disk is gone'); END`);
  return () => alter(world, store, 'DROP TRIGGER "broken"');
}

const CLAIM = 'UPDATE OF "publishing" ON "scheduled_posts" WHEN NEW."publishing" = 1 AND OLD."publishing" = 0';
const SETTLE = `UPDATE OF "scheduled_status" ON "scheduled_posts" WHEN NEW."scheduled_status" <> 'SCHEDULED'`;

describe(about('B-SCHEDULED-CRASH'), () => {
  test.for([
    ['before it is claimed', 'ads-sandbox', CLAIM, 'SCHEDULED', 0, true],
    ['before it is published', 'platform', 'INSERT ON "posts"', 'SCHEDULED', 0, false],
    ['before its record says so', 'ads-sandbox', SETTLE, 'SCHEDULED', 1, false],
    [
      'before its job is removed',
      'platform',
      `DELETE ON "jobs" WHEN OLD."kind" = 'posts.publish'`,
      'SUCCESS',
      1,
      false,
    ],
  ] as const)('%s', async ([_title, store, write, scheduled_status, posted, isEditable]) => {
    await using stage = await openStage();
    const { world } = stage;
    const post = await schedule(stage, 60);
    const shown = () => publishedPosts(world, [post['text']]);
    const repair = breakWrites(world, store, write);
    await reach(world, post['scheduled_at']);
    expect(await now(stage, post)).toMatchObject({ scheduled_status });
    expect(shown()).toHaveLength(posted);
    repair();
    await world.reopen();
    world.clock.advance(-30 * MINUTE_MS);
    await world.runJobs();
    // What is being published is settled: it is neither changed nor deleted, also when the clock has gone back.
    const change = await stage.call('scheduled_posts.update', { scheduled_post_id: post.id, name: 'Renamed' });
    expect(change.ok).toBe(isEditable);
    if (!isEditable && scheduled_status === 'SCHEDULED') {
      expect(await stage.rejected('scheduled_posts.delete', { scheduled_post_id: post.id })).toMatchObject([
        { code: 'INVALID_PARAMETER', parameter: 'scheduled_post_id' },
      ]);
    }
    for (const minutes of [31, 60, 60]) {
      world.clock.advance(minutes * MINUTE_MS);
      await world.runJobs();
    }
    expect(await now(stage, post)).toMatchObject({ scheduled_status: 'SUCCESS', post_id: shown()[0]?.id });
    expect(shown()).toHaveLength(1);
    expect(await world.runJobs()).toBe(0);
  });

  test('after it was published, and its author is not promotable any more', async () => {
    await using stage = await openStage();
    const { world } = stage;
    const post = await schedule(stage, 1);
    const repair = breakWrites(world, 'ads-sandbox', SETTLE);
    await reach(world, post['scheduled_at']);
    repair();
    const { promotableUser } = families.promotable_users;
    await world.platform.ads.sandbox.account(stage.account_id).write(SERVER, async (writer) => {
      for (const row of await writer.of(promotableUser).every({})) await writer.of(promotableUser).delete(row);
    });
    world.clock.advance(MINUTE_MS);
    await world.runJobs();
    const [published] = publishedPosts(world, [post['text']]);
    expect(await now(stage, post)).toMatchObject({ scheduled_status: 'SUCCESS', post_id: published?.id });
  });
});

test(about('B-SCHEDULED-RETRIED'), async () => {
  await using stage = await openStage();
  const { world } = stage;
  const [post, other] = [await schedule(stage, 1), await schedule(stage, 1)];
  const repair = breakWrites(world, 'platform', `INSERT ON "posts" WHEN NEW."text" = '${post['text']}'`);
  await reach(world, post['scheduled_at']);
  // Another one is published meanwhile.
  expect(await now(stage, other)).toMatchObject({ scheduled_status: 'SUCCESS' });
  const started = world.clock.now();
  for (let i = 0; i < 100; i++) {
    world.clock.advance(MINUTE_MS);
    await world.runJobs();
    if ((await now(stage, post))['scheduled_status'] !== 'SCHEDULED') break;
  }
  expect(world.clock.now() - started).toBeGreaterThan(20 * MINUTE_MS);
  expect(world.clock.now() - started).toBeLessThan(60 * MINUTE_MS);
  expect(await now(stage, post)).toMatchObject({
    scheduled_status: 'FAILED',
    post_id: null,
    failure: { code: 'INTERNAL_ERROR', message: expect.not.stringContaining('disk') },
  });
  repair();
  world.clock.advance(3_600_000);
  expect(await world.runJobs()).toBe(0);
  expect(publishedPosts(world, [post['text']])).toEqual([]);
});

describe(about('B-SCHEDULED-WRITTEN-LATE'), () => {
  const nameOf = ({ world, account_id }: Stage) =>
    ({ environment: 'sandbox', account_id, id: world.platform.snowflakes.next() }) as const;

  test('a post that is written after its job was due is published', async () => {
    await using stage = await openStage();
    const { world, account_id } = stage;
    const name = nameOf(stage);
    const text = newText();
    const scheduled_at = minutesAhead(world, 1);
    const begun = Promise.withResolvers<undefined>();
    const written = Promise.withResolvers<undefined>();
    const scheduling = world.platform.publications.schedule(name, Date.parse(scheduled_at), async () => {
      begun.resolve(undefined);
      await written.promise;
      const state = { scheduled_status: 'SCHEDULED', completed_at: null, post_id: null, failure: null } as const;
      const content = { text, name: null, card_uri: null, media_keys: [], nullcast: true };
      const post = { user_id: world.user.user_id, contributor_id: null, scheduled_at, ...content, ...state };
      return world.platform.ads.sandbox
        .account(account_id)
        .write(SERVER, (writer) => writer.of(scheduledPost).insert(post, name.id));
    });
    await begun.promise;
    // The clock jumps by far more than any write takes.
    for (const minutes of [2, 20, 600]) {
      world.clock.advance(minutes * MINUTE_MS);
      await world.runJobs();
    }
    written.resolve(undefined);
    const row = await scheduling;
    expect(publishedPosts(world, [text])).toEqual([]);
    world.clock.advance(1000);
    await world.runJobs();
    expect(await now(stage, row)).toMatchObject({ scheduled_status: 'SUCCESS' });
    expect(publishedPosts(world, [text])).toHaveLength(1);
  });

  test('a job without a post is tried for a minute, and ends', async () => {
    await using stage = await openStage();
    const { world } = stage;
    const due_ms = world.clock.now() + 1000;
    const cut = world.platform.publications.schedule(nameOf(stage), due_ms, async () => {
      throw new Error('cut off');
    });
    await expect(cut).rejects.toThrow('cut off');
    await world.reopen();
    world.clock.advance(1000);
    expect(await world.runJobs()).toBe(1);
    world.clock.advance(30_000);
    expect(await world.runJobs()).toBe(1);
    world.clock.advance(30_000);
    expect(await world.runJobs()).toBe(1);
    world.clock.advance(3_600_000);
    expect(await world.runJobs()).toBe(0);
  });
});

test('posts that are moved and deleted while they are published are published once, or deleted before', async () => {
  await using stage = await openStage();
  const { world } = stage;
  const posts = [];
  for (let i = 0; i < 20; i++) posts.push(await schedule(stage, 1 + (i % 3)));
  const calls: Promise<unknown>[] = [];
  for (let round = 0; round < 4; round++) {
    world.clock.advance(30_000);
    for (const [i, { id: scheduled_post_id }] of posts.entries()) {
      const scheduled_at = minutesAhead(world, 1 + ((i + round) % 3));
      if (i % 4 === round) calls.push(stage.call('scheduled_posts.delete', { scheduled_post_id }));
      else if (i % 2 === 0) calls.push(stage.call('scheduled_posts.update', { scheduled_post_id, scheduled_at }));
      if (i % 7 === 0) calls.push(world.runJobs());
    }
  }
  await Promise.all(calls);
  world.clock.advance(10 * MINUTE_MS);
  await world.runJobs();
  const kept = await stage.many('scheduled_posts.list', { count: 200 });
  const published = publishedPosts(
    world,
    posts.map(({ text }) => text),
  );
  expect(new Set(published.map(({ text }) => text)).size).toBe(published.length);
  for (const { text, post_id, scheduled_status } of kept) {
    expect({ scheduled_status, post_id }).toEqual({
      scheduled_status: 'SUCCESS',
      post_id: published.find((post) => post.text === text)?.id,
    });
  }
  // A post whose record was deleted may have been published before; its deletion says so.
  const rows = await world.platform.ads.sandbox.database.query(
    `SELECT "entity_data" ->> '$.post_id' FROM "change_log" WHERE "account_id" = ? AND "change_type" = 'DELETE'`,
    [stage.account_id],
  );
  const gone = rows.flatMap(([post_id]) => (post_id === null ? [] : [String(post_id)]));
  expect([...kept.map(({ post_id }) => post_id), ...gone].sort()).toEqual(published.map(({ id }) => id).sort());
  expect(kept.length + rows.length).toBe(posts.length);
});

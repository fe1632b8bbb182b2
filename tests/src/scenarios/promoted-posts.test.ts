/** Promoted posts: specification C, Promoted posts, Promotable users and States; reference, campaign-management 9.5 and 15. */
import { createWorld } from '@broadside/testkit';
import { expect, test } from 'vitest';
import { encodeGif, encodePng } from '../../../apps/server/src/media/testing/images.ts';
import { encodeMp4 } from '../../../apps/server/src/media/testing/videos.ts';
import { postBy } from '../fixtures/promoted-posts.ts';
import { lend, lineItemWith, shownPost, somebody, uploadedMedia } from '../support/promotion.ts';
import { about, type Entity, lineItemOf, type Stage, scenarios } from '../support/scenario.ts';
import { createAccountFixture, openWorld } from '../support/world.ts';

const SERVER = { user_id: null, platform: 'SERVER' } as const;

const scenario = scenarios();

const idsOf = (entities: readonly Entity[]) => entities.map(({ id }) => id);

/** Some posts of the account's FULL user. */
async function posts({ world, user }: Stage, count: number): Promise<bigint[]> {
  const made: bigint[] = [];
  for (let i = 0; i < count; i++) made.push(await postBy(world, user.user_id, `Post ${i}`));
  return made;
}

/** A post of somebody whose posts the account may promote. */
async function lentPost(stage: Stage): Promise<bigint> {
  const author_id = await somebody(stage);
  await lend(stage, author_id);
  return postBy(stage.world, author_id, 'Said by somebody else');
}

/** How often a post has been reposted. */
async function repostsOf({ world }: Stage, id: bigint): Promise<unknown> {
  return (await shownPost(world, id))?.['public_metrics'];
}

scenario('C-POST-CREATE', async (stage) => {
  const line_item_id = (await lineItemWith(stage, 'ENGAGEMENTS')).id;
  const [a = 0n, b = 0n, c = 0n] = await posts(stage, 3);
  const promoted = await stage.many('promoted_posts.create', { line_item_id, post_ids: [b, c, a] });
  expect(promoted).toEqual(
    [b, c, a].map((id) => ({
      id: expect.stringMatching(/^[0-9a-z]{2,9}$/),
      line_item_id,
      post_id: `${id}`,
      entity_status: 'ACTIVE',
      approval_status: 'ACCEPTED',
      created_at: expect.any(String),
      updated_at: promoted[0]?.['created_at'],
      deleted: false,
    })),
  );
  for (const one of promoted) expect(await stage.one('promoted_posts.get', { promoted_post_id: one.id })).toEqual(one);
  expect(await stage.many('promoted_posts.list')).toEqual(promoted.toReversed());
});

test(about('C-POST-ENVELOPE'), async () => {
  await using world = await openWorld();
  const { account_id, line_item_id } = await createAccountFixture(world);
  const post_ids = [await postBy(world, world.user.user_id), await postBy(world, world.user.user_id)];
  const path = `/12/accounts/${account_id}/promoted_posts`;
  const query = { line_item_id, post_ids: post_ids.join() };
  const answer = await world.request({ method: 'POST', path, query });
  expect(answer.body).toMatchObject({ total_count: 2, request: { params: { account_id, line_item_id, post_ids } } });
  expect(answer.text).toContain(`"post_ids":[${post_ids.join()}]`);
  expect(answer.text).not.toContain('next_cursor');
  // No update exists.
  expect((await world.request({ method: 'PUT', path: `${path}/abc` })).status).toBe(405);
});

scenario('C-POST-50', async (stage) => {
  const line_item_id = (await lineItemWith(stage, 'ENGAGEMENTS')).id;
  const made = await posts(stage, 51);
  expect(await stage.many('promoted_posts.create', { line_item_id, post_ids: made.slice(1) })).toHaveLength(50);
  for (const post_ids of [made, []]) {
    const outcome = await stage.call('promoted_posts.create', { line_item_id, post_ids });
    expect(outcome).toMatchObject({ ok: false, errors: [{ parameter: 'post_ids' }] });
  }
  expect(await stage.many('promoted_posts.list')).toHaveLength(50);
});

scenario('C-POST-ALL-OR-NONE', async (stage) => {
  const { world } = stage;
  const line_item_id = (await lineItemWith(stage, 'ENGAGEMENTS')).id;
  const [mine = 0n] = await posts(stage, 1);
  const lent = await lentPost(stage);
  const foreign = await postBy(world, await somebody(stage));
  const [deleted = 0n] = await posts(stage, 1);
  await world.platform.posts.delete(SERVER, `${deleted}`);
  const post_ids = [mine, lent, 9_223_372_036_854_775_807n, foreign, deleted];
  const errors = await stage.refused('promoted_posts.create', { line_item_id, post_ids }, 404);
  expect(errors).toMatchObject([
    { code: 'POST_NOT_FOUND', parameter: 'post_ids', value: 9_223_372_036_854_775_807n },
    { code: 'INVALID_POST', parameter: 'post_ids', value: foreign },
    { code: 'POST_NOT_FOUND', parameter: 'post_ids', value: deleted },
  ]);
  expect(errors[0]?.message).toContain('9223372036854775807');
  expect(await stage.many('promoted_posts.list', { with_deleted: true })).toEqual([]);
  expect(await repostsOf(stage, lent)).toMatchObject({ repost_count: 0 });
});

scenario('C-POST-AGAIN', async (stage) => {
  const line_item_id = (await lineItemWith(stage, 'ENGAGEMENTS')).id;
  const [a = 0n, b = 0n] = await posts(stage, 2);
  const [first] = await stage.many('promoted_posts.create', { line_item_id, post_ids: [a] });
  stage.world.clock.advance(5000);
  const [second, again, ...more] = await stage.many('promoted_posts.create', { line_item_id, post_ids: [b, a, b, a] });
  expect(again).toEqual(first);
  expect(more).toEqual([]);
  expect(idsOf(await stage.many('promoted_posts.list'))).toEqual([second?.id, first?.id]);
  // Another line item promotes the same post for itself.
  const other = (await lineItemWith(stage, 'REACH')).id;
  const [elsewhere] = await stage.many('promoted_posts.create', { line_item_id: other, post_ids: [a] });
  expect(elsewhere).toMatchObject({ line_item_id: other, post_id: `${a}` });
  expect(elsewhere?.id).not.toBe(first?.id);
});

scenario('C-POST-AUTHOR', async (stage) => {
  const { world } = stage;
  const line_item_id = (await lineItemWith(stage, 'ENGAGEMENTS')).id;
  const author_id = await somebody(stage);
  const id = await postBy(world, author_id);
  const errors = await stage.refused('promoted_posts.create', { line_item_id, post_ids: [id] });
  expect(errors).toMatchObject([{ code: 'INVALID_POST', parameter: 'post_ids', value: id }]);
  expect(errors[0]?.message).toMatch(/permission.*REPOSTS_ONLY/);
  // Once they have been added, it can be promoted; once they are gone, no more.
  const promotable = await lend(stage, author_id);
  await stage.ok('promoted_posts.create', { line_item_id, post_ids: [id] });
  await world.platform.ads.sandbox.account(stage.account_id).write(SERVER, async (writer) => {
    const row = await writer.promotable_users.get(promotable);
    if (row) await writer.promotable_users.update(row, { deleted: true });
  });
  const other = await postBy(world, author_id);
  await stage.refused('promoted_posts.create', { line_item_id, post_ids: [other] });
  expect(await stage.many('promoted_posts.list')).toHaveLength(1);
});

scenario('C-POST-PROTECTED', async (stage) => {
  const { world } = stage;
  const line_item_id = (await lineItemWith(stage, 'ENGAGEMENTS')).id;
  const author_id = await somebody(stage);
  await lend(stage, author_id);
  const id = await postBy(world, author_id);
  await world.platform.identity.users.update(SERVER, author_id, { protected: true });
  const errors = await stage.refused('promoted_posts.create', { line_item_id, post_ids: [id] });
  expect(errors).toMatchObject([{ code: 'INVALID_POST', value: id, message: expect.stringContaining('protected') }]);
  expect(await repostsOf(stage, id)).toBeUndefined();
});

scenario('C-POST-REPOST', async (stage) => {
  const { world, user } = stage;
  const line_item_id = (await lineItemWith(stage, 'ENGAGEMENTS')).id;
  const [mine = 0n] = await posts(stage, 1);
  const lent = await lentPost(stage);
  const countOf = async () => {
    const { body } = await world.request({
      listener: 'api',
      path: '/2/posts',
      query: { ids: `${mine}`, expansions: 'author_id', 'user.fields': 'public_metrics' },
    });
    return body;
  };
  const before = await countOf();
  const [own, foreign] = await stage.many('promoted_posts.create', { line_item_id, post_ids: [mine, lent] });
  expect(own).toMatchObject({ post_id: `${mine}` });
  expect(foreign?.['post_id']).not.toBe(`${lent}`);
  expect(await shownPost(world, foreign?.['post_id'])).toMatchObject({
    author_id: user.user_id,
    referenced_posts: [{ type: 'reposted', id: `${lent}` }],
  });
  // In nobody's timeline, so it is none of the posts that the user is known for.
  expect(await countOf()).toEqual(before);
  expect(await stage.one('promoted_posts.get', { promoted_post_id: foreign?.id })).toEqual(foreign);
});

let colleagues = 0;

scenario('C-POST-REPOST-COMPOSER', async (stage) => {
  const { world, account_id } = stage;
  const line_item_id = (await lineItemWith(stage, 'ENGAGEMENTS')).id;
  const [mine] = await posts(stage, 1);
  const lent = await lentPost(stage);
  const colleague = await world.createUser(`colleague${++colleagues}`);
  for (const permission of ['ACCOUNT_ADMIN', 'AD_MANAGER', 'CREATIVE_MANAGER'] as const) {
    await world.grant(account_id, colleague, [permission]);
    // Their posts need nobody: they exist.
    await stage.ok('promoted_posts.create', { line_item_id, post_ids: [mine] }, colleague);
    const errors = await stage.refused(
      'promoted_posts.create',
      { line_item_id, post_ids: [mine, lent] },
      403,
      colleague,
    );
    expect(errors).toMatchObject([{ code: 'ACTION_NOT_ALLOWED', parameter: 'post_ids' }]);
    expect(errors[0]?.message).toContain('POST_COMPOSER');
    expect(await repostsOf(stage, lent)).toMatchObject({ repost_count: 0 });
  }
  await world.grant(account_id, colleague, ['CREATIVE_MANAGER', 'POST_COMPOSER']);
  const params = { line_item_id, post_ids: [lent] };
  const [promoted] = await stage.many('promoted_posts.create', params, colleague);
  expect(await shownPost(world, promoted?.['post_id'])).toMatchObject({
    author_id: stage.user.user_id,
    referenced_posts: [{ type: 'reposted', id: `${lent}` }],
  });
});

scenario('C-POST-REPOST-ONCE', async (stage) => {
  const { world, user } = stage;
  const line_item_id = (await lineItemWith(stage, 'ENGAGEMENTS')).id;
  const lent = await lentPost(stage);
  const [first] = await stage.many('promoted_posts.create', { line_item_id, post_ids: [lent] });
  const [again] = await stage.many('promoted_posts.create', { line_item_id, post_ids: [lent] });
  expect(again).toEqual(first);
  const other = (await lineItemWith(stage, 'REACH')).id;
  const repost = BigInt(String(first?.['post_id']));
  // The repost is the user's own: by its id or by that of the original, it is one post.
  const both = await stage.many('promoted_posts.create', { line_item_id: other, post_ids: [lent, repost] });
  expect(both.map(({ post_id }) => post_id)).toEqual([`${repost}`, `${repost}`]);
  expect(await stage.many('promoted_posts.list', { line_item_ids: [other] })).toHaveLength(1);
  expect(await repostsOf(stage, lent)).toMatchObject({ repost_count: 1 });
  // A repost in the timeline is another matter, before and after.
  const fresh = await lentPost(stage);
  const reposting = { author_id: user.user_id, source: 'Test' };
  const inTimeline = await world.platform.posts.repost(SERVER, { ...reposting, post_id: `${fresh}` });
  const [promoted] = await stage.many('promoted_posts.create', { line_item_id, post_ids: [fresh] });
  expect(promoted?.['post_id']).not.toBe(inTimeline);
  await world.platform.posts.repost(SERVER, { ...reposting, post_id: `${lent}` });
});

test(about('C-POST-REPOST-CRASH'), async () => {
  await using world = await createWorld();
  const { account_id, line_item_id } = await createAccountFixture(world);
  const { database } = world.platform.ads.sandbox;
  const author = await world.createUser('lender');
  await world.platform.ads.sandbox
    .account(account_id)
    .write(SERVER, (writer) =>
      writer.promotable_users.insert({ user_id: author.user_id, promotable_user_type: 'REPOSTS_ONLY', deleted: false }),
    );
  const lent = await postBy(world, author.user_id);
  const attach = () =>
    world.request({
      method: 'POST',
      path: `/12/accounts/${account_id}/promoted_posts`,
      query: { line_item_id, post_ids: `${lent}` },
    });
  await database.write((writer) =>
    writer.run(
      `CREATE TRIGGER "broken" BEFORE INSERT ON "promoted_posts" BEGIN SELECT RAISE(ABORT, 'the disk is gone'); END`,
    ),
  );
  for (let i = 0; i < 2; i++) expect((await attach()).status).toBe(500);
  expect(await shownPost(world, lent)).toMatchObject({ public_metrics: { repost_count: 1 } });
  await database.write((writer) => writer.run('DROP TRIGGER "broken"'));
  await world.reopen();
  const answer = await attach();
  expect(answer.status, answer.text).toBe(200);
  expect(await shownPost(world, lent)).toMatchObject({ public_metrics: { repost_count: 1 } });
  const rows = await world.platform.ads.sandbox.database.query('SELECT "post_id" FROM "promoted_posts"');
  expect(rows).toHaveLength(1);
  expect(await shownPost(world, rows[0]?.[0])).toMatchObject({ referenced_posts: [{ id: `${lent}` }] });
});

test(about('C-POST-REPOST-RACE'), async () => {
  await using world = await openWorld();
  const { account_id, line_item_id } = await createAccountFixture(world);
  const author = await world.createUser('lender');
  await world.platform.ads.sandbox
    .account(account_id)
    .write(SERVER, (writer) =>
      writer.promotable_users.insert({ user_id: author.user_id, promotable_user_type: 'REPOSTS_ONLY', deleted: false }),
    );
  const lent = await postBy(world, author.user_id);
  const query = { line_item_id, post_ids: `${lent}` };
  const path = `/12/accounts/${account_id}/promoted_posts`;
  const answers = await Promise.all(Array.from({ length: 20 }, () => world.request({ method: 'POST', path, query })));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(answers.map(({ body }) => JSON.stringify(Object(body).data))).size).toBe(1);
  expect(await shownPost(world, lent)).toMatchObject({ public_metrics: { repost_count: 1 } });
});

scenario('C-POST-SUITS', async (stage) => {
  const { world, user } = stage;
  const upload = (bytes: Uint8Array) => uploadedMedia(world, user.user_id, bytes);
  const withMedia = async (bytes: Uint8Array) =>
    BigInt(
      await world.platform.posts.create(SERVER, {
        author_id: user.user_id,
        text: 'Look',
        source: 'Test',
        lang: 'en',
        media_keys: [await upload(bytes)],
      }),
    );
  const made = {
    text: await postBy(world, user.user_id, 'Just words'),
    link: await postBy(world, user.user_id, 'More at https://books.example.com/autumn'),
    app: await postBy(world, user.user_id, 'Get it: https://play.google.com/store/apps/details?id=com.example.app'),
    photo: await withMedia(encodePng(40, 30)),
    gif: await withMedia(encodeGif(20, 10, [5, 5, 5])),
    video: await withMedia(encodeMp4({ width: 320, height: 240, seconds: 2 })),
  };
  const names = Object.keys(made);
  const app = { android_app_store_identifier: 'com.example.app' };
  const suited: readonly (readonly [objective: string, posts: readonly string[], more?: object])[] = [
    ['ENGAGEMENTS', names],
    ['REACH', names],
    ['FOLLOWERS', names],
    ['VIDEO_VIEWS', ['gif', 'video']],
    ['WEBSITE_CLICKS', ['link', 'app']],
    ['APP_INSTALLS', ['app'], app],
    ['APP_ENGAGEMENTS', ['app'], app],
  ];
  for (const [objective, fitting, more] of suited) {
    const line_item_id = (await lineItemWith(stage, objective, { ...more })).id;
    for (const [name, id] of Object.entries(made)) {
      const outcome = await stage.call('promoted_posts.create', { line_item_id, post_ids: [id] });
      const refusal = [{ code: 'INVALID_POST', value: id, message: expect.stringContaining(objective) }];
      const suits = fitting.includes(name);
      expect(outcome, `${objective} ${name}`).toMatchObject(
        suits ? { ok: true } : { ok: false, status: 400, errors: refusal },
      );
    }
  }
});

scenario('C-POST-LINE', async (stage) => {
  const post_ids = await posts(stage, 1);
  for (const [objective, more] of [
    ['PREROLL_VIEWS', { product_type: 'MEDIA', categories: ['IAB2'] }],
    ['WEBSITE_CLICKS', { product_type: 'MEDIA' }],
  ] as const) {
    const line_item_id = (await lineItemWith(stage, objective, more)).id;
    expect(await stage.refused('promoted_posts.create', { line_item_id, post_ids })).toMatchObject([
      { code: 'INCOMPATIBLE_LINE_ITEM', parameter: 'line_item_id', value: line_item_id },
    ]);
  }
  const deleted = (await lineItemWith(stage, 'ENGAGEMENTS')).id;
  await stage.ok('line_items.delete', { line_item_id: deleted });
  for (const line_item_id of [deleted, 'nosuch']) {
    expect(await stage.refused('promoted_posts.create', { line_item_id, post_ids }, 404)).toMatchObject([
      { code: 'LINE_ITEM_NOT_FOUND', parameter: 'line_item_id', value: line_item_id },
    ]);
  }
});

scenario('C-POST-FILTER', async (stage) => {
  const [one, other] = [await lineItemWith(stage, 'ENGAGEMENTS'), await lineItemWith(stage, 'REACH')];
  const [x = 0n, y = 0n] = await posts(stage, 2);
  const [a, b] = await stage.many('promoted_posts.create', { line_item_id: one.id, post_ids: [x, y] });
  const [c] = await stage.many('promoted_posts.create', { line_item_id: other.id, post_ids: [x] });
  const list = async (params: object) => idsOf(await stage.many('promoted_posts.list', { ...params }));
  expect(await list({})).toEqual([c?.id, b?.id, a?.id]);
  expect(await list({ line_item_ids: [one.id] })).toEqual([b?.id, a?.id]);
  expect(await list({ line_item_ids: [one.id, other.id], promoted_post_ids: [a?.id, c?.id, 'none'] })).toEqual([
    c?.id,
    a?.id,
  ]);
  expect(await list({ promoted_post_ids: [`${x}`] })).toEqual([]);
  const many = Array.from({ length: 201 }, (_, i) => `x${i}`);
  for (const name of ['line_item_ids', 'promoted_post_ids']) {
    expect(await stage.call('promoted_posts.list', { [name]: many })).toMatchObject({
      ok: false,
      errors: [{ parameter: name }],
    });
  }
});

scenario('C-POST-DELETE', async (stage) => {
  const { world } = stage;
  const line_item_id = (await lineItemWith(stage, 'ENGAGEMENTS')).id;
  const post_ids = await posts(stage, 1);
  const [promoted] = await stage.many('promoted_posts.create', { line_item_id, post_ids });
  const promoted_post_id = promoted?.id;
  world.clock.advance(2000);
  const gone = await stage.one('promoted_posts.delete', { promoted_post_id });
  expect(gone).toEqual({ ...promoted, deleted: true, updated_at: expect.any(String) });
  expect(gone['updated_at']).not.toBe(promoted?.['updated_at']);
  const notFound = [{ code: 'PROMOTED_POST_NOT_FOUND', parameter: 'promoted_post_id', value: promoted_post_id }];
  expect(await stage.refused('promoted_posts.delete', { promoted_post_id }, 404)).toMatchObject(notFound);
  expect(await stage.refused('promoted_posts.get', { promoted_post_id }, 404)).toMatchObject(notFound);
  // The id is that of the promoted post.
  await stage.refused('promoted_posts.delete', { promoted_post_id: `${post_ids[0]}` }, 404);
  expect(await stage.many('promoted_posts.list')).toEqual([]);
  expect(await stage.many('promoted_posts.list', { with_deleted: true })).toEqual([gone]);
  expect(await stage.one('promoted_posts.get', { promoted_post_id, with_deleted: true })).toEqual(gone);
  expect(await shownPost(world, post_ids[0])).toBeDefined();
  // What was detached can be attached anew.
  const [anew] = await stage.many('promoted_posts.create', { line_item_id, post_ids });
  expect(anew?.id).not.toBe(promoted_post_id);
  expect(idsOf(await stage.many('promoted_posts.list', { with_deleted: true, sort_by: ['paused-asc'] }))).toEqual([
    anew?.id,
    gone.id,
  ]);
});

scenario('C-POST-OF-DELETED', async (stage) => {
  for (const ended of ['line item', 'campaign']) {
    const campaign = await stage.campaign();
    const line_item_id = (await stage.lineItem(campaign)).id;
    const kept = (await stage.lineItem(await stage.campaign(), lineItemOf(await stage.campaign()))).id;
    const post_ids = await posts(stage, 1);
    const [promoted] = await stage.many('promoted_posts.create', { line_item_id, post_ids });
    const [other] = await stage.many('promoted_posts.create', { line_item_id: kept, post_ids });
    const promoted_post_id = promoted?.id;
    if (ended === 'campaign') await stage.ok('campaigns.delete', { campaign_id: campaign.id });
    else await stage.ok('line_items.delete', { line_item_id });
    const line_item_ids = [line_item_id, kept];
    expect(await stage.many('promoted_posts.list', { line_item_ids }), ended).toEqual([other]);
    const all = await stage.many('promoted_posts.list', { line_item_ids, with_deleted: true });
    expect(all, ended).toEqual([other, promoted]);
    expect(await stage.one('promoted_posts.get', { promoted_post_id, with_deleted: true })).toEqual(promoted);
    expect(promoted).toMatchObject({ deleted: false });
    for (const id of ['promoted_posts.get', 'promoted_posts.delete'] as const) {
      expect(await stage.refused(id, { promoted_post_id }, 404)).toMatchObject([{ code: 'PROMOTED_POST_NOT_FOUND' }]);
    }
  }
});

scenario('C-POST-TIMELINE', async (stage) => {
  const { world } = stage;
  const lineItem = await lineItemWith(stage, 'FOLLOWERS', { placements: ['PLATFORM_TIMELINE'] });
  const line_item_id = lineItem.id;
  const place = (placements: ('PLATFORM_SEARCH' | 'ALL_ON_PLATFORM')[]) =>
    world.platform.ads.sandbox.account(stage.account_id).write(SERVER, async (writer) => {
      const row = await writer.line_items.get(line_item_id);
      if (row) await writer.line_items.update(row, { placements });
    });
  const placements = async () => (await stage.one('line_items.get', { line_item_id }))['placements'];
  await place(['PLATFORM_SEARCH']);
  await stage.ok('promoted_posts.create', { line_item_id, post_ids: await posts(stage, 1) });
  expect(await placements()).toEqual(['PLATFORM_SEARCH', 'PLATFORM_TIMELINE']);
  await place(['ALL_ON_PLATFORM']);
  await stage.ok('promoted_posts.create', { line_item_id, post_ids: await posts(stage, 1) });
  expect(await placements()).toEqual(['ALL_ON_PLATFORM']);
});

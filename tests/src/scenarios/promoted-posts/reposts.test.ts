/** Promoting the posts of others by a repost: specification C, Promoted posts. */
import { families } from '@broadside/server';
import { createWorld } from '@broadside/testkit';
import { expect, test } from 'vitest';
import { postBy } from '../../fixtures/promoted-posts.ts';
import { lineItemWith, shownPost } from '../../support/promotion.ts';
import { about, scenarios } from '../../support/scenario.ts';
import { createAccountFixture, openWorld } from '../../support/world.ts';
import { lentPost, posts, repostsOf, SERVER } from './posts.ts';

const scenario = scenarios();

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
  // It is in no timeline, and therefore not one of the user's public posts.
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
    const errors = await stage.rejected(
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
      writer
        .of(families.promotable_users.promotableUser)
        .insert({ user_id: author.user_id, promotable_user_type: 'REPOSTS_ONLY' }),
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
      writer
        .of(families.promotable_users.promotableUser)
        .insert({ user_id: author.user_id, promotable_user_type: 'REPOSTS_ONLY' }),
    );
  const lent = await postBy(world, author.user_id);
  const query = { line_item_id, post_ids: `${lent}` };
  const path = `/12/accounts/${account_id}/promoted_posts`;
  const answers = await Promise.all(Array.from({ length: 20 }, () => world.request({ method: 'POST', path, query })));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(answers.map(({ body }) => JSON.stringify(Object(body).data))).size).toBe(1);
  expect(await shownPost(world, lent)).toMatchObject({ public_metrics: { repost_count: 1 } });
});

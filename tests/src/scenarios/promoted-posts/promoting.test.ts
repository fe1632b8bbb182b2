/** Promoting posts: specification C, Promoted posts; reference, promotion. */
import { families } from '@broadside/server';
import { expect, test } from 'vitest';
import { postBy } from '../../fixtures/promoted-posts.ts';
import { lend, lineItemWith, somebody } from '../../support/promotion.ts';
import { about, scenarios } from '../../support/scenario.ts';
import { createAccountFixture, openWorld } from '../../support/world.ts';
import { idsOf, lentPost, posts, repostsOf, SERVER } from './posts.ts';

const scenario = scenarios();

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
  const errors = await stage.rejected('promoted_posts.create', { line_item_id, post_ids }, 404);
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
  const errors = await stage.rejected('promoted_posts.create', { line_item_id, post_ids: [id] });
  expect(errors).toMatchObject([{ code: 'INVALID_POST', parameter: 'post_ids', value: id }]);
  expect(errors[0]?.message).toMatch(/permission.*REPOSTS_ONLY/);
  // Once they have been added, it can be promoted; once they have been removed, it cannot.
  const promotable = await lend(stage, author_id);
  await stage.ok('promoted_posts.create', { line_item_id, post_ids: [id] });
  await world.platform.ads.sandbox.account(stage.account_id).write(SERVER, async (writer) => {
    const row = await writer.of(families.promotable_users.promotableUser).get(promotable);
    if (row) await writer.of(families.promotable_users.promotableUser).delete(row);
  });
  const other = await postBy(world, author_id);
  await stage.rejected('promoted_posts.create', { line_item_id, post_ids: [other] });
  expect(await stage.many('promoted_posts.list')).toHaveLength(1);
});

scenario('C-POST-PROTECTED', async (stage) => {
  const { world } = stage;
  const line_item_id = (await lineItemWith(stage, 'ENGAGEMENTS')).id;
  const author_id = await somebody(stage);
  await lend(stage, author_id);
  const id = await postBy(world, author_id);
  await world.platform.identity.users.update(SERVER, author_id, { protected: true });
  const errors = await stage.rejected('promoted_posts.create', { line_item_id, post_ids: [id] });
  expect(errors).toMatchObject([{ code: 'INVALID_POST', value: id, message: expect.stringContaining('protected') }]);
  expect(await repostsOf(stage, id)).toBeUndefined();
});

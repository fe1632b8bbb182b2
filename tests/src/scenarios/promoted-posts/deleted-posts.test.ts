/** Promotions of posts that are deleted, by the operator or with their author. */
import { createTrpcClient } from '@broadside/client/trpc';
import type { TestUser, TestWorld } from '@broadside/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { postBy } from '../../fixtures/promoted-posts.ts';
import { createAccountFixture, openWorld } from '../../support/world.ts';

const TOKEN = 'operator-token-of-at-least-24-characters';
const environment = 'sandbox';
let world: TestWorld;

beforeAll(async () => {
  world = await openWorld({ operatorToken: TOKEN });
});
afterAll(async () => {
  expect(world.failures).toEqual([]);
  await world.close();
});

function operator() {
  const { credentials, fetch } = world;
  return createTrpcClient({ ads_base_url: credentials.ads_base_url }, { fetch, operatorToken: TOKEN }).admin;
}

/** Promotes posts of a person, who is promotable in an account of its own. */
async function promotionOf(author: TestUser, post_ids: readonly bigint[]) {
  const { account_id, campaign_id, line_item_id } = await createAccountFixture(world);
  const client = world.client();
  await operator().promotable_users.create.mutate({ environment, account_id, user_id: author.user_id });
  await client.promoted_posts.create({ account_id, line_item_id, post_ids: [...post_ids] });
  const list = () => client.promoted_posts.list({ account_id, sort_by: ['created_at-asc'] });
  return {
    /** The reposts that are promoted. */
    shown: async () => (await list()).data.map(({ post_id }) => `${post_id}`),
    state: async () => {
      const { reasons_not_servable } = await client.campaigns.get({ account_id, campaign_id });
      return {
        reviews: (await list()).data.map(({ approval_status }) => approval_status),
        isServed: !reasons_not_servable.includes('CONTENT_REVIEW_PROBLEM'),
      };
    },
  };
}

test('what promotes a post that is deleted is rejected, and its campaign is not served once nothing else is left', async () => {
  const author = await world.createUser('atlases');
  const ids = [await postBy(world, author.user_id, 'One atlas'), await postBy(world, author.user_id, 'Two atlases')];
  const { state, shown } = await promotionOf(author, ids);
  const other = await promotionOf(author, ids.slice(1));
  const { posts } = operator();
  expect(await state()).toEqual({ reviews: ['ACCEPTED', 'ACCEPTED'], isServed: true });
  await posts.delete.mutate({ post_id: `${ids[0]}` });
  const { reviews } = await state();
  expect(reviews.toSorted()).toEqual(['ACCEPTED', 'REJECTED']);
  expect(await state()).toMatchObject({ isServed: true });
  expect(await other.state()).toEqual({ reviews: ['ACCEPTED'], isServed: true });
  // The repost that is promoted, which all accounts of its author have in common.
  const left = (await shown())[reviews.indexOf('ACCEPTED')] ?? '';
  await posts.delete.mutate({ post_id: left });
  expect(await other.state()).toEqual({ reviews: ['REJECTED'], isServed: false });
  expect(await state()).toEqual({ reviews: ['REJECTED', 'REJECTED'], isServed: false });
  await world.runJobs();
  expect(await world.platform.jobs.has('moderation.settle', left)).toBe(false);
});

test('a restore gives nothing back to what promotes a repost that was deleted meanwhile', async () => {
  const author = await world.createUser('globes');
  const post_id = await postBy(world, author.user_id, 'A globe');
  const { state, shown } = await promotionOf(author, [post_id]);
  const { posts } = operator();
  await posts.take_down.mutate({ post_id: `${post_id}`, reason: 'Flat' });
  await posts.delete.mutate({ post_id: (await shown())[0] ?? '' });
  await posts.restore.mutate({ post_id: `${post_id}` });
  expect(await state()).toEqual({ reviews: ['REJECTED'], isServed: false });
});

test('what promotes posts of a person who is deleted is rejected, in the accounts of others too', async () => {
  const author = await world.createUser('compasses');
  const kept = await world.createUser('sextants');
  const gone = await promotionOf(author, [await postBy(world, author.user_id, 'A compass')]);
  const stays = await promotionOf(kept, [await postBy(world, kept.user_id, 'A sextant')]);
  await operator().users.delete.mutate({ user_id: author.user_id, grace_days: 0 });
  await world.runJobs();
  expect(await gone.state()).toEqual({ reviews: ['REJECTED'], isServed: false });
  expect(await stays.state()).toEqual({ reviews: ['ACCEPTED'], isServed: true });
});

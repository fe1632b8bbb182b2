/** Every state of the contract is reached by calls and by actions of the platform: a test of an integration can see each. */

import type { TestWorld } from '@broadside/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { encodeMp4 } from '../../../apps/server/src/media/testing/videos.ts';
import { accountMediaOf } from '../fixtures/media-creatives.ts';
import { leastPoll } from '../fixtures/poll-cards.ts';
import { reach, schedule } from '../scenarios/scheduled-posts/setting.ts';
import { acted, OPERATOR_TOKEN, onAccount } from '../support/acting.ts';
import { adapters } from '../support/adapters.ts';
import { posted } from '../support/advertiser-posts.ts';
import { checkAnswer } from '../support/answers.ts';
import { newText } from '../support/drafting.ts';
import { libraryMediaOf } from '../support/library.ts';
import { lineItemWith } from '../support/promotion.ts';
import { get } from '../support/reading.ts';
import { type Entity, lineItemOf, Stage } from '../support/scenario.ts';
import { noteStates, statesOfContract } from '../support/states.ts';
import { version1, version2 } from '../support/uploads.ts';

/** States that nothing can be in, with the reason. */
const impossible: Readonly<Record<string, string>> = {
  'campaigns.reasons_not_servable: DELETED': 'a deleted campaign has no reasons (specification C, States)',
  'do_not_reach_lists.targetable: true': 'a do-not-reach list is never targeted, only left out',
  'media_library.media_status: TRANSCODE_FAILED': 'only media that were processed get into a library',
  'media_library.media_status: TRANSCODE_PENDING': 'only media that were processed get into a library',
  'posts.scheduled_status: DELETED': 'a scheduled post that was deleted is listed no more',
  ...Object.fromEntries(
    ['media_creatives', 'promoted_accounts', 'promoted_posts'].flatMap((family) =>
      ['DRAFT', 'PAUSED'].map((status) => [
        `${family}.entity_status: ${status}`,
        'no operation sets it: what is paused is detached (specification C, States)',
      ]),
    ),
  ),
};

const MINUTE_MS = 60_000;
const seen = new Set<string>();
let world: TestWorld;
let stage: Stage;

beforeAll(async () => {
  const { openWorld } = await import('../support/world.ts');
  world = await openWorld({
    operatorToken: OPERATOR_TOKEN,
    onAnswer: (answer) => {
      checkAnswer(answer);
      noteStates(seen, answer);
    },
  });
  const { user } = world;
  const account_id = await world.createAccount('sandbox', user);
  const funding_instrument_id = await world.createFundingInstrument(account_id);
  stage = new Stage(world, adapters.rest, { account_id, funding_instrument_id, user });
});
afterAll(async () => {
  expect(world.failures).toEqual([]);
  await world.close();
});

const on = (params: object) => ({ ...onAccount(stage), ...params });
const reviews = ['review', 'reject', 'approve'] as const;

const minutes = (ahead: number) =>
  new Date(world.clock.now() + ahead * MINUTE_MS).toISOString().slice(0, 19).concat('Z');
const look = ({ id: campaign_id }: Entity) => stage.one('campaigns.get', { campaign_id, with_deleted: true });

async function served(budgets: object = {}): Promise<{ readonly campaign: Entity; readonly item: Entity }> {
  const campaign = await stage.campaign(budgets);
  return { campaign, item: await stage.lineItem(campaign) };
}

test('campaigns and line items', async () => {
  await stage.campaign({ entity_status: 'PAUSED' });
  await stage.campaign({ entity_status: 'DRAFT' });
  const { campaign, item } = await served({ total_budget_amount_local_micro: 100_000_000 });
  await stage.one('line_items.update', { line_item_id: item.id, entity_status: 'PAUSED' });
  await stage.one('line_items.create', { ...lineItemOf(campaign), entity_status: 'DRAFT' });
  await look(campaign);
  await acted(stage, 'hold', on({ campaign_id: campaign.id }));
  await look(campaign);
  for (const verb of reviews) {
    await acted(stage, verb, on({ entity: 'ACCOUNT' }));
    await look(campaign);
    await stage.one('accounts.get');
  }
  await acted(stage, 'spend', on({ campaign_id: campaign.id, amount_local_micro: 100_000_000 }));
  await look(campaign);
  const later = await stage.campaign();
  await stage.lineItem(later, { start_time: minutes(1), end_time: minutes(2) });
  await look(later);
  world.clock.advance(2 * MINUTE_MS);
  await look(later);
  const running = await served();
  await stage.one('campaigns.update', { campaign_id: running.campaign.id, entity_status: 'PAUSED' });
  await stage.one('campaigns.update', { campaign_id: running.campaign.id, entity_status: 'ACTIVE' });
  world.clock.advance(1000);
  await stage.one('campaigns.delete', { campaign_id: running.campaign.id });
});

test('funding instruments', async () => {
  const { funding_instrument_id } = stage;
  const { campaign } = await served();
  const show = (id: string) => stage.one('funding_instruments.get', { funding_instrument_id: id, with_deleted: true });
  for (const verb of reviews) {
    await acted(stage, verb, on({ entity: 'FUNDING_INSTRUMENT', entity_id: funding_instrument_id }));
    await show(funding_instrument_id);
    await look(campaign);
  }
  await acted(stage, 'pause', on({ funding_instrument_id }));
  await show(funding_instrument_id);
  await acted(stage, 'resume', on({ funding_instrument_id }));
  const order = { type: 'INSERTION_ORDER', funded_amount_local_micro: 10n, end_time: minutes(1) } as const;
  const spent = await stage.fundingInstrument(order);
  await acted(stage, 'spend', on({ funding_instrument_id: spent, amount_local_micro: 10 }));
  await show(spent);
  world.clock.advance(MINUTE_MS);
  await show(spent);
  await stage.one('funding_instruments.delete', { funding_instrument_id: spent });
});

test('what is promoted', async () => {
  const { campaign, item } = await served();
  const post = await stage.one('posts.create', { as_user_id: stage.user.user_id, text: newText() });
  const [promotedPost] = await stage.many('promoted_posts.create', { line_item_id: item.id, post_ids: [post.id] });
  const followers = await lineItemWith(stage, 'FOLLOWERS');
  const { user_id } = stage.user;
  const account = await stage.one('promoted_accounts.create', { line_item_id: followers.id, user_id });
  const clicks = await lineItemWith(stage, 'WEBSITE_CLICKS', { product_type: 'MEDIA' });
  const account_media_id = await accountMediaOf(world, stage.account_id, 'BANNER');
  const landing_url = 'https://example.com';
  const creative = await stage.one('media_creatives.create', {
    line_item_id: clicks.id,
    account_media_id,
    landing_url,
  });
  for (const verb of reviews) {
    const review = (entity: string, entity_id: string | undefined) => acted(stage, verb, on({ entity, entity_id }));
    await review('PROMOTED_POST', promotedPost?.id);
    await review('PROMOTED_ACCOUNT', account.id);
    await review('MEDIA_CREATIVE', creative.id);
    await stage.one('promoted_posts.get', { promoted_post_id: promotedPost?.id ?? '' });
    await stage.one('promoted_accounts.get', { promoted_account_id: account.id });
    await stage.one('media_creatives.get', { media_creative_id: creative.id });
    await look(campaign);
  }
});

test('audiences and do-not-reach lists', async () => {
  const audience = await stage.one('custom_audiences.create', { name: 'Readers' });
  const list = await stage.one('do_not_reach_lists.create');
  for (const matched_count of [99, 100]) {
    for (const { id } of [audience, list])
      await acted(stage, 'process_audience', on({ audience_id: id, matched_count }));
    await stage.one('custom_audiences.get', { custom_audience_id: audience.id });
    await stage.many('do_not_reach_lists.list');
  }
  const { id: line_item_id } = (await served()).item;
  const targeting_value = audience.id;
  await stage.ok('targeting_criteria.create', { line_item_id, targeting_type: 'CUSTOM_AUDIENCE', targeting_value });
  const targeted = () => stage.ok('custom_audiences.targeted', { custom_audience_id: audience.id, with_active: false });
  await targeted();
  await stage.one('line_items.update', { line_item_id, entity_status: 'PAUSED' });
  await targeted();
  const leaf = { custom_audience_id: audience.id, frequency: 1, frequency_comparator: 'NUM_GTE' };
  const params = {
    name: 'Combined',
    audience_type: 'FLEXIBLE',
    segments: { boolean_operator: 'AND', child_segments: [leaf] },
  };
  await stage.call('custom_audiences.batch', { operations: [{ operation_type: 'Create', params }] } as never);
});

test('posts that are not published, and polls', async () => {
  const scheduled = [await schedule(stage, 20), await schedule(stage, 30), await schedule(stage, 40)] as const;
  const show = ({ id: scheduled_post_id }: Entity) => stage.one('scheduled_posts.get', { scheduled_post_id });
  await acted(stage, 'publish', on({ scheduled_post_id: scheduled[0].id }));
  await acted(stage, 'fail', on({ scheduled_post_id: scheduled[1].id }));
  for (const post of scheduled) await show(post);
  const listed = { post_type: 'SCHEDULED', user_id: stage.user.user_id } as const;
  await stage.ok('posts.list', listed as never);
  await stage.one('scheduled_posts.delete', { scheduled_post_id: scheduled[2].id });
  const draft = await stage.one('draft_posts.create', { as_user_id: stage.user.user_id, text: newText() });
  await stage.one('draft_posts.delete', { draft_post_id: draft.id });
  const poll = await stage.one('poll_cards.create', { ...leastPoll, duration_in_minutes: 5 });
  const ids = String((await posted(stage, { card_uri: poll['card_uri'] }))['id_str']);
  await acted(stage, 'vote', { post_id: ids, choice: 1 });
  const query = { ids, expansions: 'attachments.poll_ids', 'poll.fields': 'voting_status' };
  await get(world, query);
  await reach(world, poll['end_time']);
  await get(world, query);
});

test('media', async () => {
  await libraryMediaOf(world, stage.account_id, 'small_image');
  await stage.ok('media_library.list');
  const bytes = encodeMp4({ width: 320, height: 240, seconds: 1 });
  const fields = { total_bytes: bytes.length, media_type: 'video/mp4', media_category: 'post_video' };
  for (const version of [version1, version2]) {
    for (const outcome of ['SUCCEEDED', 'FAILED']) {
      const { id } = version.read(await version.begin(world, fields));
      await version.append(world, id, 0, bytes);
      await version.finalize(world, id);
      await version.status(world, id);
      // Jobs that others have left are run first.
      for (let i = 0; i < 100; i++) {
        if (version.read(await version.status(world, id)).processing_info?.state !== 'pending') break;
        await world.runJobs(1);
      }
      await acted(stage, 'process_media', { media_id: id, outcome });
      await version.status(world, id);
    }
  }
});

test('every state of the contract was shown, but for those that are impossible', () => {
  const states = [...statesOfContract()].sort();
  expect(states.length).toBeGreaterThan(60);
  expect(states.filter((state) => !seen.has(state) && !(state in impossible))).toEqual([]);
  expect(Object.keys(impossible).filter((state) => seen.has(state) || !states.includes(state))).toEqual([]);
});

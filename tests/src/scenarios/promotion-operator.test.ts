/** Operations by which the operator lets an account promote: over tRPC, the only adapter of the operator's operations. */
import { createTrpcClient } from '@broadside/client/trpc';
import type { TestWorld } from '@broadside/testkit';
import { TRPCClientError } from '@trpc/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { encodeGif, encodePng } from '../../../apps/server/src/media/testing/images.ts';
import { encodeMp4 } from '../../../apps/server/src/media/testing/videos.ts';
import { lineItemFor } from '../fixtures/line-items.ts';
import { accountMediaOf } from '../fixtures/media-creatives.ts';
import { postBy } from '../fixtures/promoted-posts.ts';
import { uploadedMedia } from '../support/promotion.ts';
import { about } from '../support/scenario.ts';
import { createAccountFixture, openWorld } from '../support/world.ts';

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

/** Returns the status, code and parameter with which a call is rejected. */
async function rejection(call: Promise<unknown>): Promise<unknown> {
  try {
    return ['no rejection', await call];
  } catch (error) {
    if (!(error instanceof TRPCClientError)) throw error;
    const [first] = error.data?.errors ?? [];
    return [error.data?.httpStatus, first?.code, first?.parameter];
  }
}

test(about('C-PROMOTABLE-OPERATOR'), async () => {
  const { account_id, line_item_id } = await createAccountFixture(world);
  const where = { environment, account_id } as const;
  const { promotable_users } = operator();
  const client = world.client();
  const { user_id } = await world.createUser('lender');
  const added = await promotable_users.create.mutate({ ...where, user_id });
  expect(added).toMatchObject({ user_id, promotable_user_type: 'REPOSTS_ONLY', deleted: false });
  expect(await client.promotable_users.get({ account_id, promotable_user_id: added.id })).toEqual(added);
  const [full] = (await client.promotable_users.list({ account_id })).data.toReversed();
  expect(full).toMatchObject({ promotable_user_type: 'FULL' });
  for (const known of [user_id, full?.user_id ?? '']) {
    const again = promotable_users.create.mutate({ ...where, user_id: known });
    expect(await rejection(again)).toEqual([409, 'ALREADY_EXISTS', 'user_id']);
  }
  const post_ids = [await postBy(world, user_id)];
  const [promoted] = await client.promoted_posts.create({ account_id, line_item_id, post_ids });
  const promotable_user_id = added.id;
  expect(await promotable_users.delete.mutate({ ...where, promotable_user_id })).toMatchObject({ deleted: true });
  expect(await rejection(promotable_users.delete.mutate({ ...where, promotable_user_id }))).toEqual([
    404,
    'PROMOTABLE_USER_NOT_FOUND',
    'promotable_user_id',
  ]);
  // Posts that are promoted already stay.
  expect((await client.promoted_posts.list({ account_id })).data).toEqual([promoted]);
  expect(await rejection(promotable_users.delete.mutate({ ...where, promotable_user_id: full?.id ?? '' }))).toEqual([
    400,
    'INVALID_PARAMETER',
    'promotable_user_id',
  ]);
  expect((await client.promotable_users.list({ account_id })).data).toEqual([full]);
  expect(await promotable_users.create.mutate({ ...where, user_id })).toMatchObject({ user_id, deleted: false });
  for (const [params, expected] of [
    [{ ...where, user_id: '1' }, [403, 'USER_NOT_FOUND', 'user_id']],
    [{ ...where, account_id: 'nosuch', user_id }, [403, 'ACCOUNT_NOT_FOUND', 'account_id']],
    [{ account_id, user_id }, [403, 'ACCOUNT_NOT_FOUND', 'account_id']],
  ] as const) {
    expect(await rejection(promotable_users.create.mutate(params))).toEqual(expected);
  }
});

test(about('C-CREATIVE-MEDIA'), async () => {
  const fixture = await createAccountFixture(world);
  const { account_id } = fixture;
  const where = { environment, account_id } as const;
  const create = (media_key: string) => operator().account_media.create.mutate({ ...where, media_key });
  const { user_id } = world.user;
  const banner = await uploadedMedia(world, user_id, encodePng(320, 50));
  const video = await uploadedMedia(world, user_id, encodeMp4({ width: 320, height: 240, seconds: 2 }));
  const made = await create(banner);
  expect(made).toEqual({
    id: expect.stringMatching(/^[0-9a-z]{2,9}$/),
    media_key: banner,
    video_id: null,
    media_url: expect.stringMatching(/^http:\/\/api\.test\/media\/\w+$/),
    creative_type: 'BANNER',
    created_at: expect.any(String),
    updated_at: made.created_at,
    deleted: false,
  });
  const preroll = await create(video);
  expect(preroll).toMatchObject({ media_key: video, video_id: video, media_url: null, creative_type: 'PREROLL' });
  expect(await rejection(create(banner))).toEqual([409, 'ALREADY_EXISTS', 'media_key']);
  for (const bytes of [encodePng(321, 50), encodeGif(20, 10, [5, 5])]) {
    const unfit = await uploadedMedia(world, user_id, bytes);
    expect(await rejection(create(unfit))).toEqual([400, 'INVALID_PARAMETER', 'media_key']);
  }
  for (const unknown of ['3_1', 'nothing']) {
    expect(await rejection(create(unknown))).toEqual([404, 'NOT_FOUND', 'media_key']);
  }
  // Uploads lapse after a day; these are in use.
  world.clock.advance(2 * 86_400_000);
  await world.runJobs();
  expect(await world.platform.media.usable(banner)).toMatchObject({ media_key: banner });
  const client = world.client();
  const landing_url = 'https://example.com';
  for (const [media, kind] of [
    [made, 'images'],
    [preroll, 'video'],
  ] as const) {
    const line_item_id = await lineItemFor(world, fixture, kind);
    const given = { account_id, line_item_id, account_media_id: media.id, landing_url };
    expect(await client.media_creatives.create(given)).toMatchObject({ creative_type: media.creative_type });
  }
});

test(about('C-REVIEW'), async () => {
  const fixture = await createAccountFixture(world);
  const { account_id, line_item_id } = fixture;
  const client = world.client();
  const [post] = await client.promoted_posts.create({
    account_id,
    line_item_id,
    post_ids: [await postBy(world, world.user.user_id)],
  });
  const { user_id } = world.user;
  const forAccount = { account_id, line_item_id: await lineItemFor(world, fixture, 'account'), user_id };
  const account = await client.promoted_accounts.create(forAccount);
  const forCreative = {
    account_id,
    line_item_id: await lineItemFor(world, fixture, 'images'),
    account_media_id: await accountMediaOf(world, account_id, 'BANNER'),
    landing_url: 'https://example.com',
  };
  const creative = await client.media_creatives.create(forCreative);
  /** Returns whether the campaign of a line item waits for a review. */
  const waits = async (of: { readonly line_item_id: string }) => {
    const { campaign_id } = await client.line_items.get({ account_id, line_item_id: of.line_item_id });
    const { reasons_not_servable } = await client.campaigns.get({ account_id, campaign_id });
    return reasons_not_servable.includes('CONTENT_REVIEW_PROBLEM');
  };
  const read = async () => [
    (await client.promoted_posts.get({ account_id, promoted_post_id: post?.id ?? '' })).approval_status,
    (await client.promoted_accounts.get({ account_id, promoted_account_id: account.id })).approval_status,
    (await client.media_creatives.get({ account_id, media_creative_id: creative.id })).approval_status,
  ];
  const set = (entity: 'PROMOTED_POST' | 'PROMOTED_ACCOUNT' | 'MEDIA_CREATIVE', entity_id: string, to: string) =>
    operator().approvals.set.mutate({
      environment,
      account_id,
      entity,
      entity_id,
      approval_status: to === 'REJECTED' ? to : 'UNDER_REVIEW',
    });
  expect(await read()).toEqual(['ACCEPTED', 'ACCEPTED', 'ACCEPTED']);
  expect(await set('PROMOTED_POST', post?.id ?? '', 'REJECTED')).toEqual({
    account_id,
    entity: 'PROMOTED_POST',
    entity_id: post?.id,
    approval_status: 'REJECTED',
  });
  expect(await read()).toEqual(['REJECTED', 'ACCEPTED', 'ACCEPTED']);
  await set('PROMOTED_ACCOUNT', account.id, 'UNDER_REVIEW');
  await set('MEDIA_CREATIVE', creative.id, 'REJECTED');
  expect(await read()).toEqual(['REJECTED', 'UNDER_REVIEW', 'REJECTED']);
  expect([await waits(forAccount), await waits(forCreative)]).toEqual([true, true]);
  await client.media_creatives.delete({ account_id, media_creative_id: creative.id });
  expect(await waits(forCreative)).toBe(false);
  const { id: promoted_account_id } = account;
  await client.promoted_accounts.delete({ account_id, promoted_account_id });
  expect(await waits(forAccount)).toBe(false);
  const more = await client.promoted_accounts.create(forAccount);
  await set('PROMOTED_ACCOUNT', more.id, 'REJECTED');
  const image = { ...forCreative, account_media_id: await accountMediaOf(world, account_id, 'BANNER') };
  await set('MEDIA_CREATIVE', (await client.media_creatives.create(image)).id, 'REJECTED');
  expect([await waits(forAccount), await waits(forCreative)]).toEqual([true, true]);
  await client.media_creatives.create(forCreative);
  expect(await waits(forCreative)).toBe(false);
  // An accepted post is enough where the account was rejected, and an accepted account where a post was.
  const beside = { account_id, line_item_id: forAccount.line_item_id };
  const [shown] = await client.promoted_posts.create({ ...beside, post_ids: [await postBy(world, user_id)] });
  expect(await waits(forAccount)).toBe(false);
  await set('PROMOTED_POST', shown?.id ?? '', 'REJECTED');
  await client.promoted_accounts.delete({ account_id, promoted_account_id: more.id });
  expect(await waits(forAccount)).toBe(true);
  await client.promoted_accounts.create(forAccount);
  expect(await waits(forAccount)).toBe(false);
  for (const call of [
    set('MEDIA_CREATIVE', creative.id, 'UNDER_REVIEW'),
    set('PROMOTED_ACCOUNT', post?.id ?? '', 'REJECTED'),
    set('PROMOTED_POST', 'nosuch', 'REJECTED'),
  ]) {
    expect(await rejection(call)).toEqual([404, 'NOT_FOUND', 'entity_id']);
  }
});

test(about('C-REVIEW-CAMPAIGN'), async () => {
  const { account_id, line_item_id, campaign_id, funding_instrument_id } = await createAccountFixture(world);
  const client = world.client();
  // In flight, so that nothing else prevents it.
  const flight = { start_time: '2026-01-01', end_time: '2030-01-01' };
  await client.line_items.update({ account_id, line_item_id, ...flight });
  const reasons = async () => {
    const { servable, reasons_not_servable } = await client.campaigns.get({ account_id, campaign_id });
    expect(servable).toBe(reasons_not_servable.length === 0);
    return reasons_not_servable;
  };
  const promote = async () => {
    const post_ids = [await postBy(world, world.user.user_id)];
    const [promoted] = await client.promoted_posts.create({ account_id, line_item_id, post_ids });
    return promoted?.id ?? '';
  };
  const review = (entity_id: string, approval_status: 'ACCEPTED' | 'REJECTED' | 'UNDER_REVIEW') =>
    operator().approvals.set.mutate({ environment, account_id, entity: 'PROMOTED_POST', entity_id, approval_status });
  expect(await reasons()).toEqual([]);
  const first = await promote();
  expect(await reasons()).toEqual([]);
  await review(first, 'REJECTED');
  expect(await reasons()).toEqual(['CONTENT_REVIEW_PROBLEM']);
  await review(first, 'UNDER_REVIEW');
  expect(await reasons()).toEqual(['CONTENT_REVIEW_PROBLEM']);
  // One that was accepted can be shown.
  const second = await promote();
  expect(await reasons()).toEqual([]);
  await client.promoted_posts.delete({ account_id, promoted_post_id: second });
  expect(await reasons()).toEqual(['CONTENT_REVIEW_PROBLEM']);
  await client.promoted_posts.delete({ account_id, promoted_post_id: first });
  expect(await reasons()).toEqual([]);
  // Deleting a line item deletes its children.
  await review(await promote(), 'REJECTED');
  const other = await client.line_items.get({ account_id, line_item_id });
  const { objective, product_type, placements } = other;
  await client.line_items.create({ account_id, campaign_id, objective, product_type, placements, ...flight });
  expect(await reasons()).toEqual(['CONTENT_REVIEW_PROBLEM']);
  // The reviews of one campaign are nothing to another.
  const neighbour = { account_id, funding_instrument_id, name: 'Neighbour' };
  const beside = await client.campaigns.create(neighbour);
  await client.line_items.create({
    account_id,
    campaign_id: beside.id,
    objective,
    product_type,
    placements,
    ...flight,
  });
  expect(await client.campaigns.get({ account_id, campaign_id: beside.id })).toMatchObject({ servable: true });
  await client.line_items.delete({ account_id, line_item_id });
  expect(await reasons()).toEqual([]);
});

test(about('C-APPS-OPERATOR'), async () => {
  const { account_id } = await createAccountFixture(world);
  const where = { environment, account_id } as const;
  const { account_apps } = operator();
  const list = async () => (await world.client().account_apps.list({ account_id })).data;
  const android = { ...where, app_store_identifier: 'com.example.app', os_type: 'Android' } as const;
  const app = await account_apps.create.mutate(android);
  expect(app).toMatchObject({
    app_store_identifier: 'com.example.app',
    os_type: 'Android',
    conversion_tracking_enabled: false,
    deep_link_pattern: null,
    deleted: false,
  });
  expect(await list()).toEqual([app]);
  expect(await rejection(account_apps.create.mutate(android))).toEqual([409, 'ALREADY_EXISTS', 'app_store_identifier']);
  expect(await rejection(account_apps.create.mutate({ ...android, os_type: 'iOS' }))).toEqual([
    400,
    'INVALID_PARAMETER',
    'app_store_identifier',
  ]);
  const account_app_id = app.id;
  const deep_link_pattern = 'example://';
  expect(await account_apps.update.mutate({ ...where, account_app_id, deep_link_pattern })).toMatchObject({
    deep_link_pattern,
    conversion_tracking_enabled: false,
  });
  expect(
    await account_apps.update.mutate({ ...where, account_app_id, conversion_tracking_enabled: true }),
  ).toMatchObject({ deep_link_pattern, conversion_tracking_enabled: true });
  expect(await account_apps.update.mutate({ ...where, account_app_id, deep_link_pattern: '' })).toMatchObject({
    deep_link_pattern: null,
    conversion_tracking_enabled: true,
  });
  expect(await account_apps.delete.mutate({ ...where, account_app_id })).toMatchObject({ deleted: true });
  expect(await list()).toEqual([]);
  for (const gone of [
    account_apps.delete.mutate({ ...where, account_app_id }),
    account_apps.update.mutate({ ...where, account_app_id }),
  ]) {
    expect(await rejection(gone)).toEqual([404, 'NOT_FOUND', 'account_app_id']);
  }
  expect(await account_apps.create.mutate(android)).toMatchObject({ deleted: false });
});

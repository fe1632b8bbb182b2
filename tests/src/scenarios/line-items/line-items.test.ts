/** Line items: specification C, Line items and States; reference, campaign-management section 9. */
import { expect } from 'vitest';
import { type Entity, lineItemOf, type Stage, scenarios } from '../../support/scenario.ts';

const scenario = scenarios();

scenario('C-LINE-DEFAULTS', async (stage) => {
  const campaign = await stage.campaign();
  const { start_time, end_time } = lineItemOf(campaign);
  const lineItem = await stage.lineItem(campaign, { bid_amount_local_micro: undefined });
  expect(lineItem).toEqual({
    id: expect.stringMatching(/^[0-9a-z]{2,9}$/),
    name: null,
    campaign_id: campaign.id,
    funding_instrument_id: stage.funding_instrument_id,
    advertiser_user_id: stage.user.user_id,
    objective: 'ENGAGEMENTS',
    product_type: 'PROMOTED_POSTS',
    placements: ['ALL_ON_PLATFORM'],
    start_time,
    end_time,
    goal: 'ENGAGEMENT',
    pay_by: 'ENGAGEMENT',
    bid_strategy: 'AUTO',
    bid_amount_local_micro: null,
    target_cpa_local_micro: null,
    primary_web_event_tag: null,
    daily_budget_amount_local_micro: null,
    total_budget_amount_local_micro: null,
    standard_delivery: null,
    duration_in_days: null,
    frequency_cap: null,
    entity_status: 'ACTIVE',
    automatic_post_promotion: null,
    advertiser_domain: null,
    categories: [],
    android_app_store_identifier: null,
    ios_app_store_identifier: null,
    audience_expansion: null,
    currency: 'USD',
    creative_source: 'MANUAL',
    created_at: expect.any(String),
    updated_at: lineItem['created_at'],
    deleted: false,
  });
  expect(await stage.one('line_items.get', { line_item_id: lineItem.id })).toEqual(lineItem);
  expect(await stage.lineItem(campaign)).toMatchObject({ bid_strategy: 'MAX', bid_amount_local_micro: 1_000_000n });
  const perLineItem = await stage.campaign({ budget_optimization: 'LINE_ITEM' });
  expect(await stage.lineItem(perLineItem)).toMatchObject({ standard_delivery: true });
});

type Params = Readonly<Record<string, unknown>>;

const network = { placements: ['PUBLISHER_NETWORK'], advertiser_domain: 'example.com', categories: ['IAB1'] };
const app = { ios_app_store_identifier: '333903271' };

/** A call that is right, by objective. */
const sound: Readonly<Record<string, Params>> = {
  APP_ENGAGEMENTS: { ...app },
  APP_INSTALLS: { android_app_store_identifier: 'com.example.app', goal: 'APP_PURCHASES', pay_by: 'APP_CLICK' },
  REACH: { bid_strategy: 'TARGET', frequency_cap: 3, duration_in_days: 7 },
  FOLLOWERS: { product_type: 'PROMOTED_ACCOUNT', bid_strategy: 'TARGET' },
  ENGAGEMENTS: {
    placements: ['ALL_ON_PLATFORM', 'PUBLISHER_NETWORK'],
    advertiser_domain: 'example.com',
    categories: ['IAB1'],
  },
  VIDEO_VIEWS: { goal: 'VIEW_6S', frequency_cap: 1, duration_in_days: 30 },
  PREROLL_VIEWS: { product_type: 'MEDIA', ...network, categories: ['IAB2'] },
  WEBSITE_CLICKS: { goal: 'WEBSITE_CONVERSIONS', primary_web_event_tag: 'o1abc', bid_strategy: 'TARGET' },
};

scenario('C-LINE-ACCEPTED', async (stage) => {
  for (const [objective, params] of Object.entries(sound)) {
    const campaign = await stage.campaign({ name: objective });
    const lineItem = await stage.lineItem(campaign, { objective, ...params });
    // A part of an advertiser business category is stored as the whole (reference 9.4).
    const { categories: _, ...shown } = params;
    expect(lineItem, objective).toMatchObject({ objective, ...shown, bid_amount_local_micro: 1_000_000n });
  }
});

/** Parameters that break one rule of the create table, and the error for them. */
const broken: readonly (readonly [objective: string, params: Params, code: string, parameter: string])[] = [
  ['ENGAGEMENTS', { campaign_id: undefined }, 'MISSING_PARAMETER', 'campaign_id'],
  ['ENGAGEMENTS', { start_time: undefined }, 'MISSING_PARAMETER', 'start_time'],
  ['ENGAGEMENTS', { end_time: undefined }, 'MISSING_PARAMETER', 'end_time'],
  ['ENGAGEMENTS', { placements: undefined }, 'MISSING_PARAMETER', 'placements'],
  ['ENGAGEMENTS', { product_type: undefined }, 'MISSING_PARAMETER', 'product_type'],
  ['ENGAGEMENTS', { product_type: 'PROMOTED_ACCOUNT' }, 'INVALID_PARAMETER', 'product_type'],
  ['ENGAGEMENTS', { placements: ['TAP_BANNER'] }, 'INVALID_PLACEMENT_TYPE', 'placements'],
  ['REACH', { placements: ['PLATFORM_SEARCH'], bid_strategy: 'TARGET' }, 'INVALID_PLACEMENT_TYPE', 'placements'],
  ['ENGAGEMENTS', { ...network, advertiser_domain: undefined }, 'MISSING_PARAMETER', 'advertiser_domain'],
  ['ENGAGEMENTS', { ...network, categories: undefined }, 'MISSING_PARAMETER', 'categories'],
  ['ENGAGEMENTS', { ...network, categories: ['IAB0'] }, 'INVALID_IAB_CATEGORY', 'categories'],
  ['PREROLL_VIEWS', { product_type: 'MEDIA' }, 'MISSING_PARAMETER', 'categories'],
  ['APP_INSTALLS', {}, 'MISSING_PARAMETER', 'android_app_store_identifier'],
  ['APP_ENGAGEMENTS', {}, 'MISSING_PARAMETER', 'android_app_store_identifier'],
  [
    'ENGAGEMENTS',
    { bid_strategy: 'MAX', bid_amount_local_micro: undefined },
    'MISSING_PARAMETER',
    'bid_amount_local_micro',
  ],
  [
    'REACH',
    { bid_strategy: 'TARGET', bid_amount_local_micro: undefined },
    'MISSING_PARAMETER',
    'bid_amount_local_micro',
  ],
  ['REACH', { bid_strategy: 'MAX' }, 'INVALID_PARAMETER', 'bid_strategy'],
  ['FOLLOWERS', { product_type: 'PROMOTED_ACCOUNT', bid_strategy: 'MAX' }, 'INVALID_PARAMETER', 'bid_strategy'],
  ['ENGAGEMENTS', { bid_strategy: 'TARGET' }, 'INVALID_PARAMETER', 'bid_strategy'],
  ['WEBSITE_CLICKS', { goal: 'WEBSITE_CONVERSIONS' }, 'MISSING_PARAMETER', 'primary_web_event_tag'],
  ['ENGAGEMENTS', { goal: 'SITE_VISITS' }, 'INVALID_PARAMETER', 'goal'],
  ['ENGAGEMENTS', { goal: 'APP_PURCHASES' }, 'INVALID_PARAMETER', 'goal'],
  ['ENGAGEMENTS', { frequency_cap: 3 }, 'INCLUSIVE_PARAMETERS', 'frequency_cap'],
  ['ENGAGEMENTS', { duration_in_days: 7 }, 'INCLUSIVE_PARAMETERS', 'duration_in_days'],
  ['WEBSITE_CLICKS', { frequency_cap: 3, duration_in_days: 7 }, 'INVALID_PARAMETER', 'frequency_cap'],
  ['ENGAGEMENTS', { advertiser_user_id: '1' }, 'INVALID_PARAMETER', 'advertiser_user_id'],
  ['ENGAGEMENTS', { daily_budget_amount_local_micro: 1 }, 'INVALID_PARAMETER', 'daily_budget_amount_local_micro'],
  ['ENGAGEMENTS', { standard_delivery: true }, 'INVALID_PARAMETER', 'standard_delivery'],
  ['ENGAGEMENTS', { bid_amount_local_micro: 1_000_001 }, 'INVALID_DENOMINATION', 'bid_amount_local_micro'],
  ['ENGAGEMENTS', { bid_amount_local_micro: 11_000_000 }, 'SPEND_EXCEEDS_BUDGET', 'bid_amount_local_micro'],
  [
    'ENGAGEMENTS',
    { total_budget_amount_local_micro: 100_000_001 },
    'SPEND_EXCEEDS_BUDGET',
    'total_budget_amount_local_micro',
  ],
  ['ENGAGEMENTS', { end_time: '2026-01-01T00:00:00Z' }, 'INVALID_TIME_WINDOW', 'end_time'],
];

scenario('C-LINE-RULES', async (stage) => {
  const campaign = await stage.campaign({
    daily_budget_amount_local_micro: 10_000_000,
    total_budget_amount_local_micro: 100_000_000,
  });
  for (const [objective, params, code, parameter] of broken) {
    const outcome = await stage.call('line_items.create', { ...lineItemOf(campaign), objective, ...params });
    expect(outcome.ok, `${objective} ${JSON.stringify(params)}`).toBe(false);
    expect(outcome.errors[0], `${objective} ${JSON.stringify(params)}`).toMatchObject({ code, parameter });
    const others = outcome.errors.filter(
      (error) => !Object.hasOwn(params, error.parameter ?? '') && error.parameter !== parameter,
    );
    expect(others, `${objective} ${JSON.stringify(params)}`).toEqual([]);
  }
  const unknown = { ...lineItemOf(campaign), campaign_id: 'nosuch' };
  expect(await stage.rejected('line_items.create', unknown, 404)).toMatchObject([{ code: 'CAMPAIGN_NOT_FOUND' }]);
  expect(await stage.rows('line_items')).toEqual([]);
});

scenario('C-LINE-SHARED', async (stage) => {
  const campaign = await stage.campaign();
  const first = await stage.lineItem(campaign);
  const other = { ...lineItemOf(campaign), objective: 'FOLLOWERS', product_type: 'PROMOTED_ACCOUNT' };
  expect(await stage.rejected('line_items.create', other)).toMatchObject([
    { code: 'INVALID_PARAMETER', parameter: 'objective', value: 'FOLLOWERS' },
    { code: 'INVALID_PARAMETER', parameter: 'product_type', value: 'PROMOTED_ACCOUNT' },
  ]);
  await stage.lineItem(campaign);
  const all = await stage.many('line_items.list', { campaign_ids: [campaign.id] });
  for (const { id } of all) await stage.ok('line_items.delete', { line_item_id: id });
  expect(all.map(({ id }) => id)).toContain(first.id);
  // After the deletion of the last one, the campaign is free again.
  await stage.ok('line_items.create', other);
});

scenario('C-LINE-UPDATE', async (stage) => {
  const { world } = stage;
  const campaign = await stage.campaign({ budget_optimization: 'LINE_ITEM' });
  const before = await stage.lineItem(campaign, {
    name: 'before',
    ...network,
    audience_expansion: 'BROAD',
    frequency_cap: 2,
    duration_in_days: 1,
    daily_budget_amount_local_micro: 5_000_000,
    total_budget_amount_local_micro: 50_000_000,
  });
  const line_item_id = before.id;
  const set = {
    name: 'after',
    advertiser_domain: 'example.org',
    audience_expansion: 'EXPANDED',
    bid_amount_local_micro: 2_000_000n,
    categories: ['IAB3', 'IAB4'],
    daily_budget_amount_local_micro: 6_000_000n,
    total_budget_amount_local_micro: 60_000_000n,
    duration_in_days: 30,
    frequency_cap: 9,
    start_time: '2026-03-01T00:00:00Z',
    end_time: '2026-04-01T00:00:00Z',
    entity_status: 'PAUSED',
    android_app_store_identifier: 'com.example.app',
    ios_app_store_identifier: '1234567',
  };
  world.clock.advance(2000);
  const changed = await stage.one('line_items.update', { line_item_id, ...set });
  expect(changed).toEqual({ ...before, ...set, updated_at: expect.any(String) });
  expect(changed['updated_at']).not.toBe(before['updated_at']);
  const unset = {
    name: null,
    audience_expansion: null,
    daily_budget_amount_local_micro: null,
    total_budget_amount_local_micro: null,
    duration_in_days: null,
    frequency_cap: null,
    android_app_store_identifier: null,
    ios_app_store_identifier: null,
  };
  expect(await stage.one('line_items.update', { line_item_id, ...unset })).toMatchObject(unset);
  expect(await stage.one('line_items.update', { line_item_id, bid_strategy: 'AUTO' })).toMatchObject({
    bid_strategy: 'AUTO',
    bid_amount_local_micro: null,
  });
  for (const name of ['advertiser_domain', 'categories']) {
    expect(await stage.rejected('line_items.update', { line_item_id, [name]: null })).toMatchObject([
      { code: 'MISSING_PARAMETER', parameter: name },
    ]);
  }
  for (const fixed of [
    'campaign_id',
    'objective',
    'product_type',
    'placements',
    'primary_web_event_tag',
    'standard_delivery',
  ]) {
    const outcome = await stage.call('line_items.update', { line_item_id, [fixed]: 'x' });
    expect(outcome, fixed).toMatchObject({ ok: false, errors: [{ parameter: fixed }] });
  }
  for (const [name, value] of [
    ['entity_status', 'DRAFT'],
    ['goal', 'SITE_VISITS'],
  ] as const) {
    const outcome = await stage.call('line_items.update', { line_item_id, [name]: value });
    expect(outcome, name).toMatchObject({ ok: false, errors: [{ parameter: name }] });
  }
});

const idsOf = (entities: readonly Entity[]) => entities.map(({ id }) => id);

scenario('C-LINE-FILTER', async (stage) => {
  const other = await stage.fundingInstrument();
  const [first, second] = [await stage.campaign(), await stage.campaign({ funding_instrument_id: other })];
  const a = await stage.lineItem(first, { name: 'Alpha' });
  const b = await stage.lineItem(second, { name: 'beta' });
  const c = await stage.lineItem(second);
  const list = async (params: Params) => idsOf(await stage.many('line_items.list', params));
  expect(await list({})).toEqual([c.id, b.id, a.id]);
  expect(await list({ campaign_ids: [first.id] })).toEqual([a.id]);
  expect(await list({ campaign_ids: [first.id, second.id], line_item_ids: [a.id, b.id] })).toEqual([b.id, a.id]);
  expect(await list({ funding_instrument_ids: [other] })).toEqual([c.id, b.id]);
  expect(await list({ q: 'ALP' })).toEqual([a.id]);
  expect(await list({ q: 'b', funding_instrument_ids: [stage.funding_instrument_id] })).toEqual([]);
});

scenario('C-LINE-DRAFT', async (stage) => {
  const campaign = await stage.campaign();
  const [draft, active] = [await stage.lineItem(campaign, { entity_status: 'DRAFT' }), await stage.lineItem(campaign)];
  expect(idsOf(await stage.many('line_items.list'))).toEqual([active.id]);
  expect(idsOf(await stage.many('line_items.list', { with_draft: true }))).toEqual([active.id, draft.id]);
});

scenario('C-LINE-DELETE', async (stage) => {
  const campaign = await stage.campaign();
  const lineItem = await stage.lineItem(campaign);
  const line_item_id = lineItem.id;
  const campaignNow = () => stage.one('campaigns.get', { campaign_id: campaign.id });
  expect(await campaignNow()).toMatchObject({ servable: true });
  const deleted = await stage.one('line_items.delete', { line_item_id });
  expect(deleted).toMatchObject({ ...lineItem, deleted: true, updated_at: expect.any(String) });
  expect(await campaignNow()).toMatchObject({ servable: false, reasons_not_servable: ['INCOMPLETE'] });
  const gone = [{ code: 'LINE_ITEM_NOT_FOUND', parameter: 'line_item_id', value: line_item_id }];
  expect(await stage.rejected('line_items.delete', { line_item_id }, 404)).toMatchObject(gone);
  expect(await stage.rejected('line_items.update', { line_item_id, name: 'x' }, 404)).toMatchObject(gone);
  expect(await stage.rejected('line_items.get', { line_item_id }, 404)).toMatchObject(gone);
  expect(await stage.many('line_items.list')).toEqual([]);
  expect(await stage.many('line_items.list', { with_deleted: true })).toEqual([deleted]);
  expect(await stage.one('line_items.get', { line_item_id, with_deleted: true })).toEqual(deleted);
});

scenario('C-LINE-OF-DELETED', async (stage: Stage) => {
  const campaign = await stage.campaign();
  const lineItem = await stage.lineItem(campaign);
  const line_item_id = lineItem.id;
  await stage.ok('campaigns.delete', { campaign_id: campaign.id });
  expect(await stage.many('line_items.list')).toEqual([]);
  expect(await stage.many('line_items.list', { with_deleted: true })).toEqual([lineItem]);
  expect(await stage.one('line_items.get', { line_item_id, with_deleted: true })).toMatchObject({ deleted: false });
  for (const call of [
    stage.rejected('line_items.get', { line_item_id }, 404),
    stage.rejected('line_items.update', { line_item_id, name: 'x' }, 404),
    stage.rejected('line_items.delete', { line_item_id }, 404),
  ]) {
    expect(await call).toMatchObject([{ code: 'LINE_ITEM_NOT_FOUND' }]);
  }
  expect(await stage.rejected('line_items.create', lineItemOf(campaign), 404)).toMatchObject([
    { code: 'CAMPAIGN_NOT_FOUND', parameter: 'campaign_id' },
  ]);
});

/** Values of the parameters of a line item: specification C, Line item create parameters; reference 9.2 to 9.4. */
import { expect } from 'vitest';
import { lend, somebody } from '../../support/promotion.ts';
import { type Entity, lineItemOf, type Stage, scenarios } from '../../support/scenario.ts';

const scenario = scenarios();

type Params = Readonly<Record<string, unknown>>;

/** The objectives of the specification, each with what it cannot be without. */
const objectives: Readonly<Record<string, Params>> = {
  APP_ENGAGEMENTS: { ios_app_store_identifier: '333903271' },
  APP_INSTALLS: { android_app_store_identifier: 'com.example.app' },
  REACH: {},
  FOLLOWERS: { product_type: 'PROMOTED_ACCOUNT' },
  ENGAGEMENTS: {},
  VIDEO_VIEWS: {},
  PREROLL_VIEWS: { product_type: 'MEDIA', categories: ['IAB2'] },
  WEBSITE_CLICKS: {},
};

/** A campaign for each objective, since the line items of a campaign share theirs. */
async function campaignByObjective(stage: Stage): Promise<Map<string, Entity>> {
  const made = new Map<string, Entity>();
  for (const objective of Object.keys(objectives)) made.set(objective, await stage.campaign({ name: objective }));
  return made;
}

/** The parameters of a line item of an objective without a bid. */
function paramsOf(campaign: Entity | undefined, objective: string): Params & { campaign_id: string } {
  if (!campaign) throw new TypeError(`no campaign for ${objective}`);
  return { ...lineItemOf(campaign), bid_amount_local_micro: undefined, objective, ...objectives[objective] };
}

const bid = { bid_amount_local_micro: 1_000_000n };

/** Tries an update that must fail, and holds that it left nothing behind. */
async function unchanged(stage: Stage, lineItem: Entity, params: Params, expected: unknown): Promise<void> {
  const outcome = await stage.call('line_items.update', { line_item_id: lineItem.id, ...params });
  const title = JSON.stringify(Object.keys(params));
  expect(outcome, title).toMatchObject({ ok: false, errors: expected });
  expect(await stage.one('line_items.get', { line_item_id: lineItem.id }), title).toEqual(lineItem);
}

scenario('C-LINE-REQUIRED', async (stage) => {
  const campaign = await stage.campaign();
  for (const name of ['campaign_id', 'start_time', 'end_time', 'objective', 'placements', 'product_type']) {
    const errors = await stage.rejected('line_items.create', { ...lineItemOf(campaign), [name]: undefined });
    expect(errors, name).toMatchObject([{ code: 'MISSING_PARAMETER', parameter: name }]);
  }
  const least = { ...lineItemOf(campaign), bid_amount_local_micro: undefined };
  await stage.ok('line_items.create', least);
});

scenario('C-LINE-NAME', async (stage) => {
  const campaign = await stage.campaign();
  const name = '日'.repeat(255);
  const lineItem = await stage.lineItem(campaign, { name });
  expect(lineItem).toMatchObject({ name });
  for (const wrong of [`${name}日`, '']) {
    const params = { ...lineItemOf(campaign), name: wrong };
    expect(await stage.rejected('line_items.create', params)).toMatchObject([
      { code: 'INVALID_PARAMETER', parameter: 'name' },
    ]);
  }
  await unchanged(stage, lineItem, { name: `${name}日` }, [{ parameter: 'name' }]);
});

// Reference 9.3: what can be chosen where there is a choice, and what rules a part of it out.
const choices: readonly (readonly [objective: string, given: Params, pay_bys: readonly string[]])[] = [
  ['APP_ENGAGEMENTS', {}, ['APP_CLICK']],
  ['APP_INSTALLS', { goal: 'APP_CLICKS' }, ['APP_CLICK']],
  ['APP_INSTALLS', { goal: 'APP_INSTALLS' }, ['IMPRESSION', 'APP_CLICK']],
  ['REACH', {}, ['IMPRESSION']],
  ['WEBSITE_CLICKS', { goal: 'LINK_CLICKS' }, ['IMPRESSION', 'LINK_CLICK']],
  ['WEBSITE_CLICKS', { goal: 'LINK_CLICKS', bid_strategy: 'TARGET', ...bid }, ['LINK_CLICK']],
  ['WEBSITE_CLICKS', { goal: 'SITE_VISITS' }, ['IMPRESSION']],
  ['ENGAGEMENTS', {}, []],
  ['FOLLOWERS', {}, []],
];

scenario('C-LINE-PAY-BY', async (stage) => {
  const campaigns = await campaignByObjective(stage);
  for (const [objective, given, pay_bys] of choices) {
    const params = { ...paramsOf(campaigns.get(objective), objective), ...given };
    for (const pay_by of ['APP_CLICK', 'IMPRESSION', 'LINK_CLICK']) {
      const outcome = await stage.call('line_items.create', { ...params, pay_by });
      const title = [objective, ...Object.values(given), pay_by].join(' ');
      if (pay_bys.includes(pay_by)) expect(outcome.data, title).toMatchObject({ pay_by });
      else expect(outcome.errors, title).toMatchObject([{ code: 'INVALID_PARAMETER', parameter: 'pay_by' }]);
    }
  }
  const installs = await stage.one('line_items.create', {
    ...paramsOf(campaigns.get('APP_INSTALLS'), 'APP_INSTALLS'),
    goal: 'APP_INSTALLS',
  });
  expect(await stage.one('line_items.update', { line_item_id: installs.id, pay_by: 'APP_CLICK' })).toMatchObject({
    pay_by: 'APP_CLICK',
  });
  await unchanged(stage, await stage.one('line_items.get', { line_item_id: installs.id }), { pay_by: 'LINK_CLICK' }, [
    { code: 'INVALID_PARAMETER', parameter: 'pay_by' },
  ]);
  const clicks = await stage.one('line_items.create', paramsOf(campaigns.get('WEBSITE_CLICKS'), 'WEBSITE_CLICKS'));
  await unchanged(stage, clicks, { pay_by: 'LINK_CLICK' }, [
    { code: 'INVALID_PARAMETER', parameter: 'pay_by', message: expect.stringContaining('APP_INSTALLS') },
  ]);
});

scenario('C-LINE-WORDS', async (stage) => {
  const campaign = await stage.campaign();
  for (const [name, value] of Object.entries({
    objective: 'AWARENESS',
    product_type: 'PROMOTED_TREND',
    placements: ['ALL_ON_PLATFORM', 'TREND'],
    bid_strategy: 'MANUAL',
    audience_expansion: 'WIDE',
    goal: 'LEADS',
    pay_by: 'LEAD',
    entity_status: 'DELETED',
  })) {
    const outcome = await stage.call('line_items.create', { ...lineItemOf(campaign), [name]: value });
    expect(outcome, name).toMatchObject({ ok: false, errors: [{ parameter: name }] });
  }
  for (const audience_expansion of ['BROAD', 'DEFINED', 'EXPANDED']) {
    expect(await stage.lineItem(campaign, { audience_expansion })).toMatchObject({ audience_expansion });
  }
  expect(await stage.lineItem(campaign)).toMatchObject({ audience_expansion: null });
});

scenario('C-LINE-STATUS', async (stage) => {
  const campaign = await stage.campaign();
  for (const entity_status of ['ACTIVE', 'DRAFT', 'PAUSED']) {
    const lineItem = await stage.lineItem(campaign, { entity_status });
    const { id: line_item_id } = lineItem;
    expect(lineItem).toMatchObject({ entity_status });
    // What is a draft can be said to be one.
    if (entity_status === 'DRAFT') await stage.ok('line_items.update', { line_item_id, entity_status });
    else await unchanged(stage, lineItem, { entity_status: 'DRAFT' }, [{ parameter: 'entity_status' }]);
    for (const next of ['PAUSED', 'ACTIVE']) {
      expect(await stage.one('line_items.update', { line_item_id, entity_status: next })).toMatchObject({
        entity_status: next,
      });
    }
  }
  expect(await stage.lineItem(campaign)).toMatchObject({ entity_status: 'ACTIVE' });
});

scenario('C-LINE-STRATEGIES', async (stage) => {
  const campaigns = await campaignByObjective(stage);
  const target = ['REACH', 'FOLLOWERS', 'WEBSITE_CLICKS'];
  const max = Object.keys(objectives).filter((objective) => !['REACH', 'FOLLOWERS'].includes(objective));
  for (const objective of Object.keys(objectives)) {
    const params = paramsOf(campaigns.get(objective), objective);
    for (const [bid_strategy, allowed] of [
      ['MAX', max],
      ['TARGET', target],
    ] as const) {
      const outcome = await stage.call('line_items.create', { ...params, ...bid, bid_strategy });
      const title = `${objective} ${bid_strategy}`;
      if (allowed.includes(objective)) expect(outcome.data, title).toMatchObject({ bid_strategy, ...bid });
      else expect(outcome.errors, title).toMatchObject([{ code: 'INVALID_PARAMETER', parameter: 'bid_strategy' }]);
    }
    const ignored = { ...params, ...bid, bid_strategy: 'AUTO' };
    const automatic = { bid_strategy: 'AUTO', bid_amount_local_micro: null };
    expect(await stage.one('line_items.create', ignored), objective).toMatchObject(automatic);
    // Without a strategy a bid is a target where there is no maximum, and no bid means automatic bidding.
    expect(await stage.one('line_items.create', params), objective).toMatchObject(automatic);
    expect(await stage.one('line_items.create', { ...params, ...bid }), objective).toMatchObject({
      bid_strategy: max.includes(objective) ? 'MAX' : 'TARGET',
    });
  }
});

scenario('C-LINE-CAP', async (stage) => {
  const campaigns = await campaignByObjective(stage);
  const capped = ['REACH', 'ENGAGEMENTS', 'VIDEO_VIEWS', 'PREROLL_VIEWS'];
  for (const objective of Object.keys(objectives)) {
    const params = paramsOf(campaigns.get(objective), objective);
    for (const duration_in_days of [1, 7, 30]) {
      const cap = { frequency_cap: 3, duration_in_days };
      const outcome = await stage.call('line_items.create', { ...params, ...cap });
      const title = `${objective} in ${duration_in_days} days`;
      if (capped.includes(objective)) expect(outcome.data, title).toMatchObject(cap);
      else
        expect(outcome.errors, title).toMatchObject([
          { parameter: 'frequency_cap' },
          { parameter: 'duration_in_days' },
        ]);
    }
  }
  const campaign = await stage.campaign();
  for (const duration_in_days of [0, 2, 6, 14, 31, -1]) {
    const cap = { frequency_cap: 3, duration_in_days };
    const outcome = await stage.call('line_items.create', { ...lineItemOf(campaign), ...cap });
    expect(outcome, `${duration_in_days} days`).toMatchObject({
      ok: false,
      errors: [{ parameter: 'duration_in_days' }],
    });
  }
});

// Reference 9.3: the goals of each objective, the default first, and what is paid for with each.
const goals: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  APP_ENGAGEMENTS: { APP_CLICKS: 'APP_CLICK', APP_INSTALLS: 'APP_CLICK' },
  APP_INSTALLS: { APP_CLICKS: 'APP_CLICK', APP_INSTALLS: 'IMPRESSION', APP_PURCHASES: 'IMPRESSION' },
  REACH: { MAX_REACH: 'IMPRESSION', REACH_WITH_ENGAGEMENT: 'IMPRESSION' },
  FOLLOWERS: { FOLLOWERS: 'FOLLOW' },
  ENGAGEMENTS: { ENGAGEMENT: 'ENGAGEMENT' },
  VIDEO_VIEWS: { VIDEO_VIEW: 'VIEW', VIEW_3S_100PCT: 'VIEW_3S_100PCT', VIEW_6S: 'VIEW', VIEW_15S: 'VIEW' },
  PREROLL_VIEWS: {
    PREROLL: 'VIEW_3S_100PCT',
    PREROLL_STARTS: 'VIEW_3S_100PCT',
    VIEW_3S_100PCT: 'VIEW_3S_100PCT',
    VIEW_6S: 'VIEW_3S_100PCT',
    VIEW_15S: 'VIEW_3S_100PCT',
  },
  WEBSITE_CLICKS: { LINK_CLICKS: 'IMPRESSION', SITE_VISITS: 'IMPRESSION', WEBSITE_CONVERSIONS: 'IMPRESSION' },
};

scenario('C-LINE-GOALS', async (stage) => {
  const campaigns = await campaignByObjective(stage);
  const every = new Set(Object.values(goals).flatMap((allowed) => Object.keys(allowed)));
  expect(every.size).toBe(16);
  for (const [objective, allowed] of Object.entries(goals)) {
    const params = { ...paramsOf(campaigns.get(objective), objective), primary_web_event_tag: 'o1abc' };
    const [goal] = Object.keys(allowed);
    expect(await stage.one('line_items.create', params), objective).toMatchObject({ goal });
    for (const one of every) {
      const outcome = await stage.call('line_items.create', { ...params, goal: one });
      const title = `${objective} ${one}`;
      const pay_by = allowed[one];
      if (pay_by) expect(outcome.data, title).toMatchObject({ goal: one, pay_by });
      else expect(outcome.errors, title).toMatchObject([{ code: 'INVALID_PARAMETER', parameter: 'goal', value: one }]);
    }
  }
});

scenario('C-LINE-BID', async (stage) => {
  const campaign = await stage.campaign();
  const lineItem = await stage.lineItem(campaign);
  for (const bid_amount_local_micro of [0, -10_000]) {
    const outcome = await stage.call('line_items.create', { ...lineItemOf(campaign), bid_amount_local_micro });
    expect(outcome, `${bid_amount_local_micro}`).toMatchObject({
      ok: false,
      errors: [{ parameter: 'bid_amount_local_micro' }],
    });
    await unchanged(stage, lineItem, { bid_amount_local_micro }, [{ parameter: 'bid_amount_local_micro' }]);
  }
  expect(await stage.lineItem(campaign, { bid_amount_local_micro: 10_000 })).toMatchObject({
    bid_amount_local_micro: 10_000n,
  });
});

scenario('C-LINE-FORMATS', async (stage) => {
  const campaign = await stage.campaign();
  const lineItem = await stage.lineItem(campaign);
  for (const [name, wrong, right] of [
    ['advertiser_domain', ['https://example.com', 'example.com/a', 'example', 'example.com:80'], 'shop.example.com'],
    ['ios_app_store_identifier', ['id333903271', 'com.example.app', '33390 3271'], '333903271'],
  ] as const) {
    for (const value of wrong) {
      const outcome = await stage.call('line_items.create', { ...lineItemOf(campaign), [name]: value });
      expect(outcome, value).toMatchObject({ ok: false, errors: [{ parameter: name }] });
      await unchanged(stage, lineItem, { [name]: value }, [{ parameter: name }]);
    }
    expect(await stage.lineItem(campaign, { [name]: right })).toMatchObject({ [name]: right });
  }
});

scenario('C-LINE-BUSINESS', async (stage) => {
  const campaign = await stage.campaign();
  const preroll = { objective: 'PREROLL_VIEWS', product_type: 'MEDIA' };
  // Cars, travel, and financial services, whose three categories are equivalent.
  for (const [categories, stored] of [
    [['IAB2'], ['IAB2']],
    [
      ['IAB2', 'IAB20'],
      ['IAB2', 'IAB20'],
    ],
    [['IAB13'], ['IAB3', 'IAB13', 'IAB21']],
  ] as const) {
    expect(await stage.lineItem(campaign, { ...preroll, categories })).toMatchObject({ categories: stored });
  }
  for (const categories of [undefined, ['IAB2', 'IAB20', 'IAB13'], ['IAB24'], ['IAB2', 'IAB24']]) {
    const errors = await stage.rejected('line_items.create', { ...lineItemOf(campaign), ...preroll, categories });
    expect(errors, String(categories)).toMatchObject([{ parameter: 'categories' }]);
  }
  // Other objectives are not bound to businesses.
  expect(await stage.lineItem(await stage.campaign(), { categories: ['IAB13', 'IAB24'] })).toMatchObject({
    categories: ['IAB13', 'IAB24'],
  });
});

scenario('C-LINE-ADVERTISER', async (stage) => {
  const campaign = await stage.campaign();
  const preroll = { objective: 'PREROLL_VIEWS', product_type: 'MEDIA', categories: ['IAB2'] };
  const [partner, stranger] = [await somebody(stage), await somebody(stage)];
  await lend(stage, partner);
  const lineItem = await stage.lineItem(campaign, preroll);
  expect(lineItem).toMatchObject({ advertiser_user_id: stage.user.user_id });
  for (const advertiser_user_id of [stage.user.user_id, partner]) {
    expect(await stage.lineItem(campaign, { ...preroll, advertiser_user_id })).toMatchObject({ advertiser_user_id });
  }
  for (const advertiser_user_id of [stranger, '42']) {
    const wrong = [{ code: 'INVALID_USER_ID', parameter: 'advertiser_user_id', value: advertiser_user_id }];
    const params = { ...lineItemOf(campaign), ...preroll, advertiser_user_id };
    expect(await stage.rejected('line_items.create', params)).toMatchObject(wrong);
    await unchanged(stage, lineItem, { advertiser_user_id }, wrong);
  }
  const changed = { line_item_id: lineItem.id, advertiser_user_id: partner };
  expect(await stage.one('line_items.update', changed)).toMatchObject({ advertiser_user_id: partner });
  const engagements = await stage.lineItem(await stage.campaign());
  await unchanged(stage, engagements, { advertiser_user_id: partner }, [
    { code: 'INVALID_PARAMETER', parameter: 'advertiser_user_id' },
  ]);
});

scenario('C-LINE-BUDGETS', async (stage) => {
  const campaign = await stage.campaign({
    budget_optimization: 'LINE_ITEM',
    total_budget_amount_local_micro: 100_000_000n,
  });
  const [daily, total] = ['daily_budget_amount_local_micro', 'total_budget_amount_local_micro'] as const;
  const params = { ...lineItemOf(campaign), [daily]: 20_000_000n, [total]: 100_000_000n };
  const lineItem = await stage.one('line_items.create', { ...params, standard_delivery: false });
  expect(lineItem).toMatchObject({ [daily]: 20_000_000n, [total]: 100_000_000n, standard_delivery: false });
  for (const [budgets, code, parameter] of [
    [{ [total]: 100_000_001n }, 'SPEND_EXCEEDS_BUDGET', total],
    [{ [daily]: 100_000_001n, [total]: null }, 'SPEND_EXCEEDS_BUDGET', daily],
    [{ [daily]: 20_000_001n, [total]: 20_000_000n }, 'INVALID_PARAMETER', daily],
    [{ bid_amount_local_micro: 110_000_000n }, 'SPEND_EXCEEDS_BUDGET', 'bid_amount_local_micro'],
  ] as const) {
    const given = Object.fromEntries(Object.entries(budgets).filter(([, value]) => value !== null));
    const { [total]: _, ...rest } = params;
    const created = await stage.rejected('line_items.create', { ...rest, ...given });
    expect(created, `create ${parameter}`).toMatchObject([{ code, parameter }]);
    await unchanged(stage, lineItem, budgets, [{ code, parameter }]);
  }
  // A campaign whose budget was lowered keeps no line item from being renamed.
  await stage.ok('campaigns.update', { campaign_id: campaign.id, [total]: 1n });
  const renamed = { line_item_id: lineItem.id, name: 'Renamed' };
  expect(await stage.one('line_items.update', renamed)).toMatchObject({ name: 'Renamed', [total]: 100_000_000n });
});

scenario('C-LINE-RECHECKED', async (stage) => {
  const { end_time, start_time } = lineItemOf({ id: '' });
  const campaigns = await campaignByObjective(stage);
  const tried: readonly (readonly [
    objective: string,
    made: Params,
    change: Params,
    code: string,
    parameter: string,
  ])[] = [
    ['ENGAGEMENTS', {}, { end_time: start_time }, 'INVALID_TIME_WINDOW', 'end_time'],
    ['ENGAGEMENTS', {}, { start_time: end_time }, 'INVALID_TIME_WINDOW', 'end_time'],
    ['ENGAGEMENTS', bid, { bid_amount_local_micro: null }, 'MISSING_PARAMETER', 'bid_amount_local_micro'],
    ['ENGAGEMENTS', {}, { bid_strategy: 'MAX' }, 'MISSING_PARAMETER', 'bid_amount_local_micro'],
    ['ENGAGEMENTS', bid, { bid_strategy: 'TARGET' }, 'INVALID_PARAMETER', 'bid_strategy'],
    ['REACH', bid, { bid_strategy: 'MAX' }, 'INVALID_PARAMETER', 'bid_strategy'],
    ['REACH', {}, { goal: 'ENGAGEMENT' }, 'INVALID_PARAMETER', 'goal'],
    ['WEBSITE_CLICKS', {}, { goal: 'WEBSITE_CONVERSIONS' }, 'INVALID_PARAMETER', 'goal'],
    ['WEBSITE_CLICKS', {}, { frequency_cap: 1, duration_in_days: 1 }, 'INVALID_PARAMETER', 'frequency_cap'],
    ['VIDEO_VIEWS', {}, { frequency_cap: 1 }, 'INCLUSIVE_PARAMETERS', 'frequency_cap'],
    [
      'VIDEO_VIEWS',
      { frequency_cap: 1, duration_in_days: 7 },
      { frequency_cap: null },
      'INCLUSIVE_PARAMETERS',
      'duration_in_days',
    ],
    ['APP_INSTALLS', {}, { android_app_store_identifier: null }, 'MISSING_PARAMETER', 'android_app_store_identifier'],
    ['PREROLL_VIEWS', {}, { categories: null }, 'MISSING_PARAMETER', 'categories'],
    ['ENGAGEMENTS', {}, { categories: ['IAB0'] }, 'INVALID_IAB_CATEGORY', 'categories'],
    ['ENGAGEMENTS', {}, { pay_by: 'LINK_CLICK' }, 'INVALID_PARAMETER', 'pay_by'],
  ];
  for (const [objective, made, change, code, parameter] of tried) {
    const lineItem = await stage.one('line_items.create', {
      ...paramsOf(campaigns.get(objective), objective),
      ...made,
    });
    const outcome = await stage.call('line_items.update', { line_item_id: lineItem.id, ...change });
    const title = `${objective} ${JSON.stringify(change)}`;
    expect(outcome.ok, title).toBe(false);
    expect(outcome.errors[0], title).toMatchObject({ code, parameter });
    expect(await stage.one('line_items.get', { line_item_id: lineItem.id }), title).toEqual(lineItem);
  }
  // Two changes that are wrong one by one are right together.
  const lineItem = await stage.one('line_items.create', paramsOf(campaigns.get('ENGAGEMENTS'), 'ENGAGEMENTS'));
  const together = { bid_strategy: 'MAX', ...bid };
  expect(await stage.one('line_items.update', { line_item_id: lineItem.id, ...together })).toMatchObject(together);
});

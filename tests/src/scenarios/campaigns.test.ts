/** Campaigns: specification C, Campaigns and States; reference, campaign-management section 8. */
import { expect } from 'vitest';
import { type Entity, type Stage, scenarios } from '../support/scenario.ts';

const scenario = scenarios();

scenario('C-CAMPAIGN-DEFAULTS', async (stage) => {
  const { funding_instrument_id } = stage;
  const campaign = await stage.one('campaigns.create', { funding_instrument_id, name: 'Summer reading' });
  expect(campaign).toEqual({
    id: expect.stringMatching(/^[0-9a-z]{2,9}$/),
    name: 'Summer reading',
    budget_optimization: 'CAMPAIGN',
    reasons_not_servable: ['INCOMPLETE'],
    servable: false,
    effective_status: 'UNKNOWN',
    entity_status: 'ACTIVE',
    purchase_order_number: null,
    daily_budget_amount_local_micro: null,
    total_budget_amount_local_micro: null,
    funding_instrument_id,
    duration_in_days: null,
    standard_delivery: true,
    frequency_cap: null,
    currency: 'USD',
    created_at: expect.any(String),
    updated_at: campaign['created_at'],
    deleted: false,
  });
  expect(await stage.one('campaigns.get', { campaign_id: campaign.id })).toEqual(campaign);
});

scenario('C-CAMPAIGN-STATUS', async (stage) => {
  for (const entity_status of ['ACTIVE', 'DRAFT', 'PAUSED']) {
    const { id: campaign_id } = await stage.campaign({ entity_status });
    expect(await stage.one('campaigns.get', { campaign_id })).toMatchObject({ entity_status });
    expect(await stage.call('campaigns.update', { campaign_id, entity_status: 'DRAFT' })).toMatchObject({
      ok: false,
      errors: [{ parameter: 'entity_status' }],
    });
    for (const next of ['PAUSED', 'ACTIVE']) {
      expect(await stage.one('campaigns.update', { campaign_id, entity_status: next })).toMatchObject({
        entity_status: next,
      });
    }
  }
});

scenario('C-CAMPAIGN-LENGTHS', async (stage) => {
  // Characters outside of the basic plane have two UTF-16 units and count as one.
  for (const character of ['a', 'é', '日', '🎈']) {
    const name = character.repeat(255);
    const purchase_order_number = character.repeat(50);
    const campaign = await stage.campaign({ name, purchase_order_number });
    expect(await stage.one('campaigns.get', { campaign_id: campaign.id })).toMatchObject({
      name,
      purchase_order_number,
    });
    const errors = await stage.refused('campaigns.update', {
      campaign_id: campaign.id,
      name: `${name}${character}`,
      purchase_order_number: `${purchase_order_number}${character}`,
    });
    expect(errors).toMatchObject([{ parameter: 'name' }, { parameter: 'purchase_order_number' }]);
  }
  expect(
    await stage.call('campaigns.create', { funding_instrument_id: stage.funding_instrument_id, name: '' }),
  ).toMatchObject({
    errors: [{ code: 'INVALID_PARAMETER', parameter: 'name' }],
  });
});

scenario('C-CAMPAIGN-BUDGETS', async (stage) => {
  const budgets = (daily: bigint, total: bigint) => ({
    daily_budget_amount_local_micro: daily,
    total_budget_amount_local_micro: total,
  });
  const wrong = [{ code: 'INVALID_PARAMETER', parameter: 'daily_budget_amount_local_micro' }];
  const { funding_instrument_id } = stage;
  expect(
    await stage.refused('campaigns.create', { funding_instrument_id, name: 'x', ...budgets(9n, 8n) }),
  ).toMatchObject(wrong);
  const campaign = await stage.campaign(budgets(8n, 8n));
  const campaign_id = campaign.id;
  expect(await stage.refused('campaigns.update', { campaign_id, daily_budget_amount_local_micro: 9n })).toMatchObject(
    wrong,
  );
  expect(await stage.refused('campaigns.update', { campaign_id, total_budget_amount_local_micro: 7n })).toMatchObject(
    wrong,
  );
  expect(await stage.one('campaigns.update', { campaign_id, ...budgets(9n, 10n) })).toMatchObject(budgets(9n, 10n));
  const several = { ...budgets(11n, 10n), budget_optimization: 'LINE_ITEM', standard_delivery: true };
  const both = [...wrong, { code: 'INVALID_PARAMETER', parameter: 'standard_delivery' }];
  expect(await stage.refused('campaigns.update', { campaign_id, ...several })).toMatchObject(both);
  const creation = { funding_instrument_id, name: 'x', ...several };
  expect(await stage.refused('campaigns.create', creation)).toMatchObject(both);
});

scenario('C-CAMPAIGN-DAILY', async (stage) => {
  for (const [type, needed] of [
    ['CREDIT_CARD', true],
    ['CREDIT_LINE', true],
    ['AGENCY_CREDIT_LINE', true],
    ['INSERTION_ORDER', false],
    ['PARTNER_MANAGED', false],
  ] as const) {
    const funding_instrument_id = await stage.fundingInstrument({ type });
    const params = { funding_instrument_id, name: type };
    if (needed) {
      expect(await stage.refused('campaigns.create', params)).toMatchObject([
        { code: 'MISSING_PARAMETER', parameter: 'daily_budget_amount_local_micro' },
      ]);
      await stage.ok('campaigns.create', { ...params, daily_budget_amount_local_micro: 1n });
      await stage.ok('campaigns.create', { ...params, budget_optimization: 'LINE_ITEM' });
    } else await stage.ok('campaigns.create', params);
  }
});

scenario('C-CAMPAIGN-DELIVERY', async (stage) => {
  const perLineItem = { budget_optimization: 'LINE_ITEM' };
  expect(await stage.campaign({ standard_delivery: false })).toMatchObject({ standard_delivery: false });
  const campaign = await stage.campaign(perLineItem);
  expect(campaign).toMatchObject({ standard_delivery: null });
  for (const standard_delivery of [true, false]) {
    const { funding_instrument_id } = stage;
    const wrong = [{ code: 'INVALID_PARAMETER', parameter: 'standard_delivery' }];
    const params = { ...perLineItem, standard_delivery };
    expect(await stage.refused('campaigns.create', { funding_instrument_id, name: 'x', ...params })).toMatchObject(
      wrong,
    );
    expect(await stage.refused('campaigns.update', { campaign_id: campaign.id, standard_delivery })).toMatchObject(
      wrong,
    );
  }
  const moved = { campaign_id: campaign.id, budget_optimization: 'CAMPAIGN' };
  expect(await stage.one('campaigns.update', moved)).toMatchObject({ standard_delivery: true });
  // What a line item says of its delivery follows when it is changed itself.
  const lineItem = await stage.lineItem(campaign);
  expect(lineItem).toMatchObject({ standard_delivery: null });
  const renamed = { line_item_id: lineItem.id, name: 'Renamed' };
  for (const [budget_optimization, standard_delivery] of [
    ['LINE_ITEM', true],
    ['CAMPAIGN', null],
  ] as const) {
    await stage.ok('campaigns.update', { campaign_id: campaign.id, budget_optimization });
    expect(await stage.one('line_items.update', renamed)).toMatchObject({ standard_delivery });
  }
});

scenario('C-CAMPAIGN-CURRENCY', async (stage) => {
  for (const currency of ['USD', 'EUR', 'JPY', 'KWD']) {
    const funding_instrument_id = await stage.fundingInstrument({ currency });
    const campaign = await stage.campaign({ funding_instrument_id });
    expect(campaign).toMatchObject({ currency, funding_instrument_id });
    expect(await stage.lineItem(campaign, { bid_amount_local_micro: undefined })).toMatchObject({
      currency,
      funding_instrument_id,
    });
  }
});

scenario('C-CAMPAIGN-FUNDING', async (stage) => {
  const unknown = { funding_instrument_id: 'nosuch', name: 'x' };
  expect(await stage.refused('campaigns.create', unknown, 404)).toMatchObject([
    { code: 'FUNDING_INSTRUMENT_NOT_FOUND', parameter: 'funding_instrument_id', value: 'nosuch' },
  ]);
  const elsewhere = await stage.world.createFundingInstrument(await stage.world.createAccount());
  expect(await stage.refused('campaigns.create', { ...unknown, funding_instrument_id: elsewhere }, 404)).toMatchObject([
    { code: 'FUNDING_INSTRUMENT_NOT_FOUND' },
  ]);
  const deleted = await stage.fundingInstrument({ deleted: true });
  expect(await stage.refused('campaigns.create', { ...unknown, funding_instrument_id: deleted })).toMatchObject([
    { code: 'INVALID_FUNDING_INSTRUMENT', parameter: 'funding_instrument_id', value: deleted },
  ]);
  const campaign = await stage.campaign();
  const other = await stage.fundingInstrument();
  const change = { campaign_id: campaign.id, funding_instrument_id: other };
  expect(await stage.call('campaigns.update', change)).toMatchObject({
    ok: false,
    errors: [{ code: 'INVALID_PARAMETER', parameter: 'funding_instrument_id' }],
  });
});

const idsOf = (entities: readonly Entity[]) => entities.map(({ id }) => id);

scenario('C-CAMPAIGN-FILTER', async (stage) => {
  const other = await stage.fundingInstrument();
  const [a, b] = [
    await stage.campaign({ name: 'a' }),
    await stage.campaign({ name: 'b', funding_instrument_id: other }),
  ];
  const list = async (params: Record<string, unknown>) => idsOf(await stage.many('campaigns.list', params));
  expect(await list({ funding_instrument_ids: [other] })).toEqual([b.id]);
  expect(await list({ funding_instrument_ids: [other, stage.funding_instrument_id] })).toEqual([b.id, a.id]);
  expect(await list({ campaign_ids: [a.id] })).toEqual([a.id]);
  expect(await list({ campaign_ids: [a.id], funding_instrument_ids: [other] })).toEqual([]);
  expect(await list({ campaign_ids: [a.id, b.id], q: 'B' })).toEqual([b.id]);
});

scenario('C-CAMPAIGN-DRAFT', async (stage) => {
  const [draft, active] = [await stage.campaign({ entity_status: 'DRAFT' }), await stage.campaign()];
  expect(idsOf(await stage.many('campaigns.list'))).toEqual([active.id]);
  expect(idsOf(await stage.many('campaigns.list', { with_draft: false }))).toEqual([active.id]);
  expect(idsOf(await stage.many('campaigns.list', { with_draft: true }))).toEqual([active.id, draft.id]);
  expect(await stage.one('campaigns.get', { campaign_id: draft.id })).toMatchObject({ entity_status: 'DRAFT' });
});

scenario('C-CAMPAIGN-DELETE', async (stage) => {
  const { id: campaign_id } = await stage.campaign();
  stage.world.clock.advance(2000);
  const deleted = await stage.one('campaigns.delete', { campaign_id });
  expect(deleted).toMatchObject({ deleted: true, servable: null, reasons_not_servable: [] });
  const stored = await stage.rows('campaigns');
  const gone = [{ code: 'CAMPAIGN_NOT_FOUND', parameter: 'campaign_id', value: campaign_id }];
  expect(await stage.refused('campaigns.delete', { campaign_id }, 404)).toMatchObject(gone);
  expect(await stage.refused('campaigns.update', { campaign_id, name: 'x' }, 404)).toMatchObject(gone);
  expect(await stage.refused('campaigns.get', { campaign_id }, 404)).toMatchObject(gone);
  expect(await stage.rows('campaigns')).toEqual(stored);
  expect(await stage.one('campaigns.get', { campaign_id, with_deleted: true })).toEqual(deleted);
});

interface State {
  readonly title: string;
  readonly campaign?: Readonly<Record<string, unknown>>;
  /** Line items by start and end, in hours from now. */
  readonly flights?: readonly (readonly [start: number, end: number, entity_status?: 'DRAFT' | 'PAUSED'])[];
  readonly funding?: { readonly start?: number; readonly end?: number; readonly deleted?: true };
  readonly approval?: 'UNDER_REVIEW' | 'REJECTED';
  readonly reasons: readonly string[];
  readonly status: string;
}

const running = [[-1, 1]] as const;

const states: readonly State[] = [
  { title: 'complete', flights: running, reasons: [], status: 'ACTIVE' },
  { title: 'without line items', reasons: ['INCOMPLETE'], status: 'UNKNOWN' },
  {
    title: 'paused without line items',
    campaign: { entity_status: 'PAUSED' },
    reasons: ['PAUSED_BY_ADVERTISER', 'INCOMPLETE'],
    status: 'UNKNOWN',
  },
  {
    title: 'paused',
    campaign: { entity_status: 'PAUSED' },
    flights: running,
    reasons: ['PAUSED_BY_ADVERTISER'],
    status: 'PAUSED',
  },
  {
    title: 'a draft',
    campaign: { entity_status: 'DRAFT' },
    flights: running,
    reasons: ['INCOMPLETE'],
    status: 'UNKNOWN',
  },
  { title: 'ended', flights: [[-3, -1]], reasons: ['EXPIRED'], status: 'EXPIRED' },
  { title: 'one of two flights ended', flights: [[-3, -1], ...running], reasons: [], status: 'ACTIVE' },
  { title: 'ahead', flights: [[1, 2]], reasons: ['STARTS_IN_FUTURE'], status: 'ACTIVE' },
  { title: 'one of two flights ahead', flights: [[1, 2], ...running], reasons: [], status: 'ACTIVE' },
  { title: 'nothing but a draft', flights: [[-1, 1, 'DRAFT']], reasons: ['INCOMPLETE'], status: 'UNKNOWN' },
  {
    title: 'a draft before the flight',
    flights: [
      [1, 2],
      [-1, 2, 'DRAFT'],
    ],
    reasons: ['STARTS_IN_FUTURE'],
    status: 'ACTIVE',
  },
  {
    title: 'a draft after the flight',
    flights: [
      [-3, -1],
      [-3, 1, 'DRAFT'],
    ],
    reasons: ['EXPIRED'],
    status: 'EXPIRED',
  },
  { title: 'a paused line item', flights: [[-1, 1, 'PAUSED']], reasons: [], status: 'ACTIVE' },
  {
    title: 'instrument ahead',
    flights: [[-1, 2]],
    funding: { start: 1 },
    reasons: ['STARTS_IN_FUTURE'],
    status: 'ACTIVE',
  },
  {
    title: 'instrument expired',
    flights: [[-2, 1]],
    funding: { end: -1 },
    reasons: ['FUNDING_PROBLEM'],
    status: 'ACTIVE',
  },
  {
    title: 'under review',
    flights: running,
    approval: 'UNDER_REVIEW',
    reasons: ['ACCOUNT_UNDER_REVIEW'],
    status: 'ACTIVE',
  },
  { title: 'rejected', flights: running, approval: 'REJECTED', reasons: ['ACCOUNT_REJECTED'], status: 'ACTIVE' },
  {
    title: 'everything at once',
    campaign: { entity_status: 'PAUSED' },
    flights: [[-3, -1]],
    funding: { end: -1 },
    approval: 'REJECTED',
    reasons: ['PAUSED_BY_ADVERTISER', 'EXPIRED', 'FUNDING_PROBLEM', 'ACCOUNT_REJECTED'],
    status: 'PAUSED',
  },
];

async function bringAbout(
  stage: Stage,
  { title, campaign, flights = [], funding = {}, approval }: State,
): Promise<Entity> {
  const at = (hours: number) => `${new Date(stage.world.clock.now() + hours * 3_600_000).toISOString().slice(0, 19)}Z`;
  const funding_instrument_id = await stage.fundingInstrument({
    ...(funding.start === undefined ? {} : { start_time: at(funding.start) }),
    ...(funding.end === undefined ? {} : { end_time: at(funding.end) }),
  });
  const made = await stage.campaign({ name: title, funding_instrument_id, ...campaign });
  for (const [start, end, entity_status] of flights) {
    await stage.lineItem(made, { start_time: at(start), end_time: at(end), entity_status });
  }
  if (approval) await stage.world.setApproval(stage.account_id, approval);
  return made;
}

scenario('C-CAMPAIGN-SERVABLE', async (stage) => {
  for (const state of states) {
    const { id: campaign_id } = await bringAbout(stage, state);
    const expected = {
      servable: state.reasons.length === 0,
      reasons_not_servable: state.reasons,
      effective_status: state.status,
    };
    expect(await stage.one('campaigns.get', { campaign_id }), state.title).toMatchObject(expected);
    const [listed] = await stage.many('campaigns.list', { campaign_ids: [campaign_id], with_draft: true });
    expect(listed, state.title).toMatchObject(expected);
    const deleted = await stage.one('campaigns.delete', { campaign_id });
    expect(deleted, state.title).toMatchObject({
      servable: null,
      reasons_not_servable: [],
      effective_status: state.reasons.length === 0 ? 'RUNNING' : 'UNKNOWN',
    });
    await stage.world.setApproval(stage.account_id, 'ACCEPTED');
  }
  // Time alone moves a campaign through its flight.
  const { id: campaign_id } = await bringAbout(stage, { title: 'passing', flights: [[1, 2]], reasons: [], status: '' });
  for (const [hours, status] of [
    [0.5, 'STARTS_IN_FUTURE'],
    [1, undefined],
    [1, 'EXPIRED'],
  ] as const) {
    stage.world.clock.advance(hours * 3_600_000);
    const { reasons_not_servable } = await stage.one('campaigns.get', { campaign_id });
    expect(reasons_not_servable).toEqual(status ? [status] : []);
  }
});

scenario('C-CAMPAIGN-REQUIRED', async (stage) => {
  const whole = { funding_instrument_id: stage.funding_instrument_id, name: 'Campaign' };
  for (const name of ['funding_instrument_id', 'name']) {
    expect(await stage.refused('campaigns.create', { ...whole, [name]: undefined }), name).toMatchObject([
      { code: 'MISSING_PARAMETER', parameter: name },
    ]);
  }
  for (const [name, value] of Object.entries({ budget_optimization: 'AD_GROUP', entity_status: 'DELETED' })) {
    const outcome = await stage.call('campaigns.create', { ...whole, [name]: value });
    expect(outcome, name).toMatchObject({ ok: false, errors: [{ parameter: name }] });
  }
  await stage.ok('campaigns.create', whole);
});

scenario('C-CAMPAIGN-UPDATE', async (stage) => {
  const before = await stage.campaign();
  const { id: campaign_id } = before;
  const set = {
    name: 'Autumn reading',
    purchase_order_number: 'PO 7',
    daily_budget_amount_local_micro: 5n,
    total_budget_amount_local_micro: 50n,
    standard_delivery: false,
    entity_status: 'PAUSED',
  };
  stage.world.clock.advance(2000);
  const changed = await stage.one('campaigns.update', { campaign_id, ...set });
  expect(changed).toEqual({
    ...before,
    ...set,
    reasons_not_servable: ['PAUSED_BY_ADVERTISER', 'INCOMPLETE'],
    updated_at: expect.any(String),
  });
  expect(changed['updated_at']).not.toBe(before['updated_at']);
  const moved = { budget_optimization: 'LINE_ITEM', standard_delivery: null };
  expect(await stage.one('campaigns.update', { campaign_id, budget_optimization: 'LINE_ITEM' })).toEqual({
    ...changed,
    ...moved,
    updated_at: expect.any(String),
  });
  // Without a daily budget the campaign spends evenly, whatever it was created under.
  const card = await stage.campaign({
    funding_instrument_id: await stage.fundingInstrument({ type: 'CREDIT_CARD' }),
    ...set,
  });
  const unset = {
    purchase_order_number: null,
    daily_budget_amount_local_micro: null,
    total_budget_amount_local_micro: null,
  };
  expect(await stage.one('campaigns.update', { campaign_id: card.id, ...unset })).toMatchObject({
    ...unset,
    name: 'Autumn reading',
    standard_delivery: false,
  });
});

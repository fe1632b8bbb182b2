/** Campaigns: specification C, Campaigns and States; reference, campaign-management section 8. */
import { expect } from 'vitest';
import { type Entity, scenarios } from '../../support/scenario.ts';

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
    // What is a draft can be said to be one.
    const draft = await stage.call('campaigns.update', { campaign_id, entity_status: 'DRAFT' });
    expect(draft).toMatchObject(
      entity_status === 'DRAFT' ? { ok: true } : { ok: false, errors: [{ parameter: 'entity_status' }] },
    );
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
    const errors = await stage.rejected('campaigns.update', {
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
    await stage.rejected('campaigns.create', { funding_instrument_id, name: 'x', ...budgets(9n, 8n) }),
  ).toMatchObject(wrong);
  const campaign = await stage.campaign(budgets(8n, 8n));
  const campaign_id = campaign.id;
  expect(await stage.rejected('campaigns.update', { campaign_id, daily_budget_amount_local_micro: 9n })).toMatchObject(
    wrong,
  );
  expect(await stage.rejected('campaigns.update', { campaign_id, total_budget_amount_local_micro: 7n })).toMatchObject(
    wrong,
  );
  expect(await stage.one('campaigns.update', { campaign_id, ...budgets(9n, 10n) })).toMatchObject(budgets(9n, 10n));
  const several = { ...budgets(11n, 10n), budget_optimization: 'LINE_ITEM', standard_delivery: false };
  const both = [...wrong, { code: 'INVALID_PARAMETER', parameter: 'standard_delivery' }];
  expect(await stage.rejected('campaigns.update', { campaign_id, ...several })).toMatchObject(both);
  const creation = { funding_instrument_id, name: 'x', ...several };
  expect(await stage.rejected('campaigns.create', creation)).toMatchObject(both);
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
      expect(await stage.rejected('campaigns.create', params)).toMatchObject([
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
    expect(await stage.rejected('campaigns.create', { funding_instrument_id, name: 'x', ...params })).toMatchObject(
      wrong,
    );
    expect(await stage.rejected('campaigns.update', { campaign_id: campaign.id, standard_delivery })).toMatchObject(
      wrong,
    );
  }
  const moved = { campaign_id: campaign.id, budget_optimization: 'CAMPAIGN' };
  expect(await stage.one('campaigns.update', moved)).toMatchObject({ standard_delivery: true });
  // The delivery of a line item is updated when the line item itself is changed.
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
  expect(await stage.rejected('campaigns.create', unknown, 404)).toMatchObject([
    { code: 'FUNDING_INSTRUMENT_NOT_FOUND', parameter: 'funding_instrument_id', value: 'nosuch' },
  ]);
  const elsewhere = await stage.world.createFundingInstrument(await stage.world.createAccount());
  expect(await stage.rejected('campaigns.create', { ...unknown, funding_instrument_id: elsewhere }, 404)).toMatchObject(
    [{ code: 'FUNDING_INSTRUMENT_NOT_FOUND' }],
  );
  const deleted = await stage.fundingInstrument({ deleted: true });
  expect(await stage.rejected('campaigns.create', { ...unknown, funding_instrument_id: deleted })).toMatchObject([
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
  expect(await stage.rejected('campaigns.delete', { campaign_id }, 404)).toMatchObject(gone);
  expect(await stage.rejected('campaigns.update', { campaign_id, name: 'x' }, 404)).toMatchObject(gone);
  expect(await stage.rejected('campaigns.get', { campaign_id }, 404)).toMatchObject(gone);
  expect(await stage.rows('campaigns')).toEqual(stored);
  expect(await stage.one('campaigns.get', { campaign_id, with_deleted: true })).toEqual(deleted);
});

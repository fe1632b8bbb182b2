/** Parameters that creating and updating a campaign require: specification C, Campaigns. */
import { expect } from 'vitest';
import { scenarios } from '../../support/scenario.ts';

const scenario = scenarios();

scenario('C-CAMPAIGN-REQUIRED', async (stage) => {
  const whole = { funding_instrument_id: stage.funding_instrument_id, name: 'Campaign' };
  for (const name of ['funding_instrument_id', 'name']) {
    expect(await stage.rejected('campaigns.create', { ...whole, [name]: undefined }), name).toMatchObject([
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

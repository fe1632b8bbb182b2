/** What delivery spends: budgets, days and credit that run out. */
import { expect } from 'vitest';
import { act, acted, OPERATOR_TOKEN, onAccount } from '../support/acting.ts';
import { type Entity, lineItemOf, type Stage, scenarios } from '../support/scenario.ts';

const scenario = scenarios({ operatorToken: OPERATOR_TOKEN });

type Fields = Readonly<Record<string, unknown>>;

const spend = (stage: Stage, on: Fields, amount_local_micro: unknown) =>
  acted(stage, 'spend', { ...onAccount(stage), ...on, amount_local_micro });

const reasonsOf = async (stage: Stage, { id: campaign_id }: Entity) =>
  (await stage.one('campaigns.get', { campaign_id }))['reasons_not_servable'];

scenario('P-SPEND', async (stage) => {
  const campaign = await stage.campaign({ total_budget_amount_local_micro: 100_000_000 });
  const item = await stage.lineItem(campaign);
  const { changed } = await spend(stage, { line_item_id: item.id }, 60_000_000);
  expect(changed).toMatchObject([
    { entity: 'LINE_ITEM', id: item.id, after: { servable: true, spent_local_micro: 60_000_000 } },
    { entity: 'CAMPAIGN', id: campaign.id, after: { servable: true, spent_today_local_micro: 60_000_000 } },
    { entity: 'FUNDING_INSTRUMENT', id: stage.funding_instrument_id, after: { spent_local_micro: 60_000_000 } },
  ]);
  const exhausted = await spend(stage, { campaign_id: campaign.id }, '40000000');
  expect(exhausted.changed).toMatchObject([
    { entity: 'CAMPAIGN', after: { servable: false, reasons_not_servable: ['BUDGET_EXHAUSTED'] } },
    { entity: 'FUNDING_INSTRUMENT', after: { spent_local_micro: 100_000_000 } },
  ]);
  expect(await stage.one('campaigns.get', { campaign_id: campaign.id })).toMatchObject({
    servable: false,
    reasons_not_servable: ['BUDGET_EXHAUSTED'],
    effective_status: 'ACTIVE',
    updated_at: campaign['updated_at'],
  });
  const raised = { campaign_id: campaign.id, total_budget_amount_local_micro: 100_000_001 };
  expect(await stage.one('campaigns.update', raised)).toMatchObject({ servable: true, reasons_not_servable: [] });
});

scenario('P-SPEND-DAY', async (stage) => {
  const { clock } = stage.world;
  const campaign = await stage.campaign({ daily_budget_amount_local_micro: 10_000_000 });
  const item = await stage.lineItem(campaign);
  await spend(stage, { line_item_id: item.id }, 10_000_000);
  expect(await reasonsOf(stage, campaign)).toEqual(['BUDGET_EXHAUSTED']);
  // Midnight in America/Los_Angeles, by the rules of the winter.
  const day_ms = 86_400_000;
  const midnight = Math.ceil((clock.now() - 8 * 3_600_000 + 1) / day_ms) * day_ms + 8 * 3_600_000;
  clock.advance(midnight - clock.now() - 1000);
  expect(await reasonsOf(stage, campaign)).toEqual(['BUDGET_EXHAUSTED']);
  clock.advance(1000);
  expect(await reasonsOf(stage, campaign)).toEqual([]);
  const { changed } = await spend(stage, { campaign_id: campaign.id }, 9_999_999);
  expect(changed).toMatchObject([
    { after: { servable: true, spent_local_micro: 19_999_999, spent_today_local_micro: 9_999_999 } },
    { entity: 'FUNDING_INSTRUMENT' },
  ]);
});

scenario('P-SPEND-LINE-ITEMS', async (stage) => {
  const campaign = await stage.campaign({ budget_optimization: 'LINE_ITEM' });
  const budget = { total_budget_amount_local_micro: 5_000_000 };
  const [one, other] = [await stage.lineItem(campaign, budget), await stage.lineItem(campaign, budget)];
  await stage.lineItem(campaign, { entity_status: 'PAUSED' });
  await spend(stage, { line_item_id: one.id }, 5_000_000);
  expect(await reasonsOf(stage, campaign)).toEqual([]);
  const { changed } = await spend(stage, { line_item_id: other.id }, 5_000_000);
  expect(changed).toMatchObject([
    { after: { servable: false } },
    { after: { reasons_not_servable: ['BUDGET_EXHAUSTED'] } },
    {},
  ]);
  expect(await reasonsOf(stage, campaign)).toEqual(['BUDGET_EXHAUSTED']);
  await stage.one('line_items.update', { line_item_id: one.id, total_budget_amount_local_micro: 5_000_001 });
  expect(await reasonsOf(stage, campaign)).toEqual([]);
  await stage.ok('line_items.delete', { line_item_id: one.id });
  expect(await reasonsOf(stage, campaign)).toEqual(['BUDGET_EXHAUSTED']);
});

scenario('P-SPEND-CREDIT', async (stage) => {
  const kinds = [
    [{ type: 'CREDIT_LINE', credit_limit_local_micro: 10_000_000n }, 4_000_000n, 0n],
    [{ type: 'AGENCY_CREDIT_LINE', credit_limit_local_micro: 10_000_000n }, 4_000_000n, 0n],
    [{ type: 'CREDIT_CARD', credit_limit_local_micro: 10_000_000n }, null, null],
    [{ type: 'INSERTION_ORDER', funded_amount_local_micro: 10_000_000n, end_time: '2027-01-01T00:00:00Z' }, null, null],
  ] as const;
  for (const [terms, left, atLast] of kinds) {
    const funding_instrument_id = await stage.fundingInstrument(terms);
    const campaign = await stage.campaign({ funding_instrument_id, daily_budget_amount_local_micro: 9_000_000 });
    await stage.one('line_items.create', lineItemOf(campaign));
    await spend(stage, { campaign_id: campaign.id }, 6_000_000);
    const shown = () => stage.one('funding_instruments.get', { funding_instrument_id });
    expect(await shown()).toMatchObject({ able_to_fund: true, credit_remaining_local_micro: left });
    expect(await reasonsOf(stage, campaign)).toEqual([]);
    await spend(stage, { funding_instrument_id }, 4_000_000);
    expect(await shown()).toMatchObject({
      able_to_fund: false,
      reasons_not_able_to_fund: ['BUDGET_EXHAUSTED'],
      credit_remaining_local_micro: atLast,
    });
    expect(await reasonsOf(stage, campaign)).toEqual(['FUNDING_PROBLEM']);
  }
});

scenario('P-SPEND-WRONG', async (stage) => {
  const campaign = await stage.campaign({ entity_status: 'DRAFT' });
  const where = onAccount(stage);
  const campaign_id = campaign.id;
  const amount_local_micro = 1;
  const cases: readonly [Fields, number, string, string, RegExp][] = [
    [{ campaign_id, amount_local_micro: -1 }, 400, 'INVALID_PARAMETER', 'amount_local_micro', /greater than zero/],
    [{ campaign_id, amount_local_micro: 0 }, 400, 'INVALID_PARAMETER', 'amount_local_micro', /greater than zero/],
    [{ campaign_id, amount_local_micro: 0.5 }, 400, 'INVALID_PARAMETER', 'amount_local_micro', /whole/],
    [{ campaign_id }, 400, 'MISSING_PARAMETER', 'amount_local_micro', /required/],
    [{ amount_local_micro }, 400, 'MISSING_PARAMETER', 'line_item_id', /without campaign_id/],
    [{ campaign_id: 'none', amount_local_micro }, 404, 'CAMPAIGN_NOT_FOUND', 'campaign_id', /./],
    [{ line_item_id: 'none', amount_local_micro }, 404, 'LINE_ITEM_NOT_FOUND', 'line_item_id', /./],
    [
      { funding_instrument_id: 'none', amount_local_micro },
      404,
      'FUNDING_INSTRUMENT_NOT_FOUND',
      'funding_instrument_id',
      /./,
    ],
    [{ campaign_id, line_item_id: 'x', amount_local_micro }, 400, 'EXCLUSIVE_PARAMETERS', 'campaign_id', /together/],
    [{ campaign_id, amount_local_micro }, 409, 'WRONG_STATE', 'campaign_id', /draft spends nothing/],
    [
      { funding_instrument_id: stage.funding_instrument_id, amount_local_micro, currency: 'EUR' },
      400,
      'INVALID_PARAMETER',
      'currency',
      /Expected USD, the currency/,
    ],
  ];
  for (const [params, status, code, parameter, message] of cases) {
    const answer = await act(stage, 'spend', { ...where, ...params });
    expect(answer, JSON.stringify(params)).toMatchObject({ status, errors: [{ code, parameter }] });
    expect(answer.errors[0]?.message).toMatch(message);
  }
  expect(
    await stage.one('funding_instruments.get', { funding_instrument_id: stage.funding_instrument_id }),
  ).toMatchObject({
    able_to_fund: true,
  });
});

/** Payments by funding instruments, and their times: specification C, Campaign create parameters; reference 7 and 9.4. */
import { expect } from 'vitest';
import { type Entity, lineItemOf, type Stage, scenarios } from '../support/scenario.ts';

const scenario = scenarios();

type Params = Readonly<Record<string, unknown>>;

const [daily, total] = ['daily_budget_amount_local_micro', 'total_budget_amount_local_micro'] as const;

/** Instruments that have 100 units, and the error for a request of more. */
const bounded = [
  [{ type: 'INSERTION_ORDER', funded_amount_local_micro: 100n }, 'SPEND_EXCEEDS_BUDGET', 400],
  [{ type: 'CREDIT_CARD', credit_limit_local_micro: 100n }, 'FUNDING_INSTRUMENT_EXCEEDS_AVAILABLE_CREDIT_LIMIT', 403],
  [
    { type: 'CREDIT_LINE', credit_limit_local_micro: 500n, credit_remaining_local_micro: 100n },
    'FUNDING_INSTRUMENT_EXCEEDS_AVAILABLE_CREDIT_LIMIT',
    403,
  ],
  [
    { type: 'AGENCY_CREDIT_LINE', credit_limit_local_micro: 500n, credit_remaining_local_micro: 100n },
    'FUNDING_INSTRUMENT_EXCEEDS_AVAILABLE_CREDIT_LIMIT',
    403,
  ],
] as const;

/** A line item whose campaign leaves it to say what it spends, without a bid. */
function lineItemWithin(campaign: Entity, params: Params): Params & { campaign_id: string } {
  return { ...lineItemOf(campaign), bid_amount_local_micro: undefined, ...params };
}

scenario('C-FUNDING-MEANS', async (stage) => {
  for (const [fields, code, status] of bounded) {
    const funding_instrument_id = await stage.fundingInstrument(fields);
    const params = { funding_instrument_id, name: fields.type, [daily]: 100n };
    const campaign = await stage.one('campaigns.create', { ...params, [total]: 100n });
    const { id: campaign_id } = campaign;
    for (const budgets of [{ [total]: 101n }, { [daily]: 101n, [total]: null }]) {
      const [parameter = ''] = Object.keys(budgets);
      const wrong = [{ code, parameter }];
      const given = Object.fromEntries(Object.entries(budgets).filter(([, value]) => value !== null));
      expect(await stage.rejected('campaigns.create', { ...params, ...given }, status), fields.type).toMatchObject(
        wrong,
      );
      expect(await stage.rejected('campaigns.update', { campaign_id, ...budgets }, status), fields.type).toMatchObject(
        wrong,
      );
      const item = { operation_type: 'Update', params: { campaign_id, ...budgets } };
      const batch = await stage.call('campaigns.batch', { operations: [item] });
      expect(batch.operation_errors, fields.type).toMatchObject([wrong]);
    }
    expect(await stage.one('campaigns.get', { campaign_id })).toEqual(campaign);
  }
});

scenario('C-FUNDING-MEANS-LINE', async (stage) => {
  for (const [fields, code, status] of bounded) {
    const funding_instrument_id = await stage.fundingInstrument(fields);
    const campaign = await stage.campaign({ funding_instrument_id, budget_optimization: 'LINE_ITEM' });
    const lineItem = await stage.one('line_items.create', lineItemWithin(campaign, { [daily]: 100n, [total]: 100n }));
    const { id: line_item_id } = lineItem;
    for (const budgets of [{ [total]: 101n }, { [daily]: 101n, [total]: null }]) {
      const [parameter = ''] = Object.keys(budgets);
      const wrong = [{ code, parameter }];
      const given = Object.fromEntries(Object.entries(budgets).filter(([, value]) => value !== null));
      const creation = lineItemWithin(campaign, given);
      expect(await stage.rejected('line_items.create', creation, status), fields.type).toMatchObject(wrong);
      expect(
        await stage.rejected('line_items.update', { line_item_id, ...budgets }, status),
        fields.type,
      ).toMatchObject(wrong);
      const batch = await stage.call('line_items.batch', {
        operations: [{ operation_type: 'Create', params: creation }],
      });
      expect(batch.operation_errors, fields.type).toMatchObject([wrong]);
    }
    expect(await stage.one('line_items.get', { line_item_id })).toEqual(lineItem);
  }
});

scenario('C-FUNDING-MEANS-UNBOUNDED', async (stage) => {
  const most = { [daily]: 9_000_000_000_000_000n, [total]: 9_000_000_000_000_000n };
  for (const type of ['INSERTION_ORDER', 'CREDIT_CARD', 'CREDIT_LINE', 'PARTNER_MANAGED'] as const) {
    const funding_instrument_id = await stage.fundingInstrument({ type });
    expect(await stage.campaign({ funding_instrument_id, ...most }), type).toMatchObject(most);
    const perLineItem = await stage.campaign({ funding_instrument_id, budget_optimization: 'LINE_ITEM' });
    expect(await stage.one('line_items.create', lineItemWithin(perLineItem, most)), type).toMatchObject(most);
  }
});

const february = { start_time: '2026-02-01T00:00:00Z', end_time: '2026-03-01T00:00:00Z' };

/** A campaign that is paid for in February. */
async function campaignOfFebruary(stage: Stage): Promise<Entity> {
  return stage.campaign({ funding_instrument_id: await stage.fundingInstrument(february) });
}

scenario('C-FUNDING-FLIGHT', async (stage) => {
  const campaign = await campaignOfFebruary(stage);
  const late = { start_time: '2026-03-01T00:00:00Z', end_time: '2026-04-01T00:00:00Z' };
  const early = { start_time: '2026-01-01T00:00:00Z', end_time: '2026-02-01T00:00:00Z' };
  const lineItem = await stage.lineItem(campaign, february);
  const { id: line_item_id } = lineItem;
  for (const [flight, parameter] of [
    [late, 'start_time'],
    [early, 'end_time'],
  ] as const) {
    const wrong = [{ code: 'INVALID_TIME_WINDOW', parameter, value: flight[parameter] }];
    const creation = { ...lineItemOf(campaign), ...flight };
    expect(await stage.rejected('line_items.create', creation)).toMatchObject(wrong);
    expect(await stage.rejected('line_items.update', { line_item_id, ...flight })).toMatchObject(wrong);
    const batch = await stage.call('line_items.batch', {
      operations: [{ operation_type: 'Create', params: creation }],
    });
    expect(batch.operation_errors).toMatchObject([wrong]);
  }
  expect(await stage.one('line_items.get', { line_item_id })).toEqual(lineItem);
  // A second in common is enough, at either end.
  for (const flight of [
    { ...early, end_time: '2026-02-01T00:00:01Z' },
    { ...late, start_time: '2026-02-28T23:59:59Z' },
  ]) {
    expect(await stage.lineItem(campaign, flight)).toMatchObject(flight);
    expect(await stage.one('line_items.update', { line_item_id, ...flight })).toMatchObject(flight);
  }
  // An instrument without an end pays for any flight that ends after its start.
  const open = await stage.campaign({
    funding_instrument_id: await stage.fundingInstrument({ start_time: february.start_time }),
  });
  expect(await stage.lineItem(open, late)).toMatchObject(late);
  expect(await stage.rejected('line_items.create', { ...lineItemOf(open), ...early })).toMatchObject([
    { code: 'INVALID_TIME_WINDOW', parameter: 'end_time' },
  ]);
});

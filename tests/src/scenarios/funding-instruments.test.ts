/** Funding instruments: specification C, Funding instruments. */
import { expect } from 'vitest';
import { scenarios } from '../support/scenario.ts';

const scenario = scenarios();

const terms = { currency: 'USD', start_time: '2026-01-15T08:00:00Z' };
const credit = { credit_limit_local_micro: 5_000_000n };
const funded = { funded_amount_local_micro: 7_000_000n };
const end = { end_time: '2027-01-01T00:00:00Z' };

scenario('C-FUNDING-CREATE', async (stage) => {
  for (const [type, more] of [
    ['CREDIT_CARD', credit],
    ['CREDIT_LINE', { ...credit, ...end }],
    ['AGENCY_CREDIT_LINE', credit],
    ['INSERTION_ORDER', { ...funded, ...end }],
    ['PARTNER_MANAGED', {}],
  ] as const) {
    const made = await stage.one('funding_instruments.create', { ...terms, type, ...more });
    expect(made).toEqual({
      id: expect.stringMatching(/^[0-9a-z]{2,9}$/),
      account_id: stage.account_id,
      type,
      description: '(no payment method has been set up yet)',
      ...terms,
      end_time: null,
      credit_limit_local_micro: null,
      credit_remaining_local_micro: null,
      funded_amount_local_micro: null,
      io_header: null,
      entity_status: 'ACTIVE',
      able_to_fund: true,
      reasons_not_able_to_fund: [],
      created_at: expect.any(String),
      updated_at: made['created_at'],
      deleted: false,
      ...more,
    });
    expect(await stage.one('funding_instruments.get', { funding_instrument_id: made.id })).toEqual(made);
  }
  expect(await stage.many('funding_instruments.list')).toHaveLength(6);
});

scenario('C-FUNDING-REQUIRED', async (stage) => {
  const whole = { ...terms, type: 'INSERTION_ORDER', ...end };
  for (const name of ['currency', 'start_time', 'type', 'end_time']) {
    const errors = await stage.rejected('funding_instruments.create', { ...whole, [name]: undefined });
    expect(errors).toMatchObject([{ code: 'MISSING_PARAMETER', parameter: name }]);
  }
  for (const currency of ['usd', 'US', 'XXX', 'ZZZ']) {
    const outcome = await stage.call('funding_instruments.create', { ...whole, currency });
    expect(outcome, currency).toMatchObject({ ok: false, errors: [{ parameter: 'currency' }] });
  }
});

scenario('C-FUNDING-AMOUNTS', async (stage) => {
  for (const [type, more, parameter] of [
    ['CREDIT_CARD', funded, 'funded_amount_local_micro'],
    ['CREDIT_LINE', funded, 'funded_amount_local_micro'],
    ['AGENCY_CREDIT_LINE', funded, 'funded_amount_local_micro'],
    ['PARTNER_MANAGED', funded, 'funded_amount_local_micro'],
    ['PARTNER_MANAGED', credit, 'credit_limit_local_micro'],
    ['INSERTION_ORDER', { ...credit, ...end }, 'credit_limit_local_micro'],
  ] as const) {
    const errors = await stage.rejected('funding_instruments.create', { ...terms, type, ...more });
    expect(errors, type).toMatchObject([{ code: 'INVALID_PARAMETER', parameter }]);
  }
});

scenario('C-FUNDING-WINDOW', async (stage) => {
  for (const end_time of [terms.start_time, '2026-01-15T07:59:59Z']) {
    const errors = await stage.rejected('funding_instruments.create', { ...terms, type: 'CREDIT_CARD', end_time });
    expect(errors).toMatchObject([{ code: 'INVALID_TIME_WINDOW', parameter: 'end_time' }]);
  }
});

scenario('C-FUNDING-DELETE', async (stage) => {
  const { funding_instrument_id } = stage;
  const campaign = await stage.campaign();
  await stage.lineItem(campaign);
  expect(await stage.one('campaigns.get', { campaign_id: campaign.id })).toMatchObject({ servable: true });
  expect(await stage.one('funding_instruments.delete', { funding_instrument_id })).toMatchObject({
    deleted: true,
    able_to_fund: false,
    reasons_not_able_to_fund: ['DELETED'],
  });
  for (const id of ['funding_instruments.get', 'funding_instruments.delete'] as const) {
    expect(await stage.rejected(id, { funding_instrument_id }, 404)).toMatchObject([
      { code: 'FUNDING_INSTRUMENT_NOT_FOUND', parameter: 'funding_instrument_id', value: funding_instrument_id },
    ]);
  }
  expect(await stage.many('funding_instruments.list')).toEqual([]);
  expect(await stage.many('funding_instruments.list', { with_deleted: true })).toMatchObject([{ able_to_fund: false }]);
  expect(await stage.one('campaigns.get', { campaign_id: campaign.id })).toMatchObject({
    deleted: false,
    servable: false,
    reasons_not_servable: ['FUNDING_PROBLEM'],
  });
});

scenario('C-FUNDING-EXPIRED', async (stage) => {
  const { clock } = stage.world;
  const at = (ms: number) => new Date(clock.now() + ms).toISOString();
  const { id: funding_instrument_id } = await stage.one('funding_instruments.create', {
    type: 'CREDIT_LINE',
    currency: 'USD',
    start_time: at(-1000),
    end_time: at(60_000),
  });
  const read = () => stage.one('funding_instruments.get', { funding_instrument_id });
  clock.advance(58_000);
  expect(await read()).toMatchObject({ able_to_fund: true, reasons_not_able_to_fund: [] });
  clock.advance(3000);
  expect(await read()).toMatchObject({ able_to_fund: false, reasons_not_able_to_fund: ['EXPIRED'], deleted: false });
  expect(await stage.one('funding_instruments.delete', { funding_instrument_id })).toMatchObject({
    reasons_not_able_to_fund: ['DELETED', 'EXPIRED'],
  });
});

scenario('C-FUNDING-FILTER', async (stage) => {
  const idsOf = (entities: readonly { id: string }[]) => entities.map(({ id }) => id);
  const [a, b] = [await stage.fundingInstrument(), await stage.fundingInstrument()];
  const list = async (funding_instrument_ids: string[], with_deleted = false) =>
    idsOf(await stage.many('funding_instruments.list', { funding_instrument_ids, with_deleted }));
  expect(await list([a, b])).toEqual([b, a]);
  expect(await list([stage.funding_instrument_id, a, 'nosuch'])).toEqual([a, stage.funding_instrument_id]);
  await stage.ok('funding_instruments.delete', { funding_instrument_id: a });
  expect(await list([a, b])).toEqual([b]);
  expect(await list([a, b], true)).toEqual([b, a]);
  expect(await stage.one('funding_instruments.get', { funding_instrument_id: a, with_deleted: true })).toMatchObject({
    id: a,
    deleted: true,
  });
});

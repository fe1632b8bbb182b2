import { describe, expect, it } from 'vitest';
import { type Around, errorsOfChange, newLineItems, PER_LINE_ITEM, stored } from './testing/line-items.ts';

describe('flight', () => {
  newLineItems([
    ['an end one second after the start', { end_time: '2026-02-01T00:00:01Z' }, []],
    ['an end at the start', { end_time: '2026-02-01T00:00:00Z' }, ['INVALID_TIME_WINDOW end_time']],
    ['an end before the start', { end_time: '2026-01-31T23:59:59Z' }, ['INVALID_TIME_WINDOW end_time']],
  ]);
});

describe('funding', () => {
  const [start, end] = ['2026-02-01T00:00:00Z', '2026-03-01T00:00:00Z'];

  newLineItems([
    ['begins before the flight ends', {}, [], { funding: { start_time: '2026-02-28T23:59:59Z' } }],
    ['begins as the flight ends', {}, ['INVALID_TIME_WINDOW end_time'], { funding: { start_time: end } }],
    ['ends after the flight begins', {}, [], { funding: { end_time: '2026-02-01T00:00:01Z' } }],
    ['ends as the flight begins', {}, ['INVALID_TIME_WINDOW start_time'], { funding: { end_time: start } }],
    [
      'has less than the total budget',
      { total_budget_amount_local_micro: 11 },
      ['SPEND_EXCEEDS_BUDGET total_budget_amount_local_micro'],
      { funding: { type: 'INSERTION_ORDER', funded_amount_local_micro: 10n } },
    ],
    [
      'has less credit than the daily budget',
      { daily_budget_amount_local_micro: 11 },
      ['FUNDING_INSTRUMENT_EXCEEDS_AVAILABLE_CREDIT_LIMIT daily_budget_amount_local_micro'],
      { ...PER_LINE_ITEM, funding: { type: 'CREDIT_CARD', credit_limit_local_micro: 10n } },
    ],
  ]);

  it('is checked against changed parameters only', () => {
    const current = stored({ total_budget_amount_local_micro: 11 });
    const around: Around = {
      funding: { type: 'INSERTION_ORDER', funded_amount_local_micro: 10n, start_time: start, end_time: start },
    };
    expect(errorsOfChange(current, { name: 'Renamed' }, around)).toEqual([]);
    expect(errorsOfChange(current, { start_time: '2026-02-02' }, around)).toEqual(['INVALID_TIME_WINDOW start_time']);
    expect(errorsOfChange(current, { total_budget_amount_local_micro: 12 }, around)).toEqual([
      'SPEND_EXCEEDS_BUDGET total_budget_amount_local_micro',
    ]);
  });
});

describe('budgets', () => {
  const capped = (total: bigint): Around => ({ campaign: { total_budget_amount_local_micro: total } });
  newLineItems([
    ['delivery per line item', { standard_delivery: false }, [], PER_LINE_ITEM],
    ['delivery per campaign', { standard_delivery: true }, ['INVALID_PARAMETER standard_delivery']],
    ['a daily budget per line item', { daily_budget_amount_local_micro: 5 }, [], PER_LINE_ITEM],
    [
      'a daily budget per campaign',
      { daily_budget_amount_local_micro: 5 },
      ['INVALID_PARAMETER daily_budget_amount_local_micro'],
    ],
    [
      'a daily budget equal to the total',
      { daily_budget_amount_local_micro: 5, total_budget_amount_local_micro: 5 },
      [],
      PER_LINE_ITEM,
    ],
    [
      'a daily budget above the total',
      { daily_budget_amount_local_micro: 6, total_budget_amount_local_micro: 5 },
      ['INVALID_PARAMETER daily_budget_amount_local_micro'],
      PER_LINE_ITEM,
    ],
    ['a total equal to that of the campaign', { total_budget_amount_local_micro: 5 }, [], capped(5n)],
    [
      'a total above that of the campaign',
      { total_budget_amount_local_micro: 6 },
      ['SPEND_EXCEEDS_BUDGET total_budget_amount_local_micro'],
      capped(5n),
    ],
    ['a total where the campaign has none', { total_budget_amount_local_micro: 6 }, []],
  ]);

  it('a changed campaign does not prevent renaming its line items', () => {
    const input = {
      bid_amount_local_micro: 20_000,
      daily_budget_amount_local_micro: 10,
      total_budget_amount_local_micro: 20,
    };
    const current = stored(input, PER_LINE_ITEM);
    const later: Around = { campaign: { daily_budget_amount_local_micro: 1n, total_budget_amount_local_micro: 2n } };
    expect(errorsOfChange(current, { name: 'Renamed' }, later)).toEqual([]);
    expect(errorsOfChange(current, { bid_amount_local_micro: 30_000 }, later)).toEqual([
      'SPEND_EXCEEDS_BUDGET bid_amount_local_micro',
      'SPEND_EXCEEDS_BUDGET bid_amount_local_micro',
    ]);
    expect(errorsOfChange(current, { total_budget_amount_local_micro: 19 }, later)).toEqual([
      'SPEND_EXCEEDS_BUDGET total_budget_amount_local_micro',
    ]);
    expect(errorsOfChange(current, { daily_budget_amount_local_micro: '' }, later)).toEqual([]);
  });
});

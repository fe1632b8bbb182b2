import { describe, expect, it } from 'vitest';
import { type FundingInstrumentType, fundingInstrumentTypes } from './entity.ts';
import { checkFundingInstrument, decideFunding, type FundingInstrumentTerms } from './rules.ts';

const START = '2026-01-15T08:00:00Z';
const END = '2026-06-15T08:00:00Z';

function errors(terms: Partial<FundingInstrumentTerms>): string[] {
  const issues = checkFundingInstrument({ type: 'CREDIT_CARD', currency: 'USD', start_time: START, ...terms });
  return issues.map(({ error, parameter }) => `${error} ${parameter}`);
}

describe('a new funding instrument', () => {
  it.each<[string, Partial<FundingInstrumentTerms>, string[]]>([
    ['a card in dollars', {}, []],
    ['a currency without decimals', { currency: 'JPY' }, []],
    ['an unknown currency', { currency: 'XAU' }, ['INVALID_PARAMETER currency']],
    ['an end after the start', { end_time: END }, []],
    ['an end at the start', { end_time: START }, ['INVALID_TIME_WINDOW end_time']],
    ['an end before the start', { end_time: '2026-01-15T07:59:59Z' }, ['INVALID_TIME_WINDOW end_time']],
    ['an insertion order with an end', { type: 'INSERTION_ORDER', end_time: END }, []],
    ['an insertion order without end', { type: 'INSERTION_ORDER' }, ['MISSING_PARAMETER end_time']],
    [
      'everything wrong at once',
      {
        type: 'PARTNER_MANAGED',
        currency: 'XAU',
        end_time: START,
        credit_limit_local_micro: 1n,
        funded_amount_local_micro: 1n,
      },
      [
        'INVALID_PARAMETER currency',
        'INVALID_TIME_WINDOW end_time',
        'INVALID_PARAMETER credit_limit_local_micro',
        'INVALID_PARAMETER funded_amount_local_micro',
      ],
    ],
  ])('%s', (_title, terms, expected) => {
    expect(errors(terms)).toEqual(expected);
  });

  const credit: readonly FundingInstrumentType[] = ['AGENCY_CREDIT_LINE', 'CREDIT_CARD', 'CREDIT_LINE'];

  it.each(fundingInstrumentTypes)('the amounts apply to their types: %s', (type) => {
    const terms = { type, end_time: END };
    expect(errors({ ...terms, credit_limit_local_micro: 5_000_000_000n })).toEqual(
      credit.includes(type) ? [] : ['INVALID_PARAMETER credit_limit_local_micro'],
    );
    expect(errors({ ...terms, funded_amount_local_micro: 5_000_000_000n })).toEqual(
      type === 'INSERTION_ORDER' ? [] : ['INVALID_PARAMETER funded_amount_local_micro'],
    );
  });

  it('the issue of an unknown currency lists the known ones', () => {
    const [issue] = checkFundingInstrument({ type: 'CREDIT_CARD', currency: 'XAU', start_time: START });
    expect(issue?.message).toMatch(/^Expected one of AED, .*USD.*, got "XAU" for currency$/);
    expect(issue?.value).toBe('XAU');
  });
});

describe('ability to fund', () => {
  it.each<[string, { deleted: boolean; end_time: string | null }, string[]]>([
    ['without end', { deleted: false, end_time: null }, []],
    ['before its end', { deleted: false, end_time: '2026-02-01T00:00:01Z' }, []],
    ['at its end', { deleted: false, end_time: '2026-02-01T00:00:00Z' }, ['EXPIRED']],
    ['deleted', { deleted: true, end_time: null }, ['DELETED']],
    ['deleted and expired', { deleted: true, end_time: START }, ['DELETED', 'EXPIRED']],
  ])('%s', (_title, stored, reasons) => {
    const expected = { able_to_fund: reasons.length === 0, reasons_not_able_to_fund: reasons };
    expect(decideFunding(stored, '2026-02-01T00:00:00Z')).toEqual(expected);
  });

  it('an instrument that has not started yet is able to fund', () => {
    const later = { deleted: false, start_time: '2027-01-01T00:00:00Z', end_time: null };
    expect(decideFunding(later, '2026-02-01T00:00:00Z')).toEqual({ able_to_fund: true, reasons_not_able_to_fund: [] });
  });
});

import { describe, expect, it } from 'vitest';
import { type FundingInstrumentType, fundingInstrumentTypes } from './entity.ts';
import { checkFundingInstrument, creditRemaining, decideFunding, type FundingInstrumentTerms } from './rules.ts';

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
  const stored: Parameters<typeof decideFunding>[0] = {
    type: 'CREDIT_CARD',
    deleted: false,
    end_time: null,
    credit_limit_local_micro: null,
    credit_remaining_local_micro: null,
    funded_amount_local_micro: null,
    spent_local_micro: null,
    approval_status: 'ACCEPTED',
  };
  const order = { type: 'INSERTION_ORDER', funded_amount_local_micro: 10n, credit_limit_local_micro: null } as const;
  const line = { type: 'CREDIT_LINE', credit_limit_local_micro: 10n } as const;

  it.each<[string, Partial<typeof stored>, string[]]>([
    ['without end', { deleted: false, end_time: null }, []],
    ['before its end', { deleted: false, end_time: '2026-02-01T00:00:01Z' }, []],
    ['at its end', { deleted: false, end_time: '2026-02-01T00:00:00Z' }, ['EXPIRED']],
    ['deleted', { deleted: true, end_time: null }, ['DELETED']],
    ['deleted and expired', { deleted: true, end_time: START }, ['DELETED', 'EXPIRED']],
    ['an order with something left', { ...order, spent_local_micro: 9n }, []],
    ['an order that is spent', { ...order, spent_local_micro: 10n }, ['BUDGET_EXHAUSTED']],
    ['credit with something left', { ...line, spent_local_micro: 9n }, []],
    ['credit that is spent', { ...line, spent_local_micro: 11n }, ['BUDGET_EXHAUSTED']],
    ['a card that is spent', { credit_limit_local_micro: 10n, spent_local_micro: 10n }, ['BUDGET_EXHAUSTED']],
    ['a card without limit', { spent_local_micro: 10n }, []],
    ['nothing spent of no credit', { ...line, credit_limit_local_micro: 0n }, []],
    ['under review', { approval_status: 'UNDER_REVIEW' }, ['UNDER_REVIEW']],
    ['rejected', { approval_status: 'REJECTED' }, ['REJECTED']],
    [
      'everything at once, in the order of the list',
      { ...order, deleted: true, end_time: START, spent_local_micro: 10n, approval_status: 'REJECTED' },
      ['DELETED', 'EXPIRED', 'BUDGET_EXHAUSTED', 'REJECTED'],
    ],
  ])('%s', (_title, changes, reasons) => {
    const expected = { able_to_fund: reasons.length === 0, reasons_not_able_to_fund: reasons };
    expect(decideFunding({ ...stored, ...changes }, '2026-02-01T00:00:00Z')).toEqual(expected);
  });

  it('an instrument that has not started yet is able to fund', () => {
    const later = { ...stored, start_time: '2027-01-01T00:00:00Z' };
    expect(decideFunding(later, '2026-02-01T00:00:00Z')).toEqual({ able_to_fund: true, reasons_not_able_to_fund: [] });
  });

  it.each<[FundingInstrumentType, bigint | null, bigint | null]>([
    ['CREDIT_LINE', 10n, 7n],
    ['AGENCY_CREDIT_LINE', 10n, 7n],
    ['AGENCY_CREDIT_LINE', 1n, -2n],
    ['CREDIT_LINE', null, null],
    ['CREDIT_CARD', 10n, null],
    ['INSERTION_ORDER', null, null],
  ])('the credit that is left of a %s of %s is %s', (type, credit_limit_local_micro, left) => {
    expect(creditRemaining({ ...stored, type, credit_limit_local_micro }, 3n)).toBe(left);
  });
});

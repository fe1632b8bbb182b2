/** What a funding instrument must be made of, and whether it can pay. */
import { fundedCurrencies, isFundedCurrency } from '../../money/currencies.ts';
import type { Issue } from '../../wire/errors.ts';
import { show } from '../../wire/types.ts';
import type { FundingInstrument, FundingInstrumentType, StoredFundingInstrument } from './entity.ts';

/** The parameters of a new funding instrument that the rules look at. */
export interface FundingInstrumentTerms {
  readonly type: FundingInstrumentType;
  readonly currency: string;
  readonly start_time: string;
  readonly end_time?: string | undefined;
  readonly credit_limit_local_micro?: bigint | undefined;
  readonly funded_amount_local_micro?: bigint | undefined;
}

// Specification C leaves open which types the two amounts apply to and which need an end; the reference, section 7, fills
// that in.
const creditTypes: readonly FundingInstrumentType[] = ['AGENCY_CREDIT_LINE', 'CREDIT_CARD', 'CREDIT_LINE'];
const fundedTypes: readonly FundingInstrumentType[] = ['INSERTION_ORDER'];
const endingTypes: readonly FundingInstrumentType[] = ['INSERTION_ORDER'];

/** Checks a new funding instrument (specification C, Funding instruments, POST). */
export function checkFundingInstrument(terms: FundingInstrumentTerms): Issue[] {
  const { type, currency, start_time, end_time } = terms;
  const issues: Issue[] = [];
  if (!isFundedCurrency(currency)) {
    issues.push({
      error: 'INVALID_PARAMETER',
      parameter: 'currency',
      value: currency,
      message: `Expected one of ${fundedCurrencies.join(', ')}, got ${show(currency)} for currency`,
    });
  }
  if (end_time === undefined && endingTypes.includes(type)) {
    issues.push({
      error: 'MISSING_PARAMETER',
      parameter: 'end_time',
      message: `"end_time" is required for a funding instrument of type ${type}`,
    });
  }
  if (end_time !== undefined && end_time <= start_time) {
    issues.push({
      error: 'INVALID_TIME_WINDOW',
      parameter: 'end_time',
      value: end_time,
      message: `Expected a time after start_time (${start_time}), got ${show(end_time)} for end_time`,
    });
  }
  issues.push(
    ...checkAmount('credit_limit_local_micro', terms.credit_limit_local_micro, type, creditTypes),
    ...checkAmount('funded_amount_local_micro', terms.funded_amount_local_micro, type, fundedTypes),
  );
  return issues;
}

function checkAmount(
  parameter: string,
  value: bigint | undefined,
  type: FundingInstrumentType,
  types: readonly FundingInstrumentType[],
): Issue[] {
  if (value === undefined || types.includes(type)) return [];
  const message = `"${parameter}" applies to type ${types.join(', ')} only; leave it out for ${type}`;
  return [{ error: 'INVALID_PARAMETER', parameter, value, message }];
}

/** Whether a funding instrument can pay for campaigns, and why not. */
export type FundingDecision = Pick<FundingInstrument, 'able_to_fund' | 'reasons_not_able_to_fund'>;

/**
 * Decides whether a funding instrument can pay at the time `now`. One whose start lies ahead is able to: the reference
 * has every new instrument able to fund, and its campaigns say STARTS_IN_FUTURE until then (our choice). Nor does
 * `entity_status` count: no reason stands for a paused instrument.
 */
export function decideFunding(
  { deleted, end_time }: Pick<StoredFundingInstrument, 'deleted' | 'end_time'>,
  now: string,
): FundingDecision {
  const reasons_not_able_to_fund: FundingInstrument['reasons_not_able_to_fund'] = [];
  if (deleted) reasons_not_able_to_fund.push('DELETED');
  if (end_time !== null && end_time <= now) reasons_not_able_to_fund.push('EXPIRED');
  return { able_to_fund: reasons_not_able_to_fund.length === 0, reasons_not_able_to_fund };
}

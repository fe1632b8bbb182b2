/** Rules on funding instruments: valid parameters, and the ability to fund. */
import { fundedCurrencies, isFundedCurrency } from '../../money/currencies.ts';
import { type Issue, invalidParameter, missingParameter } from '../../wire/issues.ts';
import { show } from '../../wire/show.ts';
import type { FundingInstrument, FundingInstrumentType, FundingState, StoredFundingInstrument } from './entity.ts';

/** The parameters of a new funding instrument that the rules check. */
export interface FundingInstrumentTerms {
  readonly type: FundingInstrumentType;
  readonly currency: string;
  readonly start_time: string;
  readonly end_time?: string | undefined;
  readonly credit_limit_local_micro?: bigint | undefined;
  readonly funded_amount_local_micro?: bigint | undefined;
}

// Specification C leaves open which types the two amounts apply to and which need an end; the reference, section 7, says so.
const creditTypes: readonly FundingInstrumentType[] = ['AGENCY_CREDIT_LINE', 'CREDIT_CARD', 'CREDIT_LINE'];
const fundedTypes: readonly FundingInstrumentType[] = ['INSERTION_ORDER'];
const endingTypes: readonly FundingInstrumentType[] = ['INSERTION_ORDER'];

/** An issue of a new funding instrument. */
export type FundingInstrumentIssue = Issue<'INVALID_PARAMETER' | 'INVALID_TIME_WINDOW' | 'MISSING_PARAMETER'>;

/** Checks a new funding instrument (specification C, Funding instruments, POST). */
export function checkFundingInstrument(terms: FundingInstrumentTerms): FundingInstrumentIssue[] {
  const { type, currency, start_time, end_time } = terms;
  const issues: FundingInstrumentIssue[] = [];
  if (!isFundedCurrency(currency)) {
    const message = `Expected one of ${fundedCurrencies.join(', ')}, got ${show(currency)} for currency`;
    issues.push(invalidParameter('currency', currency, message));
  }
  if (end_time === undefined && endingTypes.includes(type)) {
    issues.push(missingParameter('end_time', `for a funding instrument of type ${type}`));
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
): Issue<'INVALID_PARAMETER'>[] {
  if (value === undefined || types.includes(type)) return [];
  const message = `"${parameter}" applies to type ${types.join(', ')} only; leave it out for ${type}`;
  return [invalidParameter(parameter, value, message)];
}

/** The ability of a funding instrument to pay for campaigns, with the reasons against it. */
export type FundingDecision = Pick<FundingInstrument, 'able_to_fund' | 'reasons_not_able_to_fund'>;

/**
 * Decides whether a funding instrument can pay at the time `now`. One that has not started yet can: in the reference every
 * new instrument is able to fund, and its campaigns have the reason STARTS_IN_FUTURE until then (our choice). The
 * `entity_status` does not count either: there is no reason for a paused instrument. One whose credit or order is spent cannot, nor can
 * one that the platform is reviewing or has rejected (our choice).
 */
export function decideFunding(
  instrument: Pick<StoredFundingInstrument, 'deleted' | 'end_time'> & Means & FundingState,
  now: string,
): FundingDecision {
  const { deleted, end_time, approval_status, spent_local_micro } = instrument;
  const reasons_not_able_to_fund: FundingInstrument['reasons_not_able_to_fund'] = [];
  if (deleted) reasons_not_able_to_fund.push('DELETED');
  if (end_time !== null && end_time <= now) reasons_not_able_to_fund.push('EXPIRED');
  const funds = fundsOf(instrument);
  if (funds !== null && spent_local_micro !== null && spent_local_micro >= funds) {
    reasons_not_able_to_fund.push('BUDGET_EXHAUSTED');
  }
  if (approval_status !== 'ACCEPTED') reasons_not_able_to_fund.push(approval_status);
  return { able_to_fund: reasons_not_able_to_fund.length === 0, reasons_not_able_to_fund };
}

/** The fields that limit the amount an instrument can pay. */
export type Means = Pick<
  FundingInstrument,
  'type' | 'credit_limit_local_micro' | 'credit_remaining_local_micro' | 'funded_amount_local_micro'
>;

/** Returns what an instrument can pay in all, in micros: the funded amount of an insertion order, or the credit; null without limit. */
function fundsOf({ type, funded_amount_local_micro, credit_limit_local_micro }: Means): bigint | null {
  return fundedTypes.includes(type) ? funded_amount_local_micro : credit_limit_local_micro;
}

/** The types that show what is left of their credit (reference, section 7). */
const remainingTypes: readonly FundingInstrumentType[] = ['AGENCY_CREDIT_LINE', 'CREDIT_LINE'];

/**
 * Returns the credit that is left of an instrument once an amount was spent: the limit without it (reference, section 7). It is null for
 * other types and without a limit. It may be negative: charges arrive late.
 */
export function creditRemaining({ type, credit_limit_local_micro: limit }: Means, spent: bigint): bigint | null {
  return remainingTypes.includes(type) && limit !== null ? limit - spent : null;
}

/** An issue of an amount that exceeds the funds of the instrument. */
export type MeansIssue = Issue<'FUNDING_INSTRUMENT_EXCEEDS_AVAILABLE_CREDIT_LIMIT' | 'SPEND_EXCEEDS_BUDGET'>;

/**
 * Checks the maximum spend of a campaign against the funds of its funding instrument: the funded amount of an insertion
 * order, or the remaining credit. Instruments without such an amount pay without limit (our reading of specification C,
 * Funding instruments).
 */
export function checkMeans(parameter: string, amount: bigint | null | undefined, instrument: Means): MeansIssue[] {
  if (amount == null) return [];
  const { type, funded_amount_local_micro: funded, credit_limit_local_micro: limit } = instrument;
  const isFunded = fundedTypes.includes(type);
  const most = isFunded ? funded : (instrument.credit_remaining_local_micro ?? limit);
  if (most === null || amount <= most) return [];
  const what = isFunded ? 'funded_amount_local_micro' : 'the credit';
  return [
    {
      error: isFunded ? 'SPEND_EXCEEDS_BUDGET' : 'FUNDING_INSTRUMENT_EXCEEDS_AVAILABLE_CREDIT_LIMIT',
      parameter,
      value: amount,
      message: `Expected at most ${what} of the funding instrument (${most}), got ${amount} for ${parameter}`,
    },
  ];
}

/**
 * Checks that a flight overlaps the time in which its funding instrument pays; otherwise nothing of the flight could ever be
 * served (our choice; outside the overlap the campaign has a reason for not being served).
 */
export function checkFundedFlight(
  flight: { readonly start_time: string | null; readonly end_time: string | null },
  funding: Pick<FundingInstrument, 'start_time' | 'end_time'>,
): Issue<'INVALID_TIME_WINDOW'>[] {
  const { start_time, end_time } = flight;
  if (start_time !== null && funding.end_time !== null && start_time >= funding.end_time) {
    return [
      {
        error: 'INVALID_TIME_WINDOW',
        parameter: 'start_time',
        value: start_time,
        message: `Expected a time before the funding instrument ends (${funding.end_time}), got ${show(start_time)} for start_time`,
      },
    ];
  }
  if (end_time === null || end_time > funding.start_time) return [];
  return [
    {
      error: 'INVALID_TIME_WINDOW',
      parameter: 'end_time',
      value: end_time,
      message: `Expected a time after the funding instrument starts (${funding.start_time}), got ${show(end_time)} for end_time`,
    },
  ];
}

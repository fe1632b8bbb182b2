import type * as z from 'zod';
import { systemMembers } from '../../operation/entity.ts';
import { object } from '../../wire/object.ts';
import { boolean, currency, id, list, long, oneOf, text, time } from '../../wire/types.ts';
import type { ApprovalStatus } from '../accounts/entity.ts';

export const fundingInstrumentTypes = [
  'AGENCY_CREDIT_LINE',
  'CREDIT_CARD',
  'CREDIT_LINE',
  'INSERTION_ORDER',
  'PARTNER_MANAGED',
] as const;
export type FundingInstrumentType = (typeof fundingInstrumentTypes)[number];

/**
 * Reasons why an instrument cannot fund, in the order in which they are reported. The reference has seen the first two; the others are
 * our choice, in the words that campaigns and reviews have for the same.
 */
export const reasonsNotAbleToFund = ['DELETED', 'EXPIRED', 'BUDGET_EXHAUSTED', 'UNDER_REVIEW', 'REJECTED'] as const;

const shape = () => ({
  id: id().describe('The funding instrument.'),
  account_id: id().describe('The account that it belongs to.'),
  type: oneOf(fundingInstrumentTypes).describe('How campaigns are paid for.'),
  description: text().nullable().describe('What a person calls it, such as the card that it stands for.'),
  currency: currency().describe('ISO 4217 code; every amount below the instrument is in this currency.'),
  start_time: time().describe('From when on it funds campaigns.'),
  end_time: time().nullable().describe('Until when it funds campaigns; null without an end.'),
  credit_limit_local_micro: long({ min: 0n }).nullable().describe('How much credit there is. Cards and credit lines.'),
  credit_remaining_local_micro: long().nullable().describe('Credit that is left. Credit lines.'),
  funded_amount_local_micro: long({ min: 0n }).nullable().describe('The budget of an insertion order.'),
  io_header: text().nullable().describe('The insertion order that the instrument belongs to.'),
  entity_status: oneOf(['ACTIVE', 'PAUSED']).describe('Whether the instrument is in use.'),
  able_to_fund: boolean().describe('Whether it can fund campaigns now.'),
  reasons_not_able_to_fund: list(oneOf(reasonsNotAbleToFund), { min: 0, max: reasonsNotAbleToFund.length }).describe(
    'Why it cannot.',
  ),
  ...systemMembers({
    created_at: 'When the instrument was created.',
    updated_at: 'When the instrument last changed.',
    deleted: 'Whether the instrument has been deleted.',
  }),
});

/** Named, so that declarations of operations do not repeat its members. */
export interface FundingInstrumentSchema extends z.ZodObject<ReturnType<typeof shape>> {}

/** A source of payment for campaigns (specification C, Funding instrument). Amounts are in millionths of the currency unit. */
export const FundingInstrument: FundingInstrumentSchema = object(shape);
export type FundingInstrument = z.output<typeof FundingInstrument>;

/** The stored part of a funding instrument: everything that is not derived from the current time. */
export type StoredFundingInstrument = Omit<FundingInstrument, 'able_to_fund' | 'reasons_not_able_to_fund'>;

/** What the platform knows of a funding instrument beside what it shows. */
export interface FundingState {
  /** What campaigns spent of it, in micros; null before anything was spent. */
  readonly spent_local_micro: bigint | null;
  /** What the review of it came to. */
  readonly approval_status: ApprovalStatus;
}

/** The attributes that lists of funding instruments can be sorted by (reference, conventions section 4). */
export const fundingInstrumentSortable = [
  'created_at',
  'updated_at',
  'deleted',
  'funded_amount_local_micro',
  'start_time',
  'end_time',
] as const;

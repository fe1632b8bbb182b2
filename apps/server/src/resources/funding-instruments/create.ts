import type { Reject } from '@broadside/core';
import type { FundingInstrument, FundingInstrumentIssue } from '@broadside/core/resources/funding-instruments';
import { checkFundingInstrument, type FundingInstrumentTerms } from '@broadside/core/resources/funding-instruments';
import type { AccountWriter } from '../../world/account-store.ts';
import { fundingInstrument } from './entity.ts';
import { showFundingInstrument } from './show.ts';

/** The description that the reference shows for an instrument without one. */
const UNDESCRIBED = '(no payment method has been set up yet)';

/** Creates an instrument; in the sandbox for the caller, in production for the operator. */
export async function createFundingInstrument(
  reject: Reject<FundingInstrumentIssue['error']>,
  account: AccountWriter,
  terms: FundingInstrumentTerms,
  description = UNDESCRIBED,
): Promise<FundingInstrument> {
  reject.check(checkFundingInstrument(terms));
  const row = await account.of(fundingInstrument).insert({
    type: terms.type,
    description,
    currency: terms.currency,
    start_time: terms.start_time,
    end_time: terms.end_time ?? null,
    credit_limit_local_micro: terms.credit_limit_local_micro ?? null,
    credit_remaining_local_micro: null,
    funded_amount_local_micro: terms.funded_amount_local_micro ?? null,
    io_header: null,
    entity_status: 'ACTIVE',
  });
  return showFundingInstrument(row, account.now);
}

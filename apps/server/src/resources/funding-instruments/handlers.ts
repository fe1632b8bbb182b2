import { type Contract, type FundingInstrument, refuse } from '@broadside/core';
import { checkFundingInstrument, decideFunding, type FundingInstrumentTerms } from '@broadside/core/rules';
import type { HandlersOf } from '../../pipeline/context.ts';
import { found } from '../../pipeline/found.ts';
import { mapPage, pageOf } from '../../pipeline/page.ts';
import type { AccountReader, AccountWriter } from '../../world/account-store.ts';
import type { FundingInstrumentRow } from './store.ts';

/** The instrument as it is shown at a time: whether it can fund follows from its state and the time. */
function showFundingInstrument(row: FundingInstrumentRow, now: string): FundingInstrument {
  return { ...row, ...decideFunding(row, now) };
}

/** The instrument with an id. @throws ApiError FUNDING_INSTRUMENT_NOT_FOUND */
export function findFundingInstrument(account: AccountReader, id: string, withDeleted: boolean) {
  return found(account.funding_instruments.get(id), withDeleted, {
    error: 'FUNDING_INSTRUMENT_NOT_FOUND',
    parameter: 'funding_instrument_id',
    value: id,
  });
}

/** Creates an instrument; in the sandbox for the caller, in production for the operator. @throws ApiError */
export async function createFundingInstrument(
  account: AccountWriter,
  terms: FundingInstrumentTerms,
  description: string,
): Promise<FundingInstrument> {
  refuse(checkFundingInstrument(terms));
  const row = await account.funding_instruments.insert({
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
    deleted: false,
  });
  return showFundingInstrument(row, account.now);
}

/** What the reference shows for an instrument that nobody described. */
export const UNDESCRIBED = '(no payment method has been set up yet)';

export const funding_instruments: HandlersOf<Contract['funding_instruments']> = {
  async list({ account, ads }, params) {
    const page = await account.funding_instruments.page(params, {
      funding_instrument_ids: params.funding_instrument_ids,
      not_deleted: params.with_deleted ? undefined : true,
    });
    const now = ads.now();
    return mapPage(pageOf(page, params.cursor), (row) => showFundingInstrument(row, now));
  },

  async get({ account, ads }, { funding_instrument_id, with_deleted }) {
    return showFundingInstrument(await findFundingInstrument(account, funding_instrument_id, with_deleted), ads.now());
  },

  create({ account, actor }, params) {
    return account.write(actor, (writer) => createFundingInstrument(writer, params, UNDESCRIBED));
  },

  delete({ account, actor }, { funding_instrument_id }) {
    return account.write(actor, async (writer) => {
      const before = await findFundingInstrument(writer, funding_instrument_id, false);
      return showFundingInstrument(await writer.funding_instruments.update(before, { deleted: true }), writer.now);
    });
  },
};

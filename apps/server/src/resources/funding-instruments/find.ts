import type { AccountReader } from '../../world/account-store.ts';
import { type FundingInstrumentRow, fundingInstrument } from './entity.ts';

export { createFundingInstrument } from './create.ts';
export { type FundingInstrumentRow, fundingInstrument } from './entity.ts';

/** The instrument with an id, deleted or not. @throws ApiError FUNDING_INSTRUMENT_NOT_FOUND */
export function findFundingInstrument(account: AccountReader, id: string): Promise<FundingInstrumentRow> {
  return account.of(fundingInstrument).find(id, true);
}

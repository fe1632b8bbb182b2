import type { Reject } from '@broadside/core';
import { type Awaitable, chain } from '../../awaitable.ts';
import type { AccountReader } from '../../world/account-store.ts';
import { type FundingInstrumentRow, fundingInstrument } from './entity.ts';

export { createFundingInstrument } from './create.ts';
export { type FundingInstrumentRow, fundingInstrument } from './entity.ts';
export { showFundingInstrument } from './show.ts';

/** Returns the instrument of a stored entity, deleted or not. It always exists: instruments are never removed. */
export function fundingInstrumentOf(
  account: AccountReader,
  { funding_instrument_id }: { readonly funding_instrument_id: string },
): Awaitable<FundingInstrumentRow> {
  return chain(account.of(fundingInstrument).get(funding_instrument_id), (row) => {
    if (!row) throw new TypeError(`there is no funding instrument ${funding_instrument_id}`);
    return row;
  });
}

/** Returns the instrument with an id, deleted or not. */
export function findFundingInstrument(
  reject: Reject<'FUNDING_INSTRUMENT_NOT_FOUND'>,
  account: AccountReader,
  id: string,
): Awaitable<FundingInstrumentRow> {
  return account.of(fundingInstrument).find(reject, id, true);
}

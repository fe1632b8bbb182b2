import type { Reject } from '@broadside/core';
import type { Awaitable } from '../../awaitable.ts';
import type { AccountReader } from '../../world/account-store.ts';
import { type FundingInstrumentRow, fundingInstrument } from './entity.ts';

export { createFundingInstrument } from './create.ts';
export { type FundingInstrumentRow, fundingInstrument } from './entity.ts';

/** Returns the instrument of a stored entity, deleted or not. It always exists: instruments are never removed. */
export async function fundingInstrumentOf(
  account: AccountReader,
  { funding_instrument_id }: { readonly funding_instrument_id: string },
): Promise<FundingInstrumentRow> {
  const row = await account.of(fundingInstrument).get(funding_instrument_id);
  if (!row) throw new TypeError(`there is no funding instrument ${funding_instrument_id}`);
  return row;
}

/** Returns the instrument with an id, deleted or not. */
export function findFundingInstrument(
  reject: Reject<'FUNDING_INSTRUMENT_NOT_FOUND'>,
  account: AccountReader,
  id: string,
): Awaitable<FundingInstrumentRow> {
  return account.of(fundingInstrument).find(reject, id, true);
}

import type { Reject } from '@broadside/core';
import type { AccountRow } from '../../world/account-directory.ts';
import type { AdsStore } from '../../world/ads-store.ts';

/** Returns the record of an account that is not deleted. */
export async function findAccount(reject: Reject<'ACCOUNT_NOT_FOUND'>, ads: AdsStore, id: string): Promise<AccountRow> {
  const record = await ads.record(id);
  if (record && !record.deleted) return record;
  throw reject.error({ error: 'ACCOUNT_NOT_FOUND', parameter: 'account_id', value: id });
}

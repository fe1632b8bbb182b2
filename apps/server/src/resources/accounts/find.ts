import { ApiError } from '@broadside/core';
import type { AccountRow } from '../../world/account-directory.ts';
import type { AdsStore } from '../../world/ads-store.ts';

/** The record of an account that is not deleted. @throws ApiError ACCOUNT_NOT_FOUND */
export async function findAccount(ads: AdsStore, id: string): Promise<AccountRow> {
  const record = await ads.record(id);
  if (record && !record.deleted) return record;
  throw new ApiError({ error: 'ACCOUNT_NOT_FOUND', parameter: 'account_id', value: id });
}

import { ApiError } from '@broadside/core';
import type { AccountRow } from './store.ts';

/** Refuses what cannot be done with an account that is deleted. @throws ApiError ACCOUNT_DELETED */
export function refuseDeletedAccount({ id, deleted }: Pick<AccountRow, 'id' | 'deleted'>): void {
  if (deleted) throw new ApiError({ error: 'ACCOUNT_DELETED', parameter: 'account_id', value: id });
}

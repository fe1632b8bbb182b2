import type { Reject } from '@broadside/core';
import type { AccountRow } from '../../../world/account-directory.ts';
import type { AccountStore } from '../../../world/account-store.ts';
import type { AdsStore } from '../../../world/ads-store.ts';
import type { Environment } from '../../../world/environment.ts';
import type { World } from '../../../world/world.ts';

/** The account of an action. */
export interface AccountPlace {
  readonly environment: Environment;
  readonly account_id: string;
}

/** An account as an action works on it. */
export interface ActedAccount {
  readonly ads: AdsStore;
  readonly account: AccountStore;
  readonly record: AccountRow;
}

/** Returns an account that is not deleted. Where the other environment has it, the error says so. */
export async function accountOf(
  { world, reject }: { readonly world: World; readonly reject: Reject<'NOT_FOUND'> },
  { environment, account_id }: AccountPlace,
): Promise<ActedAccount> {
  const ads = world.ads[environment];
  const record = await ads.record(account_id);
  if (record && !record.deleted) return { ads, record, account: ads.account(account_id) };
  const other = environment === 'sandbox' ? 'production' : 'sandbox';
  const elsewhere = await world.ads[other].record(account_id);
  const hint = elsewhere && !elsewhere.deleted ? `; it is one of ${other}: give environment=${other}` : '';
  const state = record?.deleted ? 'was deleted' : 'does not exist';
  throw reject.error({
    error: 'NOT_FOUND',
    parameter: 'account_id',
    value: account_id,
    message: `The account ${account_id.slice(0, 100)} ${state} in ${environment}${hint}`,
  });
}

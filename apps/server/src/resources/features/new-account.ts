import type { AccountWriter } from '../../world/account-store.ts';
import type { NewAccount } from '../../world/ads-services.ts';
import { addFeatures } from './features.ts';

/** Stores the initial features of an account. */
export async function newAccount(account: AccountWriter, { features }: NewAccount): Promise<void> {
  await addFeatures(account, features);
}

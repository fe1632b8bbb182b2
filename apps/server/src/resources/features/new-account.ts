import type { AccountWriter } from '../../world/account-store.ts';
import type { NewAccount } from '../../world/ads-store.ts';
import { addFeatures } from './features.ts';

/** An account begins with the features that it is made with. */
export async function newAccount(account: AccountWriter, { features }: NewAccount): Promise<void> {
  await addFeatures(account, features);
}

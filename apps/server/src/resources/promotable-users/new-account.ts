import type { AccountWriter } from '../../world/account-store.ts';
import type { NewAccount } from '../../world/ads-services.ts';
import { promotableUser } from './entity.ts';

/** The user for whom an account is created is its FULL promotable user. */
export async function newAccount(account: AccountWriter, { user_id }: NewAccount): Promise<void> {
  await account.of(promotableUser).insert({ user_id, promotable_user_type: 'FULL' });
}

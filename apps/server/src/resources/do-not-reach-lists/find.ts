import type { Awaitable } from '../../awaitable.ts';
import type { AccountReader } from '../../world/account-store.ts';
import { type DoNotReachListRow, doNotReachList } from './entity.ts';

export { type DoNotReachListRow, doNotReachList } from './entity.ts';
export { listAllLists } from './keys-of-all.ts';

/** Returns the do-not-reach list of an account; `undefined` if it has none. */
export function findDoNotReachList(account: AccountReader): Awaitable<DoNotReachListRow | undefined> {
  return account.of(doNotReachList).existing({});
}

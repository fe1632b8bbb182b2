import type { Awaitable } from '../../awaitable.ts';
import type { AccountReader } from '../../world/account-store.ts';
import { type PollCardRow, pollCard } from './entity.ts';

export { type PollCardRow, pollCard } from './entity.ts';
export { pollToPost } from './posted-poll.ts';
export { showPoll, showPolls } from './shown.ts';

/** Returns the account's poll with a `card_uri`; `undefined` when there is none. */
export function findPoll(account: AccountReader, card_uri: string): Awaitable<PollCardRow | undefined> {
  return account.of(pollCard).existing({ card_uri });
}

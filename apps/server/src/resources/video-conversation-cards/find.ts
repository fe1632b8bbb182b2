import type { Awaitable } from '../../awaitable.ts';
import type { AccountReader } from '../../world/account-store.ts';
import { type VideoConversationRow, videoConversationCard } from './entity.ts';

export { type VideoConversationRow, videoConversationCard } from './entity.ts';
export { showVideoConversation, showVideoConversations } from './shown.ts';

/** Returns the account's video conversation card with a `card_uri`; `undefined` when there is none. */
export function findVideoConversation(
  account: AccountReader,
  card_uri: string,
): Awaitable<VideoConversationRow | undefined> {
  return account.of(videoConversationCard).existing({ card_uri });
}

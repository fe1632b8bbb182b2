import type { Awaitable } from '../../awaitable.ts';
import type { AccountReader } from '../../world/account-store.ts';
import { type ImageConversationRow, imageConversationCard } from './entity.ts';

export { type ImageConversationRow, imageConversationCard } from './entity.ts';
export { showImageConversation, showImageConversations } from './shown.ts';

/** Returns the account's image conversation card with a `card_uri`; `undefined` when there is none. */
export function findImageConversation(
  account: AccountReader,
  card_uri: string,
): Awaitable<ImageConversationRow | undefined> {
  return account.of(imageConversationCard).existing({ card_uri });
}

import { numberOfCardUri } from '@broadside/core/resources/cards';
import type { AccountReader } from '../../world/account-store.ts';
import { type CardRow, card } from './entity.ts';

export { type CardRow, card } from './entity.ts';
export { type Showing, showCard, showCards } from './shown.ts';

/** Returns the card with a URI; `undefined` for one that is deleted, and for one of others. */
export async function findGenericCard(account: AccountReader, card_uri: string): Promise<CardRow | undefined> {
  const id = numberOfCardUri(card_uri);
  const row = id === undefined ? undefined : await account.of(card).get(id);
  return row?.deleted ? undefined : row;
}

import { numberOfCardUri } from '@broadside/core/resources/cards';
import { type Awaitable, chain } from '../../awaitable.ts';
import type { AccountReader } from '../../world/account-store.ts';
import { type CardRow, card } from './entity.ts';

export { type CardRow, card } from './entity.ts';
export { type Showing, showCard, showCards } from './shown.ts';

/** Returns the card with a URI; `undefined` for one that is deleted, and for one of others. */
export function findGenericCard(account: AccountReader, card_uri: string): Awaitable<CardRow | undefined> {
  const id = numberOfCardUri(card_uri);
  return chain(id === undefined ? undefined : account.of(card).get(id), (row) => (row?.deleted ? undefined : row));
}

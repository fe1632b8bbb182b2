/** The card of a post, with the account that it belongs to. */
import { environments } from '../world/environment.ts';
import type { PostedCard } from './new-post.ts';
import type { PostRow } from './store.ts';

/** Returns the account of a card as posts store it. */
export function cardAccount({ environment, account_id }: Pick<PostedCard, 'account_id' | 'environment'>): string {
  return `${environment}/${account_id}`;
}

/** Returns the card that a post was made with; `undefined` for none, and for a poll of no account. */
export function cardOf({
  card_uri,
  card_type,
  card_account,
}: Pick<PostRow, 'card_account' | 'card_type' | 'card_uri'>): PostedCard | undefined {
  if (card_uri === null || card_type === null || card_account === null) return undefined;
  const [name, account_id] = card_account.split('/');
  const environment = environments.find((one) => one === name);
  return environment && account_id !== undefined ? { card_uri, card_type, environment, account_id } : undefined;
}

/** Cards of any kind, by the URI that attaches them to posts. */
import type { Reject } from '@broadside/core';
import type { AnyCard } from '@broadside/core/resources/all-cards';
import type { AccountReader } from '../../world/account-store.ts';
import type { Environment } from '../../world/environment.ts';
import type { World } from '../../world/world.ts';
import { findGenericCard, type Showing, showCard } from '../cards/find.ts';
import { findImageConversation, showImageConversation } from '../image-conversation-cards/find.ts';
import { findPoll, showPoll } from '../poll-cards/find.ts';
import { findVideoConversation, showVideoConversation } from '../video-conversation-cards/find.ts';

/** A card that can be attached to a post. */
export interface AttachableCard extends Pick<AnyCard, 'card_type'> {
  readonly card_uri: string;
}

/** The kinds of cards: how one is found by its URI, and its type. Neither finds one that is deleted or of another account. */
interface Kind {
  readonly typeOf: (account: AccountReader, card_uri: string) => Promise<AnyCard['card_type'] | undefined>;
  readonly show: (account: AccountReader, card_uri: string, showing: Showing) => Promise<AnyCard | undefined>;
}

const kinds: readonly Kind[] = [
  {
    typeOf: async (account, card_uri) => (await findGenericCard(account, card_uri))?.card_type,
    async show(account, card_uri, showing) {
      const row = await findGenericCard(account, card_uri);
      return row && showCard(showing, row);
    },
  },
  {
    typeOf: async (account, card_uri) => (await findImageConversation(account, card_uri)) && 'IMAGE_CONVERSATION',
    async show(account, card_uri, showing) {
      const row = await findImageConversation(account, card_uri);
      return row && showImageConversation(showing, row);
    },
  },
  {
    typeOf: async (account, card_uri) => (await findVideoConversation(account, card_uri)) && 'VIDEO_CONVERSATION',
    async show(account, card_uri, showing) {
      const row = await findVideoConversation(account, card_uri);
      return row && showVideoConversation(showing, row);
    },
  },
  {
    typeOf: async (account, card_uri) => (await findPoll(account, card_uri))?.card_type,
    async show(account, card_uri, showing) {
      const row = await findPoll(account, card_uri);
      return row && showPoll(showing, row);
    },
  },
];

/** Returns the card of an account with a URI; `undefined` for one that is deleted, unknown or of another account. */
export async function findCardByUri(account: AccountReader, card_uri: string): Promise<AttachableCard | undefined> {
  for (const { typeOf } of kinds) {
    const card_type = await typeOf(account, card_uri);
    if (card_type !== undefined) return { card_uri, card_type };
  }
  return undefined;
}

/** Returns the card of an account with a URI, and rejects one that is deleted, unknown or of another account alike. */
export async function requireCard(
  reject: Reject<'CARD_NOT_FOUND'>,
  account: AccountReader,
  card_uri: string,
): Promise<AttachableCard> {
  const found = await findCardByUri(account, card_uri);
  if (found) return found;
  throw reject.error({
    error: 'CARD_NOT_FOUND',
    parameter: 'card_uri',
    value: card_uri,
    message: 'The account has no card with this URI',
  });
}

/** The card of a post, and the account that it belongs to. */
export interface CardOfPost {
  readonly environment: Environment;
  readonly account_id: string;
  readonly card_uri: string;
}

/**
 * Returns the card of a post as its account sees it, for whoever sees the post; `undefined` once it has been deleted.
 * @param baseUrl what is put before the paths of media; by default nothing, for pages of the first port
 */
export async function postedCard(
  world: World,
  { environment, account_id, card_uri }: CardOfPost,
  baseUrl = '',
): Promise<AnyCard | undefined> {
  const account = world.ads[environment].account(account_id);
  for (const { show } of kinds) {
    const card = await show(account, card_uri, { world, baseUrl });
    if (card) return card;
  }
  return undefined;
}

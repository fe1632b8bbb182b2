/** Cards of any kind, by the URI that attaches them to posts. */
import type { Reject } from '@broadside/core';
import type { AnyCard } from '@broadside/core/resources/all-cards';
import { cardUri } from '@broadside/core/resources/cards';
import type { AccountReader } from '../../world/account-store.ts';
import type { Environment } from '../../world/environment.ts';
import type { World } from '../../world/world.ts';
import { card, findGenericCard, type Showing, showCard, showCards } from '../cards/find.ts';
import {
  findImageConversation,
  imageConversationCard,
  showImageConversation,
  showImageConversations,
} from '../image-conversation-cards/find.ts';
import { findPoll, pollCard, showPoll, showPolls } from '../poll-cards/find.ts';
import {
  findVideoConversation,
  showVideoConversation,
  showVideoConversations,
  videoConversationCard,
} from '../video-conversation-cards/find.ts';

/** A card that can be attached to a post. */
export interface AttachableCard extends Pick<AnyCard, 'card_type'> {
  readonly card_uri: string;
}

/** Cards of one kind in an account. */
interface Kind {
  /** The type of the card with a URI; `undefined` where there is none, or it is deleted. */
  readonly typeOf: (account: AccountReader, card_uri: string) => Promise<AnyCard['card_type'] | undefined>;
  /** The cards with URIs. */
  readonly byUris: (
    account: AccountReader,
    query: { readonly card_uris: readonly string[]; readonly with_deleted: boolean },
    showing: Showing,
  ) => Promise<AnyCard[]>;
  /** The card with an id, deleted or not. */
  readonly byId: (account: AccountReader, id: string, showing: Showing) => Promise<AnyCard | undefined>;
}

/** Cards that are deleted for good are found by nobody, so only a generic one can be a deleted one. */
const kinds: readonly Kind[] = [
  {
    typeOf: async (account, card_uri) => (await findGenericCard(account, card_uri))?.card_type,
    byUris: async (account, query, showing) => showCards(showing, await account.of(card).every(query)),
    async byId(account, id, showing) {
      const row = await account.of(card).get(id);
      return row && showCard(showing, row);
    },
  },
  {
    typeOf: async (account, card_uri) => (await findImageConversation(account, card_uri)) && 'IMAGE_CONVERSATION',
    byUris: async (account, query, showing) =>
      showImageConversations(showing, await account.of(imageConversationCard).every(query)),
    async byId(account, id, showing) {
      const row = await account.of(imageConversationCard).get(id);
      return row && showImageConversation(showing, row);
    },
  },
  {
    typeOf: async (account, card_uri) => (await findVideoConversation(account, card_uri)) && 'VIDEO_CONVERSATION',
    byUris: async (account, query, showing) =>
      showVideoConversations(showing, await account.of(videoConversationCard).every(query)),
    async byId(account, id, showing) {
      const row = await account.of(videoConversationCard).get(id);
      return row && showVideoConversation(showing, row);
    },
  },
  {
    typeOf: async (account, card_uri) => (await findPoll(account, card_uri))?.card_type,
    byUris: async (account, query, showing) => showPolls(showing, await account.of(pollCard).every(query)),
    async byId(account, id, showing) {
      const row = await account.of(pollCard).get(id);
      return row && showPoll(showing, row);
    },
  },
];

/** Returns the cards of an account with URIs, in their order. Those that do not exist are left out. */
export async function showCardsByUris(
  account: AccountReader,
  query: { readonly card_uris: readonly string[]; readonly with_deleted: boolean },
  showing: Showing,
): Promise<AnyCard[]> {
  const found = await Promise.all(kinds.map(({ byUris }) => byUris(account, query, showing)));
  const byUri = new Map(found.flat().map((one) => [one.card_uri, one]));
  return query.card_uris.flatMap((card_uri) => byUri.get(card_uri) ?? []);
}

/** Returns the card of an account with an id, or with this number in its URI; `undefined` when there is none. */
export async function showCardById(
  account: AccountReader,
  { card_id, with_deleted }: { readonly card_id: string; readonly with_deleted: boolean },
  showing: Showing,
): Promise<AnyCard | undefined> {
  for (const { byId } of kinds) {
    const found = await byId(account, card_id, showing);
    if (found && (with_deleted || !found.deleted)) return found;
  }
  const [found] = await showCardsByUris(account, { card_uris: [cardUri(card_id)], with_deleted }, showing);
  return found;
}

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
  const [found] = await showCardsByUris(account, { card_uris: [card_uri], with_deleted: false }, { world, baseUrl });
  return found;
}

/** Cards of any kind, by the URI that attaches them to posts. */
import type { Reject } from '@broadside/core';
import type { AnyCard } from '@broadside/core/resources/all-cards';
import { cardUri } from '@broadside/core/resources/cards';
import { type Awaitable, chain, together } from '../../awaitable.ts';
import type { KindName } from '../../db/change-log.ts';
import type { Entity } from '../../db/entity.ts';
import type { AccountReader, AccountTypes } from '../../world/account-store.ts';
import type { Environment } from '../../world/environment.ts';
import type { World } from '../../world/world.ts';
import { card, findGenericCard, type Showing, showCards } from '../cards/find.ts';
import {
  findImageConversation,
  imageConversationCard,
  showImageConversations,
} from '../image-conversation-cards/find.ts';
import { findPoll, pollCard, showPolls } from '../poll-cards/find.ts';
import {
  findVideoConversation,
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
  readonly typeOf: (account: AccountReader, card_uri: string) => Awaitable<AnyCard['card_type'] | undefined>;
  /** The cards with URIs. */
  readonly byUris: (
    account: AccountReader,
    query: { readonly card_uris: readonly string[]; readonly with_deleted: boolean },
    showing: Showing,
  ) => Awaitable<AnyCard[]>;
  /** The card with an id, deleted or not. */
  readonly byId: (account: AccountReader, id: string, showing: Showing) => Awaitable<AnyCard | undefined>;
}

interface CardTypes extends AccountTypes {
  readonly params: { readonly card_uris?: readonly string[] | undefined };
}

/** A kind of card. @param typeOf the type of the card with a URI */
function kindOf<Types extends CardTypes>(
  entity: Entity<KindName, Types>,
  show: (showing: Showing, rows: readonly Types['row'][]) => Awaitable<AnyCard[]>,
  typeOf: Kind['typeOf'],
): Kind {
  return {
    typeOf,
    byUris: (account, query, showing) => chain(account.of(entity).every(query), (rows) => show(showing, rows)),
    byId: (account, id, showing) =>
      chain(account.of(entity).get(id), (row) => row && chain(show(showing, [row]), ([shown]) => shown)),
  };
}

/** Cards that are deleted for good are found by nobody, so only a generic one can be a deleted one. */
const kinds: readonly Kind[] = [
  kindOf(card, showCards, (account, card_uri) => chain(findGenericCard(account, card_uri), (row) => row?.card_type)),
  kindOf(imageConversationCard, showImageConversations, (account, card_uri) =>
    chain(findImageConversation(account, card_uri), (row) => row && 'IMAGE_CONVERSATION'),
  ),
  kindOf(videoConversationCard, showVideoConversations, (account, card_uri) =>
    chain(findVideoConversation(account, card_uri), (row) => row && 'VIDEO_CONVERSATION'),
  ),
  kindOf(pollCard, showPolls, (account, card_uri) => chain(findPoll(account, card_uri), (row) => row?.card_type)),
];

/** Returns the cards of an account with URIs, in their order. Those that do not exist are left out. */
export function showCardsByUris(
  account: AccountReader,
  query: { readonly card_uris: readonly string[]; readonly with_deleted: boolean },
  showing: Showing,
): Awaitable<AnyCard[]> {
  return chain(together(kinds.map(({ byUris }) => byUris(account, query, showing))), (found) => {
    const byUri = new Map(found.flat().map((one) => [one.card_uri, one]));
    return query.card_uris.flatMap((card_uri) => byUri.get(card_uri) ?? []);
  });
}

/** Returns the card of an account with an id, or with this number in its URI; `undefined` when there is none. */
export function showCardById(
  account: AccountReader,
  { card_id, with_deleted }: { readonly card_id: string; readonly with_deleted: boolean },
  showing: Showing,
): Awaitable<AnyCard | undefined> {
  return chain(
    firstOf(({ byId }) =>
      chain(byId(account, card_id, showing), (card) => (card && (with_deleted || !card.deleted) ? card : undefined)),
    ),
    (found) =>
      found ??
      chain(showCardsByUris(account, { card_uris: [cardUri(card_id)], with_deleted }, showing), ([card]) => card),
  );
}

/** Returns the card of an account with a URI; `undefined` for one that is deleted, unknown or of another account. */
export function findCardByUri(account: AccountReader, card_uri: string): Awaitable<AttachableCard | undefined> {
  return firstOf(({ typeOf }) => chain(typeOf(account, card_uri), (card_type) => card_type && { card_uri, card_type }));
}

/** Returns the result of the first kind that has one. */
function firstOf<T>(find: (kind: Kind) => Awaitable<T | undefined>, place = 0): Awaitable<T | undefined> {
  const kind = kinds[place];
  return kind && chain(find(kind), (found) => found ?? firstOf(find, place + 1));
}

/** Returns the card of an account with a URI, and rejects one that is deleted, unknown or of another account alike. */
export function requireCard(
  reject: Reject<'CARD_NOT_FOUND'>,
  account: AccountReader,
  card_uri: string,
): Awaitable<AttachableCard> {
  return chain(findCardByUri(account, card_uri), (found) => {
    if (found) return found;
    const message = 'The account has no card with this URI';
    throw reject.error({ error: 'CARD_NOT_FOUND', parameter: 'card_uri', value: card_uri, message });
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
export function postedCard(
  world: World,
  { environment, account_id, card_uri }: CardOfPost,
  baseUrl = '',
): Awaitable<AnyCard | undefined> {
  const account = world.ads[environment].account(account_id);
  const query = { card_uris: [card_uri], with_deleted: false };
  return chain(showCardsByUris(account, query, { world, baseUrl }), ([found]) => found);
}

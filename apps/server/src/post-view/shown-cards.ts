/** Reads the cards of posts, many at a time, as a post shows them. */
import type { AnyCard } from '@broadside/core/resources/all-cards';
import { type PollResults, pollNumber } from '../polls/polls.ts';
import type { MediaRow } from '../posts/store.ts';
import { postedCard } from '../resources/all-cards/find.ts';
import type { World } from '../world/world.ts';
import type { CardView, PollCardView } from './card-view.ts';
import { conversationCardView, pollCardView } from './conversation-card-view.ts';
import { type FindMedia, genericCardView, mediaKeysOf } from './generic-card-view.ts';
import { mediaView } from './media-view.ts';

/** A card by what a post says of it. */
export interface CardReference {
  readonly card_uri: string;
  readonly card_type: string | null;
  /** The account that it belongs to, as `<environment>/<account_id>`; null for a poll of no account. */
  readonly card_account: string | null;
}

/** Cards by their references. */
export interface ShownCards {
  /** A card; null once it has been deleted. */
  of(reference: CardReference): CardView | null;
}

/** The cards of posts. A poll that was posted stays when its card is deleted; any other card is gone then. */
export async function shownCards(world: World, references: readonly CardReference[]): Promise<ShownCards> {
  const polls = await postedPolls(world, references);
  const cards = new Map<string, AnyCard>();
  for (const reference of references) {
    const card = polls.has(reference.card_uri) ? undefined : await cardOf(world, reference);
    if (card) cards.set(keyOf(reference), card);
  }
  const media = await world.shown.media([...cards.values()].flatMap(keysIn));
  const find: FindMedia = (key) => mediaView(media.get(key)) ?? null;
  const now_ms = world.clock.now();
  return {
    of(reference) {
      const card = cards.get(keyOf(reference));
      return polls.get(reference.card_uri) ?? (card ? cardView(card, find, now_ms) : null);
    },
  };
}

function keyOf({ card_account, card_uri }: CardReference): string {
  return `${card_account} ${card_uri}`;
}

async function cardOf(world: World, { card_account, card_uri }: CardReference): Promise<AnyCard | undefined> {
  const [, environment, account_id] = /^(production|sandbox)\/(.+)$/.exec(card_account ?? '') ?? [];
  if (account_id === undefined || (environment !== 'production' && environment !== 'sandbox')) return undefined;
  return postedCard(world, { environment, account_id, card_uri });
}

function keysIn(card: AnyCard): readonly string[] {
  if ('media_key' in card) return [card.media_key];
  return 'components' in card || 'slides' in card ? mediaKeysOf(card) : [];
}

/** A card as a post shows it. @param now_ms the time of the world's clock */
export function cardView(card: AnyCard, media: FindMedia, now_ms: number): CardView {
  switch (card.card_type) {
    case 'IMAGE_CONVERSATION':
    case 'VIDEO_CONVERSATION':
      return conversationCardView(card, media);
    case 'TEXT_POLLS':
    case 'IMAGE_POLLS':
    case 'VIDEO_POLLS':
      return pollCardView(card, now_ms);
    default:
      return genericCardView(card, media);
  }
}

async function postedPolls(
  world: World,
  references: readonly CardReference[],
): Promise<ReadonlyMap<string, PollCardView>> {
  const numbers = new Map(
    references.flatMap((reference) => {
      const number = pollNumber(reference);
      return number === undefined ? [] : [[number, reference.card_uri] as const];
    }),
  );
  const found = await world.polls.read([...numbers.keys()]);
  const media = await world.shown.media(found.flatMap(({ media_key }) => media_key ?? []));
  const now_ms = world.clock.now();
  return new Map(found.map((poll) => [numbers.get(poll.id) ?? '', pollView(poll, media, now_ms)]));
}

function pollView(
  { choices, media_key, end_ms }: PollResults,
  media: ReadonlyMap<string, MediaRow>,
  now_ms: number,
): PollCardView {
  return {
    kind: 'poll',
    media: (media_key !== null && mediaView(media.get(media_key))) || null,
    choices,
    ends_ms: end_ms,
    remaining_ms: Math.max(0, end_ms - now_ms),
  };
}

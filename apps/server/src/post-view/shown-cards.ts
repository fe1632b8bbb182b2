/** Reads the cards of posts, many at a time, as a post shows them. */

import { type PollResults, pollNumber } from '../polls/polls.ts';
import type { MediaRow } from '../posts/store.ts';
import type { World } from '../world/world.ts';
import type { CardView, PollCardView } from './card-view.ts';
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
  return { of: (reference) => polls.get(reference.card_uri) ?? null };
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

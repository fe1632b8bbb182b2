import { displayPoll, type PollCard } from '@broadside/core/resources/poll-cards';
import { readCardMedia } from '../card-media/find.ts';
import type { Showing } from '../cards/find.ts';
import type { PollCardRow } from './entity.ts';

/** Returns polls as responses show them, in the same order. */
export async function showPolls(showing: Showing, rows: readonly PollCardRow[]): Promise<PollCard[]> {
  const media = await readCardMedia(
    showing,
    rows.map(({ media_key }) => media_key),
  );
  return rows.map((row) => displayPoll(row, media.optional(row.media_key)));
}

/** Returns a poll as responses show it. */
export async function showPoll(showing: Showing, row: PollCardRow): Promise<PollCard> {
  const [card] = await showPolls(showing, [row]);
  if (card) return card;
  throw new TypeError('one card is shown as one');
}

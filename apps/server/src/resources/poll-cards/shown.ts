import { displayPoll, type PollCard } from '@broadside/core/resources/poll-cards';
import { type Awaitable, chain } from '../../awaitable.ts';
import { ShownRows } from '../../world/shown-rows.ts';
import { readCardMedia } from '../card-media/find.ts';
import type { Showing } from '../cards/find.ts';
import type { PollCardRow } from './entity.ts';

const shown = new ShownRows<PollCardRow, PollCard>();

/** Returns polls as responses show them, in the same order. */
export function showPolls(showing: Showing, rows: readonly PollCardRow[]): Awaitable<PollCard[]> {
  const keys = rows.map(({ media_key }) => media_key);
  return chain(readCardMedia(showing, keys), (media) =>
    rows.map((row) => {
      const own = media.optional(row.media_key);
      return shown.show(row, [own], () => displayPoll(row, own));
    }),
  );
}

/** Returns a poll as responses show it. */
export function showPoll(showing: Showing, row: PollCardRow): Awaitable<PollCard> {
  return chain(showPolls(showing, [row]), ([card]) => {
    if (card) return card;
    throw new TypeError('one card is shown as one');
  });
}

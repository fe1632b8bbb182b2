/** Cards as responses show them: with facts about their media. */
import { type Card, type CardMedia, contentOf, displayCard, mediaOf } from '@broadside/core/resources/cards';
import { type Awaitable, chain } from '../../awaitable.ts';
import { ShownRows } from '../../world/shown-rows.ts';
import type { World } from '../../world/world.ts';
import { shownFacts } from '../media-library/find.ts';
import type { CardRow } from './entity.ts';

/** The place in which media are shown. */
export interface Showing {
  readonly world: Pick<World, 'media'>;
  /** The public base URL of the first port, which is put before the paths of media. */
  readonly baseUrl: string;
}

const shown = new ShownRows<CardRow, Card>();

function keysOf(row: CardRow): string[] {
  return mediaOf(contentOf(row)).map(({ media_key }) => media_key);
}

/** Returns cards as responses show them, in the same order. */
export function showCards({ world, baseUrl }: Showing, rows: readonly CardRow[]): Awaitable<Card[]> {
  const keys = rows.map(keysOf);
  return chain(shownFacts(world, [...new Set(keys.flat())]), (facts) =>
    rows.map((row, place) => {
      const own = (keys[place] ?? []).map((key) => facts.get(key));
      return shown.show(row, [baseUrl, ...own], () => {
        const media = new Map<string, CardMedia>();
        for (const known of own) {
          if (known) media.set(known.media_key, { ...known, url: baseUrl + known.path });
        }
        return displayCard(row, media);
      });
    }),
  );
}

/** Returns a card as responses show it. */
export function showCard(showing: Showing, row: CardRow): Awaitable<Card> {
  return chain(showCards(showing, [row]), ([card]) => {
    if (card) return card;
    throw new TypeError('one card is shown as one');
  });
}

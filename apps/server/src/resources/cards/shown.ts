/** Cards as responses show them: with facts about their media. */
import { type Card, type CardMedia, contentOf, displayCard, mediaOf } from '@broadside/core/resources/cards';
import type { World } from '../../world/world.ts';
import { libraryFacts } from '../media-library/find.ts';
import type { CardRow } from './entity.ts';

/** Where media are shown. */
export interface Showing {
  readonly world: Pick<World, 'media'>;
  /** The public base URL of the first port, which is put before the paths of media. */
  readonly baseUrl: string;
}

/** Returns cards as responses show them, in the same order. */
export async function showCards({ world, baseUrl }: Showing, rows: readonly CardRow[]): Promise<Card[]> {
  const keys = rows.flatMap((row) => mediaOf(contentOf(row)).map(({ media_key }) => media_key));
  const facts = await libraryFacts(world, [...new Set(keys)]);
  const media = new Map<string, CardMedia>();
  for (const [key, { path, ...known }] of facts) media.set(key, { ...known, url: baseUrl + path });
  return rows.map((row) => displayCard(row, media));
}

/** Returns a card as responses show it. */
export async function showCard(showing: Showing, row: CardRow): Promise<Card> {
  const [card] = await showCards(showing, [row]);
  if (card) return card;
  throw new TypeError('one card is shown as one');
}

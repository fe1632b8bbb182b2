import type * as z from 'zod';
import { systemMembers } from '../../operation/entity.ts';
import { object } from '../../wire/object.ts';
import { numericId, oneOf, text } from '../../wire/types.ts';
import { cardTypes } from './card-types.ts';
import { type CardComponents, type CardContent, type CardSlide, cardLimits } from './components.ts';
import { components, slides } from './content.ts';
import { type CardMedia, withMetadata } from './media-metadata.ts';

const times = () =>
  systemMembers({
    created_at: 'When the card was created.',
    updated_at: 'When the card last changed.',
    deleted: 'Whether the card has been deleted.',
  });

const shape = () => {
  const { created_at, updated_at, deleted } = times();
  return {
    name: text({ max: cardLimits.name }).describe('The name of the card.'),
    components: components('shown')
      .optional()
      .describe('Its media and what stands below them; absent where it has slides.'),
    slides: slides('shown').optional().describe('Its slides, where each medium has a destination of its own.'),
    created_at,
    card_uri: text().describe('Attaches the card to a post.'),
    id: numericId().describe('The card.'),
    updated_at,
    deleted,
    card_type: oneOf(cardTypes).describe('What the card is made of.'),
  };
};

/** Named, so that declarations of operations do not repeat its members. */
export interface CardSchema extends z.ZodObject<ReturnType<typeof shape>> {}

/** A card that is made of components or slides, in the order of members of the reference (creatives section 3). */
export const Card: CardSchema = object(shape);
export type Card = z.output<typeof Card>;

/** The attributes that lists of cards can be sorted by (reference, conventions section 4). */
export const cardSortable = ['created_at', 'updated_at', 'deleted', 'name'] as const;

/** A stored card. */
export interface StoredCard extends Pick<Card, 'id' | 'name' | 'card_type' | 'created_at' | 'updated_at' | 'deleted'> {
  /** Null where it has slides. */
  readonly components: CardComponents | null;
  /** Null where it has components. */
  readonly slides: readonly CardSlide[] | null;
}

const PREFIX = 'card://';

/** Returns the URI of a card. @param number its numeric id */
export function cardUri(number: string): string {
  return PREFIX + number;
}

/** Returns the numeric id in the URI of a card; `undefined` for a text that is no such URI. */
export function numberOfCardUri(card_uri: string): string | undefined {
  return /^card:\/\/(\d{1,19})$/.exec(card_uri)?.[1];
}

/** Returns the content of a stored card. */
export function contentOf({ components, slides }: Pick<StoredCard, 'components' | 'slides'>): CardContent {
  if (components) return { components };
  if (slides) return { slides };
  throw new TypeError('a stored card has neither components nor slides');
}

/**
 * Returns a stored card as responses show it.
 * @param media facts about its media by key; those that are missing are left out
 */
export function displayCard(card: StoredCard, media: ReadonlyMap<string, CardMedia>): Card {
  const { id, name, created_at, updated_at, deleted, card_type } = card;
  return {
    name,
    ...withMetadata(contentOf(card), media),
    created_at,
    card_uri: cardUri(id),
    id,
    updated_at,
    deleted,
    card_type,
  };
}

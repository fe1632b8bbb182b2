/**
 * The operations of image and of video conversation cards: the same but for the media that a card shows and unlocks. Each family
 * adds the ids and paths of its operations, which are written in full so that a text search finds them.
 */
import type * as z from 'zod';
import { account_id } from '../../operation/list.ts';
import { object } from '../../wire/object.ts';
import { cardSortable } from './entity.ts';
import { card_id, cardFilters, conversationChanges, conversationCreate } from './params.ts';
import { echoOf } from './request-echo.ts';

type Shape = Readonly<Record<string, z.ZodType>>;

/** Facts of both families. */
export const conversationFamily = {
  key: { card_id },
  missing: 'CARD_NOT_FOUND',
  read: 'creatives.read',
  write: 'creatives.write',
  sortable: cardSortable,
} as const;

/** The texts of the card of all examples. */
export const exampleConversation = {
  title: 'What will you read?',
  first_cta: '#autumnbooks',
  first_cta_post: 'A book for each rainy evening #autumnbooks',
  thank_you_text: 'Enjoy your book',
};

/**
 * Declares the parameters for creating a card.
 * @param shown its media, which stand before its texts in documents
 * @param unlocked what people see who have posted, which stands after them
 */
export function paramsOfNewCard<Shown extends Shape, Unlocked extends Shape>(
  shown: () => Shown,
  unlocked: () => Unlocked,
) {
  return object(() => {
    const { name, title, ...given } = conversationCreate.shape;
    return { account_id, name, ...shown(), title, ...given, ...unlocked() };
  });
}

/** Declares the parameters for updating a card. @param shown as in `paramsOfNewCard` @param unlocked likewise */
export function paramsOfChangedCard<Shown extends Shape, Unlocked extends Shape>(
  shown: () => Shown,
  unlocked: () => Unlocked,
) {
  return object(() => {
    const { name, title, ...changes } = conversationChanges.shape;
    return { account_id, card_id, name, ...shown(), title, ...changes, ...unlocked() };
  });
}

/**
 * Returns what the operations of one family say, by operation.
 * @param type the type of its cards, in small letters as paths have it
 * @param one a card of it in words, with the article
 */
export function conversationFacts(type: 'image_conversation' | 'video_conversation', one: string) {
  const written = echoOf(type.toUpperCase());
  const addressed = echoOf(type);
  return {
    list: {
      summary: `List the ${one.replace(/^an? /, '')}s of an account`,
      filters: cardFilters,
      echo: addressed,
      example: { q: 'autumn' },
    },
    get: { summary: `Get one ${one.replace(/^an? /, '')}`, echo: addressed },
    create: {
      summary: `Create ${one}`,
      description:
        'A card with one to four calls to action. Whoever chooses one posts its text, and is thanked. Posts, drafts and scheduled posts take the card by its `card_uri`.',
      errors: ['INCLUSIVE_PARAMETERS', 'INVALID_IMAGE', 'INVALID_MEDIA', 'MEDIA_NOT_FOUND', 'QUOTA_EXCEEDED'],
      echo: written,
    },
    update: {
      summary: `Change ${one}`,
      description:
        'Only the parameters given change; an empty value removes what a card can do without. What holds for creating holds for the result.',
      errors: [
        'CARD_NOT_FOUND',
        'INCLUSIVE_PARAMETERS',
        'INVALID_IMAGE',
        'INVALID_MEDIA',
        'MEDIA_NOT_FOUND',
        'MISSING_PARAMETER',
      ],
      echo: written,
      example: { thank_you_text: 'Have a good read' },
    },
    delete: {
      summary: `Delete ${one}`,
      description:
        'This cannot be undone: no list and no read shows the card any more. Posts with the card stay, without it.',
      echo: addressed,
    },
  } as const;
}

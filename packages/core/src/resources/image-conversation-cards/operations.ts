import * as z from 'zod';
import { exampleSystemMembers } from '../../operation/entity.ts';
import { createOf, defineFamily, getOf, listOf, purgeOf, updateOf } from '../../operation/family.ts';
import { account_id } from '../../operation/list.ts';
import { removable } from '../../wire/types.ts';
import { cardSortable } from '../conversation-cards/entity.ts';
import {
  card_id,
  cardFilters,
  conversationChanges,
  conversationCreate,
  libraryKey,
} from '../conversation-cards/params.ts';
import { echoOf } from '../conversation-cards/request-echo.ts';
import { DeletedImageConversationCard, ImageConversationCard } from './entity.ts';

const card = defineFamily({
  data: ImageConversationCard,
  key: { card_id },
  missing: 'CARD_NOT_FOUND',
  read: 'creatives.read',
  write: 'creatives.write',
  sortable: cardSortable,
  example: {
    id: '5j2lk',
    name: 'Autumn reading',
    card_uri: 'card://1503831318555086849',
    card_type: 'IMAGE_CONVERSATION',
    media_key: '3_1503831318555086850',
    media_url: 'https://broadside.example.com/media/k3Jd9sQ',
    image_display_height: '670',
    image_display_width: '1280',
    title: 'What will you read?',
    first_cta: '#autumnbooks',
    first_cta_post: 'A book for each rainy evening #autumnbooks',
    thank_you_text: 'Enjoy your book',
    ...exampleSystemMembers,
  },
});

const media_key = libraryKey().describe(
  'The image: of the media library, at least 800 pixels wide, with an aspect ratio of 1.91:1.',
);
const unlocked_image_media_key = libraryKey().describe(
  'The image that people see who have posted: of the media library, at least 800 pixels wide, with an aspect ratio of 5:2. Responses have its address.',
);

const { name: givenName, title: givenTitle, ...given } = conversationCreate;
const { name: newName, title: newTitle, ...changes } = conversationChanges;

export const operations = {
  list: listOf(card, 'image_conversation_cards.list', '/12/accounts/:account_id/cards/image_conversation', {
    summary: 'List the image conversation cards of an account',
    filters: cardFilters,
    echo: echoOf('image_conversation'),
    example: { q: 'autumn' },
  }),
  get: getOf(card, 'image_conversation_cards.get', '/12/accounts/:account_id/cards/image_conversation/:card_id', {
    summary: 'Get one image conversation card',
    echo: echoOf('image_conversation'),
  }),
  create: createOf(card, 'image_conversation_cards.create', '/12/accounts/:account_id/cards/image_conversation', {
    summary: 'Create an image conversation card',
    description:
      'A card with one to four calls to action. Whoever chooses one posts its text, and is thanked. Posts, drafts and scheduled posts take the card by its `card_uri`.',
    params: z.object({
      account_id,
      name: givenName,
      media_key,
      title: givenTitle,
      ...given,
      unlocked_image_media_key: unlocked_image_media_key.optional(),
    }),
    errors: ['INCLUSIVE_PARAMETERS', 'INVALID_IMAGE', 'INVALID_MEDIA', 'MEDIA_NOT_FOUND', 'QUOTA_EXCEEDED'],
    echo: echoOf('IMAGE_CONVERSATION'),
    example: {
      name: 'Autumn reading',
      media_key: '3_1503831318555086850',
      title: 'What will you read?',
      first_cta: '#autumnbooks',
      first_cta_post: 'A book for each rainy evening #autumnbooks',
      thank_you_text: 'Enjoy your book',
    },
  }),
  update: updateOf(
    card,
    'image_conversation_cards.update',
    '/12/accounts/:account_id/cards/image_conversation/:card_id',
    {
      summary: 'Change an image conversation card',
      description:
        'Only the parameters given change; an empty value removes what a card can do without. What holds for creating holds for the result.',
      params: z.object({
        account_id,
        card_id,
        name: newName,
        media_key: media_key.optional(),
        title: newTitle,
        ...changes,
        unlocked_image_media_key: removable(libraryKey())
          .optional()
          .describe(`${unlocked_image_media_key.description} Empty to remove it.`),
      }),
      errors: [
        'CARD_NOT_FOUND',
        'INCLUSIVE_PARAMETERS',
        'INVALID_IMAGE',
        'INVALID_MEDIA',
        'MEDIA_NOT_FOUND',
        'MISSING_PARAMETER',
      ],
      echo: echoOf('IMAGE_CONVERSATION'),
      example: { thank_you_text: 'Have a good read' },
    },
  ),
  delete: purgeOf(
    card,
    'image_conversation_cards.delete',
    '/12/accounts/:account_id/cards/image_conversation/:card_id',
    {
      summary: 'Delete an image conversation card',
      description:
        'This cannot be undone: no list and no read shows the card any more. Posts with the card stay, without it.',
      data: DeletedImageConversationCard,
      echo: echoOf('image_conversation'),
    },
  ),
};

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
import { DeletedVideoConversationCard, VideoConversationCard } from './entity.ts';

const card = defineFamily({
  data: VideoConversationCard,
  key: { card_id },
  missing: 'CARD_NOT_FOUND',
  read: 'creatives.read',
  write: 'creatives.write',
  sortable: cardSortable,
  example: {
    id: '5j2lm',
    name: 'Autumn reading, read aloud',
    card_uri: 'card://1503831318555086851',
    card_type: 'VIDEO_CONVERSATION',
    media_key: '7_1503831318555086852',
    media_url: 'https://broadside.example.com/media/h7Qw2xR',
    video_height: '9',
    video_width: '16',
    video_owner_id: '756201191646691328',
    poster_media_url: 'https://broadside.example.com/media/s0Lm4tZ',
    title: 'What will you read?',
    first_cta: '#autumnbooks',
    first_cta_post: 'A book for each rainy evening #autumnbooks',
    thank_you_text: 'Enjoy your book',
    ...exampleSystemMembers,
  },
});

const media_key = libraryKey().describe('The video: of the media library, with an aspect ratio of 16:9.');
const texts = {
  poster_media_key: 'The image shown before the video plays, of the media library. Defaults to the still of the video.',
  unlocked_image_media_key:
    'The image that people see who have posted, of the media library. Responses have its address.',
  unlocked_video_media_key:
    'The video that people see who have posted, of the media library. Responses have its address.',
} as const;

const { name: givenName, title: givenTitle, ...given } = conversationCreate;
const { name: newName, title: newTitle, ...changes } = conversationChanges;

export const operations = {
  list: listOf(card, 'video_conversation_cards.list', '/12/accounts/:account_id/cards/video_conversation', {
    summary: 'List the video conversation cards of an account',
    filters: cardFilters,
    echo: echoOf('video_conversation'),
    example: { q: 'autumn' },
  }),
  get: getOf(card, 'video_conversation_cards.get', '/12/accounts/:account_id/cards/video_conversation/:card_id', {
    summary: 'Get one video conversation card',
    echo: echoOf('video_conversation'),
  }),
  create: createOf(card, 'video_conversation_cards.create', '/12/accounts/:account_id/cards/video_conversation', {
    summary: 'Create a video conversation card',
    description:
      'A card with one to four calls to action. Whoever chooses one posts its text, and is thanked. Posts, drafts and scheduled posts take the card by its `card_uri`.',
    params: z.object({
      account_id,
      name: givenName,
      media_key,
      poster_media_key: libraryKey().optional().describe(texts.poster_media_key),
      title: givenTitle,
      ...given,
      unlocked_image_media_key: libraryKey().optional().describe(texts.unlocked_image_media_key),
      unlocked_video_media_key: libraryKey().optional().describe(texts.unlocked_video_media_key),
    }),
    errors: ['INCLUSIVE_PARAMETERS', 'INVALID_IMAGE', 'INVALID_MEDIA', 'MEDIA_NOT_FOUND', 'QUOTA_EXCEEDED'],
    echo: echoOf('VIDEO_CONVERSATION'),
    example: {
      name: 'Autumn reading, read aloud',
      media_key: '7_1503831318555086852',
      title: 'What will you read?',
      first_cta: '#autumnbooks',
      first_cta_post: 'A book for each rainy evening #autumnbooks',
      thank_you_text: 'Enjoy your book',
    },
  }),
  update: updateOf(
    card,
    'video_conversation_cards.update',
    '/12/accounts/:account_id/cards/video_conversation/:card_id',
    {
      summary: 'Change a video conversation card',
      description:
        'Only the parameters given change; an empty value removes what a card can do without. What holds for creating holds for the result.',
      params: z.object({
        account_id,
        card_id,
        name: newName,
        media_key: media_key.optional(),
        poster_media_key: removable(libraryKey())
          .optional()
          .describe('The image shown before the video plays; empty for the still of the video.'),
        title: newTitle,
        ...changes,
        unlocked_image_media_key: removable(libraryKey())
          .optional()
          .describe(`${texts.unlocked_image_media_key} Empty to remove it.`),
        unlocked_video_media_key: removable(libraryKey())
          .optional()
          .describe(`${texts.unlocked_video_media_key} Empty to remove it.`),
      }),
      errors: [
        'CARD_NOT_FOUND',
        'INCLUSIVE_PARAMETERS',
        'INVALID_IMAGE',
        'INVALID_MEDIA',
        'MEDIA_NOT_FOUND',
        'MISSING_PARAMETER',
      ],
      echo: echoOf('VIDEO_CONVERSATION'),
      example: { thank_you_text: 'Have a good read' },
    },
  ),
  delete: purgeOf(
    card,
    'video_conversation_cards.delete',
    '/12/accounts/:account_id/cards/video_conversation/:card_id',
    {
      summary: 'Delete a video conversation card',
      description:
        'This cannot be undone: no list and no read shows the card any more. Posts with the card stay, without it.',
      data: DeletedVideoConversationCard,
      echo: echoOf('video_conversation'),
    },
  ),
};

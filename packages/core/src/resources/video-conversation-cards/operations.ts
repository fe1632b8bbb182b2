import { exampleSystemMembers } from '../../operation/entity.ts';
import { createOf, defineFamily, getOf, listOf, purgeOf, updateOf } from '../../operation/family.ts';
import { removable } from '../../wire/types.ts';
import {
  conversationFacts,
  conversationFamily,
  exampleConversation,
  paramsOfChangedCard,
  paramsOfNewCard,
} from '../conversation-cards/operations.ts';
import { libraryKey } from '../conversation-cards/params.ts';
import { DeletedVideoConversationCard, VideoConversationCard } from './entity.ts';

const example = { name: 'Autumn reading, read aloud', media_key: '7_1503831318555086852', ...exampleConversation };

const card = defineFamily({
  ...conversationFamily,
  data: VideoConversationCard,
  example: {
    id: '5j2lm',
    name: example.name,
    card_uri: 'card://1503831318555086851',
    card_type: 'VIDEO_CONVERSATION',
    media_key: example.media_key,
    media_url: 'https://broadside.example.com/media/h7Qw2xR',
    video_height: '9',
    video_width: '16',
    video_owner_id: '756201191646691328',
    poster_media_url: 'https://broadside.example.com/media/s0Lm4tZ',
    ...exampleConversation,
    ...exampleSystemMembers,
  },
});

const media_key = () => libraryKey().describe('The video: of the media library, with an aspect ratio of 16:9.');
const texts = {
  poster_media_key: 'The image shown before the video plays, of the media library. Defaults to the still of the video.',
  unlocked_image_media_key:
    'The image that people see who have posted, of the media library. Responses have its address.',
  unlocked_video_media_key:
    'The video that people see who have posted, of the media library. Responses have its address.',
} as const;

const facts = conversationFacts('video_conversation', 'a video conversation card');

export const operations = {
  list: listOf(card, 'video_conversation_cards.list', '/12/accounts/:account_id/cards/video_conversation', facts.list),
  get: getOf(
    card,
    'video_conversation_cards.get',
    '/12/accounts/:account_id/cards/video_conversation/:card_id',
    facts.get,
  ),
  create: createOf(card, 'video_conversation_cards.create', '/12/accounts/:account_id/cards/video_conversation', {
    ...facts.create,
    params: paramsOfNewCard(
      () => ({ media_key: media_key(), poster_media_key: libraryKey().optional().describe(texts.poster_media_key) }),
      () => ({
        unlocked_image_media_key: libraryKey().optional().describe(texts.unlocked_image_media_key),
        unlocked_video_media_key: libraryKey().optional().describe(texts.unlocked_video_media_key),
      }),
    ),
    example,
  }),
  update: updateOf(
    card,
    'video_conversation_cards.update',
    '/12/accounts/:account_id/cards/video_conversation/:card_id',
    {
      ...facts.update,
      params: paramsOfChangedCard(
        () => ({
          media_key: media_key().optional(),
          poster_media_key: removable(libraryKey())
            .optional()
            .describe('The image shown before the video plays; empty for the still of the video.'),
        }),
        () => ({
          unlocked_image_media_key: removable(libraryKey())
            .optional()
            .describe(`${texts.unlocked_image_media_key} Empty to remove it.`),
          unlocked_video_media_key: removable(libraryKey())
            .optional()
            .describe(`${texts.unlocked_video_media_key} Empty to remove it.`),
        }),
      ),
    },
  ),
  delete: purgeOf(
    card,
    'video_conversation_cards.delete',
    '/12/accounts/:account_id/cards/video_conversation/:card_id',
    { ...facts.delete, data: DeletedVideoConversationCard },
  ),
};

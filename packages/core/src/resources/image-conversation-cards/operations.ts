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
import { DeletedImageConversationCard, ImageConversationCard } from './entity.ts';

const example = { name: 'Autumn reading', media_key: '3_1503831318555086850', ...exampleConversation };

const card = defineFamily({
  ...conversationFamily,
  data: ImageConversationCard,
  example: {
    id: '5j2lk',
    name: example.name,
    card_uri: 'card://1503831318555086849',
    card_type: 'IMAGE_CONVERSATION',
    media_key: example.media_key,
    media_url: 'https://broadside.example.com/media/k3Jd9sQ',
    image_display_height: '670',
    image_display_width: '1280',
    ...exampleConversation,
    ...exampleSystemMembers,
  },
});

const media_key = () =>
  libraryKey().describe('The image: of the media library, at least 800 pixels wide, with an aspect ratio of 1.91:1.');
const unlockedImage =
  'The image that people see who have posted: of the media library, at least 800 pixels wide, with an aspect ratio of 5:2. Responses have its address.';

const facts = conversationFacts('image_conversation', 'an image conversation card');

export const operations = {
  list: listOf(card, 'image_conversation_cards.list', '/12/accounts/:account_id/cards/image_conversation', facts.list),
  get: getOf(
    card,
    'image_conversation_cards.get',
    '/12/accounts/:account_id/cards/image_conversation/:card_id',
    facts.get,
  ),
  create: createOf(card, 'image_conversation_cards.create', '/12/accounts/:account_id/cards/image_conversation', {
    ...facts.create,
    params: paramsOfNewCard(
      () => ({ media_key: media_key() }),
      () => ({ unlocked_image_media_key: libraryKey().describe(unlockedImage).optional() }),
    ),
    example,
  }),
  update: updateOf(
    card,
    'image_conversation_cards.update',
    '/12/accounts/:account_id/cards/image_conversation/:card_id',
    {
      ...facts.update,
      params: paramsOfChangedCard(
        () => ({ media_key: media_key().optional() }),
        () => ({
          unlocked_image_media_key: removable(libraryKey()).optional().describe(`${unlockedImage} Empty to remove it.`),
        }),
      ),
    },
  ),
  delete: purgeOf(
    card,
    'image_conversation_cards.delete',
    '/12/accounts/:account_id/cards/image_conversation/:card_id',
    { ...facts.delete, data: DeletedImageConversationCard },
  ),
};

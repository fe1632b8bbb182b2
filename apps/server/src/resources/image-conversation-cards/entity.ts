import { collatedName } from '@broadside/core/text';
import { defineEntity, type RowOf } from '../../db/entity.ts';
import { beginsWith, isOneOf } from '../../db/filters.ts';
import { foldName } from '../../db/fold-name.ts';
import { imageConversationCards } from './table.ts';

export const imageConversationCard = defineEntity({
  name: 'IMAGE_CONVERSATION_CARD',
  table: imageConversationCards,
  quota: 'image_conversation_cards',
  missing: { error: 'CARD_NOT_FOUND', parameter: 'card_id' },
  filters: {
    card_ids: isOneOf(imageConversationCards.id),
    card_uris: isOneOf(imageConversationCards.card_uri),
    q: beginsWith(imageConversationCards.name_folded),
  },
  computed: { name_folded: ({ name }) => foldName(name), name_collated: ({ name }) => collatedName(name) },
  key: ['card_uri'],
});

export type ImageConversationRow = RowOf<typeof imageConversationCard>;

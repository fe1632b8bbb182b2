import { collatedName } from '@broadside/core/text';
import { defineEntity, type RowOf } from '../../db/entity.ts';
import { beginsWith, isOneOf } from '../../db/filters.ts';
import { foldName } from '../../db/fold-name.ts';
import { videoConversationCards } from './table.ts';

export const videoConversationCard = defineEntity({
  name: 'VIDEO_CONVERSATION_CARD',
  table: videoConversationCards,
  quota: 'video_conversation_cards',
  missing: { error: 'CARD_NOT_FOUND', parameter: 'card_id' },
  filters: {
    card_ids: isOneOf(videoConversationCards.id),
    card_uris: isOneOf(videoConversationCards.card_uri),
    q: beginsWith(videoConversationCards.name_folded),
  },
  computed: { name_folded: ({ name }) => foldName(name), name_collated: ({ name }) => collatedName(name) },
  key: ['card_uri'],
});

export type VideoConversationRow = RowOf<typeof videoConversationCard>;

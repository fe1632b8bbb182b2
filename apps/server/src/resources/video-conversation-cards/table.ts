import { index, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { accountKey } from '../../db/columns.ts';
import { conversationColumns } from '../conversation-cards/find.ts';

export const videoConversationCards = sqliteTable(
  'video_conversation_cards',
  {
    ...conversationColumns(),
    /** Null where the still of the video is shown. */
    poster_media_key: text('poster_media_key'),
    unlocked_video_media_key: text('unlocked_video_media_key'),
  },
  (table) => [
    accountKey(table),
    index('video_conversation_cards_by_creation').on(table.account_id, table.created_at, table.seq),
    index('video_conversation_cards_by_name').on(table.account_id, table.name_folded),
    uniqueIndex('video_conversation_cards_by_uri').on(table.account_id, table.card_uri),
  ],
);

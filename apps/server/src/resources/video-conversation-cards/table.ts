import { sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { accountKey } from '../../db/columns.ts';
import { listIndexes } from '../../db/list-indexes.ts';
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
    ...listIndexes('video_conversation_cards', table, { sortable: ['created_at', 'updated_at', 'name'] }),
    uniqueIndex('video_conversation_cards_by_uri').on(table.account_id, table.card_uri),
  ],
);

import { sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { accountKey } from '../../db/columns.ts';
import { listIndexes } from '../../db/list-indexes.ts';
import { conversationColumns } from '../conversation-cards/find.ts';

export const imageConversationCards = sqliteTable('image_conversation_cards', conversationColumns(), (table) => [
  accountKey(table),
  ...listIndexes('image_conversation_cards', table, { sortable: ['created_at', 'updated_at', 'name'] }),
  uniqueIndex('image_conversation_cards_by_uri').on(table.account_id, table.card_uri),
]);

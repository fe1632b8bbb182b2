import { index, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { accountKey } from '../../db/columns.ts';
import { conversationColumns } from '../conversation-cards/find.ts';

export const imageConversationCards = sqliteTable('image_conversation_cards', conversationColumns(), (table) => [
  accountKey(table),
  index('image_conversation_cards_by_creation').on(table.account_id, table.created_at, table.seq),
  index('image_conversation_cards_by_name').on(table.account_id, table.name_folded),
  uniqueIndex('image_conversation_cards_by_uri').on(table.account_id, table.card_uri),
]);

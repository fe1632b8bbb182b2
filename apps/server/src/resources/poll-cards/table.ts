import type { PollCardType } from '@broadside/core/resources/poll-cards';
import { sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { accountKey, int } from '../../db/columns.ts';
import { listIndexes } from '../../db/list-indexes.ts';
import { numberedCardColumns } from '../conversation-cards/find.ts';

export const pollCards = sqliteTable(
  'poll_cards',
  {
    ...numberedCardColumns(),
    card_type: text('card_type').$type<PollCardType>().notNull(),
    first_choice: text('first_choice').notNull(),
    second_choice: text('second_choice').notNull(),
    third_choice: text('third_choice'),
    fourth_choice: text('fourth_choice'),
    duration_in_minutes: int('duration_in_minutes').notNull(),
    media_key: text('media_key'),
  },
  (table) => [
    accountKey(table),
    ...listIndexes('poll_cards', table, { sortable: ['created_at', 'updated_at', 'name'] }),
    uniqueIndex('poll_cards_by_uri').on(table.account_id, table.card_uri),
  ],
);

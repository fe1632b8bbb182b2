import type { StoredCard } from '@broadside/core/resources/cards';
import { index, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { accountKey, json, systemColumns } from '../../db/columns.ts';

export const cards = sqliteTable(
  'cards',
  {
    ...systemColumns(),
    name: text('name').notNull(),
    name_folded: text('name_folded').notNull(),
    card_type: text('card_type').$type<StoredCard['card_type']>().notNull(),
    /** Null where it has slides. */
    components: json<NonNullable<StoredCard['components']>>('components'),
    /** Null where it has components. */
    slides: json<NonNullable<StoredCard['slides']>>('slides'),
  },
  (table) => [
    accountKey(table),
    index('cards_by_creation').on(table.account_id, table.created_at, table.seq),
    index('cards_by_name').on(table.account_id, table.name_folded),
  ],
);

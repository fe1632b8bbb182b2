import type { StoredCard } from '@broadside/core/resources/cards';
import { sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { accountKey, json, nameCollated, systemColumns } from '../../db/columns.ts';
import { listIndexes } from '../../db/list-indexes.ts';

export const cards = sqliteTable(
  'cards',
  {
    ...systemColumns(),
    name: text('name').notNull(),
    name_folded: text('name_folded').notNull(),
    name_collated: nameCollated(),
    card_type: text('card_type').$type<StoredCard['card_type']>().notNull(),
    /** Null where it has slides. */
    components: json<NonNullable<StoredCard['components']>>('components'),
    /** Null where it has components. */
    slides: json<NonNullable<StoredCard['slides']>>('slides'),
  },
  (table) => [
    accountKey(table),
    ...listIndexes('cards', table, { sortable: ['created_at', 'updated_at', 'name'], groups: [table.card_type] }),
  ],
);

import { isNotNull, isNull } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** What a change is made with (reference, conventions section 12). */
export type ChangePlatform = 'API_OTHER' | 'OPERATOR' | 'SERVER' | 'WEB';

/**
 * Changes of entities, with author, time and values, in order. Written in the transaction of the change itself;
 * account history and audit read it. `account_id` is null for entities outside of advertising accounts.
 */
export const changeLog = sqliteTable(
  'change_log',
  {
    seq: integer('seq').primaryKey({ autoIncrement: true }),
    account_id: text('account_id'),
    entity: text('entity').notNull(),
    entity_id: text('entity_id').notNull(),
    change_type: text('change_type').$type<'CREATE' | 'UPDATE' | 'DELETE'>().notNull(),
    change_time: text('change_time').notNull(),
    change_by_user_id: text('change_by_user_id'),
    change_by_platform: text('change_by_platform').$type<ChangePlatform>().notNull(),
    /** JSON object of the fields that changed, each with `before` and `after`. */
    changes: text('changes').notNull(),
    /** JSON object of the entity after the change. */
    entity_data: text('entity_data').notNull(),
  },
  // Each ends in `seq`, which is the key of a row. A change by a user through the interface is in three of them.
  (table) => [
    index('change_log_entity').on(table.entity, table.entity_id),
    index('change_log_account').on(table.account_id).where(isNotNull(table.account_id)),
    index('change_log_user').on(table.change_by_user_id).where(isNotNull(table.change_by_user_id)),
    index('change_log_platform').on(table.change_by_platform).where(isNull(table.change_by_user_id)),
  ],
);

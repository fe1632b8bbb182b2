import type { Permission } from '@broadside/core';
import type { Account } from '@broadside/core/resources/accounts';
import { sql } from 'drizzle-orm';
import { index, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { flag, int, nameCollated, sharedColumns, words } from '../db/columns.ts';

/** The directory of advertising accounts; everything below an account is reached through the account's own store. */
export const accounts = sqliteTable(
  'accounts',
  {
    id: text('id').primaryKey(),
    ...sharedColumns(),
    name: text('name').notNull(),
    name_folded: text('name_folded').notNull(),
    name_collated: nameCollated(),
    business_name: text('business_name'),
    business_id: text('business_id'),
    timezone: text('timezone').notNull(),
    timezone_switch_at: text('timezone_switch_at'),
    industry_type: text('industry_type').$type<NonNullable<Account['industry_type']>>(),
    approval_status: text('approval_status').$type<Account['approval_status']>().notNull(),
    /** Maximum number of active campaigns of the account. */
    active_campaign_limit: int('active_campaign_limit').notNull(),
    /** The platform has suspended it: it is shown, and nothing of it can be changed. */
    suspended: flag('suspended').notNull().default(false),
  },
  (table) => [
    index('accounts_by_creation').on(table.created_at, table.seq),
    index('accounts_by_business').on(table.business_id, table.id).where(sql`"business_id" IS NOT NULL`),
  ],
);

/** Users of accounts, with their permissions. */
export const accountAccess = sqliteTable(
  'account_access',
  {
    account_id: text('account_id').notNull(),
    user_id: text('user_id').notNull(),
    permissions: words<Permission>('permissions').notNull(),
    created_at: text('created_at').notNull(),
    updated_at: text('updated_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.account_id, table.user_id] }),
    index('account_access_by_user').on(table.user_id, table.account_id),
  ],
);

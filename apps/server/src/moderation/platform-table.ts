import type { ApprovalStatus } from '@broadside/core/resources/accounts';
import type { ModerationState } from '@broadside/core/resources/operator';
import { index, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { int, long } from '../db/columns.ts';
import type { Environment } from '../world/environment.ts';

/** Posts that were reported or taken down, and why. Whether one is hidden is a column of the post itself. */
export const moderatedPosts = sqliteTable(
  'moderated_posts',
  {
    post_id: long('post_id').primaryKey(),
    state: text('state').$type<ModerationState>().notNull(),
    reason: text('reason').notNull(),
    decided_ms: int('decided_ms').notNull(),
  },
  (table) => [index('moderated_posts_by_state').on(table.state, table.post_id)],
);

/** What reviews of promotions had come to before their post was taken down: a restored post is promoted as before. */
export const heldPromotions = sqliteTable(
  'held_promotions',
  {
    post_id: long('post_id').notNull(),
    environment: text('environment').$type<Environment>().notNull(),
    account_id: text('account_id').notNull(),
    promoted_post_id: text('promoted_post_id').notNull(),
    approval_status: text('approval_status').$type<ApprovalStatus>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.post_id, table.environment, table.account_id, table.promoted_post_id] })],
);

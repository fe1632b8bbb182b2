import type { Page } from '@broadside/core';
import type { ScheduledPost } from '@broadside/core/resources/scheduled-posts';
import { eq } from 'drizzle-orm';
import { type Awaitable, chain } from '../../awaitable.ts';
import { query } from '../../db/query-builder.ts';
import { statement } from '../../db/statement.ts';
import type { AccountReader } from '../../world/account-store.ts';
import type { UnpublishedQuery } from '../draft-posts/find.ts';
import { type ScheduledPostRow, scheduledPost } from './entity.ts';
import { scheduledPosts } from './table.ts';

export { type ScheduledPostRow, scheduledPost } from './entity.ts';
export { failNow, publishNow } from './publication.ts';

/** The scheduled posts in the name of a user, of all accounts: of those that the user has left, too. Few are kept at a time. */
export const listScheduledOf = statement({ user_id: scheduledPosts.user_id }, ({ user_id }) =>
  query
    .select({ account_id: scheduledPosts.account_id, id: scheduledPosts.id })
    .from(scheduledPosts)
    .where(eq(scheduledPosts.user_id, user_id)),
);

/**
 * Lists scheduled posts of the account, the newest first, whatever became of them.
 * @throws ApiError INVALID_PARAMETER when the cursor is of another list
 */
export function listScheduled(account: AccountReader, query: UnpublishedQuery): Awaitable<Page<ScheduledPostRow>> {
  return account.of(scheduledPost).list({ ...query, with_deleted: false, with_total_count: false });
}

/** Returns those of the scheduled posts that the account has, by id. */
export function scheduledById(
  account: AccountReader,
  post_ids: readonly string[],
): Awaitable<ReadonlyMap<string, ScheduledPostRow>> {
  return chain(account.of(scheduledPost).every({ post_ids }), (rows) => new Map(rows.map((row) => [row.id, row])));
}

/** Returns a scheduled post as responses show it. */
export function showScheduled({ failure, ...row }: ScheduledPostRow): ScheduledPost {
  return failure === null ? row : { ...row, failure };
}

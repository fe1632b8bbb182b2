import type { ListQuery, Page } from '@broadside/core';
import { eq } from 'drizzle-orm';
import { type Awaitable, chain } from '../../awaitable.ts';
import { query } from '../../db/query-builder.ts';
import { statement } from '../../db/statement.ts';
import type { AccountReader } from '../../world/account-store.ts';
import { type DraftPostRow, draftPost } from './entity.ts';
import { draftPosts } from './table.ts';

export { authorOfList, checkComposer, findShown } from './compose.ts';
export { type DraftPostRow, draftPost } from './entity.ts';

/** The drafts in the name of a user, of all accounts: of those that the user has left, too. Few are kept at a time. */
export const listDraftsOf = statement({ user_id: draftPosts.user_id }, ({ user_id }) =>
  query
    .select({ account_id: draftPosts.account_id, id: draftPosts.id })
    .from(draftPosts)
    .where(eq(draftPosts.user_id, user_id)),
);

/** Parameters of a list of posts that are not published yet. */
export interface UnpublishedQuery extends Pick<ListQuery, 'count' | 'cursor'> {
  /** Only posts in the name of this user. */
  readonly user_id?: string | undefined;
  /** Only posts with a name that begins with this text, in any case. */
  readonly name?: string | undefined;
  /** Only these posts. */
  readonly post_ids?: readonly string[] | undefined;
  /** Only posts that are for promotion only, or only those that are not. */
  readonly nullcast?: boolean | undefined;
}

/** Lists drafts of the account, the newest first. @throws ApiError INVALID_PARAMETER when the cursor is of another list */
export function listDrafts(account: AccountReader, query: UnpublishedQuery): Awaitable<Page<DraftPostRow>> {
  return account.of(draftPost).list({ ...query, with_deleted: false, with_total_count: false });
}

/** Returns those of the drafts that the account has, by id. */
export function draftsById(
  account: AccountReader,
  post_ids: readonly string[],
): Awaitable<ReadonlyMap<string, DraftPostRow>> {
  return chain(account.of(draftPost).every({ post_ids }), (rows) => new Map(rows.map((row) => [row.id, row])));
}

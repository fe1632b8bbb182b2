import { and, eq } from 'drizzle-orm';
import { type Awaitable, chain } from '../../awaitable.ts';
import { query } from '../../db/query-builder.ts';
import { statement } from '../../db/statement.ts';
import type { AccountReader } from '../../world/account-store.ts';
import { type PromotableUserRow, promotableUser } from './entity.ts';
import { promotableUsers } from './table.ts';

export { type PromotableUserRow, promotableUser } from './entity.ts';

const { account_id, deleted, promotable_user_type, user_id } = promotableUsers;

const findFull = statement({ account_id }, (args) =>
  query
    .select({ user_id })
    .from(promotableUsers)
    .where(and(eq(account_id, args.account_id), eq(promotable_user_type, 'FULL'), eq(deleted, false)))
    .limit(1),
);

/** Returns the account's FULL promotable user, in whose name advertisements appear unless another is given. */
export function fullPromotableUser(account: AccountReader): Awaitable<string | null> {
  return chain(account.first(findFull), (row) => row?.user_id ?? null);
}

/** Returns those of the users who are promotable. */
export function promotableAmong(account: AccountReader, user_ids: readonly string[]): Awaitable<PromotableUserRow[]> {
  return account.of(promotableUser).every({ user_ids });
}

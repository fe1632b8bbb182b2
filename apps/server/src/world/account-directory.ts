/** The directory of advertising accounts: which there are, and who may use them. Data of an account are in its own store. */
import { ApiError, type Permission, permissions } from '@broadside/core';
import type { AccountAccess } from '@broadside/core/resources/user-access';
import { collatedName } from '@broadside/core/text';
import { and, eq, sql } from 'drizzle-orm';
import { type Awaitable, chain } from '../awaitable.ts';
import type { Reader } from '../db/database.ts';
import { defineEntity, type RowOf } from '../db/entity.ts';
import { EntityQueries } from '../db/entity-queries.ts';
import { beginsWith, isOneOf } from '../db/filters.ts';
import { foldName } from '../db/fold-name.ts';
import { query } from '../db/query-builder.ts';
import { rows, statement } from '../db/statement.ts';
import { types } from '../db/value-types.ts';
import { accountAccess, accounts } from './account-table.ts';

const filters = { account_ids: isOneOf(accounts.id), q: beginsWith(accounts.name_folded) };

/** The account itself. It is written through {@link AdsStore}, because the directory answers for it. */
export const advertisingAccount = defineEntity({
  name: 'ACCOUNT',
  table: accounts,
  missing: { error: 'ACCOUNT_NOT_FOUND', parameter: 'account_id' },
  filters,
  computed: { name_folded: ({ name }) => foldName(name), name_collated: ({ name }) => collatedName(name) },
});

/** An account's record, as the directory stores it. */
export type AccountRow = RowOf<typeof advertisingAccount>;

/** Parameters of lists of accounts. */
export type AccountParams = NonNullable<(typeof advertisingAccount)['types']>['params'];

/** The accounts that a user has access to; the scope is the user. */
export const accountsOfUser = new EntityQueries<NonNullable<(typeof advertisingAccount)['types']>>({
  table: accounts,
  scope: sql`${accounts.id} IN ${query
    .select({ id: accountAccess.account_id })
    .from(accountAccess)
    .where(eq(accountAccess.user_id, sql.placeholder('scope')))}`,
  filters,
  internal: ['name_folded', 'name_collated'],
  key: [],
});

/** The accounts that belong to a business, by id. */
export const listOfBusiness = statement({ business_id: types.text }, (args) =>
  query
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(eq(accounts.business_id, args.business_id), eq(accounts.deleted, false)))
    .orderBy(accounts.id),
);

/** Rejects what cannot be done with a deleted account. @throws ApiError ACCOUNT_DELETED */
export function rejectDeletedAccount({ id, deleted }: Pick<AccountRow, 'id' | 'deleted'>): void {
  if (deleted) throw new ApiError({ error: 'ACCOUNT_DELETED', parameter: 'account_id', value: id });
}

const known: ReadonlySet<string> = new Set(permissions);

/** An earlier version may have stored permissions that are none any more. */
function heldBy(stored: readonly Permission[]): Permission[] {
  return stored.filter((permission) => known.has(permission));
}

const { account_id, user_id } = accountAccess;

const findAccess = statement({ account_id, user_id }, (args) =>
  query
    .select({ permissions: accountAccess.permissions })
    .from(accountAccess)
    .where(and(eq(account_id, args.account_id), eq(user_id, args.user_id)))
    .limit(1),
);

/** Fails where a user has no part in an account, so that what is read in the same round trip can depend on it. */
const requireAccess = statement({ account_id, user_id }, (args) => {
  const access = query
    .select({ account_id })
    .from(accountAccess)
    .where(and(eq(account_id, args.account_id), eq(user_id, args.user_id)));
  // SQLite has no other way to fail outside of a trigger than an argument that a function rejects.
  const found = sql`json_extract('{}', iif(EXISTS ${access}, '$', 'no access'))`.mapWith(String);
  return rows({ found }, (columns) => sql`SELECT ${columns} LIMIT 1`);
});

/** Fails where a user has no part in an account. Only for stores on servers, as a guard of reads. */
export function accessGuard(reader: Reader, account_id: string, user_id: string): Awaitable<unknown> {
  return requireAccess.first(reader, { account_id, user_id });
}

/** Returns the permissions of a user on an account; `undefined` if there are none. */
export function accessOf(reader: Reader, account_id: string, user_id: string): Awaitable<Permission[] | undefined> {
  return chain(findAccess.first(reader, { account_id, user_id }), (row) => row && heldBy(row.permissions));
}

const listMembers = statement({ account_id }, (args) =>
  query
    .select({ user_id, permissions: accountAccess.permissions })
    .from(accountAccess)
    .where(eq(account_id, args.account_id))
    .orderBy(sql`length(${user_id})`, user_id),
);

/** The users who have a part in an account, by id. */
export function membersOf(reader: Reader, account_id: string): Awaitable<AccountAccess[]> {
  return chain(listMembers.all(reader, { account_id }), (rows) =>
    rows.map((row) => ({ user_id: row.user_id, permissions: heldBy(row.permissions) })),
  );
}

/** Sets what a user may do on an account. */
export const setAccess = statement(
  { account_id, user_id, permissions: accountAccess.permissions, at: accountAccess.updated_at },
  ({ at, ...args }) =>
    query
      .insert(accountAccess)
      .values({ ...args, created_at: at, updated_at: at })
      .onConflictDoUpdate({
        target: [account_id, user_id],
        set: { permissions: args.permissions, updated_at: at },
      }),
);

/** Takes all access from a user. */
export const removeAccess = statement({ account_id, user_id }, (args) =>
  query.delete(accountAccess).where(and(eq(account_id, args.account_id), eq(user_id, args.user_id))),
);

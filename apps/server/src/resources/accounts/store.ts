import { type AccountAccess, type Permission, permissions } from '@broadside/core';
import { sql } from 'drizzle-orm';
import type { Reader, Writer } from '../../db/database.ts';
import { always, amongIds, beginsWith, EntityQueries } from '../../db/entity-table.ts';
import { accountAccess, accounts } from './table.ts';

/** An account as the directory stores it. */
export type AccountRow = typeof accounts.$inferSelect;

const filters = {
  account_ids: amongIds('account_ids', accounts.id),
  q: beginsWith(accounts.name_folded),
  not_deleted: always(sql`${accounts.deleted} = 0`),
};

/** The accounts that a user has access to; the scope is the user. */
export const accountsOfUser = new EntityQueries(
  accounts,
  sql`${accounts.id} IN (SELECT ${accountAccess.account_id} FROM ${accountAccess} WHERE ${accountAccess.user_id} = ${sql.placeholder('scope')})`,
  filters,
);

/** All accounts, for the server itself and the operator; the scope is the empty text. */
export const allAccounts = new EntityQueries(accounts, sql`${sql.placeholder('scope')} = ''`, filters, ['name_folded']);

const known: readonly string[] = permissions;
const isPermission = (value: unknown): value is Permission => typeof value === 'string' && known.includes(value);

/** What a user may do on an account; `undefined` when nothing at all. */
export async function accessOf(reader: Reader, account_id: string, user_id: string): Promise<Permission[] | undefined> {
  const [row] = await reader.query(
    'SELECT "permissions" FROM "account_access" WHERE "account_id" = ? AND "user_id" = ?',
    [account_id, user_id],
  );
  return row && readPermissions(row[0]);
}

function readPermissions(cell: unknown): Permission[] {
  const held: unknown = JSON.parse(String(cell));
  return Array.isArray(held) ? held.filter(isPermission) : [];
}

/** The users who have a part in an account, by id. */
export async function membersOf(reader: Reader, account_id: string): Promise<AccountAccess[]> {
  const rows = await reader.query(
    'SELECT "user_id", "permissions" FROM "account_access" WHERE "account_id" = ? ORDER BY length("user_id"), "user_id"',
    [account_id],
  );
  return rows.map(([user_id, held]) => ({ user_id: String(user_id), permissions: readPermissions(held) }));
}

/** Sets what a user may do on an account. */
export async function setAccess(
  writer: Writer,
  account_id: string,
  user_id: string,
  held: readonly Permission[],
  at: string,
): Promise<void> {
  await writer.run(
    `INSERT INTO "account_access" ("account_id", "user_id", "permissions", "created_at", "updated_at") VALUES (?, ?, ?, ?, ?)
     ON CONFLICT ("account_id", "user_id") DO UPDATE SET "permissions" = excluded."permissions", "updated_at" = excluded."updated_at"`,
    [account_id, user_id, JSON.stringify(held), at, at],
  );
}

/** Takes all access from a user. */
export async function removeAccess(writer: Writer, account_id: string, user_id: string): Promise<void> {
  await writer.run('DELETE FROM "account_access" WHERE "account_id" = ? AND "user_id" = ?', [account_id, user_id]);
}

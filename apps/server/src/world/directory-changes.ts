/** Writes of the directory of accounts with what the change log says of them: records of accounts, and who may use them. */
import type { Permission } from '@broadside/core';
import type { Awaitable } from '../awaitable.ts';
import { type Actor, isUnchanged, recordChange } from '../db/change-log.ts';
import type { Writer } from '../db/database.ts';
import { type AccountRow, accessOf, advertisingAccount, removeAccess, setAccess } from './account-directory.ts';

/** A user's part in an account. */
interface Part {
  readonly account_id: string;
  readonly user_id: string;
}

/** Records a change of an account's record. @param at when, as a timestamp */
export function recordAccount(
  writer: Writer,
  actor: Actor,
  at: string,
  before: AccountRow | undefined,
  after: AccountRow,
): Awaitable<unknown> {
  const { name: entity, queries } = advertisingAccount;
  return recordChange(writer, actor, at, {
    account_id: after.id,
    entity,
    entity_id: after.id,
    before: before && queries.recorded(before),
    after: queries.recorded(after),
  });
}

/** Sets what a user may do on an account. @param at when, as a timestamp */
export async function giveAccess(
  writer: Writer,
  actor: Actor,
  at: string,
  { account_id, user_id, permissions }: Part & { readonly permissions: readonly Permission[] },
): Promise<void> {
  const before = await accessOf(writer, account_id, user_id);
  if (isUnchanged({ permissions: before }, { permissions })) return;
  await setAccess.run(writer, { account_id, user_id, permissions: [...permissions], at });
  await recordAccess(writer, actor, at, { account_id, user_id }, before, permissions);
}

/** Takes all access from a user. @param at when, as a timestamp @returns what the user could do before; `undefined` when there was nothing */
export async function takeAccess(
  writer: Writer,
  actor: Actor,
  at: string,
  { account_id, user_id }: Part,
): Promise<Permission[] | undefined> {
  const before = await accessOf(writer, account_id, user_id);
  if (!before) return undefined;
  await removeAccess.run(writer, { account_id, user_id });
  await recordAccess(writer, actor, at, { account_id, user_id }, before, []);
  return before;
}

function recordAccess(
  writer: Writer,
  actor: Actor,
  at: string,
  { account_id, user_id }: Part,
  before: readonly Permission[] | undefined,
  after: readonly Permission[],
): Awaitable<unknown> {
  return recordChange(writer, actor, at, {
    account_id,
    entity: 'ACCOUNT_ACCESS',
    entity_id: user_id,
    before: before && { permissions: before },
    after: { permissions: after },
  });
}

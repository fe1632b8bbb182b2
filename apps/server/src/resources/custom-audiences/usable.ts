/** The audiences that an account may use: its own, and those that other accounts share with it. */
import type { Reject } from '@broadside/core';
import { checkOwner, checkWritable, type PermissionLevel } from '@broadside/core/resources/custom-audiences';
import { type Awaitable, chain } from '../../awaitable.ts';
import type { Actor } from '../../db/change-log.ts';
import { missingIssue } from '../../db/entity.ts';
import type { AccountReader, AccountStore, AccountWriter } from '../../world/account-store.ts';
import type { AudienceGrant } from '../../world/audience-grants.ts';
import { type CustomAudienceRow, customAudience } from './entity.ts';

/** An audience that an account may use. */
export interface UsableAudience {
  /** The audience; its `account_id` is that of the owner. */
  readonly audience: CustomAudienceRow;
  /** READ_WRITE for the owner. */
  readonly permission_level: PermissionLevel;
  readonly is_owner: boolean;
  /** Reads of the account that owns it. */
  readonly owner: AccountReader;
  /** The grant by which another account shares it; `undefined` for the owner. */
  readonly grant: AudienceGrant | undefined;
}

/**
 * Returns an audience that an account owns or that is shared with it, and that is not deleted; `undefined` alike for one
 * that does not exist and one of others. Inside a transaction of the account it answers for that moment.
 */
export function findUsableAudience(account: AccountReader, id: string): Awaitable<UsableAudience | undefined> {
  return chain(account.of(customAudience).get(id), (own) => {
    if (own?.deleted) return undefined;
    if (own) return { audience: own, permission_level: 'READ_WRITE', is_owner: true, owner: account, grant: undefined };
    return chain(account.shared.grantOf(id), (grant) => {
      if (!grant) return undefined;
      const { permission_level } = grant;
      const owner = account.shared.ownerOf(grant);
      return chain(owner.of(customAudience).get(id), (audience) =>
        !audience || audience.deleted ? undefined : { audience, permission_level, is_owner: false, owner, grant },
      );
    });
  });
}

const PARAMETER = 'custom_audience_id';

/** Returns an audience that the account may use; a missing one has the response of one of others. */
export function requireUsable(
  reject: Reject<'NOT_FOUND'>,
  account: AccountReader,
  id: string,
): Awaitable<UsableAudience> {
  return chain(findUsableAudience(account, id), (found) => {
    if (found) return found;
    throw reject.error(missingIssue(customAudience, id));
  });
}

/** Returns an audience that the account owns. One that is shared with it is rejected as such. */
export async function requireOwned(
  reject: Reject<'NOT_FOUND' | 'ACTION_NOT_ALLOWED'>,
  account: AccountReader,
  id: string,
): Promise<CustomAudienceRow> {
  const found = await requireUsable(reject, account, id);
  reject.check(checkOwner(PARAMETER, found));
  return found.audience;
}

/** Returns an audience that the account may change: its own, or one that is shared with it by READ_WRITE. */
export async function requireWritable(
  reject: Reject<'NOT_FOUND' | 'ACTION_NOT_ALLOWED'>,
  account: AccountReader,
  id: string,
): Promise<UsableAudience> {
  const found = await requireUsable(reject, account, id);
  reject.check(checkWritable(PARAMETER, found));
  return found;
}

/** Writes of the account that owns an audience, in the transaction of an account that may change it. */
export function writerOfOwner(account: AccountWriter, { grant }: UsableAudience): AccountWriter {
  return grant ? account.writerOf(grant) : account;
}

/**
 * Runs the write of one audience that an account may change: in a transaction of the account that owns it, where that can be in another store.
 * @param body finds the audience anew
 */
export async function writeUsable<Result>(
  account: AccountStore,
  actor: Actor,
  id: string,
  body: (writer: AccountWriter) => Promise<Result>,
): Promise<Result> {
  const found = account.isSpread ? await findUsableAudience(account, id) : undefined;
  return found?.grant ? account.writeShared(actor, found.grant, body) : account.write(actor, body);
}

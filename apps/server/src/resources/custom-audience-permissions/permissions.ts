/** Permissions on an audience, whichever version of the interface names them. */
import type { ListQuery, Page, Reject } from '@broadside/core';
import { checkSharing } from '@broadside/core/resources/custom-audience-permissions';
import { checkOwner, checkShareable, type PermissionLevel } from '@broadside/core/resources/custom-audiences';
import { type Awaitable, chain } from '../../awaitable.ts';
import { missingIssue } from '../../db/entity.ts';
import type { AccountContext } from '../../pipeline/context.ts';
import type { AccountReader } from '../../world/account-store.ts';
import { leafIdsOf } from '../../world/audience-leaves.ts';
import { customAudience, findUsableAudience, type UsableAudience } from '../custom-audiences/find.ts';
import { featuresOf } from '../features/find.ts';
import { type AudiencePermissionRow, audiencePermission } from './entity.ts';

/** The error for a missing audience: version 5 has one of its own. */
export type MissingAudience = 'NOT_FOUND' | 'TAILORED_AUDIENCE_NOT_FOUND';

/** The names that a version of the interface has for an audience and for a permission on it. */
export interface Names<Missing extends MissingAudience> {
  readonly audience: 'custom_audience_id' | 'tailored_audience_id';
  readonly permission: 'custom_audience_permission_id' | 'tailored_audience_permission_id';
  readonly missing: Missing;
}

type Context = Pick<AccountContext, 'account' | 'actor'>;

/** The audience with an id, as far as the account sees it. */
function findShown<Missing extends MissingAudience>(
  reject: Reject<Missing>,
  { audience, missing }: Names<Missing>,
  account: AccountReader,
  id: string,
): Awaitable<UsableAudience> {
  return chain(findUsableAudience(account, id), (found) => {
    if (found) return found;
    throw reject.error({ ...missingIssue(customAudience, id), error: missing, parameter: audience });
  });
}

/** The audience with an id, if the account owns it. */
async function findOwned<Missing extends MissingAudience>(
  reject: Reject<Missing | 'ACTION_NOT_ALLOWED'>,
  names: Names<Missing>,
  account: AccountReader,
  id: string,
): Promise<UsableAudience['audience']> {
  const seen = await findShown(reject, names, account, id);
  reject.check(checkOwner(names.audience, seen));
  return seen.audience;
}

/** Parameters of a list of permissions beside the audience. */
interface PermissionQuery extends Omit<ListQuery, 'with_deleted'> {
  readonly granted_account_ids?: readonly string[] | undefined;
  readonly permission_ids?: readonly string[] | undefined;
}

/**
 * Lists the permissions on an audience. Our choice: an account that it is shared with sees its own permission only, since
 * the other accounts are the owner's business.
 */
export function listPermissions<Missing extends MissingAudience>(
  reject: Reject<Missing>,
  names: Names<Missing>,
  { account }: Context,
  audience_id: string,
  { granted_account_ids, ...query }: PermissionQuery,
): Awaitable<Page<AudiencePermissionRow>> {
  const { account_id } = account;
  const asked = granted_account_ids ?? [account_id];
  return chain(findShown(reject, names, account, audience_id), ({ owner, is_owner }) =>
    owner.of(audiencePermission).list({
      ...query,
      with_deleted: false,
      custom_audience_id: audience_id,
      granted_account_ids: is_owner ? granted_account_ids : asked.filter((id) => id === account_id),
    }),
  );
}

/** The audiences in a flexible one that the account does not own. */
async function foreignLeaves(account: AccountReader, audience: UsableAudience['audience']): Promise<string[]> {
  const ids = leafIdsOf(audience);
  const own = await Promise.all(ids.map((id) => account.of(customAudience).get(id)));
  return ids.filter((_, place) => own[place] === undefined);
}

/** Shares an audience; where it is shared with the account already, changes the level (our choice). */
export async function share<Missing extends MissingAudience>(
  reject: Reject<Missing | 'ACTION_NOT_ALLOWED' | 'INVALID_PARAMETER'>,
  names: Names<Missing>,
  { account, actor }: Context,
  audience_id: string,
  { granted_account_id, permission_level }: { granted_account_id: string; permission_level: PermissionLevel },
): Promise<AudiencePermissionRow> {
  await account.announceSharing(granted_account_id);
  return account.write(actor, async (writer) => {
    const audience = await findOwned(reject, names, writer, audience_id);
    const { id: custom_audience_id } = audience;
    reject.check(checkShareable(names.audience, custom_audience_id, await foreignLeaves(writer, audience)));
    const [owner, granted, features] = [
      await writer.record(),
      await writer.shared.recipient(granted_account_id),
      await featuresOf(writer),
    ];
    if (!owner) throw new TypeError(`there is no account ${writer.account_id}`);
    const may_share_outside = features.includes('SHARE_AUDIENCE_OUTSIDE_BUSINESS');
    reject.check(checkSharing(granted_account_id, { owner, may_share_outside, granted }));
    const permissions = writer.of(audiencePermission);
    const existing = await permissions.existing({ custom_audience_id, granted_account_id });
    return existing
      ? permissions.update(existing, { permission_level })
      : permissions.insert({ custom_audience_id, granted_account_id, permission_level });
  });
}

/** Revokes a permission. Targeting criteria of the account that had it keep the audience. */
export function revoke<Missing extends MissingAudience>(
  reject: Reject<Missing | 'ACTION_NOT_ALLOWED' | 'NOT_FOUND'>,
  names: Names<Missing>,
  { account, actor }: Context,
  audience_id: string,
  permission_id: string,
): Promise<AudiencePermissionRow> {
  return account.write(actor, async (writer) => {
    const { id: custom_audience_id } = await findOwned(reject, names, writer, audience_id);
    const permissions = writer.of(audiencePermission);
    const row = await permissions.get(permission_id);
    if (row && !row.deleted && row.custom_audience_id === custom_audience_id) return permissions.delete(row);
    const message = `The audience has no permission "${permission_id.slice(0, 100)}"`;
    throw reject.error({ error: 'NOT_FOUND', parameter: names.permission, value: permission_id, message });
  });
}

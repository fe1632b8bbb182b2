/** Rules on granting permissions on an account, and on acting for its advertiser (specification A, Authentication 5 and 6). */
import type { Permission } from '../../operation/access.ts';
import type { Issue } from '../../wire/issues.ts';
import type { AccountAccess } from './entity.ts';

/** The permissions of which POST_COMPOSER requires one. */
const composerRequires: readonly Permission[] = ['ACCOUNT_ADMIN', 'AD_MANAGER', 'CREATIVE_MANAGER'];

/** Checks the permissions to be granted to a user. */
export function checkPermissions(permissions: readonly Permission[]): Issue<'INCLUSIVE_PARAMETERS'>[] {
  if (!permissions.includes('POST_COMPOSER') || permissions.some((one) => composerRequires.includes(one))) return [];
  return [
    {
      error: 'INCLUSIVE_PARAMETERS',
      parameter: 'permissions',
      value: permissions,
      message: `POST_COMPOSER is given beside one of ${composerRequires.join(', ')} only`,
    },
  ];
}

/**
 * Checks that an account keeps an administrator after a change by one of its administrators, so that they cannot lock
 * everybody out (our choice; the operator can).
 */
export function checkAdministrators(after: readonly AccountAccess[]): Issue<'ACTION_NOT_ALLOWED'>[] {
  if (after.some(({ permissions }) => permissions.includes('ACCOUNT_ADMIN'))) return [];
  const message = 'The account needs at least one ACCOUNT_ADMIN; make another user one first';
  return [{ error: 'ACTION_NOT_ALLOWED', parameter: 'user_id', message }];
}

/** A caller who wants to post for the advertiser of an account. */
export interface Delegation {
  /** The caller. */
  readonly user_id: string;
  readonly permissions: readonly Permission[];
  /** The user id of the account's FULL promotable user; null if it has none. */
  readonly full_user_id: string | null;
}

/**
 * Checks that a caller may create a post for an audience only, in the name of the advertiser: as the advertiser, or with
 * POST_COMPOSER, which specification A requires of everybody else.
 * @param parameter the parameter to report, which names the content that the post is created for
 */
export function checkPostsForAdvertiser(
  { user_id, permissions, full_user_id }: Delegation,
  parameter: string,
): Issue<'ACTION_NOT_ALLOWED'>[] {
  if (full_user_id !== null && (user_id === full_user_id || permissions.includes('POST_COMPOSER'))) return [];
  const message =
    full_user_id === null
      ? 'The account has no FULL promotable user, in whose name posts are made'
      : `Only user ${full_user_id}, or a user with the permission POST_COMPOSER, may create posts in the name of the account`;
  return [{ error: 'ACTION_NOT_ALLOWED', parameter, message }];
}

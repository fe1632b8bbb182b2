/** Who may be given which part in an account, and in whose name a caller may act (specification A, Authentication 5 and 6). */
import type { Permission } from '../../operation/access.ts';
import type { Issue } from '../../wire/issues.ts';
import type { AccountAccess } from './entity.ts';

/** The permissions beside which POST_COMPOSER may be given. */
const besidesComposer: readonly Permission[] = ['ACCOUNT_ADMIN', 'AD_MANAGER', 'CREATIVE_MANAGER'];

/** Checks the permissions that a user is to get. */
export function checkPermissions(permissions: readonly Permission[]): Issue<'INCLUSIVE_PARAMETERS'>[] {
  if (!permissions.includes('POST_COMPOSER') || permissions.some((one) => besidesComposer.includes(one))) return [];
  return [
    {
      error: 'INCLUSIVE_PARAMETERS',
      parameter: 'permissions',
      value: permissions,
      message: `POST_COMPOSER is given beside one of ${besidesComposer.join(', ')} only`,
    },
  ];
}

/**
 * Checks who would have a part in an account after a change by one of its administrators: nobody can lock everybody out (our
 * choice; the operator can).
 */
export function checkAdministrators(after: readonly AccountAccess[]): Issue<'ACTION_NOT_ALLOWED'>[] {
  if (after.some(({ permissions }) => permissions.includes('ACCOUNT_ADMIN'))) return [];
  const message = 'The account needs at least one ACCOUNT_ADMIN; make another user one first';
  return [{ error: 'ACTION_NOT_ALLOWED', parameter: 'user_id', message }];
}

/** Who wants to post in whose name. */
export interface Delegation {
  /** The caller. */
  readonly user_id: string;
  readonly permissions: readonly Permission[];
  /** The user whom the account's FULL promotable user stands for; null when it has none. */
  readonly full_user_id: string | null;
}

/**
 * Checks that a caller may make a post that nobody but an audience sees, in the name of the advertiser: as the advertiser, or
 * with POST_COMPOSER, which specification A makes the only way for everybody else.
 * @param parameter names whose content the post is made for, in the refusal
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

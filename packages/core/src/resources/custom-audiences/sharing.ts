/** Rules on audiences that other accounts share (specification B, Tailored audience permissions). */
import type { Issue } from '../../wire/issues.ts';
import type { PermissionLevel } from './entity.ts';

/** An audience that an account sees, and what the account may do with it. */
export interface SeenAudience {
  readonly audience: { readonly id: string; readonly account_id: string };
  readonly is_owner: boolean;
  readonly permission_level: PermissionLevel;
}

function notAllowed(parameter: string, { audience }: SeenAudience, message: string): Issue<'ACTION_NOT_ALLOWED'>[] {
  return [{ error: 'ACTION_NOT_ALLOWED', parameter, value: audience.id, message }];
}

/**
 * Checks that an account owns an audience that it sees: only the owner deletes it and shares it.
 * @param parameter the one that names the audience
 */
export function checkOwner(parameter: string, seen: SeenAudience): Issue<'ACTION_NOT_ALLOWED'>[] {
  if (seen.is_owner) return [];
  const { account_id } = seen.audience;
  return notAllowed(parameter, seen, `Only account ${account_id}, which owns the audience, can do this`);
}

/**
 * Checks that an account may change an audience that it sees. Our choice: READ_WRITE is enough for changing the name, the
 * description and the users.
 * @param parameter the one that names the audience
 */
export function checkWritable(parameter: string, seen: SeenAudience): Issue<'ACTION_NOT_ALLOWED'>[] {
  if (seen.permission_level === 'READ_WRITE') return [];
  const { account_id } = seen.audience;
  const message = `Account ${account_id} shares the audience READ_ONLY; changing it needs the permission level READ_WRITE`;
  return notAllowed(parameter, seen, message);
}

/**
 * Checks that a flexible audience is made of audiences of its owner only. Our choice: one that combines audiences of other
 * accounts is not shared, or an account would pass on what is shared with it.
 * @param parameter the one that names the audience
 * @param foreign the ids of the audiences in it that other accounts own
 */
export function checkShareable(
  parameter: string,
  id: string,
  foreign: readonly string[],
): Issue<'ACTION_NOT_ALLOWED'>[] {
  if (foreign.length === 0) return [];
  const message = `The audience combines ${foreign.join(', ')} of other accounts, which only they share`;
  return [{ error: 'ACTION_NOT_ALLOWED', parameter, value: id, message }];
}

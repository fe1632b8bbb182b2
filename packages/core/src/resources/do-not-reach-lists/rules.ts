/** Rules on do-not-reach lists (specification B, Do-not-reach lists). */
import type { Issue } from '../../wire/issues.ts';
import { audienceState } from '../custom-audiences/state.ts';
import { DO_NOT_REACH_LIST, type DoNotReachList, type StoredDoNotReachList } from './entity.ts';

/**
 * Checks that an account has no list yet.
 * @param existing the list of the account that is not deleted
 */
export function checkOnlyList(
  account_id: string,
  existing: Pick<StoredDoNotReachList, 'id'> | undefined,
): Issue<'INVALID_PARAMETER'>[] {
  if (!existing) return [];
  const message = `The account has a do-not-reach list already, ${existing.id}; an account has at most one`;
  return [{ error: 'INVALID_PARAMETER', parameter: 'account_id', value: account_id, message, details: 'second list' }];
}

/** Returns a list as callers see it. Its size follows the rule of the sizes of audiences. */
export function displayList(stored: StoredDoNotReachList): DoNotReachList {
  const { id, description, created_at, updated_at, deleted } = stored;
  const { audience_size, reasons_not_targetable } = audienceState(stored);
  return {
    id,
    name: DO_NOT_REACH_LIST,
    description,
    list_size: audience_size,
    targetable: false,
    reasons_not_targetable,
    created_at,
    updated_at,
    deleted,
  };
}

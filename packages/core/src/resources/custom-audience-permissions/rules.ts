/** Rules on sharing audiences with other accounts (specification B, States; reference, audiences section 2). */
import { type Issue, invalidParameter } from '../../wire/issues.ts';
import type { Account } from '../accounts/entity.ts';

/** The accounts between which an audience is to be shared. */
export interface Sharing {
  /** The account that owns the audience. */
  readonly owner: Pick<Account, 'id' | 'business_id'>;
  /** True where the owner has the feature SHARE_AUDIENCE_OUTSIDE_BUSINESS. */
  readonly may_share_outside: boolean;
  /** The account that the audience would be shared with; `undefined` if there is none that is not deleted. */
  readonly granted: Pick<Account, 'business_id'> | undefined;
}

/** An issue of sharing an audience. */
export type SharingIssue = Issue<'ACTION_NOT_ALLOWED' | 'INVALID_PARAMETER'>;

/**
 * Checks that an audience may be shared with an account. An account outside of the business has the response of one that
 * does not exist, so that nobody learns which accounts there are. An owner that may share with every account learns it
 * when the sharing succeeds (our choice: the operator trusts those who have the feature).
 */
export function checkSharing(
  granted_account_id: string,
  { owner, may_share_outside, granted }: Sharing,
): SharingIssue[] {
  if (granted_account_id === owner.id) {
    const message = `Expected another account for granted_account_id; ${owner.id} owns the audience`;
    return [invalidParameter('granted_account_id', granted_account_id, message)];
  }
  const isOfBusiness = granted !== undefined && owner.business_id !== null && granted.business_id === owner.business_id;
  if (isOfBusiness || (granted && may_share_outside)) return [];
  const message = explain(owner, may_share_outside);
  return [{ error: 'ACTION_NOT_ALLOWED', parameter: 'granted_account_id', value: granted_account_id, message }];
}

/** Says what would be right, by nothing but what the owner knows of itself. */
function explain({ id, business_id }: Sharing['owner'], may_share_outside: boolean): string {
  if (may_share_outside) return 'Expected the id of an account for granted_account_id, and there is none with this id';
  const needs = 'needs the feature SHARE_AUDIENCE_OUTSIDE_BUSINESS';
  return business_id === null
    ? `Account ${id} belongs to no business, so sharing its audiences ${needs}; ask the operator for one of the two`
    : `Expected an account of the same business as ${id} for granted_account_id; sharing with others ${needs}`;
}

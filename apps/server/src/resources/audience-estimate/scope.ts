/** The audiences of an estimate, as the index counts them. */
import { stringifyJson } from '@broadside/core';
import type { AudienceCriterion, AudienceQuery } from '@broadside/core/resources/audience-estimate';
import { leavesOf } from '@broadside/core/resources/custom-audiences';
import { type AudienceScope, type MemberTree, memberKey, memberTree } from '../../audience/members/member-tree.ts';
import type { AccountContext } from '../../pipeline/context.ts';
import { findUsableAudience, type UsableAudience } from '../custom-audiences/find.ts';
import { findDoNotReachList } from '../do-not-reach-lists/find.ts';

/** Finds the audiences that a query names. */
export async function scopeOf(
  { account, environment }: AccountContext,
  { all, none }: AudienceQuery,
  criteria: readonly AudienceCriterion[],
): Promise<AudienceScope> {
  const ids = new Set([...all.flat(), ...none].flatMap((trait) => (trait.kind === 'custom_audience' ? trait.id : [])));
  const audiences = new Map<string, MemberTree>();
  // Of audiences of others: a number that changes with each upload to them, whatever the upload changes.
  const others: string[] = [];
  const find = async (id: string): Promise<UsableAudience | undefined> => {
    const usable = await findUsableAudience(account, id);
    if (!usable?.is_owner) others.push(`${id} ${usable?.audience.processing} ${usable?.audience.size_offset}`);
    return usable;
  };
  for (const id of ids) {
    const usable = await find(id);
    if (!usable) continue;
    const { audience } = usable;
    audiences.set(id, memberTree(environment, audience));
    for (const { leaf } of audience.segments ? leavesOf(audience.segments) : []) await find(leaf.custom_audience_id);
  }
  // The people of the account's do-not-reach list are left out of whatever it asks (specification B, Do-not-reach lists).
  const list = await findDoNotReachList(account);
  const asked = criteria.map((criterion) => stringifyJson(criterion)).sort();
  return {
    audiences,
    without: list ? [{ audience: memberKey(environment, list.id) }] : [],
    blur: others.length > 0 ? [account.account_id, ...asked, ...others.sort()] : undefined,
  };
}

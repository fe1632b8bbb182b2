/** Writes of audiences, inside a transaction. Single calls and items of a batch share them. */
import type { Contract, Issue, ParamsOf, Reject } from '@broadside/core';
import {
  type CustomAudienceChanges,
  type CustomAudienceCreate,
  changeAudience,
  checkAudienceName,
  checkBatchChanges,
  checkChangeable,
  checkLeaves,
  type FlexibleAudienceCreate,
  leavesOf,
  resolveAudience,
  resolveFlexible,
  type SegmentGroup,
} from '@broadside/core/resources/custom-audiences';
import { foldName } from '../../db/fold-name.ts';
import type { AccountWriter } from '../../world/account-store.ts';
import { type CustomAudienceRow, customAudience } from './entity.ts';
import { findAudience, findByName, findUsable } from './find.ts';

type Rejecting = Reject<'INVALID_PARAMETER' | 'NOT_FOUND'>;
type BatchItem = ParamsOf<Contract['custom_audiences']['batch']>['operations'][number];

/** Creates a placeholder, whose members are uploaded later. */
export async function createAudience(
  reject: Reject<'INVALID_PARAMETER'>,
  account: AccountWriter,
  params: CustomAudienceCreate,
): Promise<CustomAudienceRow> {
  reject.check(checkAudienceName(params.name, await findByName(account, params.name)));
  return account.of(customAudience).insert(resolveAudience(params));
}

/** Changes the name or the description of an audience. */
export async function updateAudience(
  reject: Rejecting,
  account: AccountWriter,
  { custom_audience_id, ...changes }: CustomAudienceChanges & { readonly custom_audience_id: string },
): Promise<CustomAudienceRow> {
  const before = await findAudience(reject, account, custom_audience_id);
  reject.check(checkChangeable(before));
  const after = changeAudience(before, changes);
  // A name that changes in case only is taken by this very audience.
  if (foldName(after.name) !== before.name_folded) {
    reject.check(checkAudienceName(after.name, await findByName(account, after.name)));
  }
  return account.of(customAudience).update(before, after);
}

/** Deletes an audience. */
export function deleteAudience(reject: Rejecting, account: AccountWriter, id: string): Promise<CustomAudienceRow> {
  return account.of(customAudience).remove(reject, id);
}

async function createFlexible(reject: Rejecting, account: AccountWriter, params: FlexibleAudienceCreate) {
  reject.check([
    ...checkAudienceName(params.name, await findByName(account, params.name)),
    ...(await checkTree(account, params.segments)),
  ]);
  return account.of(customAudience).insert(resolveFlexible(params));
}

async function checkTree(
  account: AccountWriter,
  tree: SegmentGroup,
): Promise<Issue<'INVALID_PARAMETER' | 'NOT_FOUND'>[]> {
  const usable = new Map<string, CustomAudienceRow | undefined>();
  for (const { leaf } of leavesOf(tree)) {
    const { custom_audience_id: id } = leaf;
    if (!usable.has(id)) usable.set(id, await findUsable(account, id));
  }
  return checkLeaves(tree, (id) => usable.get(id));
}

/** Runs an item of a batch. */
export async function runAudienceItem(
  reject: Rejecting,
  account: AccountWriter,
  item: BatchItem,
): Promise<CustomAudienceRow> {
  switch (item.operation_type) {
    case 'Create':
      return createFlexible(reject, account, item.params);
    case 'Update': {
      // First, because it is the better answer to a change of the tree of a flexible audience.
      reject.check(checkChangeable(await findAudience(reject, account, item.params.custom_audience_id)));
      reject.check(checkBatchChanges(item.params));
      return updateAudience(reject, account, item.params);
    }
    case 'Delete':
      return deleteAudience(reject, account, item.params.custom_audience_id);
  }
}

/** Writes of audiences, inside a transaction. Single calls and items of a batch share them. */
import { type Contract, changesAnything, changesOf, type Issue, type ParamsOf, type Reject } from '@broadside/core';
import {
  type CustomAudienceChanges,
  type CustomAudienceCreate,
  changeAudience,
  checkAudienceName,
  checkBatchChanges,
  checkChangeable,
  checkLeaves,
  type FlexibleAudienceCreate,
  resolveAudience,
  resolveFlexible,
} from '@broadside/core/resources/custom-audiences';
import { foldName } from '../../db/fold-name.ts';
import type { AccountWriter } from '../../world/account-store.ts';
import { insertLeaf, leafIdsOf } from '../../world/audience-leaves.ts';
import { type CustomAudienceRow, customAudience } from './entity.ts';
import { findByName, findUsableAudience, requireOwned, requireWritable, writerOfOwner } from './find.ts';

type Rejecting = Reject<'ACTION_NOT_ALLOWED' | 'INVALID_PARAMETER' | 'NOT_FOUND'>;
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

/** Changes the name or the description of an audience, also of one that another account shares by READ_WRITE. */
export async function updateAudience(
  reject: Rejecting,
  account: AccountWriter,
  { custom_audience_id, ...changes }: CustomAudienceChanges & { readonly custom_audience_id: string },
): Promise<CustomAudienceRow> {
  const found = await requireWritable(reject, account, custom_audience_id);
  const { audience: before, is_owner } = found;
  if (changesAnything(before, changes)) reject.check(checkChangeable(before));
  const owner = writerOfOwner(account, found);
  const after = changeAudience(before, changes);
  // A name that changes in case only is taken by this very audience.
  if (foldName(after.name) !== before.name_folded) {
    reject.check(checkAudienceName(after.name, await findByName(owner, after.name), is_owner));
  }
  return owner.of(customAudience).update(before, after);
}

/** Deletes an audience of the account. */
export async function deleteAudience(
  reject: Rejecting,
  account: AccountWriter,
  id: string,
): Promise<CustomAudienceRow> {
  return account.of(customAudience).delete(await requireOwned(reject, account, id));
}

async function createFlexible(reject: Rejecting, account: AccountWriter, params: FlexibleAudienceCreate) {
  reject.check([
    ...checkAudienceName(params.name, await findByName(account, params.name)),
    ...(await checkTree(account, params)),
  ]);
  const row = await account.of(customAudience).insert(resolveFlexible(params));
  for (const leaf_id of leafIdsOf(params)) {
    await account.run(insertLeaf, { leaf_id, custom_audience_id: row.id });
  }
  return row;
}

async function checkTree(
  account: AccountWriter,
  params: FlexibleAudienceCreate,
): Promise<Issue<'INVALID_PARAMETER' | 'NOT_FOUND'>[]> {
  const usable = new Map<string, CustomAudienceRow | undefined>();
  for (const id of leafIdsOf(params)) usable.set(id, (await findUsableAudience(account, id))?.audience);
  return checkLeaves(params.segments, (id) => usable.get(id));
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
      const { custom_audience_id, ...changes } = item.params;
      const { audience } = await requireWritable(reject, account, custom_audience_id);
      if (changesAnything(audience, changes)) reject.check(checkChangeable(audience));
      reject.check(checkBatchChanges({ custom_audience_id, ...changesOf(audience, changes) }));
      return updateAudience(reject, account, item.params);
    }
    case 'Delete':
      return deleteAudience(reject, account, item.params.custom_audience_id);
  }
}

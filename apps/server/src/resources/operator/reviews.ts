/** Reviews of what is promoted. */

import type { OperatorContract } from '@broadside/core';
import type { ApprovalStatus } from '@broadside/core/resources/accounts';
import type { Awaitable } from '../../awaitable.ts';
import type { KindName } from '../../db/change-log.ts';
import type { Entity } from '../../db/entity.ts';
import type { HandlersOf } from '../../pipeline/context.ts';
import type { AccountReader, AccountTypes, AccountWriter } from '../../world/account-store.ts';
import { reviewContentOf } from '../line-items/find.ts';
import { mediaCreative } from '../media-creatives/find.ts';
import { promotedAccount } from '../promoted-accounts/find.ts';
import { promotedPost } from '../promoted-posts/find.ts';

/** The name of a kind of entity that is reviewed before it is shown. */
export type Reviewed = Parameters<HandlersOf<OperatorContract['admin']>['approvals']['set']>[1]['entity'];

interface ReviewedTypes extends AccountTypes {
  readonly row: AccountTypes['row'] & {
    line_item_id: string;
    approval_status: ApprovalStatus;
    updated_at: string;
    // What it shows: each kind has one of them.
    post_id?: string;
    user_id?: string;
    account_media_id?: string;
  };
}

/** The kinds of entity that are reviewed, by name. */
const reviewed: Readonly<Record<Reviewed, Entity<KindName, ReviewedTypes>>> = {
  PROMOTED_POST: promotedPost,
  PROMOTED_ACCOUNT: promotedAccount,
  MEDIA_CREATIVE: mediaCreative,
};

/** Returns what is reviewed, deleted or not. */
export function findReviewed(
  account: AccountReader,
  name: Reviewed,
  id: string,
): Awaitable<ReviewedTypes['row'] | undefined> {
  return account.of(reviewed[name]).get(id);
}

/** Stores the outcome of a review. @returns what was reviewed, as it is afterwards; `undefined` if it does not exist */
export async function reviewPromoted(
  account: AccountWriter,
  name: Reviewed,
  id: string,
  approval_status: ApprovalStatus,
): Promise<ReviewedTypes['row'] | undefined> {
  const entity = reviewed[name];
  const before = await account.of(entity).get(id);
  if (!before || before.deleted) return undefined;
  const after = await account.of(entity).update(before, { approval_status });
  await reviewContentOf(account, before.line_item_id);
  return after;
}

/** What becomes of promotions of a post that the operator takes down or restores. */
import type { ApprovalStatus } from '@broadside/core/resources/accounts';
import type { Actor } from '../../db/change-log.ts';
import type { HeldPromotion } from '../../moderation/moderation.ts';
import type { AdsStore } from '../../world/ads-store.ts';
import { environments } from '../../world/environment.ts';
import type { World } from '../../world/world.ts';
import { promotedPost, promotionsOf } from '../promoted-posts/find.ts';
import { reviewPromoted } from './reviews.ts';

/** Reviews that are read at a time. */
const PORTION = 100;

/**
 * Rejects what promotes a post that is taken down, or a repost of it; otherwise has reviews come to what they had come to before, as far as no
 * other take-down hides what is promoted. May be repeated.
 */
export async function settlePromotions(world: World, actor: Actor, post_id: bigint): Promise<void> {
  const isTakenDown = await world.moderation.isTakenDown(post_id);
  // Of one that is gone, nothing is left to promote.
  if (isTakenDown === true) await rejectAll(world, actor, post_id);
  else if (isTakenDown === false) {
    for (const held_id of await world.moderation.heldAmong(post_id)) await giveBack(world, actor, held_id);
  }
}

async function rejectAll(world: World, actor: Actor, post_id: bigint): Promise<void> {
  const post_ids = (await world.moderation.showing(post_id)).map(String);
  for (const environment of environments) {
    const ads = world.ads[environment];
    for await (const { account_id, id } of promotionsIn(ads, post_ids)) {
      const account = ads.account(account_id);
      const row = await account.of(promotedPost).get(id);
      if (!row || row.deleted || row.approval_status === 'REJECTED') continue;
      const { approval_status } = row;
      // Before: what it was is not to be lost where the process ends in between. Under the post that is promoted, which another take-down may hide too.
      const held = { environment, account_id, promoted_post_id: id, approval_status };
      await world.moderation.hold(BigInt(row.post_id), held);
      await account.write(actor, (writer) => reviewPromoted(writer, 'PROMOTED_POST', id, 'REJECTED'));
    }
  }
}

/** The promotions of posts, in each store that holds accounts. */
async function* promotionsIn(ads: AdsStore, post_ids: readonly string[]) {
  for (const { database } of ads.stores) yield* promotionsOf(database, post_ids);
}

async function giveBack(world: World, actor: Actor, post_id: bigint): Promise<void> {
  while (!(await world.moderation.isHidden(post_id))) {
    const held = await world.moderation.held(post_id, PORTION);
    for (const promotion of held) {
      const isGivenBack = await review(world, actor, promotion, 'REJECTED', promotion.approval_status);
      const isOver = await world.moderation.release(post_id, promotion);
      // A take-down since then may have found it rejected still.
      if (isGivenBack && !isOver) await review(world, actor, promotion, promotion.approval_status, 'REJECTED');
    }
    if (held.length < PORTION) break;
  }
}

/** Has a review come to something, unless it is not what it was any more: what was decided since then stays. @returns whether it has */
async function review(
  world: World,
  actor: Actor,
  { environment, account_id, promoted_post_id: id }: HeldPromotion,
  from: ApprovalStatus,
  to: ApprovalStatus,
): Promise<boolean> {
  return world.ads[environment].account(account_id).write(actor, async (writer) => {
    const row = await writer.of(promotedPost).get(id);
    if (row?.approval_status !== from) return false;
    await reviewPromoted(writer, 'PROMOTED_POST', id, to);
    return true;
  });
}

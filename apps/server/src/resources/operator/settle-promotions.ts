/** What becomes of promotions of a post that the operator takes down, restores or deletes, or that is deleted with its author. */
import type { ApprovalStatus } from '@broadside/core/resources/accounts';
import type { Actor } from '../../db/change-log.ts';
import type { HeldPromotion } from '../../moderation/moderation.ts';
import type { AccountWriter } from '../../world/account-store.ts';
import type { AdsStore } from '../../world/ads-store.ts';
import { environments } from '../../world/environment.ts';
import type { World } from '../../world/world.ts';
import { livePromotions, promotedPost, promotionsOf } from '../promoted-posts/find.ts';
import { reviewPromoted } from './reviews.ts';

/** Reviews that are read at a time. */
const PORTION = 100;

/**
 * Rejects what promotes a post that is taken down or deleted, or a repost of it (of deleted posts the specification says nothing: our choice); otherwise has reviews come to what they had come to before, as far as no
 * other take-down hides what is promoted. May be repeated.
 */
export async function settlePromotions(world: World, actor: Actor, post_id: bigint): Promise<void> {
  const isTakenDown = await world.moderation.isTakenDown(post_id);
  if (isTakenDown !== false) return rejectAll(world, actor, post_id, isTakenDown === true);
  for (const held_id of await world.moderation.heldAmong(post_id)) await giveBack(world, actor, held_id);
}

/** Rejects what promotes posts that are not there any more, whichever these are. May be repeated. */
export async function rejectOfGone(world: World, actor: Actor): Promise<void> {
  for (const environment of environments) {
    const ads = world.ads[environment];
    for (const { database } of ads.stores) {
      for await (const promotions of livePromotions(database)) {
        const gone = await world.moderation.goneOf(promotions.map(({ post_id }) => BigInt(post_id)));
        for (const { account_id, id } of promotions.filter(({ post_id }) => gone.has(BigInt(post_id)))) {
          await ads.account(account_id).write(actor, (writer) => reject(writer, id));
        }
      }
    }
  }
}

/** @param isHeld what the reviews were is given back when the post is restored */
async function rejectAll(world: World, actor: Actor, post_id: bigint, isHeld: boolean): Promise<void> {
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
      if (isHeld) await world.moderation.hold(BigInt(row.post_id), held);
      await account.write(actor, (writer) => reject(writer, id));
    }
  }
}

async function reject(writer: AccountWriter, id: string): Promise<void> {
  const row = await writer.of(promotedPost).get(id);
  if (row?.approval_status !== 'REJECTED') await reviewPromoted(writer, 'PROMOTED_POST', id, 'REJECTED');
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

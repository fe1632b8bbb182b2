/** What becomes of promotions of a post that the operator takes down or restores. */
import type { Actor } from '../../db/change-log.ts';
import type { HeldPromotion } from '../../moderation/moderation.ts';
import type { AdsStore } from '../../world/ads-store.ts';
import { environments } from '../../world/environment.ts';
import type { World } from '../../world/world.ts';
import { promotedPost, promotionsOf } from '../promoted-posts/find.ts';
import { reviewPromoted } from './reviews.ts';

/** Reviews that are read at a time. */
const PORTION = 100;

/** Rejects what promotes a post that is taken down; otherwise has reviews come to what they had come to before. May be repeated. */
export async function settlePromotions(world: World, actor: Actor, post_id: bigint): Promise<void> {
  const isTakenDown = await world.moderation.isTakenDown(post_id);
  // Of one that is gone, nothing is left to promote.
  if (isTakenDown === true) await reject(world, actor, post_id);
  else if (isTakenDown === false) await giveBack(world, actor, post_id);
}

async function reject(world: World, actor: Actor, post_id: bigint): Promise<void> {
  const post_ids = (await world.moderation.showing(post_id)).map(String);
  for (const environment of environments) {
    const ads = world.ads[environment];
    for await (const { account_id, id } of promotionsIn(ads, post_ids)) {
      const account = ads.account(account_id);
      const row = await account.of(promotedPost).get(id);
      if (!row || row.deleted || row.approval_status === 'REJECTED') continue;
      const { approval_status } = row;
      // Before: what it was is not to be lost where the process ends in between.
      await world.moderation.hold(post_id, { environment, account_id, promoted_post_id: id, approval_status });
      await account.write(actor, (writer) => reviewPromoted(writer, 'PROMOTED_POST', id, 'REJECTED'));
    }
  }
}

/** The promotions of posts, in each store that holds accounts. */
async function* promotionsIn(ads: AdsStore, post_ids: readonly string[]) {
  for (const { database } of ads.stores) yield* promotionsOf(database, post_ids);
}

async function giveBack(world: World, actor: Actor, post_id: bigint): Promise<void> {
  for (;;) {
    const held = await world.moderation.held(post_id, PORTION);
    for (const promotion of held) {
      await review(world, actor, promotion);
      await world.moderation.release(post_id, promotion);
    }
    if (held.length < PORTION) break;
  }
}

async function review(
  world: World,
  actor: Actor,
  { environment, account_id, promoted_post_id: id, approval_status }: HeldPromotion,
): Promise<void> {
  await world.ads[environment].account(account_id).write(actor, async (writer) => {
    const row = await writer.of(promotedPost).get(id);
    // What was decided since then stays.
    if (row?.approval_status === 'REJECTED') await reviewPromoted(writer, 'PROMOTED_POST', id, approval_status);
  });
}

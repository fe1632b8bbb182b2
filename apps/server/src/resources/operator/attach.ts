import type { World } from '../../world/world.ts';
import { leaveAccounts } from './leave-accounts.ts';
import { leaveMedia } from './leave-media.ts';
import { rejectOfGone, settlePromotions } from './settle-promotions.ts';

/** Has advertising accounts follow what becomes of people and posts. */
export function attach(world: World): void {
  world.deletions.handle({
    leaveAccounts: (actor, user_id) => leaveAccounts(world, actor, user_id),
    leaveMedia: (actor, media_keys) => leaveMedia(world, actor, media_keys),
    rejectOfGone: (actor) => rejectOfGone(world, actor),
  });
  world.moderation.handle((actor, post_id) => settlePromotions(world, actor, post_id));
}

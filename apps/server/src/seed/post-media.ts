/** Media of generated posts: determined by the seed and the number of the post alone, so that a repost can repeat them. */
import { defaultMediaCategories, type MediaKind, mediaCategories } from '@broadside/core/resources/media';
import { snowflakeAt } from '../world/ids.ts';
import type { StockMedia, StockPool } from './pictures/stock-media.ts';
import { at, kinds, type WorldPlan } from './plan.ts';

/** Media of a post, before they have a row. */
export interface PlannedMedia {
  readonly id: bigint;
  readonly media_key: string;
  readonly stock: StockMedia;
  readonly alt_text: string | null;
}

const SHARE = 0.12;
// Above the bits of seeded ids and of people: ids of media differ from those of posts of the same time.
const LOW = (1 << 21) | (1 << 20);

/** Returns the media of a post; for a repost those of the original. */
export function mediaOfPost(plan: WorldPlan, pool: StockPool, post: number): readonly PlannedMedia[] {
  const { posts, seed } = plan;
  if (at(posts.kind, post) === kinds.repost) return mediaOfPost(plan, pool, at(posts.target, post));
  const stream = seed.stream('media', post);
  if (!stream.chance(SHARE)) return [];
  const choice = stream.fraction();
  const [from, count] =
    choice < 0.15 ? [pool.videos, 1] : choice < 0.25 ? [pool.gifs, 1] : [pool.photos, 1 + stream.low(4)];
  const low = LOW | (stream.below(1 << 18) << 2);
  return Array.from({ length: count }, (_, index): PlannedMedia => {
    const stock = stream.pick(from);
    const id = snowflakeAt(at(posts.created_ms, post), BigInt(low | index));
    return {
      id,
      media_key: mediaKey(stock.facts.kind, id),
      stock,
      alt_text: stream.chance(0.4) ? stock.alt_text : null,
    };
  });
}

/** Returns the key of media of posts (reference, conventions section 3). */
export function mediaKey(kind: MediaKind, id: bigint): string {
  return `${mediaCategories[defaultMediaCategories[kind]].media_key_prefix}_${id}`;
}

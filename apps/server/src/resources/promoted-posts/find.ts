export { promotedPost } from './entity.ts';
export { livePromotions, promotionsOf } from './promotions-of.ts';
export { promotedPosts } from './table.ts';

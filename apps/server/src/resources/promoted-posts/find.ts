export { promotedPost } from './entity.ts';
export { promotionsOf } from './promotions-of.ts';
export { promotedPosts } from './table.ts';

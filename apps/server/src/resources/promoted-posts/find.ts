export { promotedPost } from './entity.ts';

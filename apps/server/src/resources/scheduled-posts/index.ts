import { scheduledPost } from './entity.ts';

export * from './find.ts';
export { handlers } from './handlers.ts';
export { attach } from './publication.ts';
export const entities: readonly [typeof scheduledPost] = [scheduledPost];

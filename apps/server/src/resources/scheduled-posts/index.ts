import { scheduledPost } from './entity.ts';

export * from './find.ts';
export const entities = [scheduledPost] as const;

import { draftPost } from './entity.ts';

export * from './find.ts';
export const entities = [draftPost] as const;

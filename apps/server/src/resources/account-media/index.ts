import { accountMedia } from './entity.ts';

export * from './find.ts';
export const entities = [accountMedia] as const;

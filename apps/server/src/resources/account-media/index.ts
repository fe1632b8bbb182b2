import { accountMedia } from './entity.ts';

export * from './find.ts';
export { handlers } from './handlers.ts';

export const entities = [accountMedia] as const;

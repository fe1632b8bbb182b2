import { mediaCreative } from './entity.ts';

export * from './find.ts';
export { handlers } from './handlers.ts';

export const entities: readonly [typeof mediaCreative] = [mediaCreative];

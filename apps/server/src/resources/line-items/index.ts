import { lineItem } from './entity.ts';

export * from './find.ts';
export { attach } from './flight-times.ts';
export { handlers } from './handlers.ts';

export const entities: readonly [typeof lineItem] = [lineItem];

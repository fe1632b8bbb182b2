import { fundingInstrument } from './entity.ts';

export * from './find.ts';
export { handlers } from './handlers.ts';
export { attach } from './terms.ts';

export const entities: readonly [typeof fundingInstrument] = [fundingInstrument];

import { business } from './entity.ts';

export * from './find.ts';

export const entities: readonly [typeof business] = [business];

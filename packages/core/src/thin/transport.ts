/** Limits of every request; as with `contract.ts`, the build replaces this module by its result. */
import { thinTransport as derive } from './derive.ts';
import type { ThinTransport } from './types.ts';

export const thinTransport: ThinTransport = derive();

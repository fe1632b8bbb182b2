/** What every request is held to; like `contract.ts`, the build puts the outcome in the place of this module. */
import { thinTransport as derive } from './derive.ts';
import type { ThinTransport } from './types.ts';

export const thinTransport: ThinTransport = derive();

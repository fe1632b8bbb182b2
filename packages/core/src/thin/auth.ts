/** The thin contract of authentication; as with `contract.ts`, the build replaces this module by its result. */
import { allAuthOperations, allPages } from '../families.ts';
import { thinAuthContract } from './derive.ts';
import type { ThinAuthContract } from './types.ts';

export const thinAuth: ThinAuthContract = thinAuthContract(allAuthOperations, allPages);

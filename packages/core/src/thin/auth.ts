/** The thin contract of authentication; like `contract.ts`, the build puts the outcome in its place. */
import { allAuthOperations, allPages } from '../families.ts';
import { thinAuthContract } from './derive.ts';
import type { ThinAuthContract } from './types.ts';

export const thinAuth: ThinAuthContract = thinAuthContract(allAuthOperations, allPages);

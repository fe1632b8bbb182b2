/**
 * The thin contract of the advertising interface, data retrieval and uploads. Derived here from the contract; the build
 * replaces this module by its result, so that installed packages do not load the contract with it.
 */
import { allDataOperations, allOperations, allUploadOperations } from '../families.ts';
import { thinContract } from './derive.ts';
import type { ThinContract } from './types.ts';

export type * from './types.ts';

export const thin: ThinContract = thinContract([...allOperations, ...allDataOperations, ...allUploadOperations]);

import {
  type AnyOperation,
  allAuthOperations,
  allControlOperations,
  allDataOperations,
  allOperations,
  allOperatorOperations,
  allUploadOperations,
} from '@broadside/core';

/** The operations that programs call, of all kinds. */
export const everyOperation: readonly AnyOperation[] = [
  ...allOperations,
  ...allAuthOperations,
  ...allDataOperations,
  ...allUploadOperations,
  ...allOperatorOperations,
  ...allControlOperations,
];

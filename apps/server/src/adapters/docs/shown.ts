import type { OperationKind, OperationOfKind } from '@broadside/core';

/** Any operation that the reference shows. */
export type Shown = OperationOfKind<OperationKind>;

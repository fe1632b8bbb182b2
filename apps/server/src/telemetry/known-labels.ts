/** Values of labels that are known before anything is counted by them. */
import type { ErrorName } from '@broadside/core';

/** The classes of reasons for which credentials are rejected. */
export const failureReasons = [
  'signature',
  'used_nonce',
  'timestamp',
  'revoked_token',
  'bearer_token',
  'basic',
  'suspended',
  'foreign_host',
  'malformed',
  'unsigned',
  'unavailable',
] as const;

export type FailureReason = (typeof failureReasons)[number];

/** The codes of errors with which connections are closed that have no request. */
export const closedCodes = [
  'CANCELLED_REQUEST',
  'INVALID_PARAMETER',
  'OVER_CAPACITY',
  'REQUEST_TOO_LARGE',
] as const satisfies readonly ErrorName[];

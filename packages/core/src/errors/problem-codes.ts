/**
 * Rejections of data retrieval have a status and no code. Clients assign the code that other interfaces use for the
 * same error: the one of these names with that status, and INTERNAL_ERROR for any other.
 */
import type { ErrorName } from './error-name.ts';

export const problemNames = [
  'INVALID_PARAMETER',
  'UNAUTHORIZED_ACCESS',
  'UNAUTHORIZED_CLIENT_APPLICATION',
  'ROUTE_NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'CANCELLED_REQUEST',
  'REQUEST_TOO_LARGE',
  'UNSUPPORTED_CONTENT_TYPE',
  'TOO_MANY_REQUESTS',
] as const satisfies readonly ErrorName[];

/** One of {@link problemNames}. */
export type ProblemName = (typeof problemNames)[number];

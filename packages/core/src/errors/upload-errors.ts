/**
 * Errors of version 1.1 of the upload, which are numbered. Parameter errors have numbers that the endpoints of
 * authentication do not use (reference, auth section 6).
 */
import type { Issue, NumberedError } from '../wire/issues.ts';
import { errorStatus, numberedError } from './catalogue.ts';
import type { ErrorName } from './error-name.ts';

/** A required parameter is missing. */
const MISSING = { code: 38, status: 403 } as const;

/** The number of a missing parameter. */
export type MissingNumber = (typeof MISSING)['code'];

/** Returns an issue in the form of version 1.1 of the upload. */
export function uploadError(issue: Issue): NumberedError {
  const { error, parameter = '' } = issue;
  if (error === 'MISSING_PARAMETER') return { ...numberedError(issue), code: MISSING.code };
  if (error === 'UNAUTHORIZED_CLIENT_APPLICATION') return numberedError({ ...issue, error: 'APP_SUSPENDED' });
  const isParameter = error === 'INVALID_PARAMETER' || error === 'ILLEGAL_CHARACTERS';
  // A malformed signature has the same number as everywhere else.
  return numberedError(isParameter && !parameter.startsWith('oauth_') ? { ...issue, error: 'MEDIA_INVALID' } : issue);
}

/** Returns the number of an entry of the catalogue in version 1.1. */
export function uploadErrorNumber(error: ErrorName): number {
  return uploadError({ error }).code;
}

/** Returns the HTTP status of an entry of the catalogue in version 1.1. */
export function uploadErrorStatus(error: ErrorName): number {
  return error === 'MISSING_PARAMETER' ? MISSING.status : errorStatus(error);
}

/**
 * Errors of version 1.1 of the upload: by number. What is wrong with parameters has numbers that the endpoints of
 * authentication do not give (reference, auth section 6).
 */
import type { Issue, NumberedError } from '../wire/issues.ts';
import { errorStatus, numberedError } from './catalogue.ts';
import type { ErrorName } from './error-name.ts';

/** A required parameter is missing. */
const MISSING = { code: 38, status: 403 } as const;

/** The number of a parameter that is missing. */
export type MissingNumber = (typeof MISSING)['code'];

/** An issue as version 1.1 of the upload puts it. */
export function uploadError(issue: Issue): NumberedError {
  const { error, parameter = '' } = issue;
  if (error === 'MISSING_PARAMETER') return { ...numberedError(issue), code: MISSING.code };
  if (error === 'UNAUTHORIZED_CLIENT_APPLICATION') return numberedError({ ...issue, error: 'APP_SUSPENDED' });
  const isParameter = error === 'INVALID_PARAMETER' || error === 'ILLEGAL_CHARACTERS';
  // A malformed signature has the number that it has everywhere.
  return numberedError(isParameter && !parameter.startsWith('oauth_') ? { ...issue, error: 'MEDIA_INVALID' } : issue);
}

/** The number that an entry of the catalogue has there. */
export function uploadErrorNumber(error: ErrorName): number {
  return uploadError({ error }).code;
}

/** The HTTP status with which an entry of the catalogue is answered there. */
export function uploadErrorStatus(error: ErrorName): number {
  return error === 'MISSING_PARAMETER' ? MISSING.status : errorStatus(error);
}

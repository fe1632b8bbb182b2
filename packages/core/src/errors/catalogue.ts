/**
 * The error catalogue of the platform (specification A "Errors"; reference, conventions section 7). Each entry has the HTTP
 * status and a message that a caller may read; an occurrence adds the parameter, the value received and a finer reason. The
 * endpoints of authentication name errors by number ({@link numberedError}).
 */
import { familyErrors } from '../families.ts';
import { baseErrors, type ErrorEntry } from '../wire/base-errors.ts';
import type { Issue, NumberedError, WireError } from '../wire/issues.ts';
import { repeated } from '../wire/show.ts';
import type { ErrorCatalogue, ErrorName } from './error-name.ts';

export const errorCatalogue: ErrorCatalogue = { ...baseErrors, ...familyErrors };

/** Returns the `code` of an entry of the catalogue on the wire. */
export function errorCode(name: ErrorName): string | number {
  const entry: ErrorEntry = errorCatalogue[name];
  return entry.code ?? name;
}

/** Returns the HTTP status of an entry of the catalogue. */
export function errorStatus(name: ErrorName): number {
  return errorCatalogue[name].status;
}

/** Returns the wire form of an issue; members that are not given are absent, and so is a large array or object as `value`. */
export function wireError(issue: Issue): WireError {
  const { error, message, value, ...rest } = issue;
  const wire = { code: errorCode(error), message: message ?? errorCatalogue[error].message, ...rest };
  const sent = value === undefined ? undefined : repeated(value);
  return sent === undefined ? wire : { ...wire, value: sent };
}

/** Returns the number of an entry of the catalogue at the endpoints of authentication. */
export function errorNumber(name: ErrorName): number {
  const entry: ErrorEntry = errorCatalogue[name];
  return entry.number ?? errorCatalogue.INTERNAL_ERROR.number;
}

/** Returns an issue in the form of the endpoints of authentication (reference, auth section 6). */
export function numberedError(issue: Issue): NumberedError {
  const { label }: ErrorEntry = errorCatalogue[issue.error];
  const { code: _, ...rest } = wireError(issue);
  return { code: errorNumber(issue.error), ...(label === undefined ? {} : { label }), ...rest };
}

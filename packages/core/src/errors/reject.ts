/** Rejecting a call with the errors that its operation can answer with. */
import type { Issue } from '../wire/issues.ts';
import { ApiError } from './api-error.ts';
import type { ErrorName } from './error-name.ts';

/**
 * Rejects a call with errors of these names. One of more names serves wherever one of fewer is asked for, so that a function
 * asks for the names that it needs, and an operation that does not list them all cannot call it.
 */
export interface Reject<Name extends ErrorName> {
  /** The exception for an error: `throw reject.error('NOT_FOUND')`. */
  readonly error: (issue: Issue<Name> | Name) => ApiError;
  /** Throws when there are issues, which rules return. */
  readonly check: (issues: readonly Issue<Name>[]) => void;
}

/** Rejects with any error: for callers that are held to no operation. */
export const rejectWithAny: Reject<ErrorName> = {
  error: (issue) => new ApiError(issue),
  check([first, ...others]) {
    if (first) throw new ApiError(first, ...others);
  },
};

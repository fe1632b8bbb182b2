/** Errors as data: as found by rules and by parsing parameters, and in their wire form. */
import type { ErrorName } from '../errors/error-name.ts';

/** One occurrence of an error, with details beyond its catalogue entry. `Name` lists the errors that it can be. */
export interface Issue<Name extends ErrorName = ErrorName> {
  readonly error: Name;
  /** Replaces the catalogue's message. Describes a valid value. */
  readonly message?: string;
  /** Name of the offending parameter. */
  readonly parameter?: string;
  /** A finer reason, such as `invalid date`. */
  readonly details?: string;
  /** The value received. */
  readonly value?: unknown;
  /** Replaces `parameter` where an entity as a whole does not validate. */
  readonly attribute?: string;
}

/** One entry of `errors` on the wire. */
export interface WireError {
  /** A word of the catalogue; the number 89 for a token that is no longer valid. */
  readonly code: string | number;
  readonly message: string;
  readonly parameter?: string;
  readonly details?: string;
  readonly value?: unknown;
  readonly attribute?: string;
}

/** An entry of `errors` at the endpoints of authentication. */
export interface NumberedError extends Omit<WireError, 'code'> {
  readonly code: number;
  readonly label?: string;
}

/** Rejects the value of a parameter. The message describes a valid value. */
export function invalidParameter(parameter: string, value: unknown, message: string): Issue<'INVALID_PARAMETER'> {
  return { error: 'INVALID_PARAMETER', parameter, value, message };
}

/** Rejects a request for a missing parameter; `circumstance` states when it is required: `with objective REACH`. */
export function missingParameter(parameter: string, circumstance: string): Issue<'MISSING_PARAMETER'> {
  return { error: 'MISSING_PARAMETER', parameter, message: `"${parameter}" is required ${circumstance}` };
}

/**
 * Errors that follow from facts of an operation: one table, from which both the function and the types of errors of
 * operations are made.
 */
import type { ErrorName } from './error-name.ts';

/** Errors by the fact that implies them. */
export const impliedErrors = {
  any: ['INTERNAL_ERROR'],
  /** It says what is wrong with a request: all but the operations that have one `refusal` for everything. */
  specific: ['UNAUTHORIZED_ACCESS', 'INVALID_PARAMETER'],
  ads: ['TIMESTAMP_OUT_OF_BOUNDS', 'INVALID_TOKEN', 'UNAUTHORIZED_CLIENT_APPLICATION', 'TOO_MANY_REQUESTS'],
  operator: [],
  auth: ['TIMESTAMP_OUT_OF_BOUNDS', 'BAD_AUTHENTICATION_DATA', 'TOO_MANY_REQUESTS'],
  data: ['TIMESTAMP_OUT_OF_BOUNDS', 'INVALID_TOKEN', 'UNAUTHORIZED_CLIENT_APPLICATION', 'TOO_MANY_REQUESTS'],
  upload: ['TIMESTAMP_OUT_OF_BOUNDS', 'INVALID_TOKEN', 'UNSUPPORTED_AUTHENTICATION', 'TOO_MANY_REQUESTS'],
  /** A step of version 1.1 of the upload. */
  'version 1.1': ['BAD_AUTHENTICATION_DATA', 'APP_SUSPENDED'],
  /** A step of version 2 of the upload. */
  'version 2': ['UNAUTHORIZED_CLIENT_APPLICATION'],
  /** It changes something, by the right of an access token. */
  write: ['READONLY_CLIENT_APPLICATION'],
  /** Its request can have a body. */
  body: ['REQUEST_TOO_LARGE', 'UNSUPPORTED_CONTENT_TYPE'],
  /** It needs a capability on an account. */
  capability: ['ACCOUNT_NOT_FOUND', 'ACTION_NOT_ALLOWED', 'ACCOUNT_DELETED'],
  batch: ['REQUEST_TOO_COMPLEX', 'MISSING_PARAMETER'],
  /** It has a parameter that must be given, outside the path: a path without one of its parameters is another path. */
  required: ['MISSING_PARAMETER'],
  /** It has a parameter that is a text. */
  text: ['ILLEGAL_CHARACTERS'],
  /** It has parameters that cannot be used together. */
  exclusive: ['EXCLUSIVE_PARAMETERS'],
} as const satisfies Readonly<Record<string, readonly ErrorName[]>>;

/** The name of a fact that implies errors. */
export type Fact = keyof typeof impliedErrors;

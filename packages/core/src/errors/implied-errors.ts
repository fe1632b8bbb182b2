/**
 * Errors that follow from facts of an operation: one table, from which both the function and the types of errors of
 * operations are derived.
 */
import type { ErrorName } from './error-name.ts';

/** Errors by the fact that implies them. */
export const impliedErrors = {
  any: ['INTERNAL_ERROR', 'SERVICE_UNAVAILABLE'],
  /** Its errors are specific: all operations but those that have one `rejection` for everything. */
  specific: ['UNAUTHORIZED_ACCESS', 'INVALID_PARAMETER'],
  /** It is called by HTTP, where the target and the headers of a request have a limit, as bodies do, and it has to arrive in time. */
  http: ['REQUEST_TOO_LARGE', 'CANCELLED_REQUEST'],
  ads: [
    'CURRENT_USER_SUSPENDED',
    'TIMESTAMP_OUT_OF_BOUNDS',
    'INVALID_TOKEN',
    'UNAUTHORIZED_CLIENT_APPLICATION',
    'TOO_MANY_REQUESTS',
  ],
  operator: [],
  control: [],
  /** It works in a world, or on one, that a parameter identifies. */
  world: ['WORLD_NOT_FOUND'],
  auth: ['TIMESTAMP_OUT_OF_BOUNDS', 'BAD_AUTHENTICATION_DATA', 'TOO_MANY_REQUESTS'],
  data: [
    'CURRENT_USER_SUSPENDED',
    'TIMESTAMP_OUT_OF_BOUNDS',
    'INVALID_TOKEN',
    'UNAUTHORIZED_CLIENT_APPLICATION',
    'TOO_MANY_REQUESTS',
  ],
  upload: [
    'CURRENT_USER_SUSPENDED',
    'TIMESTAMP_OUT_OF_BOUNDS',
    'INVALID_TOKEN',
    'UNSUPPORTED_AUTHENTICATION',
    'TOO_MANY_REQUESTS',
  ],
  /** A step of version 1.1 of the upload. */
  'version 1.1': ['BAD_AUTHENTICATION_DATA', 'APP_SUSPENDED'],
  /** A step of version 2 of the upload. */
  'version 2': ['UNAUTHORIZED_CLIENT_APPLICATION'],
  /** It changes something, with an access token. */
  write: ['READONLY_CLIENT_APPLICATION'],
  /** Its request can have a body. */
  body: ['UNSUPPORTED_CONTENT_TYPE'],
  /** It requires a capability on an account. */
  capability: ['ACCOUNT_NOT_FOUND', 'ACTION_NOT_ALLOWED', 'ACCOUNT_DELETED'],
  /** It changes something of an account. */
  'capability write': ['ACCOUNT_LOCKED_OUT', 'LOCK_ACQUISITION_TIMEOUT'],
  batch: ['REQUEST_TOO_COMPLEX', 'MISSING_PARAMETER'],
  /** It has a required parameter outside the path: a path without one of its parameters is a different path. */
  required: ['MISSING_PARAMETER'],
  /** It has a text parameter. */
  text: ['ILLEGAL_CHARACTERS'],
  /** It has mutually exclusive parameters. */
  exclusive: ['EXCLUSIVE_PARAMETERS'],
} as const satisfies Readonly<Record<string, readonly ErrorName[]>>;

/** The name of a fact that implies errors. */
export type Fact = keyof typeof impliedErrors;

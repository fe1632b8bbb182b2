/**
 * The errors that families share (specification A "Errors"; reference, conventions section 7). Each family states its
 * own in `resources/<name>/errors.ts`; `errors/catalogue.ts` has all of them.
 */

/** An entry of the error catalogue. */
export interface ErrorEntry {
  /** The HTTP status. */
  readonly status: number;
  /** A text that a caller may read. */
  readonly message: string;
  /** The `code` on the wire when it differs from the entry's name. */
  readonly code?: string | number;
  /** The `code` at the endpoints of authentication, which number their errors (reference, auth section 6). */
  readonly number?: number;
  /** Accompanies that number (reference, auth section 5). */
  readonly label?: string;
}

/** Entries of the error catalogue by name. */
export type ErrorEntries = Readonly<Record<string, ErrorEntry>>;

export const baseErrors = {
  // 400: the request itself is wrong.
  EXCLUSIVE_PARAMETERS: { status: 400, message: 'These parameters cannot be used together' },
  FEATURE_NOT_AVAILABLE: { status: 400, message: 'The account does not have this feature' },
  ILLEGAL_CHARACTERS: { status: 400, number: 215, message: 'The value contains characters that are not allowed' },
  INCLUSIVE_PARAMETERS: { status: 400, message: 'This parameter needs another one beside it' },
  INVALID: { status: 400, message: 'The request is not valid' },
  INVALID_DENOMINATION: { status: 400, message: 'The amount is not a multiple of the smallest unit of the currency' },
  INVALID_PARAMETER: { status: 400, number: 215, message: 'The parameter is not valid' },
  INVALID_TIME_WINDOW: { status: 400, message: 'The end must lie after the start' },
  MISSING_PARAMETER: { status: 400, number: 215, message: 'A required parameter is missing' },
  QUOTA_EXCEEDED: { status: 400, message: 'There are as many as there may be; delete some first' },
  REQUEST_TOO_COMPLEX: { status: 400, message: 'The request holds more than one call may carry' },
  SPEND_EXCEEDS_BUDGET: { status: 400, message: 'The amount is above the budget that it must fit into' },
  BAD_AUTHENTICATION_DATA: { status: 400, number: 215, message: 'The authentication data are missing or malformed' },
  // 401 and 403: the caller. An unknown account and somebody else's account produce the same response, so that they are
  // indistinguishable.
  UNAUTHORIZED_ACCESS: { status: 401, number: 32, message: 'The request is not authenticated' },
  TIMESTAMP_OUT_OF_BOUNDS: {
    status: 401,
    code: 'UNAUTHORIZED_ACCESS',
    number: 135,
    message: "The timestamp is too far from the server's time",
  },
  // The one error that the advertising interface numbers too (specification A, Errors).
  INVALID_TOKEN: { status: 401, code: 89, number: 89, message: 'Invalid or expired token' },
  ACCOUNT_NOT_FOUND: { status: 403, message: 'No account with this id is open to the caller' },
  UNVERIFIED_CREDENTIALS: {
    status: 403,
    number: 99,
    label: 'authenticity_token_error',
    message: 'Unable to verify your credentials',
  },
  ACCOUNT_LOCKED_OUT: {
    status: 403,
    message: 'The account is suspended: it can be read, and nothing of it can be changed',
  },
  CURRENT_USER_SUSPENDED: { status: 403, number: 64, message: 'The user of the access token is suspended' },
  APP_SUSPENDED: { status: 403, number: 416, message: 'The client application is suspended' },
  ACTION_NOT_ALLOWED: { status: 403, message: 'The permissions on this account do not allow this action' },
  READONLY_CLIENT_APPLICATION: { status: 403, number: 261, message: 'The access token allows reading only' },
  UNAUTHORIZED_CLIENT_APPLICATION: { status: 403, message: 'The client application may not use this interface' },
  UNSUPPORTED_AUTHENTICATION: {
    status: 403,
    number: 220,
    message: 'Your credentials do not allow access to this resource',
  },
  USER_NOT_FOUND: { status: 403, message: 'No user with this id exists' },
  // 404. The owner of a deleted account may learn that it existed.
  ACCOUNT_DELETED: { status: 404, code: 'ACCOUNT_NOT_FOUND', message: 'The account has been deleted' },
  NOT_FOUND: { status: 404, message: 'There is nothing with this id' },
  ROUTE_NOT_FOUND: { status: 404, number: 34, message: 'There is no such path' },
  // The rest.
  METHOD_NOT_ALLOWED: { status: 405, number: 34, message: 'The path exists, but not with this method' },
  CANCELLED_REQUEST: { status: 408, number: 215, message: 'The request did not arrive in time' },
  ALREADY_EXISTS: { status: 409, message: 'Something with this name exists already' },
  REQUEST_TOO_LARGE: { status: 413, number: 215, message: 'The request is larger than the server accepts' },
  UNSUPPORTED_CONTENT_TYPE: { status: 415, number: 215, message: 'The content type of the body is not supported' },
  LOCK_ACQUISITION_TIMEOUT: { status: 423, message: 'The account takes no changes for a moment; try again' },
  TOO_MANY_REQUESTS: {
    status: 429,
    number: 88,
    message: 'The rate limit is used up; wait until the time in the reset header',
  },
  INTERNAL_ERROR: { status: 500, number: 131, message: 'The server failed to handle the request' },
  OVER_CAPACITY: {
    status: 503,
    number: 130,
    message: 'The server has no room for more requests of this size; try again later',
  },
  SERVICE_UNAVAILABLE: { status: 503, number: 130, message: 'The service cannot handle the request now' },
} as const satisfies ErrorEntries;

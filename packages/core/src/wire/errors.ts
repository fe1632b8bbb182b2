/**
 * The error catalogue of the advertising interface (specification A "Errors"; reference, conventions section 7).
 * Each entry has the HTTP status and a message that a caller may read; an occurrence adds the parameter, the value
 * received and a finer reason. The endpoints of authentication name errors by number ({@link numberedError}).
 */

interface CatalogueEntry {
  readonly status: number;
  readonly message: string;
  /** The `code` on the wire when it differs from the entry's name. */
  readonly code?: string | number;
  /** The `code` at the endpoints of authentication, which number their errors (reference, auth section 6). */
  readonly number?: number;
  /** Stands beside that number (reference, auth section 5). */
  readonly label?: string;
}

export const errorCatalogue = {
  // 400: the request is wrong as it stands.
  EXCLUSIVE_PARAMETERS: { status: 400, message: 'These parameters cannot be used together' },
  FEATURE_NOT_AVAILABLE: { status: 400, message: 'The account does not have this feature' },
  ILLEGAL_CHARACTERS: { status: 400, number: 215, message: 'The value contains characters that are not allowed' },
  INCLUSIVE_PARAMETERS: { status: 400, message: 'This parameter needs another one beside it' },
  INVALID: { status: 400, message: 'The request is not valid' },
  INCOMPATIBLE_LINE_ITEM: { status: 400, message: 'The line item cannot take this' },
  INVALID_DENOMINATION: { status: 400, message: 'The amount is not a multiple of the smallest unit of the currency' },
  INVALID_FUNDING_INSTRUMENT: { status: 400, message: 'The funding instrument cannot be used' },
  INVALID_PARAMETER: { status: 400, number: 215, message: 'The parameter is not valid' },
  INVALID_PLACEMENT_TYPE: { status: 400, message: 'The placements are not valid for this line item' },
  INVALID_TARGETING_TYPE: { status: 400, message: 'There is no such targeting type' },
  INVALID_POST: { status: 400, message: 'The post cannot be used here' },
  INVALID_TIME_WINDOW: { status: 400, message: 'The end must lie after the start' },
  INVALID_TV_SHOW_LOCATIONS: { status: 400, message: 'Targeting a TV show needs a location in its market' },
  INVALID_USER_ID: { status: 400, message: 'The user cannot be used here' },
  INVALID_USER: { status: 400, message: 'The user cannot be used here' },
  MEDIA_INVALID: { status: 400, number: 324, message: 'The media cannot be used' },
  MEDIA_NOT_FOUND: { status: 400, number: 325, message: 'No upload with this id belongs to the caller' },
  MISSING_PARAMETER: { status: 400, number: 215, message: 'A required parameter is missing' },
  REQUEST_TOO_COMPLEX: { status: 400, message: 'The request holds more than one call may carry' },
  SPEND_EXCEEDS_BUDGET: { status: 400, message: 'The amount is above the budget that it must fit into' },
  TOO_MANY_CAMPAIGNS: { status: 400, message: 'The account has reached its limit of active campaigns' },
  TOO_MANY_LINE_ITEMS: { status: 400, message: 'The limit of line items has been reached' },
  TV_SHOW_OUTSIDE_MARKET: { status: 400, message: 'The TV show is not on in the locations that are targeted' },
  BAD_AUTHENTICATION_DATA: { status: 400, number: 215, message: 'The authentication data are missing or malformed' },
  // 401 and 403: who is asking. An unknown account and another's account answer alike, so neither can be told apart.
  UNAUTHORIZED_ACCESS: { status: 401, number: 32, message: 'The request is not authenticated' },
  TIMESTAMP_OUT_OF_BOUNDS: {
    status: 401,
    code: 'UNAUTHORIZED_ACCESS',
    number: 135,
    message: "The timestamp is too far from the server's time",
  },
  // The one error that the advertising interface names by number too (specification A, Errors).
  INVALID_TOKEN: { status: 401, code: 89, number: 89, message: 'Invalid or expired token' },
  ACCOUNT_NOT_FOUND: { status: 403, message: 'No account with this id is open to the caller' },
  UNVERIFIED_CREDENTIALS: {
    status: 403,
    number: 99,
    label: 'authenticity_token_error',
    message: 'Unable to verify your credentials',
  },
  CALLBACK_NOT_APPROVED: {
    status: 403,
    number: 415,
    message: 'Callback URL not approved for this client application.',
  },
  APP_SUSPENDED: { status: 403, number: 416, message: 'The client application is suspended' },
  OOB_NOT_PERMITTED: { status: 403, number: 417, message: 'The client application may not use the PIN flow (oob)' },
  ACTION_NOT_ALLOWED: { status: 403, message: 'The permissions on this account do not allow this action' },
  FUNDING_INSTRUMENT_EXCEEDS_AVAILABLE_CREDIT_LIMIT: {
    status: 403,
    message: 'The amount is above the credit of the funding instrument',
  },
  READONLY_CLIENT_APPLICATION: { status: 403, number: 261, message: 'The access token allows reading only' },
  UNAUTHORIZED_CLIENT_APPLICATION: { status: 403, message: 'The client application may not use this interface' },
  UNSUPPORTED_AUTHENTICATION: {
    status: 403,
    number: 220,
    message: 'Your credentials do not allow access to this resource',
  },
  USER_NOT_FOUND: { status: 403, message: 'No user with this id exists' },
  // 404. The owner of a deleted account may know that it existed.
  ACCOUNT_DELETED: { status: 404, code: 'ACCOUNT_NOT_FOUND', message: 'The account has been deleted' },
  ACCOUNT_MEDIA_NOT_FOUND: { status: 404, message: 'The account has no account media with this id' },
  CAMPAIGN_NOT_FOUND: { status: 404, message: 'The account has no campaign with this id' },
  FUNDING_INSTRUMENT_NOT_FOUND: { status: 404, message: 'The account has no funding instrument with this id' },
  INVALID_IAB_CATEGORY: { status: 404, message: 'No IAB category with this id exists' },
  LINE_ITEM_NOT_FOUND: { status: 404, message: 'The account has no line item with this id' },
  MEDIA_CREATIVE_NOT_FOUND: { status: 404, message: 'The account has no media creative with this id' },
  NOT_FOUND: { status: 404, message: 'There is nothing with this id' },
  POST_NOT_FOUND: { status: 404, message: 'No post with this id exists' },
  PROMOTABLE_USER_NOT_FOUND: { status: 404, message: 'The account has no promotable user with this id' },
  PROMOTED_ACCOUNT_NOT_FOUND: { status: 404, message: 'The account has no promoted account with this id' },
  PROMOTED_POST_NOT_FOUND: { status: 404, message: 'The account has no promoted post with this id' },
  ROUTE_NOT_FOUND: { status: 404, number: 34, message: 'There is no such path' },
  TARGETING_CRITERION_NOT_FOUND: { status: 404, message: 'The account has no targeting criterion with this id' },
  // The rest.
  METHOD_NOT_ALLOWED: { status: 405, number: 34, message: 'The path exists, but not with this method' },
  ALREADY_EXISTS: { status: 409, message: 'Something with this name exists already' },
  REQUEST_TOO_LARGE: { status: 413, number: 215, message: 'The request is larger than the server accepts' },
  UNSUPPORTED_CONTENT_TYPE: { status: 415, number: 215, message: 'The content type of the body is not supported' },
  TOO_MANY_REQUESTS: {
    status: 429,
    number: 88,
    message: 'The rate limit is used up; wait until the time in the reset header',
  },
  INTERNAL_ERROR: { status: 500, number: 131, message: 'The server failed to handle the request' },
  SERVICE_UNAVAILABLE: { status: 503, number: 130, message: 'The service cannot handle the request now' },
} as const satisfies Record<string, CatalogueEntry>;

/** The name of an entry of the catalogue. */
export type ErrorName = keyof typeof errorCatalogue;

/** One occurrence of an error, with what it says beside its catalogue entry. `Name` lists the errors that it can be. */
export interface Issue<Name extends ErrorName = ErrorName> {
  readonly error: Name;
  /** Replaces the catalogue's message. Says what would be right. */
  readonly message?: string;
  /** Name of the offending parameter. */
  readonly parameter?: string;
  /** A finer reason, such as `invalid date`. */
  readonly details?: string;
  /** The value received. */
  readonly value?: unknown;
  /** In place of `parameter` where an entity as a whole does not validate. */
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

/** The `code` that an entry of the catalogue has on the wire. */
export function errorCode(name: ErrorName): string | number {
  const entry: CatalogueEntry = errorCatalogue[name];
  return entry.code ?? name;
}

/** The HTTP status of an entry of the catalogue. */
export function errorStatus(name: ErrorName): number {
  return errorCatalogue[name].status;
}

/** An issue in the form of the wire; members that are not given are absent. */
export function wireError(issue: Issue): WireError {
  const { error, message, ...rest } = issue;
  return { code: errorCode(error), message: message ?? errorCatalogue[error].message, ...rest };
}

/** An entry of `errors` at the endpoints of authentication. */
export interface NumberedError extends Omit<WireError, 'code'> {
  readonly code: number;
  readonly label?: string;
}

/** The number that an entry of the catalogue has at the endpoints of authentication. */
export function errorNumber(name: ErrorName): number {
  const entry: CatalogueEntry = errorCatalogue[name];
  return entry.number ?? errorCatalogue.INTERNAL_ERROR.number;
}

/** An issue as the endpoints of authentication put it (reference, auth section 6). */
export function numberedError(issue: Issue): NumberedError {
  const { label }: CatalogueEntry = errorCatalogue[issue.error];
  const { code: _, ...rest } = wireError(issue);
  return { code: errorNumber(issue.error), ...(label === undefined ? {} : { label }), ...rest };
}

/** Refuses a request for one or several reasons; the first decides the HTTP status. */
export class ApiError extends Error {
  readonly issues: readonly [Issue, ...Issue[]];
  /** What is known of the cause, for people who build clients; a server in production mode never gives it. */
  diagnosis?: unknown;

  constructor(first: Issue | ErrorName, ...others: readonly Issue[]) {
    const issue: Issue = typeof first === 'string' ? { error: first } : first;
    super(issue.message ?? errorCatalogue[issue.error].message);
    this.name = 'ApiError';
    this.issues = [issue, ...others];
  }

  get status(): number {
    return errorStatus(this.issues[0].error);
  }
}

/** The member `diagnosis` of a refusal, where a server in development mode gives one. */
export function diagnosisOf(error: unknown): { readonly diagnosis?: unknown } {
  return error instanceof ApiError && error.diagnosis !== undefined ? { diagnosis: error.diagnosis } : {};
}

/** Refuses a batch because of its items: one list of issues for each item of the request, empty where it is sound. */
export class BatchError extends Error {
  readonly items: readonly (readonly Issue[])[];
  /** A batch with item errors answers 400 whatever the items' own errors are (reference, conventions section 6). */
  readonly status = 400;

  constructor(items: readonly (readonly Issue[])[]) {
    super('The batch was refused because of some of its items');
    this.name = 'BatchError';
    this.items = items;
  }
}

/** Throws when there are issues; rules return lists, handlers call this. */
export function refuse(issues: readonly Issue[]): void {
  const [first, ...others] = issues;
  if (first) throw new ApiError(first, ...others);
}

/**
 * Errors of calls. All are a {@link BroadsideError}, except that of a call that its own `signal` stopped: that
 * rejects with the signal's reason, as `fetch` does.
 */
import type { ErrorCatalogue, ErrorName, MissingNumber, WireError } from '@broadside/core';
import type { UploadedMedia } from '@broadside/core/resources/media';
import type { AudienceUploadReport } from './audience-upload/report.ts';
import type { Problem } from './decode.ts';
import type { RateLimits } from './rate-limits.ts';

/**
 * Every `code` that the contract knows: words, and the numbers of the endpoints of authentication and of uploads. A newer server may send
 * others, which `errors` holds as they came.
 */
export type ErrorCode =
  | {
      [Name in ErrorName]:
        | (ErrorCatalogue[Name] extends { readonly code: infer Code extends string | number } ? Code : Name)
        | (ErrorCatalogue[Name] extends { readonly number: infer Code extends number } ? Code : never);
    }[ErrorName]
  | MissingNumber;

/** The base of all errors of the client. */
export class BroadsideError extends Error {
  override readonly name: string = 'BroadsideError';
}

/** The call cannot be made as it stands. Nothing was sent. */
export class CallError extends BroadsideError {
  override readonly name: string = 'CallError';
  /** The parameter that it is about. */
  readonly parameter: string | undefined;

  constructor(message: string, parameter?: string, options?: ErrorOptions) {
    super(message, options);
    this.parameter = parameter;
  }
}

/** The credentials lack a member that the call needs. Nothing was sent. */
export class CredentialsError extends CallError {
  override readonly name = 'CredentialsError';
}

/** An operation that only the sandbox has was called on a client for production. Nothing was sent. */
export class SandboxOnlyError extends CallError {
  override readonly name = 'SandboxOnlyError';
  /** The id of the operation. */
  readonly operation: string;

  constructor(operation: string) {
    super(`${operation} exists in the sandbox only. Create the client with { environment: 'sandbox' } to call it.`);
    this.operation = operation;
  }
}

/** The request that an error is about. */
export interface RequestFacts {
  readonly method: string;
  /** The path without its query, which may hold data of the advertiser. */
  readonly path: string;
  /** The operation's id; absent for `client.request`. */
  readonly operation?: string | undefined;
}

/** Name of a request in messages: `campaigns.create`, or `GET /12/accounts`. */
export function nameOf({ operation, method, path }: RequestFacts): string {
  return operation ?? `${method} ${path}`;
}

/** An answer by which the server rejects a request. */
export interface ErrorResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly errors: readonly WireError[];
  readonly operation_errors?: readonly (readonly WireError[])[] | undefined;
  readonly request: unknown;
  readonly problem?: Problem | undefined;
  readonly rateLimits: RateLimits;
  readonly retry_at: Date | undefined;
}

/** The server rejected the request and said why. */
export class ApiResponseError extends BroadsideError {
  override readonly name: string = 'ApiResponseError';
  /** The HTTP status. */
  readonly status: number;
  /** Every reason that the server gave. */
  readonly errors: readonly WireError[];
  /** Errors of a batch: one list for each item in the order sent, empty where the item is valid. Nothing was applied. */
  readonly operation_errors: readonly (readonly WireError[])[] | undefined;
  /** `request` of the answer: what the server understood of the parameters. */
  readonly request: unknown;
  /** The problem with which data retrieval rejects a request as a whole; elsewhere `undefined`. */
  readonly problem: Problem | undefined;
  readonly headers: Headers;
  readonly rateLimits: RateLimits;
  /** Time from which the server accepts the request again, if it said so. */
  readonly retry_at: Date | undefined;
  /** The request that was rejected. */
  readonly sent: RequestFacts;

  constructor(sent: RequestFacts, response: ErrorResponse) {
    super(rejectionMessage(sent, response));
    this.sent = sent;
    this.status = response.status;
    this.headers = response.headers;
    this.errors = response.errors;
    this.operation_errors = response.operation_errors;
    this.request = response.request;
    this.problem = response.problem;
    this.rateLimits = response.rateLimits;
    this.retry_at = response.retry_at;
  }

  /** True if one of the reasons, those of a batch's items included, has this code. */
  has(code: ErrorCode): boolean {
    return [this.errors, ...(this.operation_errors ?? [])].some((errors) =>
      errors.some((error) => error.code === code),
    );
  }
}

/** The rate limit is used up and stays so for longer than the client was to wait. `retry_at` says when it is not. */
export class RateLimitError extends ApiResponseError {
  override readonly name = 'RateLimitError';
}

/** No answer came. */
export class NetworkError extends BroadsideError {
  override readonly name: string = 'NetworkError';
  readonly sent: RequestFacts;
  /**
   * True if the server may have received the request and acted on it. Before you repeat such a write, check whether it took
   * effect.
   */
  readonly mayHaveHappened: boolean;

  constructor(
    sent: RequestFacts,
    message: string,
    { mayHaveHappened, cause }: { mayHaveHappened: boolean; cause?: unknown },
  ) {
    super(message, { cause });
    this.sent = sent;
    this.mayHaveHappened = mayHaveHappened;
  }
}

/** No answer came within `timeoutMs`. */
export class TimeoutError extends NetworkError {
  override readonly name = 'TimeoutError';

  constructor(sent: RequestFacts, timeoutMs: number) {
    super(sent, `${nameOf(sent)} was not answered within ${timeoutMs} ms`, { mayHaveHappened: true });
  }
}

/** An answer came that is not what the contract says: not JSON, another shape, or not from Broadside at all. */
export class UnexpectedResponseError extends BroadsideError {
  override readonly name = 'UnexpectedResponseError';
  readonly sent: RequestFacts;
  readonly status: number;
  /** The body as it came. */
  readonly text: string;

  constructor(
    sent: RequestFacts,
    { status, text }: { readonly status: number; readonly text: string },
    problem: string,
  ) {
    const begin = text.length > 200 ? `${text.slice(0, 200)}...` : text;
    const shown = begin.trim() === '' ? 'an empty body' : begin.replace(/\s+/g, ' ');
    super(`${nameOf(sent)} was answered with ${status}, but ${problem}. The body: ${shown}`);
    this.sent = sent;
    this.status = status;
    this.text = text;
  }
}

/** Media were uploaded, but cannot be used: processing failed, or was not done in the time that the caller gave it. */
export class MediaProcessingError extends BroadsideError {
  override readonly name = 'MediaProcessingError';
  /** The media as the server reported them last. While processing goes on, ask for the status by the `id`. */
  readonly media: UploadedMedia;
  /** Why processing failed; absent where it goes on. */
  readonly failure: NonNullable<UploadedMedia['processing_info']>['error'];

  constructor(media: UploadedMedia) {
    const { state, error } = media.processing_info ?? {};
    const reason = error ? `: ${error.message} (${error.name})` : '';
    super(
      state === 'failed'
        ? `The media ${media.id} could not be processed${reason}`
        : `The media ${media.id} are still being processed, for longer than the client was to wait`,
    );
    this.media = media;
    this.failure = error;
  }
}

/**
 * An upload of people ended early, by the `cause`: an error of a request, or what the rows threw. What is acknowledged
 * stays; with the `token` another upload of the same rows goes on from there.
 */
export class AudienceUploadError extends BroadsideError {
  override readonly name = 'AudienceUploadError';
  /** The rows that need not be sent again. */
  readonly report: AudienceUploadReport;
  /** The option `resume` of the upload that goes on. */
  readonly token: string;

  constructor(report: AudienceUploadReport, token: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`The upload ended after ${report.rows} acknowledged rows: ${reason}`, { cause });
    this.report = report;
    this.token = token;
  }
}

function rejectionMessage(
  sent: RequestFacts,
  { status, errors, operation_errors = [], retry_at }: ErrorResponse,
): string {
  const reasons = [
    ...errors.map((error) => line(error)),
    ...operation_errors.flatMap((item, index) => item.map((error) => line(error, `operations[${index}]`))),
  ];
  const until = retry_at === undefined ? '' : `; try again at ${retry_at.toISOString()}`;
  const head = `${nameOf(sent)} was rejected with ${status}${until}`;
  const [only] = reasons;
  if (only === undefined) return head;
  return reasons.length === 1 ? `${head}: ${only}` : `${head}:${reasons.map((reason) => `\n  ${reason}`).join('')}`;
}

function line({ code, message, parameter, attribute, details }: WireError, at?: string): string {
  const name = parameter ?? attribute;
  // Most messages name their parameter in the sentence.
  const about = name === undefined || message.includes(name) ? undefined : name;
  const where = [at, about].filter((part) => part !== undefined).join(' ');
  const notes = details === undefined ? code : `${code}, ${details}`;
  return `${where === '' ? '' : `${where}: `}${message} (${notes})`;
}

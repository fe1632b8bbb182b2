/** The headers of responses, most of which report the remaining rate limits. */
import { type RateBucketName, rateBucket } from '../../operation/rate-limits.ts';
import type { JsonSchema } from '../../wire/types.ts';

const integer = { type: 'integer' } as const;

export const answerHeaders = {
  'x-current-api-version': { description: 'The version of the advertising interface.', schema: { type: 'string' } },
  'x-rate-limit-limit': { description: 'Requests that the caller has in a window.', schema: integer },
  'x-rate-limit-remaining': { description: 'Requests left in the window.', schema: integer },
  'x-rate-limit-reset': { description: 'When the window ends, in seconds since 1970.', schema: integer },
  'x-account-rate-limit-limit': { description: 'Requests that the account has in a window.', schema: integer },
  'x-account-rate-limit-remaining': { description: 'Requests left in that window.', schema: integer },
  'x-account-rate-limit-reset': { description: 'When that window ends, in seconds since 1970.', schema: integer },
  'retry-after': { description: 'Nothing was done; seconds after which to send the request again.', schema: integer },
  'x-request-id': {
    description: 'The id of the request, which is in the log of the server too.',
    schema: { type: 'string' },
  },
} as const satisfies Record<string, JsonSchema>;

/** The name of such a header. */
type HeaderName = keyof typeof answerHeaders;

/** A header of a response. */
export interface AnswerHeader {
  readonly name: HeaderName;
  /** The condition under which it is absent. */
  readonly absent?: string;
}

/** The header of every response. */
export const requestIdHeader: AnswerHeader = { name: 'x-request-id' };

/** The header of every response of the advertising interface. */
export const versionHeader: AnswerHeader = { name: 'x-current-api-version' };

/** The headers that count the caller. */
export const callerHeaders: readonly AnswerHeader[] = [
  { name: 'x-rate-limit-limit' },
  { name: 'x-rate-limit-remaining' },
  { name: 'x-rate-limit-reset' },
];

/** The headers that count an advertising account. */
export const accountHeaders: readonly AnswerHeader[] = [
  { name: 'x-account-rate-limit-limit' },
  { name: 'x-account-rate-limit-remaining' },
  { name: 'x-account-rate-limit-reset' },
];

/** Unauthenticated callers are not counted, and a body that is too large, or late, is rejected before counting. */
const UNCOUNTED: readonly number[] = [401, 408, 413];

/** Statuses that can occur before and after a request is counted. */
const EITHER: readonly number[] = [400, 403, 500, 503];

/** Returns the headers of an error response, from those that a success has. */
export function errorHeaders(counted: readonly AnswerHeader[], status: number): readonly AnswerHeader[] {
  if (UNCOUNTED.includes(status)) return [];
  const found = EITHER.includes(status)
    ? absentWhere('the request was rejected before it was counted', counted)
    : counted;
  return status === 503 || status === 429 ? [{ name: 'retry-after' }, ...found] : found;
}

/** Marks headers as possibly absent. */
export function absentWhere(condition: string, headers: readonly AnswerHeader[]): readonly AnswerHeader[] {
  return headers.map(({ name }) => ({ name, absent: `Absent where ${condition}.` }));
}

/** Returns the limits of an operation for its description. */
export function rateLimitFacts(bucket: RateBucketName): JsonSchema {
  const { scope, limit, app_limit, app_day_limit, window_ms } = rateBucket(bucket);
  return {
    bucket,
    limit,
    ...(app_limit === undefined ? {} : { app_limit }),
    ...(app_day_limit === undefined ? {} : { app_day_limit }),
    window_seconds: window_ms / 1000,
    scope,
  };
}

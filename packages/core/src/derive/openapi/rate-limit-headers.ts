/** The headers that tell how much of the rate limits is left. */
import { type RateBucketName, rateBucket } from '../../operation/rate-limits.ts';
import type { JsonSchema } from '../../wire/types.ts';

const integer = { type: 'integer' } as const;

export const rateLimitHeaders = {
  'x-rate-limit-limit': { description: 'Requests that the caller has in a window.', schema: integer },
  'x-rate-limit-remaining': { description: 'Requests left in the window.', schema: integer },
  'x-rate-limit-reset': { description: 'When the window ends, in seconds since 1970.', schema: integer },
  'x-account-rate-limit-limit': { description: 'Requests that the account has in a window.', schema: integer },
  'x-account-rate-limit-remaining': { description: 'Requests left in that window.', schema: integer },
  'x-account-rate-limit-reset': { description: 'When that window ends, in seconds since 1970.', schema: integer },
} as const satisfies Record<string, JsonSchema>;

/** The name of such a header. */
export type RateLimitHeader = keyof typeof rateLimitHeaders;

/** The headers that count the caller. */
export const callerHeaders: readonly RateLimitHeader[] = [
  'x-rate-limit-limit',
  'x-rate-limit-remaining',
  'x-rate-limit-reset',
];

/** The headers that count an advertising account. */
export const accountHeaders: readonly RateLimitHeader[] = [
  'x-account-rate-limit-limit',
  'x-account-rate-limit-remaining',
  'x-account-rate-limit-reset',
];

/** The limits of an operation, as its description has them. */
export function rateLimitFacts(bucket: RateBucketName): JsonSchema {
  const { scope, limit, app_limit, window_ms } = rateBucket(bucket);
  return {
    bucket,
    limit,
    ...(app_limit === undefined ? {} : { app_limit }),
    window_seconds: window_ms / 1000,
    scope,
  };
}

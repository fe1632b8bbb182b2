/**
 * Rate-limit buckets and the published limits (reference, conventions section 9). An operation names its bucket; the
 * server counts. A limit is a number of requests in a window that starts with the first of them.
 */

/** Requests per window. */
export interface RateLimit {
  readonly limit: number;
  readonly window_ms: number;
}

interface RateBucket extends RateLimit {
  /** `category`: one count for all operations of the bucket; `endpoint`: one count for each operation. */
  readonly scope: 'category' | 'endpoint';
  /** The reference counts these reads for each advertising account too; the response then carries both sets of headers. */
  readonly account?: true;
  /** Counts the requests of all callers on an advertising account together, in place of those of each caller. */
  readonly caller?: 'account';
  /** The limit for an app that calls on its own behalf, where it differs. */
  readonly app_limit?: number;
  /** The limit in the development profile, where that differs: our choice. */
  readonly development_limit?: number;
  /** The daily limit of each app, for all its users together; counted in addition to that of the caller. */
  readonly app_day_limit?: number;
}

const MINUTE_MS = 60_000;
const QUARTER_HOUR_MS = 15 * MINUTE_MS;

export const rateBuckets = {
  /** Every POST, PUT and DELETE counts against one limit for each user. */
  'ads.write': { limit: 450, window_ms: MINUTE_MS, scope: 'category' },
  /** Accounts, campaigns, line items and their parts. */
  'ads.core_read': { limit: 10_000, window_ms: QUARTER_HOUR_MS, scope: 'endpoint', account: true },
  /** Audiences, reads and writes: the reference counts them apart from other writes. */
  'ads.audience': { limit: 1_500, window_ms: MINUTE_MS, scope: 'endpoint' },
  /** Users of audiences: counted for the advertising account, whoever calls. */
  'ads.audience_users': { limit: 1_500, window_ms: MINUTE_MS, scope: 'endpoint', caller: 'account' },
  /** Other reads below an account. */
  'ads.account_read': { limit: 2_000, window_ms: QUARTER_HOUR_MS, scope: 'endpoint', account: true },
  /** Lookups that belong to no account. Who develops a client lists them again and again, and one listing has several pages. */
  'ads.lookup': { limit: 5, development_limit: 500, window_ms: QUARTER_HOUR_MS, scope: 'endpoint' },
  /** Targeting options: one count for all of these lookups. */
  'ads.targeting_lookup': { limit: 400, window_ms: QUARTER_HOUR_MS, scope: 'category' },
  /** The television lookups have one count each. */
  'ads.tv_lookup': { limit: 2_000, window_ms: QUARTER_HOUR_MS, scope: 'endpoint' },
  /** Keyword insights. */
  'ads.keyword_insights': { limit: 500, window_ms: QUARTER_HOUR_MS, scope: 'endpoint' },
  /** Any list that counts all its matches (specification A, Limits). */
  'ads.total_count': { limit: 200, window_ms: QUARTER_HOUR_MS, scope: 'endpoint' },
  /** Endpoints of authentication, for each app. The figures of these three are our choice: none are published. */
  'auth.token': { limit: 1_500, window_ms: QUARTER_HOUR_MS, scope: 'endpoint' },
  /** Bearer tokens, for each app; beyond it the response is 403 with code 99 (specification A, Limits). */
  'auth.bearer': { limit: 100, window_ms: QUARTER_HOUR_MS, scope: 'endpoint' },
  /** GET /2/posts: for each user, or for each app that calls with its bearer token. */
  'data.posts': { limit: 5_000, app_limit: 3_500, window_ms: QUARTER_HOUR_MS, scope: 'endpoint' },
  /** A simple upload: for each user, and for each app in a day. */
  'media.upload': { limit: 500, app_day_limit: 50_000, window_ms: QUARTER_HOUR_MS, scope: 'category' },
  /** Each step of a chunked upload. */
  'media.chunked': { limit: 1_875, app_day_limit: 180_000, window_ms: QUARTER_HOUR_MS, scope: 'endpoint' },
  'media.status': { limit: 1_000, app_day_limit: 100_000, window_ms: QUARTER_HOUR_MS, scope: 'category' },
  /** Pages that ask a person to approve, for each client address. */
  'auth.page': { limit: 300, window_ms: QUARTER_HOUR_MS, scope: 'category' },
} as const satisfies Record<string, RateBucket>;

/** The window of daily limits. */
export const DAY_MS: number = 24 * 60 * MINUTE_MS;

/** The name of a rate-limit bucket. */
export type RateBucketName = keyof typeof rateBuckets;

/** A bucket's facts by name. */
export function rateBucket(name: RateBucketName): RateBucket {
  return rateBuckets[name];
}

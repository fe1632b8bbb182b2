/** An Update without effective_at is taken for one sent again while the person has an event this recent, in seconds. */
export const RETRY_S = 3600;
/** Events older than this are forgotten, in seconds: the longest lookback is 30 days. */
export const KEPT_EVENTS_S = 31 * 86_400;
/** Of a person with more events the latest are kept (our choice). */
export const KEPT_EVENTS = 1000;
/** Of a person with more intervals the two with the smallest gap are joined (our choice). */
export const KEPT_INTERVALS = 1000;

/** Limits of a batch of users (specification B, Limits), and those that are our choice. */

/** Most operations of one request. */
export const MAX_USER_OPERATIONS = 2_500;

/** Most identifiers of one kind in one user record: our choice, for the specification names none. */
export const MAX_IDENTIFIERS = 500;

/** Months after which an association ends unless `expires_at` is given; the calendar's, in UTC. */
export const MONTHS_IN_EFFECT = 13;

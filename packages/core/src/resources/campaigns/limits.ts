/** Maximum number of active campaigns of an account unless the operator sets another limit (specification C, Limits). */
export const DEFAULT_ACTIVE_CAMPAIGNS = 200;

/** The highest limit that the operator may set (specification C, Limits). */
export const MAX_ACTIVE_CAMPAIGNS = 8_000;

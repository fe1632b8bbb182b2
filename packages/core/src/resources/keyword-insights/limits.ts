/** Keywords and negative keywords together (specification B, Keyword insights). */
export const MAX_KEYWORDS = 10;

/** Days between the start and the end of a window (specification B, Keyword insights). */
export const MAX_WINDOW_DAYS = 7;

/** Related keywords of a response (specification B, Keyword insights). */
export const RELATED_KEYWORDS = 30;

/**
 * People who wrote a related keyword with the input, at least (our choice): what only one or two people write would tell
 * about them.
 */
export const MIN_RELATED_AUTHORS = 3;

/** The weight that a post may have. */
export const weightLimit = 280;

/** The most characters that a link may have, its scheme included. */
export const longestUrl = 4096;

/**
 * How many code units of a text are searched for entities. No text of the allowed weight is as long: its links, of weight 23 each, have
 * at most 12 times 4,096, and what stands between them a few thousand more.
 */
export const searchedUnits = 64 * 1024;

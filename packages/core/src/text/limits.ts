/** Maximum weight of a post. */
export const weightLimit = 280;

/** Maximum number of characters of a link, including its scheme. */
export const longestUrl = 4096;

/**
 * Number of code units of a text that are searched for entities. No text of the allowed weight is as long: its links,
 * of weight 23 each, have at most 12 times 4,096, and the text between them a few thousand more.
 */
export const searchedUnits = 64 * 1024;

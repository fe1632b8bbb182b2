/**
 * Names of stills. A still lies in a blob of its own, whose name begins with that of what it stands for: so it is found by the index
 * of that, and goes with it.
 */
const SEPARATOR = '-';

/** A name for a still. @param word tells it from others of the same media; letters and digits */
export function stillKey(blob_key: string, word: string): string {
  return `${blob_key}${SEPARATOR}${word}`;
}

/** The blob that a still stands for; `undefined` when this is the name of no still. */
export function blobOfStill(key: string): string | undefined {
  const end = key.lastIndexOf(SEPARATOR);
  return end === -1 ? undefined : key.slice(0, end);
}

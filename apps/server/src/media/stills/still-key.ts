/**
 * Names of stills. A still is in a blob of its own, whose name starts with that of its media: so it is found by the index
 * of that, and is removed with it.
 */
const SEPARATOR = '-';

/** Returns a name for a still. @param word distinguishes it from others of the same media; letters and digits */
export function stillKey(blob_key: string, word: string): string {
  return `${blob_key}${SEPARATOR}${word}`;
}

/** Returns the blob of the media of a still; `undefined` when the name is not that of a still. */
export function blobOfStill(key: string): string | undefined {
  const end = key.lastIndexOf(SEPARATOR);
  return end === -1 ? undefined : key.slice(0, end);
}

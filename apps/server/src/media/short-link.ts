/**
 * Short links of media. A post with media ends with one (reference, data retrieval section 11); it leads to the bytes of
 * the first of them (our choice: posts have no page here). The link is derived from the name of the blob alone, so it is made
 * when a post is shown and never stored: it is right under whatever address the platform is reached.
 */

/** Enough base-36 characters to be unguessable. */
const CODE_LENGTH = 12;
const NAME = /^[a-z0-9]{1,12}/;

/** Returns the code of a blob in short links. */
export function shortCode(blob_key: string): string {
  return (NAME.exec(blob_key)?.[0] ?? '').slice(0, CODE_LENGTH);
}

/** Returns the path of the short link of a blob. */
export function shortPath(blob_key: string): string {
  return `/s/${shortCode(blob_key)}`;
}

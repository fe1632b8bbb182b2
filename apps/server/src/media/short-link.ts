/**
 * Short links of media. A post that shows media ends with one (reference, data retrieval section 11); it leads to the bytes of the
 * first of them (our choice: posts have no page here). What it leads to follows from the name of the blob alone, so it is made when a
 * post is shown and never stored: it is right under whatever address the platform is reached.
 */

/** As many characters of 36 as nobody guesses. */
const CODE_LENGTH = 12;
const NAME = /^[a-z0-9]{1,12}/;

/** What stands for a blob in short links. */
export function shortCode(blob_key: string): string {
  return (NAME.exec(blob_key)?.[0] ?? '').slice(0, CODE_LENGTH);
}

/** The path of the short link of a blob. */
export function shortPath(blob_key: string): string {
  return `/s/${shortCode(blob_key)}`;
}

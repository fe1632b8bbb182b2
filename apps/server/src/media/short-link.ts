/**
 * Short links. A post with media ends with one (reference, data retrieval section 11), which leads to the page of the post.
 * The code is derived from the id alone, so the link is made when a post is shown and never stored: it is right under whatever
 * address the platform is reached. Media have codes too, which lead to their bytes.
 */

/** Enough base-36 characters to be unguessable. */
const CODE_LENGTH = 12;
const NAME = /^[a-z0-9]{1,12}/;

/** Codes of posts are longer than those of media, and of one length: the largest id has 13 digits. */
const ID_DIGITS = 13;
const POST_CODE = /^p([0-9a-z]{13})$/;

/** Returns the code of a blob in short links. */
export function shortCode(blob_key: string): string {
  return (NAME.exec(blob_key)?.[0] ?? '').slice(0, CODE_LENGTH);
}

/** Returns the path of the short link of a blob. */
export function shortPath(blob_key: string): string {
  return `/s/${shortCode(blob_key)}`;
}

/** Returns the path of the short link of a post. */
export function postShortPath(post_id: bigint): string {
  return `/s/p${post_id.toString(36).padStart(ID_DIGITS, '0')}`;
}

/** Returns the id of the post that a code of short links stands for; `undefined` for a code of media. */
export function postOfCode(code: string): bigint | undefined {
  const digits = POST_CODE.exec(code)?.[1];
  if (digits === undefined) return undefined;
  let id = 0n;
  for (const digit of digits) id = id * 36n + BigInt(Number.parseInt(digit, 36));
  return id;
}

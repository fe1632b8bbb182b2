/** The signature base string and the key of RFC 5849 sections 3.4.1 and 3.4.2. */
import { type Pair, percentEncode } from './percent.ts';

const ORIGIN = /^(https?):\/\/(?:[^/?#@]*@)?(\[[0-9a-f:.]+\]|[^/?#:@[\]]+)(?::([0-9]*))?$/;

/**
 * The base string URI (RFC 5849 section 3.4.1.2): scheme and host in lower case, the port only when it is not the scheme's
 * own, user information left out, and the path exactly as it stands in the request line, `/` when empty. The path is not
 * decoded and encoded again: `%7E` and `~` sign differently, and the client signed what it sent.
 *
 * @param origin `scheme://host[:port]` of the public address, without a path
 * @param path the path as sent, without query
 * @throws TypeError when the origin is not of that form, which is a mistake in configuration or in the calling code
 */
export function baseStringUri(origin: string, path: string): string {
  return canonicalOrigin(origin) + (path === '' ? '/' : path);
}

/**
 * The first half of {@link baseStringUri}: `HTTPS://Example.COM:443` gives `https://example.com`. Giving a canonical origin
 * again gives it back.
 *
 * @throws TypeError when the text is not `http://` or `https://` and a host with an optional port
 */
export function canonicalOrigin(origin: string): string {
  const [, scheme, host, port] = ORIGIN.exec(origin.toLowerCase()) ?? [];
  if (scheme === undefined || host === undefined) {
    throw new TypeError(`Not an origin of the form scheme://host[:port]: ${JSON.stringify(origin)}`);
  }
  if (port === undefined || port === '' || Number(port) === (scheme === 'http' ? 80 : 443))
    return `${scheme}://${host}`;
  return `${scheme}://${host}:${Number(port)}`;
}

/**
 * Order of encoded parameters: by name, then by value, ascending bytes. Encoded text is ASCII, where the code units that
 * JavaScript compares are the bytes. Comparing `name=value` joined would be wrong: `=` sorts after the digits, `-` and `.`.
 */
function compareEncoded(a: Pair, b: Pair): number {
  if (a[0] !== b[0]) return a[0] < b[0] ? -1 : 1;
  if (a[1] === b[1]) return 0;
  return a[1] < b[1] ? -1 : 1;
}

/**
 * Normalizes parameters (RFC 5849 section 3.4.1.3.2): each name and value is encoded, the encoded pairs are sorted by name
 * and then value, duplicates are kept, and all is joined with `=` and `&`.
 *
 * @param pairs decoded parameters of query, form body and protocol, without `oauth_signature` and `realm`
 */
export function normalizeParameters(pairs: readonly Pair[]): string {
  const encoded: Pair[] = [];
  for (const [name, value] of pairs) encoded.push([percentEncode(name), percentEncode(value)]);
  encoded.sort(compareEncoded);
  let text = '';
  for (const [name, value] of encoded) text += text === '' ? `${name}=${value}` : `&${name}=${value}`;
  return text;
}

/**
 * The signature base string (RFC 5849 section 3.4.1.1).
 *
 * @param method HTTP method, in any case
 * @param uri from {@link baseStringUri}
 * @param normalized from {@link normalizeParameters}
 */
export function signatureBaseString(method: string, uri: string, normalized: string): string {
  return `${percentEncode(method.toUpperCase())}&${percentEncode(uri)}&${percentEncode(normalized)}`;
}

/**
 * The HMAC key (RFC 5849 section 3.4.2): both secrets encoded and joined with `&`, which stands there also when there is
 * no token secret.
 */
export function signingKey(consumerSecret: string, tokenSecret = ''): string {
  return `${percentEncode(consumerSecret)}&${percentEncode(tokenSecret)}`;
}

/**
 * Percent encoding as OAuth 1.0a requires it (RFC 5849 section 3.6): UTF-8, upper-case hexadecimal digits, and only the
 * unreserved characters of RFC 3986 section 2.3 left unencoded.
 */

/** A decoded name and its value. Order and duplicates matter to a signature, so parameters are a list of these. */
export type Pair = readonly [name: string, value: string];

/** An unreserved character (RFC 3986 section 2.3), as a part of patterns. */
export const UNRESERVED = '[A-Za-z0-9\\-._~]';

const RESERVED = /[^A-Za-z0-9\-._~]/;
/** Characters that encodeURIComponent leaves unencoded although RFC 3986 reserves them. */
const LEFT_ALONE = /[!'()*]/g;
/** With the `u` flag a surrogate pair is one code point, so this matches only unpaired halves. */
const LONE_SURROGATE = /\p{Surrogate}/gu;

/**
 * Characters from which on a text is taken byte by byte: replacing by a pattern takes a microsecond for each place, which a text of
 * megabytes can have at every character.
 */
const LONG = 10_000;
const PLUS = 0x2b;
const SPACE = 0x20;
const PERCENT = 0x25;

/** Encodes what `encodeURIComponent` leaves alone in a long text. */
function encodeRest(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const encoded = new Uint8Array(bytes.length * 3);
  let end = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    // The five are 21, 27, 28, 29 and 2A in hexadecimal.
    if (byte === 0x21 || (byte >= 0x27 && byte <= 0x2a)) {
      encoded[end] = PERCENT;
      encoded[end + 1] = 0x32;
      encoded[end + 2] = byte === 0x2a ? 0x41 : 0x30 + (byte & 15);
      end += 3;
    } else {
      encoded[end] = byte;
      end += 1;
    }
  }
  return new TextDecoder().decode(encoded.subarray(0, end));
}

function withSpaces(text: string): string {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === PLUS) bytes[at] = SPACE;
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

function hexOf(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

/**
 * Encodes text by RFC 5849 section 3.6. Never throws: half of a surrogate pair, which has no UTF-8 form, is encoded as
 * U+FFFD, as `TextEncoder`, `URLSearchParams` and `fetch` do, so that what is signed is what is sent.
 */
export function percentEncode(text: string): string {
  // Most keys and values need no encoding at all; one test is several times cheaper than the native call.
  if (!RESERVED.test(text)) return text;
  let encoded: string;
  try {
    encoded = encodeURIComponent(text);
  } catch {
    encoded = encodeURIComponent(text.replace(LONE_SURROGATE, '\uFFFD'));
  }
  if (encoded.length > LONG) return encoded.search(LEFT_ALONE) === -1 ? encoded : encodeRest(encoded);
  return encoded.replace(LEFT_ALONE, hexOf);
}

/**
 * Decodes percent encoding strictly. A `%` without two hexadecimal digits, and bytes that are not UTF-8 (overlong forms
 * and encoded surrogates too), give `undefined`. A `+` stays a plus: see {@link formDecode}.
 */
export function percentDecode(text: string): string | undefined {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/**
 * Decodes one name or value of a form body or query string: like {@link percentDecode}, with `+` as a space (HTML 4.01
 * section 17.13.4, which RFC 5849 section 3.4.1.3.1 refers to for both).
 */
export function formDecode(text: string): string | undefined {
  if (!text.includes('+')) return percentDecode(text);
  return percentDecode(text.length > LONG ? withSpaces(text) : text.replaceAll('+', ' '));
}

/**
 * Writes parameters as a query string or form body, by RFC 3986 (a space is `%20`), so that a server parses exactly the
 * pairs that were signed whether or not it decodes `+` as a space.
 */
export function formEncode(pairs: Iterable<Pair>): string {
  let text = '';
  for (const [name, value] of pairs) {
    if (text !== '') text += '&';
    text += `${percentEncode(name)}=${percentEncode(value)}`;
  }
  return text;
}

/**
 * Parses a query string (without its `?`) or form body into pairs, in order, keeping duplicates. A key without `=` has
 * the value `''`, and empty pieces (`a=1&&b=2`) are skipped, as common form parsers do. Returns `undefined` when a name
 * or value cannot be decoded, and `'too many'` when there are more than `limit` pairs.
 */
export function formPairs(text: string, limit: number): Pair[] | 'too many' | undefined {
  const pairs: Pair[] = [];
  let start = 0;
  while (start < text.length) {
    let end = text.indexOf('&', start);
    if (end === -1) end = text.length;
    if (end > start) {
      if (pairs.length === limit) return 'too many';
      const piece = text.slice(start, end);
      const equals = piece.indexOf('=');
      const name = formDecode(equals === -1 ? piece : piece.slice(0, equals));
      const value = equals === -1 ? '' : formDecode(piece.slice(equals + 1));
      if (name === undefined || value === undefined) return undefined;
      pairs.push([name, value]);
    }
    start = end + 1;
  }
  return pairs;
}

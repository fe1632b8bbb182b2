/**
 * Forms of megabytes in steps: bytes in base64 are uploaded in them, and a signature covers them. Each generator yields between two
 * steps of up to a millisecond or so, where its caller lets other work pass.
 */
import { compareEncoded, encodedPrefix } from './base-string.ts';
import { formDecode, formPairs, type Pair, percentEncode } from './percent.ts';

/** Characters of a step. */
const STEP = 65_536;

/** Parses a form as {@link formPairs} does. */
export function* formPairsInSteps(text: string, limit: number): Generator<void, ReturnType<typeof formPairs>> {
  const pairs: Pair[] = [];
  let start = 0;
  while (start < text.length) {
    let end = text.indexOf('&', start);
    if (end === -1) end = text.length;
    if (end - start <= STEP) {
      // Short pieces together, as many as make a step.
      const until = text.lastIndexOf('&', start + STEP);
      end = start + STEP >= text.length ? text.length : Math.max(until, end);
      const some = formPairs(text.slice(start, end), limit - pairs.length);
      if (!Array.isArray(some)) return some;
      pairs.push(...some);
    } else {
      if (pairs.length === limit) return 'too many';
      const equals = text.slice(start, end).indexOf('=');
      const middle = equals === -1 ? end : start + equals;
      const name = yield* decoded(text, start, middle);
      const value = equals === -1 ? '' : yield* decoded(text, middle + 1, end);
      if (name === undefined || value === undefined) return undefined;
      pairs.push([name, value]);
    }
    yield;
    start = end + 1;
  }
  return pairs;
}

function* decoded(text: string, start: number, end: number): Generator<void, string | undefined> {
  const parts: string[] = [];
  let at = start;
  while (at < end) {
    const next = end - at <= STEP ? end : characterStart(text, at + STEP);
    const part = formDecode(text.slice(at, next));
    if (part === undefined) return undefined;
    parts.push(part);
    at = next;
    yield;
  }
  return parts.join('');
}

/** The last place, up to the given one, at which no encoded character is cut. */
function characterStart(text: string, at: number): number {
  let place = at;
  if (text[place - 1] === '%') place -= 1;
  else if (text[place - 2] === '%') place -= 2;
  else if (isLowSurrogate(text, place)) return place - 1;
  // A character of UTF-8 has up to three further bytes. Where there are more, it is none, on whichever side it is found.
  for (let further = 0; further < 3 && /^%[89ab]/i.test(text.slice(place, place + 2)); further++) place -= 3;
  return place;
}

function isLowSurrogate(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800;
}

/**
 * The pieces of a signature base string, as `receivedBaseString` makes it whole; empty ones between steps that make none.
 *
 * @param method HTTP method in upper case
 * @param encodedBase a canonical base, percent-encoded
 * @param path the path as sent, without query
 * @param pairs decoded parameters of query, form body and protocol, without `oauth_signature` and `realm`
 */
export function* receivedBaseInSteps(
  method: string,
  encodedBase: string,
  path: string,
  pairs: readonly Pair[],
): Generator<string> {
  const encoded: Pair[] = [];
  for (const [name, value] of pairs) encoded.push([yield* encodedText(name), yield* encodedText(value)]);
  encoded.sort(compareEncoded);
  yield encodedPrefix(method, encodedBase, path);
  let separator = '';
  for (const [name, value] of encoded) {
    yield separator;
    yield* encodedAgain(name);
    yield '%3D';
    yield* encodedAgain(value);
    separator = '%26';
  }
}

function* encodedText(text: string): Generator<string, string> {
  if (text.length <= STEP) return percentEncode(text);
  const parts: string[] = [];
  for (let at = 0; at < text.length; ) {
    const end = Math.min(text.length, at + STEP);
    const next = isLowSurrogate(text, end) ? end - 1 : end;
    parts.push(percentEncode(text.slice(at, next)));
    at = next;
    yield '';
  }
  return parts.join('');
}

/** Encodes encoded text, in which only `%` is reserved. */
function* encodedAgain(text: string): Generator<string> {
  for (let at = 0; at < text.length; at += STEP) yield text.slice(at, at + STEP).replaceAll('%', '%25');
}

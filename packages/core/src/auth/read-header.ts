/** Parses the `Authorization` header of OAuth 1.0a (RFC 5849 section 3.5.1). */
import { type Pair, percentDecode } from './percent.ts';
import { type ParseLimits, tooMany } from './places.ts';
import { protocolNameAt } from './protocol-parameters.ts';
import { type AuthProblem, authProblem } from './rules.ts';

const OAUTH_SCHEME = /^[ \t]*oauth(?:[ \t]+|$)/i;
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** An encoded value has no raw non-ASCII characters and no backslash; only realm may escape. */
const NOT_IN_A_VALUE = /[^\x20-\x7e]|\\/;

/** Returns the length of the scheme `OAuth` at the start of a header; 0 without a header and for other schemes. */
export function schemeLength(authorization: string | undefined): number {
  if (authorization === undefined) return 0;
  // As nearly all write it; `readHeader` passes over further spaces.
  if (authorization.startsWith(USUAL_SCHEME)) return USUAL_SCHEME.length;
  return OAUTH_SCHEME.exec(authorization)?.[0].length ?? 0;
}

const USUAL_SCHEME = 'OAuth ';

/**
 * Parses the pairs of a header, from `start`, without `realm`. Names and values are percent-decoded; `+` is literal
 * here. Syntax errors are reported, and the pairs parsed before them are returned.
 */
export function readHeader(text: string, start: number, limits: ParseLimits, problems: AuthProblem[]): Pair[] {
  const pairs: Pair[] = [];
  if (text.length > limits.headerLength) {
    problems.push(
      authProblem('header_too_long', `The Authorization header is longer than ${limits.headerLength} characters.`),
    );
    return pairs;
  }
  // Scanned by hand: this runs on every request, at a third of the cost of a regular expression with captures.
  const isPlain = !NOT_IN_A_VALUE.test(text);
  // The next encoded character: most values have none.
  let encodedAt = text.indexOf('%', start);
  let position = skip(text, start, true);
  while (position < text.length) {
    const equals = text.indexOf('=', position);
    const open = equals === -1 ? -1 : skip(text, equals + 1, false);
    const close = open === -1 || text.charCodeAt(open) !== QUOTE ? -1 : closingQuote(text, open + 1);
    const after = close === -1 ? -1 : skip(text, close + 1, false);
    const known = after === -1 ? undefined : protocolNameAt(text, position, equals);
    const rawName = known ?? (after === -1 ? '' : text.slice(position, equals).trimEnd());
    if (
      after === -1 ||
      !(known !== undefined || TOKEN.test(rawName)) ||
      (after < text.length && text.charCodeAt(after) !== COMMA)
    ) {
      problems.push(
        authProblem(
          'malformed_header',
          `The Authorization header cannot be read from character ${position + 1} on: after "OAuth" come pairs key="value", separated by commas.`,
        ),
      );
      return pairs;
    }
    const rawValue = text.slice(open + 1, close);
    position = skip(text, after, true);
    if (known === undefined && rawName.length === 5 && rawName.toLowerCase() === 'realm') continue;
    if (pairs.length === limits.parameters) {
      problems.push(tooMany('header', limits));
      return pairs;
    }
    const name = known ?? percentDecode(rawName);
    if (encodedAt !== -1 && encodedAt <= open) encodedAt = text.indexOf('%', open);
    const isEncoded = encodedAt !== -1 && encodedAt < close;
    const isAllowed = isPlain || !NOT_IN_A_VALUE.test(rawValue);
    const value = !isAllowed ? undefined : isEncoded ? percentDecode(rawValue) : rawValue;
    if (name === undefined || value === undefined) {
      problems.push(
        authProblem('malformed_header', 'A value in the Authorization header is not percent-encoded UTF-8.'),
      );
      return pairs;
    }
    pairs.push([name, value]);
  }
  return pairs;
}

const TAB = 0x09;
const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;

/**
 * Returns the first position from `start` on that is not a space or tab, nor (in a list) a comma: RFC 9110 section
 * 5.6.1.
 */
function skip(text: string, start: number, commas: boolean): number {
  for (let position = start; position < text.length; position += 1) {
    const code = text.charCodeAt(position);
    if (code !== SPACE && code !== TAB && !(commas && code === COMMA)) return position;
  }
  return text.length;
}

/** Returns the end of a quoted string whose text begins at `start` (RFC 9110 section 5.6.4), or -1. */
function closingQuote(text: string, start: number): number {
  for (let quote = text.indexOf('"', start); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let escapes = 0;
    while (quote - escapes > start && text.charCodeAt(quote - escapes - 1) === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return quote;
  }
  return -1;
}

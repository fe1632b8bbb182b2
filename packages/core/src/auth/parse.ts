/**
 * Splits a received request into what the operation gets and what the signature covers (RFC 5849 sections 3.1, 3.4.1.3.1
 * and 3.5). Nothing here throws, whatever bytes arrive: what is wrong comes back as a list of problems.
 */
import { formPairs, type Pair, percentDecode } from './percent.ts';
import {
  type AuthProblem,
  authProblem,
  checkNonce,
  checkVersion,
  isSignatureMethod,
  readTimestamp,
  type SignatureMethod,
} from './rules.ts';

/** A request as it came from the wire. */
export interface ReceivedRequest {
  readonly method: string;
  /** The request target as received, path and query: `/12/accounts?count=2`. Not decoded, not normalized. */
  readonly target: string;
  /** The `Authorization` header. */
  readonly authorization?: string | undefined;
  /** The `Content-Type` header. Only `application/x-www-form-urlencoded` bodies are read, whatever its parameters say. */
  readonly contentType?: string | undefined;
  /** The body, decoded from UTF-8. Not looked at for other content types. */
  readonly body?: string | undefined;
}

/** Where a request carries its OAuth credentials (RFC 5849 section 3.5). */
export type CredentialSource = 'header' | 'form' | 'query';

/** The protocol parameters of a signed request, decoded. Required ones are there and well-formed; none is believed yet. */
export interface OAuthParameters {
  readonly consumerKey: string;
  /** Absent when only the application signs, as for a request token. An empty `oauth_token` counts as absent. */
  readonly token: string | undefined;
  readonly signature: string;
  readonly signatureMethod: SignatureMethod;
  readonly timestamp: number;
  readonly nonce: string;
  readonly callback: string | undefined;
  readonly verifier: string | undefined;
  /** `oauth_body_hash`, which oauthlib and ruby-oauth add to requests with other bodies than forms. */
  readonly bodyHash: string | undefined;
}

/**
 * A request split into its parts.
 *
 * `oauth` is there only if `problems` is empty, so no caller verifies a request that is put wrongly. Both empty means that
 * the request is not signed; then `source` is `undefined` too, and `query` and `form` hold all that was sent, since
 * `GET /oauth/authorize?oauth_token=...` carries an ordinary parameter of that name.
 */
export interface ParsedRequest {
  /** Upper case. */
  readonly method: string;
  /** As sent: not decoded. */
  readonly path: string;
  /** Parameters of the query, without protocol parameters if the request is signed. */
  readonly query: readonly Pair[];
  /** Parameters of the form body, without protocol parameters if the request is signed. */
  readonly form: readonly Pair[];
  /** All that the signature covers: header, query and form body, without `realm` and `oauth_signature`. */
  readonly parameters: readonly Pair[];
  readonly oauth: OAuthParameters | undefined;
  readonly source: CredentialSource | undefined;
  readonly problems: readonly AuthProblem[];
}

/** A request whose credentials are complete and well-formed. */
export interface SignedRequest extends ParsedRequest {
  readonly oauth: OAuthParameters;
  readonly source: CredentialSource;
}

/** Whether a request carries complete, well-formed OAuth credentials. They may still be wrong. */
export function isSigned(request: ParsedRequest): request is SignedRequest {
  return request.oauth !== undefined && request.source !== undefined;
}

/** Bounds of {@link parseRequest}. */
export interface ParseLimits {
  /** Longest `Authorization` header, in characters. */
  readonly headerLength: number;
  /** Most parameters in each of header, query and form body. */
  readonly parameters: number;
}

/** The bounds that hold when none are given. A body's length is bounded by whoever reads it. */
export const PARSE_LIMITS: ParseLimits = { headerLength: 8192, parameters: 1000 };

const FORM_TYPE = /^[ \t]*application\/x-www-form-urlencoded[ \t]*(?:;|$)/i;
/** A request target is ASCII (RFC 9112 section 3.2) and has no fragment; spaces would have ended it. */
const NOT_IN_A_TARGET = /[^\x21-\x7e]|#/;
const OAUTH_SCHEME = /^[ \t]*oauth(?:[ \t]+|$)/i;
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** An encoded value has neither raw non-ASCII nor a backslash; only realm may escape. */
const NOT_IN_A_VALUE = /[^\x20-\x7e]|\\/;

/** Any of these in a query or form body says that the request is signed there. */
const MARKERS: ReadonlySet<string> = new Set([
  'oauth_consumer_key',
  'oauth_signature',
  'oauth_signature_method',
  'oauth_timestamp',
  'oauth_nonce',
]);

const REQUIRED = [
  'oauth_consumer_key',
  'oauth_signature_method',
  'oauth_signature',
  'oauth_timestamp',
  'oauth_nonce',
] as const;

/**
 * Parameters of the flow rather than of the signature: the reference lets a client send them in query or form body while
 * the signature is in the header (callback, verifier, and the request token that is exchanged).
 */
const MAY_STAND_ELSEWHERE: ReadonlySet<string> = new Set(['oauth_callback', 'oauth_verifier', 'oauth_token']);

const SUPPORTED: ReadonlySet<string> = new Set([
  ...REQUIRED,
  ...MAY_STAND_ELSEWHERE,
  'oauth_version',
  'oauth_body_hash',
]);

const PLACE_NAMES: Record<CredentialSource, string> = {
  header: 'the Authorization header',
  query: 'the query string',
  form: 'the form body',
};

/**
 * Splits a request. See {@link ParsedRequest} for what comes back, and {@link authProblem} for the statuses; problems found
 * here are about how the request is put: RFC 5849 section 3.2's 400s, and 401 for a nonce of impossible form.
 */
export function parseRequest(request: ReceivedRequest, limits: ParseLimits = PARSE_LIMITS): ParsedRequest {
  const { target, authorization } = request;
  const problems: AuthProblem[] = [];
  if (!target.startsWith('/') || NOT_IN_A_TARGET.test(target)) {
    problems.push(
      authProblem('malformed_target', 'The request target must be a path with an optional query, in ASCII only.'),
    );
  }
  const mark = target.indexOf('?');
  const path = mark === -1 ? target : target.slice(0, mark);
  const query = mark === -1 ? [] : readForm(target.slice(mark + 1), 'query', limits, problems);
  const form = isFormType(request.contentType) ? readForm(request.body, 'form', limits, problems) : [];
  const schemeLength = authorization === undefined ? 0 : (OAUTH_SCHEME.exec(authorization)?.[0].length ?? 0);
  const header =
    authorization === undefined || schemeLength === 0
      ? undefined
      : readHeader(authorization, schemeLength, limits, problems);

  const signedInQuery = query.some(isMarker);
  const signedInForm = form.some(isMarker);
  const otherScheme = schemeLength === 0 && authorization !== undefined && authorization.trim() !== '';
  const places = Number(header !== undefined || otherScheme) + Number(signedInQuery) + Number(signedInForm);
  const source = header !== undefined ? 'header' : signedInForm ? 'form' : signedInQuery ? 'query' : undefined;
  const method = request.method.toUpperCase();
  if (source === undefined) return { method, path, query, form, parameters: [], oauth: undefined, source, problems };
  if (places > 1) {
    problems.push(
      authProblem(
        'credentials_in_two_places',
        'Credentials must come in one place only: the Authorization header, the query string or the form body.',
      ),
    );
  }

  const collector = new Collector(source, places > 1, problems);
  if (header !== undefined) collector.take(header, 'header');
  const plainQuery = collector.take(query, 'query');
  const plainForm = collector.take(form, 'form');
  const oauth = readOAuth(collector.values, problems);
  return {
    method,
    path,
    query: plainQuery,
    form: plainForm,
    parameters: collector.parameters,
    oauth: problems.length === 0 ? oauth : undefined,
    source,
    problems,
  };
}

/** Whether a body of this `Content-Type` is read as a form, and signed. */
export function isFormType(contentType: string | undefined): boolean {
  return contentType !== undefined && FORM_TYPE.test(contentType);
}

function isMarker(pair: Pair): boolean {
  return pair[0].startsWith('oauth_') && MARKERS.has(pair[0]);
}

function readForm(
  text: string | undefined,
  place: 'query' | 'form',
  limits: ParseLimits,
  problems: AuthProblem[],
): Pair[] {
  const pairs = text === undefined ? [] : formPairs(text, limits.parameters);
  if (pairs === 'too many') {
    problems.push(tooMany(PLACE_NAMES[place], limits));
    return [];
  }
  if (pairs === undefined) {
    problems.push(
      authProblem(
        place === 'query' ? 'malformed_query' : 'malformed_form',
        `In ${PLACE_NAMES[place]} there is a % without two hexadecimal digits, or an encoded byte that is not UTF-8.`,
      ),
    );
    return [];
  }
  return pairs;
}

function tooMany(place: string, limits: ParseLimits): AuthProblem {
  return authProblem('too_many_parameters', `There are more than ${limits.parameters} parameters in ${place}.`);
}

/**
 * Reads the pairs of an `Authorization: OAuth` header (RFC 5849 section 3.5.1), from `start`, without `realm`. Names and
 * values are percent-decoded; here `+` is a plus. What cannot be read is reported and what was read so far is returned.
 */
function readHeader(text: string, start: number, limits: ParseLimits, problems: AuthProblem[]): Pair[] {
  const pairs: Pair[] = [];
  if (text.length > limits.headerLength) {
    problems.push(
      authProblem('header_too_long', `The Authorization header is longer than ${limits.headerLength} characters.`),
    );
    return pairs;
  }
  // Scanned by hand: this runs on every request, and costs a third of a regular expression with captures.
  let position = skip(text, start, true);
  while (position < text.length) {
    const equals = text.indexOf('=', position);
    const open = equals === -1 ? -1 : skip(text, equals + 1, false);
    const close = open === -1 || text.charCodeAt(open) !== QUOTE ? -1 : closingQuote(text, open + 1);
    const after = close === -1 ? -1 : skip(text, close + 1, false);
    const rawName = after === -1 ? '' : text.slice(position, equals).trimEnd();
    if (after === -1 || !TOKEN.test(rawName) || (after < text.length && text.charCodeAt(after) !== COMMA)) {
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
    if (rawName.length === 5 && rawName.toLowerCase() === 'realm') continue;
    if (pairs.length === limits.parameters) {
      problems.push(tooMany(PLACE_NAMES.header, limits));
      return pairs;
    }
    const name = percentDecode(rawName);
    const value = NOT_IN_A_VALUE.test(rawValue) ? undefined : percentDecode(rawValue);
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

/** The first position from `start` on that is no space or tab, nor (in a list) a comma: RFC 9110 section 5.6.1. */
function skip(text: string, start: number, commas: boolean): number {
  for (let position = start; position < text.length; position += 1) {
    const code = text.charCodeAt(position);
    if (code !== SPACE && code !== TAB && !(commas && code === COMMA)) return position;
  }
  return text.length;
}

/** The end of a quoted string whose text begins at `start` (RFC 9110 section 5.6.4), or -1. */
function closingQuote(text: string, start: number): number {
  for (let quote = text.indexOf('"', start); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let escapes = 0;
    while (quote - escapes > start && text.charCodeAt(quote - escapes - 1) === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return quote;
  }
  return -1;
}

/** Gathers what the signature covers, and each protocol parameter once. */
class Collector {
  readonly parameters: Pair[] = [];
  readonly values = new Map<string, string>();
  readonly #source: CredentialSource;
  readonly #twoPlacesTold: boolean;
  readonly #problems: AuthProblem[];

  constructor(source: CredentialSource, twoPlacesTold: boolean, problems: AuthProblem[]) {
    this.#source = source;
    this.#twoPlacesTold = twoPlacesTold;
    this.#problems = problems;
  }

  /** Takes the pairs of one place, and gives back those that are no protocol parameters. */
  take(pairs: readonly Pair[], place: CredentialSource): readonly Pair[] {
    let plain: Pair[] | undefined;
    for (let index = 0; index < pairs.length; index += 1) {
      const pair = pairs[index];
      if (pair === undefined) break;
      if (pair[0].startsWith('oauth_')) {
        plain ??= pairs.slice(0, index);
        this.#protocol(pair, place);
      } else {
        this.parameters.push(pair);
        plain?.push(pair);
      }
    }
    return plain ?? pairs;
  }

  #protocol(pair: Pair, place: CredentialSource): void {
    const [name, value] = pair;
    if (name !== 'oauth_signature') this.parameters.push(pair);
    if (this.values.has(name)) {
      const known = SUPPORTED.has(name);
      this.#problems.push(
        authProblem(
          'duplicate_parameter',
          `${known ? name : 'A parameter that starts with oauth_'} comes more than once.`,
          known ? name : undefined,
        ),
      );
      return;
    }
    this.values.set(name, value);
    if (!SUPPORTED.has(name)) {
      // The name is the client's own text: it may hold anything, so it is not repeated.
      this.#problems.push(
        authProblem('unsupported_parameter', 'A parameter that starts with oauth_ is not one of OAuth 1.0a.'),
      );
    } else if (place !== this.#source && !this.#twoPlacesTold && !MAY_STAND_ELSEWHERE.has(name)) {
      this.#problems.push(
        authProblem(
          'credentials_in_two_places',
          `${name} comes in ${PLACE_NAMES[place]}, the other credentials in ${PLACE_NAMES[this.#source]}.`,
          name,
        ),
      );
    }
  }
}

/** Checks the protocol parameters one by one; all problems are reported, and then nothing is returned. */
function readOAuth(values: ReadonlyMap<string, string>, problems: AuthProblem[]): OAuthParameters | undefined {
  for (const name of REQUIRED) {
    if (!values.get(name)) problems.push(authProblem('missing_parameter', `${name} is missing.`, name));
  }
  const consumerKey = values.get('oauth_consumer_key');
  const signature = values.get('oauth_signature');
  const methodName = values.get('oauth_signature_method');
  const timestampText = values.get('oauth_timestamp');
  const nonce = values.get('oauth_nonce');
  const versionProblem = checkVersion(values.get('oauth_version'));
  if (versionProblem !== undefined) problems.push(versionProblem);
  if (methodName && !isSignatureMethod(methodName)) {
    problems.push(
      authProblem(
        'unsupported_signature_method',
        'oauth_signature_method must be HMAC-SHA1 or HMAC-SHA256.',
        'oauth_signature_method',
      ),
    );
  }
  const timestamp = timestampText ? readTimestamp(timestampText) : undefined;
  if (timestampText && timestamp === undefined) {
    problems.push(
      authProblem('malformed_timestamp', 'oauth_timestamp must be whole seconds since 1970.', 'oauth_timestamp'),
    );
  }
  const nonceProblem = nonce ? checkNonce(nonce) : undefined;
  if (nonceProblem !== undefined) problems.push(nonceProblem);
  if (!consumerKey || !signature || !nonce || timestamp === undefined) return undefined;
  if (methodName === undefined || !isSignatureMethod(methodName)) return undefined;
  return {
    consumerKey,
    token: values.get('oauth_token') || undefined,
    signature,
    signatureMethod: methodName,
    timestamp,
    nonce,
    callback: values.get('oauth_callback'),
    verifier: values.get('oauth_verifier'),
    bodyHash: values.get('oauth_body_hash'),
  };
}

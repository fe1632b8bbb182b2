/**
 * Splits a received request into the operation's parameters and those that the signature covers (RFC 5849 sections 3.1,
 * 3.4.1.3.1 and 3.5). Nothing here throws, whatever bytes arrive: errors are returned as a list of problems.
 */
import { type Covered, coveredPairs } from './covered.ts';
import { HeaderForms } from './header-forms.ts';
import { formPairs, type Pair } from './percent.ts';
import { type CredentialSource, PARSE_LIMITS, type ParseLimits, PLACE_NAMES, tooMany } from './places.ts';
import { PROTOCOL_PREFIX } from './protocol-names.ts';
import { Collector, isMarker, type OAuthParameters, readOAuth } from './protocol-parameters.ts';
import { readHeader, schemeLength } from './read-header.ts';
import { type AuthProblem, authProblem } from './rules.ts';

/** A request as received. */
export interface ReceivedRequest {
  readonly method: string;
  /** The request target as received, path and query: `/12/accounts?count=2`. Neither decoded nor normalized. */
  readonly target: string;
  /** The `Authorization` header. */
  readonly authorization?: string | undefined;
  /** The `Content-Type` header. Only `application/x-www-form-urlencoded` bodies are read, whatever its parameters say. */
  readonly contentType?: string | undefined;
  /** The body, decoded from UTF-8. Ignored for other content types. */
  readonly body?: string | undefined;
  /** The pairs of a body that was parsed before; `'too many'` and `undefined` as in {@link formPairs}. Takes the place of `body`. */
  readonly form?: { readonly pairs: ReturnType<typeof formPairs> };
}

/**
 * A request split into its parts.
 *
 * `oauth` is present only if `problems` is empty, so no caller verifies a malformed request. If `problems` is empty and
 * `oauth` is absent, the request is unsigned; `source` is then `undefined` too, and `query` and `form` contain
 * everything sent, since `GET /oauth/authorize?oauth_token=...` carries an ordinary parameter of that name.
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
  /** Parameters of the header that are not of the protocol, such as those of a provider (RFC 5849 section 3.5.1). */
  readonly header: readonly Pair[];
  /** What the signature covers; `coveredParameters` lists it. */
  readonly covered: Covered;
  readonly oauth: OAuthParameters | undefined;
  readonly source: CredentialSource | undefined;
  readonly problems: readonly AuthProblem[];
}

/** A request whose credentials are complete and well-formed. */
export interface SignedRequest extends ParsedRequest {
  readonly oauth: OAuthParameters;
  readonly source: CredentialSource;
}

/** Returns whether a request carries complete, well-formed OAuth credentials. They may still be wrong. */
export function isSigned(request: ParsedRequest): request is SignedRequest {
  return request.oauth !== undefined && request.source !== undefined;
}

const FORM_TYPE = /^[ \t]*application\/x-www-form-urlencoded[ \t]*(?:;|$)/i;
/** A request target is ASCII (RFC 9112 section 3.2) and has no fragment; spaces would have ended it. */
const NOT_IN_A_TARGET = /[^\x21-\x7e]|#/;

/**
 * Splits a request. See {@link ParsedRequest} for the result and {@link authProblem} for the statuses; problems found
 * here concern the form of the request: RFC 5849 section 3.2's 400s, and 401 for a malformed nonce.
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
  const query =
    mark === -1 ? [] : readForm(formPairs(target.slice(mark + 1), limits.parameters), 'query', limits, problems);
  const form = isFormType(request.contentType) ? readForm(formOf(request, limits), 'form', limits, problems) : [];
  const method = request.method.toUpperCase();
  if (authorization !== undefined && limits === PARSE_LIMITS && problems.length === 0) {
    const usual = areOwn(query) && areOwn(form) ? forms.read(authorization) : undefined;
    if (usual !== undefined) {
      const pairs = form.length === 0 ? query : [...query, ...form];
      const sent = mark === -1 || form.length > 0 ? undefined : target.slice(mark + 1);
      const covered = { header: usual, pairs, query: sent };
      return { method, path, query, form, header: [], covered, oauth: usual.oauth, source: 'header', problems };
    }
  }
  const start = schemeLength(authorization);
  const header =
    authorization === undefined || start === 0 ? undefined : readHeader(authorization, start, limits, problems);

  const signedInQuery = query.some(isMarker);
  const signedInForm = form.some(isMarker);
  const otherScheme = start === 0 && authorization !== undefined && authorization.trim() !== '';
  const places = Number(header !== undefined || otherScheme) + Number(signedInQuery) + Number(signedInForm);
  const source = header !== undefined ? 'header' : signedInForm ? 'form' : signedInQuery ? 'query' : undefined;
  if (source === undefined) {
    return { method, path, query, form, header: [], covered: coveredPairs([]), oauth: undefined, source, problems };
  }
  if (places > 1) {
    problems.push(
      authProblem(
        'credentials_in_two_places',
        'Credentials must come in one place only: the Authorization header, the query string or the form body.',
      ),
    );
  }

  const collector = new Collector(source, places > 1, problems);
  const plainHeader = header === undefined ? [] : collector.take(header, 'header');
  const plainQuery = collector.take(query, 'query');
  const plainForm = collector.take(form, 'form');
  const oauth = readOAuth(collector.values, problems);
  if (authorization !== undefined && source === 'header' && problems.length === 0) forms.learn(authorization);
  return {
    method,
    path,
    query: plainQuery,
    form: plainForm,
    header: plainHeader,
    covered: coveredPairs(collector.parameters),
    oauth: problems.length === 0 ? oauth : undefined,
    source,
    problems,
  };
}

/** The forms of the headers of all requests. What is read does not depend on them. */
const forms = new HeaderForms();

/** Returns whether no parameter of a query or form body can be one of the protocol. */
function areOwn(pairs: readonly Pair[]): boolean {
  for (const [name] of pairs) if (name.startsWith(PROTOCOL_PREFIX)) return false;
  return true;
}

/** Returns whether a body of this `Content-Type` is parsed as a form, and signed. */
export function isFormType(contentType: string | undefined): boolean {
  return contentType !== undefined && FORM_TYPE.test(contentType);
}

function formOf({ body, form }: ReceivedRequest, limits: ParseLimits): ReturnType<typeof formPairs> {
  if (form) return form.pairs;
  return body === undefined ? [] : formPairs(body, limits.parameters);
}

function readForm(
  pairs: ReturnType<typeof formPairs>,
  place: 'query' | 'form',
  limits: ParseLimits,
  problems: AuthProblem[],
): Pair[] {
  if (pairs === 'too many') {
    problems.push(tooMany(place, limits));
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

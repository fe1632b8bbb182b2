/** The `oauth_` parameters of a request: their names, the places they may be in, and their validation. */
import type { Pair } from './percent.ts';
import { type CredentialSource, PLACE_NAMES } from './places.ts';
import { PROTOCOL_PREFIX, REQUIRED, SUPPORTED } from './protocol-names.ts';
import {
  type AuthProblem,
  authProblem,
  checkNonce,
  checkVersion,
  isSignatureMethod,
  readTimestamp,
  type SignatureMethod,
} from './rules.ts';

/**
 * The protocol parameters of a signed request, decoded. Required ones are present and well-formed; none is verified
 * yet.
 */
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
  /** `oauth_body_hash`, which oauthlib and ruby-oauth add to requests with bodies that are not forms. */
  readonly bodyHash: string | undefined;
}

/** Any of these in a query or form body means that the request is signed there. */
const MARKERS: ReadonlySet<string> = new Set([
  'oauth_consumer_key',
  'oauth_signature',
  'oauth_signature_method',
  'oauth_timestamp',
  'oauth_nonce',
]);

/**
 * Parameters of the flow rather than of the signature: the reference lets a client send them in query or form body while
 * the signature is in the header (callback, verifier, and the request token that is exchanged).
 */
const MAY_STAND_ELSEWHERE: ReadonlySet<string> = new Set(['oauth_callback', 'oauth_verifier', 'oauth_token']);

/** Values of protocol parameters, each at the place of its name. */
type ProtocolValues = (string | undefined)[];

/** Places of names, which are looked up once for each parameter of each request. */
const placeOf: ReadonlyMap<string, number> = new Map(SUPPORTED.map((name, place) => [name, place]));

/** The names of each length. */
const namesByLength: ReadonlyMap<number, readonly string[]> = Map.groupBy(SUPPORTED, (name) => name.length);

/**
 * Returns the name of a protocol parameter that stands in a text. A name of ours is looked up elsewhere without being read
 * again, as one that was cut out of the text would be.
 */
export function protocolNameAt(text: string, start: number, end: number): string | undefined {
  const names = namesByLength.get(end - start);
  if (names === undefined) return undefined;
  for (const name of names) if (text.startsWith(name, start)) return name;
  return undefined;
}

/** Returns whether a parameter of a query or form body means that the request is signed there. */
export function isMarker(pair: Pair): boolean {
  return pair[0].startsWith(PROTOCOL_PREFIX) && MARKERS.has(pair[0]);
}

/** Collects the parameters that the signature covers, and each protocol parameter once. */
export class Collector {
  readonly parameters: Pair[] = [];
  readonly values: ProtocolValues = SUPPORTED.map(() => undefined);
  /** Names that are not supported. */
  #unsupported: Set<string> | undefined;
  readonly #source: CredentialSource;
  readonly #twoPlacesReported: boolean;
  readonly #problems: AuthProblem[];

  constructor(source: CredentialSource, twoPlacesReported: boolean, problems: AuthProblem[]) {
    this.#source = source;
    this.#twoPlacesReported = twoPlacesReported;
    this.#problems = problems;
  }

  /** Collects the pairs of one place, and returns those that are not protocol parameters. */
  take(pairs: readonly Pair[], place: CredentialSource): readonly Pair[] {
    let plain: Pair[] | undefined;
    for (let index = 0; index < pairs.length; index += 1) {
      const pair = pairs[index];
      if (pair === undefined) break;
      if (pair[0].startsWith(PROTOCOL_PREFIX)) {
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
    const known = placeOf.get(name);
    // twitter-api-v2 restates the token of the header in the body, and signs it once. It says nothing new (our choice).
    const isRestated = known !== undefined && known === TOKEN && this.values[known] === value;
    if (isRestated && place === 'form' && this.#source === 'header') return;
    if (known !== SIGNATURE) this.parameters.push(pair);
    if (known === undefined) {
      this.#reportUnsupported(name);
      return;
    }
    if (this.values[known] !== undefined) {
      this.#problems.push(authProblem('duplicate_parameter', `${name} comes more than once.`, name));
      return;
    }
    this.values[known] = value;
    if (place !== this.#source && !this.#twoPlacesReported && !MAY_STAND_ELSEWHERE.has(name)) {
      this.#problems.push(
        authProblem(
          'credentials_in_two_places',
          `${name} comes in ${PLACE_NAMES[place]}, the other credentials in ${PLACE_NAMES[this.#source]}.`,
          name,
        ),
      );
    }
  }

  #reportUnsupported(name: string): void {
    this.#unsupported ??= new Set();
    // The name is the client's own text and may contain anything, so it is not repeated.
    this.#problems.push(
      this.#unsupported.has(name)
        ? authProblem('duplicate_parameter', 'A parameter that starts with oauth_ comes more than once.')
        : authProblem('unsupported_parameter', 'A parameter that starts with oauth_ is not one of OAuth 1.0a.'),
    );
    this.#unsupported.add(name);
  }
}

const SIGNATURE = placeOf.get('oauth_signature');
const TOKEN = placeOf.get('oauth_token');

/** Checks the protocol parameters one by one; all problems are reported, and nothing is returned if there are any. */
export function readOAuth(values: ProtocolValues, problems: AuthProblem[]): OAuthParameters | undefined {
  // In the order of SUPPORTED.
  const [consumerKey, methodName, signature, timestampText, nonce, callback, verifier, token, version, bodyHash] =
    values;
  let place = 0;
  for (const name of REQUIRED) {
    if (!values[place]) problems.push(authProblem('missing_parameter', `${name} is missing.`, name));
    place += 1;
  }
  const versionProblem = checkVersion(version);
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
    token: token || undefined,
    signature,
    signatureMethod: methodName,
    timestamp,
    nonce,
    callback,
    verifier,
    bodyHash,
  };
}

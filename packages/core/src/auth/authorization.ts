/** Signs requests: the client's half of RFC 5849. Pure: the caller supplies nonce, timestamp and the HMAC function. */
import { baseStringUri, normalizeParameters, signatureBaseString, signingKey } from './base-string.ts';
import { formPairs, type Pair, percentEncode } from './percent.ts';
import { DIGESTS, type DigestName, type SignatureMethod } from './rules.ts';

/** Keys and secrets that sign a request. Without a token, only the application signs. */
export interface SigningCredentials {
  readonly consumerKey: string;
  readonly consumerSecret: string;
  readonly token?: string | undefined;
  readonly tokenSecret?: string | undefined;
}

/**
 * Computes an HMAC and returns it in base64 with padding. Key and text are ASCII. Node: `createHmac(algorithm, key)
 * .update(text).digest('base64')`; browsers and edge runtimes: `webCryptoHmac`.
 */
export type Hmac = (algorithm: DigestName, key: string, text: string) => string | Promise<string>;

/** Input of {@link signRequest}. */
export interface SignRequestInput {
  readonly method: string;
  /** The absolute URL, encoded as it will be sent. A fragment is ignored. */
  readonly url: string;
  /** Decoded parameters of a form body. Omit it for JSON and multipart bodies, which no signature covers. */
  readonly form?: Iterable<Pair> | undefined;
  readonly credentials: SigningCredentials;
  /** Unique for the timestamp and credentials; visible ASCII. */
  readonly nonce: string;
  /** Seconds since 1970. */
  readonly timestamp: number;
  readonly hmac: Hmac;
  /** Defaults to HMAC-SHA1. */
  readonly signatureMethod?: SignatureMethod | undefined;
  /** Additional protocol parameters, such as `oauth_callback` or `oauth_verifier`. They go into the header. */
  readonly extra?: Iterable<Pair> | undefined;
}

/** A signed request. */
export interface RequestSignature {
  /** The value of the `Authorization` header. */
  readonly authorization: string;
  /** The protocol parameters, `oauth_signature` last, for callers that send them in the query or form body instead. */
  readonly parameters: readonly Pair[];
  readonly signature: string;
  /** The signature base string. It contains no secret. */
  readonly baseString: string;
}

/**
 * Builds the value of an `Authorization` header (RFC 5849 section 3.5.1).
 *
 * @param parameters decoded protocol parameters, the signature among them
 * @param realm the protection realm; not signed
 */
export function authorizationHeader(parameters: Iterable<Pair>, realm?: string): string {
  const parts: string[] = [];
  if (realm !== undefined) parts.push(`realm="${realm.replace(/["\\]/g, '\\$&')}"`);
  for (const [name, value] of parameters) parts.push(`${percentEncode(name)}="${percentEncode(value)}"`);
  return `OAuth ${parts.join(', ')}`;
}

const URL_PARTS = /^([a-z]+:\/\/[^/?#]*)([^?#]*)(?:\?([^#]*))?(?:#.*)?$/i;
/** Characters that a URL cannot contain unencoded (RFC 3986 section 2): HTTP clients would encode them after signing. */
const NOT_IN_A_URL = /[^\x21-\x7e]|["<>\\^`{|}]/;

/**
 * Signs a request (RFC 5849 section 3.4) and builds its header.
 *
 * @throws TypeError (as a rejection) when the URL is not absolute, contains characters that an HTTP client would still
 *   encode, or has a query that cannot be decoded: the signature could then not match the request sent.
 */
export async function signRequest(input: SignRequestInput): Promise<RequestSignature> {
  const { credentials, url, signatureMethod = 'HMAC-SHA1' } = input;
  const [, origin, path = '', queryText = ''] = URL_PARTS.exec(url) ?? [];
  if (origin === undefined || NOT_IN_A_URL.test(url)) {
    throw new TypeError('The URL to sign must be absolute and encoded as it will be sent.');
  }
  const query = formPairs(queryText, Number.POSITIVE_INFINITY);
  if (query === undefined || query === 'too many') {
    throw new TypeError('The query of the URL to sign is not percent-encoded UTF-8.');
  }
  const protocol: Pair[] = [
    ['oauth_consumer_key', credentials.consumerKey],
    ['oauth_nonce', input.nonce],
    ['oauth_signature_method', signatureMethod],
    ['oauth_timestamp', String(input.timestamp)],
  ];
  if (credentials.token !== undefined) protocol.push(['oauth_token', credentials.token]);
  protocol.push(['oauth_version', '1.0'], ...(input.extra ?? []));
  const normalized = normalizeParameters([...protocol, ...query, ...(input.form ?? [])]);
  const baseString = signatureBaseString(input.method, baseStringUri(origin, path), normalized);
  const key = signingKey(credentials.consumerSecret, credentials.tokenSecret);
  const signature = await input.hmac(DIGESTS[signatureMethod], key, baseString);
  const parameters: Pair[] = [...protocol, ['oauth_signature', signature]];
  return { authorization: authorizationHeader(parameters), parameters, signature, baseString };
}

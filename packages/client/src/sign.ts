/** The `Authorization` header of a request. Works where there is WebCrypto: Node, browsers, edge runtimes. */
import { type Pair, percentEncode, type SignatureMethod, signRequest, webCryptoHmac } from '@broadside/core/auth';
import { type AuthMode, type ClientCredentials, need } from './credentials.ts';
import { CallError } from './errors.ts';
import { systemRandom, wallClock } from './platform.ts';

/** Sources of time and randomness for signatures. */
export interface SigningSources {
  /** Milliseconds since the epoch; the machine's clock when left out. */
  readonly now?: (() => number) | undefined;
  /** Unpredictable bytes; `crypto.getRandomValues` when left out. */
  readonly random?: ((length: number) => Uint8Array) | undefined;
  /** HMAC-SHA1 when left out. */
  readonly signatureMethod?: SignatureMethod | undefined;
}

/** A signature by the app: alone, or with a token that is not that of the credentials. */
interface AppSignature {
  readonly token?: { readonly key: string; readonly secret: string } | undefined;
  /** More protocol parameters, such as `oauth_callback`. */
  readonly extra?: readonly Pair[] | undefined;
}

/** Methods of authentication: those that a caller may choose, and those of the endpoints of authentication alone. */
export type Proof = AuthMode | 'basic' | AppSignature;

/** A request as it will be sent. */
export interface SignableRequest {
  readonly method: string;
  /** Absolute, encoded as it will be sent. */
  readonly url: string;
  /** Decoded parameters of a form body. */
  readonly form?: readonly Pair[] | undefined;
}

/** 128 bits: no two requests of one second share them. */
const NONCE_BYTES = 16;

function nonce(random: (length: number) => Uint8Array): string {
  return Array.from(random(NONCE_BYTES), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * The `Authorization` header, with a nonce and timestamp of its own: a repeated request needs a new one.
 * @throws CredentialsError, CallError (as rejections)
 */
export async function authorize(
  proof: Proof,
  credentials: ClientCredentials,
  request: SignableRequest,
  { now = wallClock, random = systemRandom, signatureMethod }: SigningSources,
): Promise<string | undefined> {
  if (proof === 'none') return undefined;
  if (proof === 'bearer') return `Bearer ${need(credentials, 'bearer_token')}`;
  const consumerKey = need(credentials, 'consumer_key');
  const consumerSecret = need(credentials, 'consumer_secret');
  if (proof === 'basic') return `Basic ${btoa(`${percentEncode(consumerKey)}:${percentEncode(consumerSecret)}`)}`;
  const { token, extra }: AppSignature =
    proof === 'oauth'
      ? { token: { key: need(credentials, 'access_token'), secret: need(credentials, 'access_token_secret') } }
      : proof;
  try {
    const signed = await signRequest({
      ...request,
      credentials: { consumerKey, consumerSecret, token: token?.key, tokenSecret: token?.secret },
      extra,
      nonce: nonce(random),
      timestamp: Math.floor(now() / 1000),
      hmac: webCryptoHmac,
      signatureMethod,
    });
    return signed.authorization;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CallError(`The request cannot be signed: ${reason}`, undefined, { cause });
  }
}

/** The server's half of RFC 5849 section 3.2: compares a signature with the one that the holder of the secrets would make. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import {
  canonicalBase,
  DIGESTS,
  percentEncode,
  receivedBaseString,
  type SignedRequest,
  signingKey,
} from '@broadside/core/auth';

/** The secrets that sign a request: of the application, and of the token when the request names one. */
export interface SigningSecrets {
  readonly consumer: string;
  readonly token: string | undefined;
}

/**
 * Placeholder for an unknown consumer or token. As long as real secrets, so that the HMAC does the same work: a key
 * longer than 64 bytes is hashed first.
 */
const NOBODY: SigningSecrets = { consumer: '0'.repeat(45), token: '0'.repeat(45) };

/** Placeholder for an invalid base. */
const NOWHERE = 'http://invalid';

/** Canonical base64 of 20 and 32 bytes. `Buffer.from` alone would skip over any other character. */
const BASE64 = { sha1: /^[A-Za-z0-9+/]{27}=$/, sha256: /^[A-Za-z0-9+/]{43}=$/ } as const;

/**
 * Verifies the signature of a request, in time that depends neither on the secrets nor on where a wrong signature differs.
 *
 * Call it also when the consumer or token is unknown or they do not belong together, with `undefined` for the secrets: it
 * then does the same work and returns false, so that an unknown key and a wrong signature take the same time.
 * Timestamp and nonce are not checked: check the timestamp before, consume the nonce after.
 *
 * @param request a well-formed signed request (`isSigned`)
 * @param base the public address under which the client reached this listener: `scheme://host[:port]`, and the path prefix
 *   that a reverse proxy stripped
 * @returns whether the signature is right; malformed base64 is simply a wrong signature, and so is anything under a base
 *   that is not an address (it may come from a `Host` header)
 */
export function verifySignature(request: SignedRequest, base: string, secrets: SigningSecrets | undefined): boolean {
  const { consumer, token } = secrets ?? NOBODY;
  const digest = DIGESTS[request.oauth.signatureMethod];
  const { canonical, encoded } = knownBase(base);
  const text = receivedBaseString(request.method, encoded, request.path, request.parameters);
  const sum = createHmac(digest, signingKey(consumer, token)).update(text, 'latin1').digest('base64');
  return isSum(sum, request, digest) && secrets !== undefined && canonical !== undefined;
}

/** Compares a signature with that of a base string that comes in pieces. */
interface SignatureCheck {
  /** The base, percent-encoded. */
  readonly encodedBase: string;
  readonly update: (piece: string) => void;
  readonly matches: () => boolean;
}

/** Begins to verify a signature, as {@link verifySignature} does. */
export function signatureCheck(
  request: SignedRequest,
  base: string,
  secrets: SigningSecrets | undefined,
): SignatureCheck {
  const { consumer, token } = secrets ?? NOBODY;
  const digest = DIGESTS[request.oauth.signatureMethod];
  const { canonical, encoded } = knownBase(base);
  const hmac = createHmac(digest, signingKey(consumer, token));
  return {
    encodedBase: encoded,
    update: (piece) => void hmac.update(piece, 'latin1'),
    matches: () => isSum(hmac.digest('base64'), request, digest) && secrets !== undefined && canonical !== undefined,
  };
}

/** Returns whether a signature is the one computed. */
function isSum(sum: string, { oauth }: SignedRequest, digest: keyof typeof BASE64): boolean {
  // As text and back, which takes less than the bytes themselves: those come in memory of their own.
  return equalDigests(Buffer.from(sum, 'base64'), oauth.signature, BASE64[digest]);
}

interface KnownBase {
  readonly base: string;
  /** `undefined` for a base that is not an address. */
  readonly canonical: string | undefined;
  readonly encoded: string;
}

/** The base of the latest request. A listener has one, or few. */
let latest: KnownBase | undefined;

function knownBase(base: string): KnownBase {
  if (latest?.base === base) return latest;
  const canonical = canonicalBase(base);
  latest = { base, canonical, encoded: percentEncode(canonical ?? NOWHERE) };
  return latest;
}

/**
 * Verifies `oauth_body_hash` (OAuth Request Body Hash 1.0 draft 4), with which oauthlib and ruby-oauth cover a JSON body:
 * base64 of the SHA-1 of the body's bytes; SHA-256 is accepted too. A request need not carry one.
 *
 * @returns whether the hash is that of the body; malformed base64 is simply a wrong hash
 */
export function verifyBodyHash(bodyHash: string, body: Uint8Array | string): boolean {
  const digest = bodyHash.length === 28 ? 'sha1' : 'sha256';
  return equalDigests(createHash(digest).update(body).digest(), bodyHash, BASE64[digest]);
}

/** Computes the digest of a body that is read in chunks, for comparison with its `oauth_body_hash`. */
export function bodyHasher(bodyHash: string): { update(piece: Uint8Array): void; matches(): boolean } {
  const digest = bodyHash.length === 28 ? 'sha1' : 'sha256';
  const hash = createHash(digest);
  return {
    update: (piece) => void hash.update(piece),
    matches: () => equalDigests(hash.digest(), bodyHash, BASE64[digest]),
  };
}

function equalDigests(expected: Uint8Array, base64: string, shape: RegExp): boolean {
  return shape.test(base64) && timingSafeEqual(expected, Buffer.from(base64, 'base64'));
}

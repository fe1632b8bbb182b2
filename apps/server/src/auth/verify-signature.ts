/** The server's half of RFC 5849 section 3.2: compares a signature with the one that the holder of the secrets would make. */
import { createHash, timingSafeEqual } from 'node:crypto';
import {
  canonicalBase,
  DIGESTS,
  type DigestName,
  percentEncode,
  receivedBaseString,
  type SignedRequest,
} from '@broadside/core/auth';
import { SigningKey, type SigningSecrets } from './signing-key.ts';

/**
 * Placeholder for the secrets of an unknown consumer or token. As long as real ones, so that making a key of it takes the same time.
 */
export const NOBODY: SigningSecrets = { consumer: '0'.repeat(45), token: '0'.repeat(45) };
const NOBODYS_KEY = new SigningKey(NOBODY);

/** Placeholder for an invalid base. */
const NOWHERE = 'http://invalid';

/**
 * Verifies the signature of a request, in time that depends neither on the secrets nor on where a wrong signature differs.
 *
 * Call it also when the consumer or token is unknown or they do not belong together, with `undefined` for the key: it then
 * does the same work and returns false, so that an unknown key and a wrong signature take the same time.
 * Timestamp and nonce are not checked: check the timestamp before, consume the nonce after.
 *
 * @param request a well-formed signed request (`isSigned`)
 * @param base the public address under which the client reached this listener: `scheme://host[:port]`, and the path prefix
 *   that a reverse proxy stripped
 * @returns whether the signature is right; malformed base64 is simply a wrong signature, and so is anything under a base
 *   that is not an address (it may come from a `Host` header)
 */
export function verifySignature(request: SignedRequest, base: string, key: SigningKey | undefined): boolean {
  const { canonical, encoded } = knownBase(base);
  const { method, path, covered } = request;
  const text = receivedBaseString(method, encoded, path, covered);
  const { signatureMethod, signature } = request.oauth;
  const equal = (key ?? NOBODYS_KEY).matches(DIGESTS[signatureMethod], text, signature);
  return equal && key !== undefined && canonical !== undefined;
}

/** Compares a signature with that of a base string that comes in pieces. */
interface SignatureCheck {
  /** The base, percent-encoded. */
  readonly encodedBase: string;
  readonly update: (piece: string) => void;
  readonly matches: () => boolean;
}

/** Begins to verify a signature, as {@link verifySignature} does. */
export function signatureCheck(request: SignedRequest, base: string, key: SigningKey | undefined): SignatureCheck {
  const { canonical, encoded } = knownBase(base);
  const { signatureMethod, signature } = request.oauth;
  const { update, matches } = (key ?? NOBODYS_KEY).begin(DIGESTS[signatureMethod]);
  return {
    encodedBase: encoded,
    update,
    matches: () => matches(signature) && key !== undefined && canonical !== undefined,
  };
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

/** Canonical base64 of 20 and 32 bytes. The decoder alone would skip over any other character. */
const BASE64: Readonly<Record<DigestName, RegExp>> = {
  sha1: /^[A-Za-z0-9+/]{27}=$/,
  sha256: /^[A-Za-z0-9+/]{43}=$/,
};

function equalDigests(expected: Uint8Array, base64: string, shape: RegExp): boolean {
  return shape.test(base64) && timingSafeEqual(expected, Buffer.from(base64, 'base64'));
}

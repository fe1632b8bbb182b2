/** Digests of bytes, which the caller supplies: this package computes none itself. */

/** The algorithms that are asked for. */
export type DigestAlgorithm =
  | 'md5'
  | 'sha1'
  | 'sha256'
  | 'sha384'
  | 'sha512'
  | 'sha3-256'
  | 'sha512-256'
  | 'blake2s256';

/** Returns the digest of bytes, or `undefined` for an algorithm that is not there. SHA-256 must be. */
export type Digest = (algorithm: DigestAlgorithm, bytes: Uint8Array) => Uint8Array | undefined;

/** Bytes of a SHA-256. */
const SHA256_BYTES = 32;
/** Bytes that SHA-256 takes at once, which is the length of keys of HMAC. */
const BLOCK_BYTES = 64;

/** Returns the SHA-256 of bytes. */
export function sha256(digest: Digest, bytes: Uint8Array): Uint8Array {
  const hash = digest('sha256', bytes);
  if (hash?.length !== SHA256_BYTES) throw new TypeError('SHA-256 is needed to explain hashes');
  return hash;
}

/** Returns HMAC-SHA256 under the empty key (RFC 2104). */
export function hmacWithEmptyKey(digest: Digest, bytes: Uint8Array): Uint8Array {
  const inner = sha256(digest, joined(new Uint8Array(BLOCK_BYTES).fill(0x36), bytes));
  return sha256(digest, joined(new Uint8Array(BLOCK_BYTES).fill(0x5c), inner));
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(one.length + other.length);
  bytes.set(one);
  bytes.set(other, one.length);
  return bytes;
}

/** Returns bytes as hexadecimal digits in small letters. */
export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The name of a use of a nonce. */
import { hash } from 'node:crypto';

/** Owner of the nonce: nonces are unique for a consumer and token together (RFC 5849 section 3.3). */
export interface NonceOwner {
  readonly consumerKey: string;
  readonly token: string | undefined;
}

/** The characters of a digest. */
export const DIGEST_LENGTH = 22;

/**
 * Identifies a use of a nonce by 128 bits of SHA-256. Each part is hashed with its length, so that different consumer keys,
 * tokens and nonces never concatenate to the same text.
 */
export function nonceDigest(owner: NonceOwner, timestamp: number, nonce: string): string {
  const { consumerKey, token = '' } = owner;
  const use = `${timestamp} ${consumerKey.length} ${consumerKey} ${token.length} ${token} ${nonce}`;
  return hash('sha256', use, 'base64url').slice(0, DIGEST_LENGTH);
}

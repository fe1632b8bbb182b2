/** The keys by which members of audiences are stored: no identifier, and not the whole of its hash. */
import { KEY_BYTES } from '../users/packed-users.ts';
import { type IdentifierKind, kindNumber, PERSON_KIND } from './kinds.ts';

/** Bytes of a SHA-256. */
export const HASH_BYTES = 32;

/**
 * Returns the key of an identifier: the number of its kind, and the first 15 bytes of its SHA-256.
 * @param hash the 32 bytes of the SHA-256
 */
export function keyOf(kind: IdentifierKind, hash: Uint8Array): Uint8Array {
  if (hash.length !== HASH_BYTES) throw new RangeError(`a SHA-256 has ${HASH_BYTES} bytes, not ${hash.length}`);
  const key = new Uint8Array(KEY_BYTES);
  key[0] = kindNumber(kind);
  key.set(hash.subarray(0, KEY_BYTES - 1), 1);
  return key;
}

/** Returns the key of a person of the platform: 0, the id as 8 bytes, most significant first, and 7 bytes of 0. */
export function keyOfPerson(user_id: bigint): Uint8Array {
  const key = new Uint8Array(KEY_BYTES);
  key[0] = PERSON_KIND;
  new DataView(key.buffer).setBigUint64(1, user_id);
  return key;
}

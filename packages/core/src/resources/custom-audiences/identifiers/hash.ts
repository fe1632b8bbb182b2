/** Hashing identifiers before they leave the caller: in browsers, edge runtimes and Node alike. */
import { HASH_BYTES } from './keys.ts';
import type { IdentifierKind } from './kinds.ts';
import { type NormalizedIdentifier, normalizeIdentifier } from './normalize.ts';

/** The part of the platform that is used here: this package compiles without the types of the DOM and of Node. */
declare const crypto: {
  readonly subtle: { digest(algorithm: 'SHA-256', data: Uint8Array): Promise<ArrayBuffer> } | undefined;
};
declare class TextEncoder {
  encode(text: string): Uint8Array;
}

const HASH = new RegExp(`^[0-9A-Fa-f]{${HASH_BYTES * 2}}$`);
const encoder = new TextEncoder();
const hexOf = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Returns whether a text has the form of a SHA-256: 64 hex digits, in capital or small letters. */
export function isHash(text: string): boolean {
  return HASH.test(text);
}

/**
 * Returns the SHA-256 of an identifier in normal form as 64 hex digits in small letters.
 *
 * @throws Error (as a rejection) where there is no `crypto.subtle`: browsers have it on secure origins only.
 */
export async function hashNormalized(normalized: string): Promise<string> {
  const { subtle } = crypto;
  if (subtle === undefined) throw new Error('crypto.subtle is missing: it needs https:// or localhost.');
  const digest = new Uint8Array(await subtle.digest('SHA-256', encoder.encode(normalized)));
  let hex = '';
  for (const byte of digest) hex += hexOf[byte];
  return hex;
}

/**
 * Normalizes and hashes an identifier. The result is as `POST .../custom_audiences/:id/users` takes it: the hash in hex, or a
 * `partner_user_id` as it is, since that is not hashed.
 */
export async function hashIdentifier(kind: IdentifierKind, value: string): Promise<NormalizedIdentifier> {
  const normalized = normalizeIdentifier(kind, value);
  if (!normalized.ok || kind === 'partner_user_id') return normalized;
  return { ok: true, value: await hashNormalized(normalized.value) };
}

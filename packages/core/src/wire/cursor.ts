/**
 * Opaque keyset cursors: the order of the list and the sort values of the last row returned. They contain no offset, so
 * a page neither repeats nor skips rows while others are inserted or deleted. They carry no secret and grant nothing:
 * the account always comes from the request.
 */

import { isStorable } from './types.ts';

/** A sort value of the last row. */
export type CursorValue = string | bigint;

/** The content of a cursor: the order that it belongs to, and the start of the next page. */
export interface Cursor {
  readonly order: string;
  readonly after: readonly CursorValue[];
}

/** Encodes a cursor as text for `next_cursor`. */
export function encodeCursor({ order, after }: Cursor): string {
  const values = after.map((value) => (typeof value === 'bigint' ? { n: value.toString(36) } : value));
  return base64url(JSON.stringify([order, ...values]));
}

/** Decodes a cursor of the caller; `undefined` when it is not one of ours. */
export function decodeCursor(text: string): Cursor | undefined {
  try {
    const parts: unknown = JSON.parse(unbase64url(text));
    if (!Array.isArray(parts)) return undefined;
    const [order, ...values] = parts as readonly unknown[];
    const after = values.map(readValue);
    if (typeof order !== 'string' || after.length === 0) return undefined;
    const whole = after.filter((value) => value !== undefined);
    return whole.length === after.length ? { order, after: whole } : undefined;
  } catch {
    return undefined;
  }
}

function readValue(value: unknown): CursorValue | undefined {
  if (typeof value === 'string') return isStorable(value) ? value : undefined;
  if (typeof value !== 'object' || value === null || !('n' in value) || typeof value.n !== 'string') return undefined;
  return readBase36(value.n);
}

function readBase36(digits: string): bigint | undefined {
  if (!/^-?[0-9a-z]{1,13}$/.test(digits)) return undefined;
  const negative = digits.startsWith('-');
  let value = 0n;
  for (const digit of negative ? digits.slice(1) : digits) value = value * 36n + BigInt(Number.parseInt(digit, 36));
  if (value > 2n ** 63n - 1n) return undefined;
  return negative ? -value : value;
}

function base64url(value: string): string {
  let binary = '';
  for (const byte of new TextEncoder().encode(value)) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function unbase64url(value: string): string {
  const binary = atob(value.replaceAll('-', '+').replaceAll('_', '/'));
  return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(binary, (char) => char.charCodeAt(0)));
}

/** What a trip to Redis brings back. */
import type { Generations } from './freshness.ts';
import { SharedStateError } from './shared-state.ts';

/** See `tripScript`. */
export type Trip =
  | { readonly kind: 'settle'; readonly epoch: string }
  | ({ readonly kind: 'ok'; readonly now_ms: number; readonly results: readonly number[] } & Generations);

/** Reads the reply of the script. @throws SharedStateError where it is none */
export function readTrip(reply: unknown): Trip {
  const [kind, epoch, identities, production, sandbox, members, now, ...results] = texts(reply);
  if (kind === 'settle' && epoch !== undefined) return { kind, epoch };
  if (kind !== 'ok' || epoch === undefined || identities === undefined) throw unexpected();
  if (production === undefined || sandbox === undefined || members === undefined || now === undefined)
    throw unexpected();
  // A member is its subject, a colon, and an id.
  const inFlux = new Set(members.split(' ').map((member) => member.split(':', 1)[0] ?? ''));
  const counts = { identities, production, sandbox };
  return { kind, epoch, counts, inFlux, now_ms: Number(now), results: results.map(Number) };
}

/** Reads a list of integers. @throws SharedStateError */
export function readNumbers(reply: unknown): number[] {
  const numbers = texts(reply).map(Number);
  if (!numbers.every(Number.isSafeInteger)) throw unexpected();
  return numbers;
}

function texts(reply: unknown): string[] {
  if (Array.isArray(reply)) return reply.map(String);
  throw unexpected();
}

function unexpected(): SharedStateError {
  return new SharedStateError(
    'The server of BROADSIDE_SHARED_URL answers a script with something else than Redis does.',
  );
}

/** Where on the way of a call its faults take effect: as late as the same answer is given without faults, and before the work. */
import type { ErrorName } from '../../../errors/error-name.ts';
import { impliedErrors } from '../../../errors/implied-errors.ts';
import type { FaultEffect, FaultMatch } from './params.ts';

/**
 * Before anything is known of the caller; when the caller and the account are known; when the parameters are right and the call is about to
 * be handled.
 */
export const phases = ['arrival', 'entry', 'handling'] as const;
/** A place on the way of a call. */
export type Phase = (typeof phases)[number];

/** Errors for which a request is rejected whoever sent it. */
const ofCaller: ReadonlySet<string> = new Set<ErrorName>([
  'APP_SUSPENDED',
  'BAD_AUTHENTICATION_DATA',
  'CANCELLED_REQUEST',
  'INVALID_TOKEN',
  'READONLY_CLIENT_APPLICATION',
  'REQUEST_TOO_LARGE',
  'TIMESTAMP_OUT_OF_BOUNDS',
  'UNAUTHORIZED_ACCESS',
  'UNAUTHORIZED_CLIENT_APPLICATION',
  'UNSUPPORTED_AUTHENTICATION',
  'UNVERIFIED_CREDENTIALS',
]);

const ofAccount: ReadonlySet<string> = new Set<ErrorName>(impliedErrors.capability);

/** Returns whether an error says that the caller may not enter an account. */
export function isOfAccount(error: string): boolean {
  return ofAccount.has(error);
}

/** Returns where a rule is decided. Answers that are damaged on their way are decided before the work, so that no later rule can prevent it. */
export function phaseOf({ account, app, user }: FaultMatch, effect: FaultEffect): Phase {
  const { error, rate_limit, status, drop, body } = effect;
  if (rate_limit !== undefined) return 'entry';
  if (error !== undefined && isOfAccount(error)) return 'entry';
  if (error !== undefined && error !== 'TOO_MANY_REQUESTS' && !ofCaller.has(error)) return 'handling';
  if (error === 'TOO_MANY_REQUESTS') return 'entry';
  const isAboutAnswer = drop === 'after_commit' || drop === 'mid_body' || body !== undefined;
  if (isAboutAnswer && error === undefined && status === undefined) return 'handling';
  return account === undefined && app === undefined && user === undefined ? 'arrival' : 'entry';
}

/** Returns whether a rule damages the body of answers to work that is done, so that it has no effect on an answer without one. */
export function damagesBody({ error, rate_limit, status, drop, body }: FaultEffect): boolean {
  const isReplaced = error !== undefined || status !== undefined || rate_limit !== undefined;
  return !isReplaced && (drop === 'mid_body' || body !== undefined);
}

/** Returns whether a rule decides the answer, so that rules after it have no effect on the call. A latency alone does not. */
export function isDeciding({ latency: _, ...others }: FaultEffect): boolean {
  return Object.values(others).some((value) => value !== undefined);
}

/**
 * Counting of calls in the step that uses their nonces up, where servers count together: one trip to what they share instead of two. Which
 * windows a call is counted in follows from what the caller may do, so it is done where that is remembered; the step itself counts only if
 * what is remembered is current. Everything else is counted later, as it is on a single server.
 */
import { type AnyOperation, allows, isRead } from '@broadside/core';
import type { Subject } from '../shared/shared-state.ts';
import type { Call } from './call.ts';
import type { Caller } from './caller.ts';
import type { Credentials } from './credentials.ts';
import { type LimitStates, type Limits, statesOf, windowsIn } from './rate-limiter.ts';
import type { ReadCall } from './read-call.ts';
import type { Services } from './services.ts';

/** The limits that a call will be counted against, and what that follows from. */
interface CountedAhead {
  readonly limits: Limits;
  readonly subject: Subject;
}

/** Returns how a call will be counted; `undefined` where that is not known yet. */
export type CountAhead = (
  services: Services,
  call: Call,
  caller: Caller,
  read: () => ReadCall,
) => CountedAhead | undefined;

/** The limits of a call of an account, or of none. */
type LimitsOf = (
  services: Services,
  caller: Caller,
  account_id: string | undefined,
  values: Readonly<Record<string, unknown>>,
) => Limits | undefined;

/** Returns whether servers count calls together, so that they can be counted ahead. */
export function countsTogether({ world, limiter }: Services, operation: AnyOperation): boolean {
  return world.shared !== undefined && limiter.limits(operation);
}

/** Returns what says how calls of an operation are counted where {@link countsTogether}; `undefined` where they are never counted ahead. */
export function countAheadOf(operation: AnyOperation, limitsOf: LimitsOf): CountAhead | undefined {
  const { kind, access } = operation;
  const writes = !isRead(operation);
  if (kind === 'data' || (kind === 'ads' && !('capability' in access))) {
    return (services, _, caller, read) => {
      if (writes && isReadOnly(caller)) return undefined;
      const limits = limitsOf(services, caller, undefined, read().values);
      return limits && { limits, subject: 'identities' };
    };
  }
  if (kind !== 'ads' || !('capability' in access)) return undefined;
  const { capability } = access;
  return (services, { environment, params: { account_id } }, caller, read) => {
    if (typeof account_id !== 'string' || caller.kind !== 'user' || (writes && isReadOnly(caller))) return undefined;
    const opened = services.world.ads[environment].opened(account_id, caller.user_id);
    if (!opened || !allows(opened.permissions, capability) || (writes && opened.record.suspended)) return undefined;
    const limits = limitsOf(services, caller, opened.record.id, read().values);
    return limits && { limits, subject: environment };
  };
}

/** The credentials of a call, with the way in which it is counted. @param counted called where it was counted */
export function countedWith(
  services: Services,
  call: Call,
  countAhead: CountAhead,
  read: () => ReadCall,
  counted: (states: LimitStates) => void,
): Credentials {
  const { credentials } = call;
  // Several calls that share one nonce are counted one by one, and a body that comes later may be that of another operation.
  if (credentials.shared || call.receive) return credentials;
  const counting = (caller: Caller) => {
    const ahead = countAhead(services, call, caller, read);
    if (ahead === undefined) return undefined;
    const { limits, subject } = ahead;
    return {
      subject,
      windows: windowsIn(limits),
      counted: (windows: Parameters<typeof statesOf>[1]) => counted(statesOf(limits, windows)),
    };
  };
  return { ...credentials, counting };
}

function isReadOnly(caller: Caller): boolean {
  return caller.kind === 'user' && caller.access_level === 'read';
}

/** The faults of a world, as the pipeline meets them. Rules decide, `execute` asks at the places where something can happen. */

import type { AnyOperation } from '@broadside/core';
import type { Awaitable } from '../awaitable.ts';
import type { Environment } from '../world/environment.ts';
import type { Faulted } from './delivery.ts';

/** A call, as far as rules look at it. */
export interface RuledCall {
  readonly operation: AnyOperation;
  readonly environment: Environment;
  readonly credentials: { readonly received: { readonly method: string } };
  /** Those of the path among them. */
  readonly params: Readonly<Record<string, unknown>>;
  /** Given where only its body says what exactly is called. */
  readonly receive?: unknown;
}

/** A caller, as far as rules look at one. */
interface RuledCaller {
  readonly kind: unknown;
  readonly app_id?: string;
  readonly user_id?: string;
}

/** The rules of one world. */
export interface FaultRules {
  /** False where no rule can fire: nothing else is asked then. */
  readonly armed: boolean;
  /** Begins a call. @throws MainThreadError in a thread that does not decide */
  begin(call: RuledCall): CallFaults;
}

/**
 * The faults of one call. Each step waits for what delays the call there, and throws what the call is answered with instead:
 * an error of the catalogue, or {@link InjectedFailure}. Nothing was done until {@link CallFaults.handle} returned.
 */
export interface CallFaults {
  /** Before the caller is known. */
  arrive(): Awaitable<void>;
  /** The body is read, and with it what exactly is called. */
  receive(late: Pick<RuledCall, 'operation' | 'params'>): Awaitable<void>;
  /** The caller is known, and was let into the account. */
  enter(caller: RuledCaller, account_id: string | undefined): Awaitable<void>;
  /** Returns whether an error says that the caller may not enter the account. */
  isLockedOut(error: unknown): boolean;
  /**
   * Returns until when the limits are used up, in milliseconds since the epoch, or until they end by themselves; `undefined` where they are as
   * counted.
   * @param now_ms the time of rate limits
   */
  limit(now_ms: number): { readonly until_ms: number | undefined } | undefined;
  /** The parameters are right, and the call is about to be handled. */
  handle(): Awaitable<void>;
  /** The call is answered, and what it wrote is durable. @param ok it was not rejected */
  answer(ok: boolean): Awaitable<Faulted | undefined>;
}

/** The failure of a server, or of what is in front of it, in place of an answer. */
export class InjectedFailure extends Error {
  override readonly name = 'InjectedFailure';
}

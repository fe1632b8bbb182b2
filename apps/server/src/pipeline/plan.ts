/**
 * Plans of operations. What follows from the operation alone (whose signature it takes, what the caller must be allowed, how
 * parameters are read, which limit counts) is looked up once, at the first call, and not for each request.
 */
import type { AnyOperation, CallableKind } from '@broadside/core';
import type { Awaitable } from '../awaitable.ts';
import type { CallFaults } from '../faults/fault-rules.ts';
import { type Ahead, aheadOf } from './ahead.ts';
import { type Verifier, verifierOf } from './authenticate.ts';
import type { Caller } from './caller.ts';
import { type ContextMaker, contextMaker } from './context-for.ts';
import { type CountAhead, countAheadOf } from './count-ahead.ts';
import { servedByAnyThread } from './main-thread.ts';
import { measuredSteps } from './measured-plan.ts';
import type { LimitStates } from './rate-limiter.ts';
import { type CallReader, callReader } from './read-call.ts';
import { type Settler, settlerOf } from './restated.ts';
import type { Services, UntypedHandler } from './services.ts';

/** The steps of an operation, in the order in which {@link execute} takes them. */
export interface Plan {
  readonly verify: Verifier;
  readonly context: ContextMaker;
  /** Begins reads before the caller is let in; missing where the stores are embedded. */
  readonly ahead: Ahead | undefined;
  readonly read: CallReader;
  readonly count: Counter;
  /** Says how a call will be counted; missing where servers do not count together. */
  readonly countAhead: CountAhead | undefined;
  /** The limits as faults have them. */
  readonly usedUp: (counted: LimitStates | undefined, faults: Pick<CallFaults, 'limit'>) => LimitStates | undefined;
  readonly settle: Settler;
  readonly handler: UntypedHandler;
  /** True if only the answer waits for the nonce of a request: reads have no effects. Otherwise all of the call waits. */
  readonly holds: boolean;
  /** The plan of another operation with the same services. */
  of(operation: AnyOperation): Plan;
}

/** Counts a call against the limits of its caller, and of its account where there is one, unless that was done ahead. */
type Counter = (
  caller: Caller,
  account_id: string | undefined,
  values: Readonly<Record<string, unknown>>,
  already: LimitStates | undefined,
) => Awaitable<LimitStates | undefined>;

const plans = new WeakMap<Services, WeakMap<AnyOperation, Plan>>();

/** The plan of an operation with these services. */
export function planOf(services: Services, operation: AnyOperation): Plan {
  let known = plans.get(services);
  if (!known) {
    known = new WeakMap();
    plans.set(services, known);
  }
  let plan = known.get(operation);
  if (!plan) {
    plan = makePlan(services, operation);
    if (services.telemetry) plan = { ...plan, ...measuredSteps(plan, operation, services.telemetry) };
    known.set(operation, plan);
  }
  return plan;
}

function makePlan(services: Services, operation: AnyOperation): Plan {
  return {
    verify: verifierOf(services, operation),
    context: contextMaker(services, operation),
    ahead: aheadOf(services, operation),
    read: callReader(operation),
    count: counter(services, operation),
    countAhead: countAhead(services, operation),
    usedUp: (counted, faults) => {
      const used = faults.limit(services.limiter.now);
      return used ? services.limiter.usedUp(operation, counted, used.until_ms) : counted;
    },
    settle: settlerOf(services, operation),
    handler: services.handlerOf(operation),
    holds: servedByAnyThread(services, operation),
    of: (other) => planOf(services, other),
  };
}

/** Returns whether calls of users count for each user; otherwise, and for calls by an app itself, they count for the app. */
const countsByUser: Readonly<Record<CallableKind, boolean>> = {
  ads: true,
  operator: true,
  control: true,
  auth: false,
  data: true,
  upload: true,
};

function counter({ limiter }: Services, operation: AnyOperation): Counter {
  if (!limiter.limits(operation)) return () => undefined;
  const byUser = countsByUser[operation.kind];
  return (caller, account_id, values, already) => {
    if (already !== undefined) return already;
    if (caller.kind === 'operator') return undefined;
    return limiter.count(
      operation,
      countedAs(caller, byUser),
      account_id,
      values['with_total_count'] === true,
      caller.app_id,
    );
  };
}

function countAhead(services: Services, operation: AnyOperation): CountAhead | undefined {
  const byUser = countsByUser[operation.kind];
  return countAheadOf(services, operation, (caller, account_id, values) => {
    if (caller.kind === 'operator') return undefined;
    const countsTotal = values['with_total_count'] === true;
    return services.limiter.sharedLimits(operation, countedAs(caller, byUser), account_id, countsTotal, caller.app_id);
  });
}

function countedAs(caller: Exclude<Caller, { readonly kind: 'operator' }>, byUser: boolean): string {
  return byUser && caller.kind === 'user' ? `u${caller.user_id}` : `p${caller.app_id}`;
}

/**
 * Plans of operations. What follows from the operation alone (whose signature it takes, what the caller must be allowed, how
 * parameters are read, which limit counts) is looked up once, at the first call, and not for each request.
 */
import type { AnyOperation, CallableKind } from '@broadside/core';
import type { CallFaults } from '../faults/fault-rules.ts';
import { type Ahead, aheadOf } from './ahead.ts';
import { verifierOf } from './authenticate.ts';
import type { Caller } from './caller.ts';
import { type ContextMaker, contextMaker } from './context-for.ts';
import { type CountAhead, countAheadOf } from './count-ahead.ts';
import { servedByAnyThread } from './main-thread.ts';
import { type MeasuredSteps, measuredSteps } from './measured-plan.ts';
import type { LimitStates } from './rate-limiter.ts';
import { type CallReader, callReader } from './read-call.ts';
import { type Settler, settlerOf } from './restated.ts';
import type { Services, UntypedHandler } from './services.ts';

/** The steps of an operation, in the order in which {@link execute} takes them. They are the same for all worlds, which they are given. */
export interface Plan extends MeasuredSteps {
  readonly context: ContextMaker;
  /** Begins reads before the caller is let in, where stores are on servers. */
  readonly ahead: Ahead | undefined;
  readonly read: CallReader;
  /** Says how a call will be counted, where servers count together. */
  readonly countAhead: CountAhead | undefined;
  /** The limits as faults have them. */
  readonly usedUp: (
    services: Services,
    counted: LimitStates | undefined,
    faults: Pick<CallFaults, 'limit'>,
  ) => LimitStates | undefined;
  readonly settle: Settler;
  readonly handler: UntypedHandler;
  /** True if only the answer waits for the nonce of a request: reads have no effects. Otherwise all of the call waits. */
  readonly holds: boolean;
}

type HandlerOf = Services['handlerOf'];

const plans = new WeakMap<HandlerOf, WeakMap<AnyOperation, Plan>>();

/** The plan of an operation with these handlers, which all worlds of a server have in common: so what it is made of is in the caches of the processor. */
export function planOf({ handlerOf }: Pick<Services, 'handlerOf'>, operation: AnyOperation): Plan {
  let known = plans.get(handlerOf);
  if (!known) {
    known = new WeakMap();
    plans.set(handlerOf, known);
  }
  let plan = known.get(operation);
  if (!plan) {
    plan = makePlan(handlerOf, operation);
    known.set(operation, plan);
  }
  return plan;
}

function makePlan(handlerOf: HandlerOf, operation: AnyOperation): Plan {
  const handler = handlerOf(operation);
  return {
    ...measuredSteps({ verify: verifierOf(operation), count: counter(operation) }, operation),
    context: contextMaker(operation),
    ahead: aheadOf(operation, handler),
    read: callReader(operation),
    countAhead: countAhead(operation),
    usedUp: ({ limiter }, counted, faults) => {
      const used = faults.limit(limiter.now);
      return used ? limiter.usedUp(operation, counted, used.until_ms) : counted;
    },
    settle: settlerOf(handlerOf, operation),
    handler,
    holds: servedByAnyThread({ handlerOf }, operation),
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

function counter(operation: AnyOperation): Plan['count'] {
  const byUser = countsByUser[operation.kind];
  return ({ limiter }, caller, account_id, values, already) => {
    if (!limiter.limits(operation)) return undefined;
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

function countAhead(operation: AnyOperation): CountAhead | undefined {
  const byUser = countsByUser[operation.kind];
  return countAheadOf(operation, ({ limiter }, caller, account_id, values) => {
    if (caller.kind === 'operator') return undefined;
    const countsTotal = values['with_total_count'] === true;
    return limiter.sharedLimits(operation, countedAs(caller, byUser), account_id, countsTotal, caller.app_id);
  });
}

function countedAs(caller: Exclude<Caller, { readonly kind: 'operator' }>, byUser: boolean): string {
  return byUser && caller.kind === 'user' ? `u${caller.user_id}` : `p${caller.app_id}`;
}

/**
 * The one way in which an operation runs, whatever adapter it came through: authenticate, find the account and check the
 * permission, read the parameters, count against the rate limits (a list that counts all its matches has a limit of its
 * own), reject invalid parameters, handle. Adapters decode before and encode after; they cannot skip a step.
 */
import { ApiError, BatchError, errorStatus } from '@broadside/core';
import type { NonceTurn } from '../auth/nonce-turn.ts';
import { type Awaitable, attempt, chain } from '../awaitable.ts';
import { rejectDeletedAccount } from '../world/account-directory.ts';
import type { Call } from './call.ts';
import type { Caller } from './context.ts';
import type { PipelineContext } from './context-for.ts';
import { Held, released } from './held.ts';
import { asListed } from './listed-errors.ts';
import { type Plan, planOf } from './plan.ts';
import type { LimitStates } from './rate-limiter.ts';
import { type ReadCall, readUsersOf } from './read-call.ts';
import type { Services } from './services.ts';
import { asUnavailable } from './unavailable.ts';
import type { Holder } from './verify-caller.ts';

export type { Services, UntypedHandler } from './services.ts';

/** Result of a call, for the adapter to encode. */
export interface Reply {
  /** `request.params`, or `request` of a batch; as much as could be read. */
  readonly echo: unknown;
  readonly limits: LimitStates | undefined;
  readonly caller: Caller | undefined;
  readonly outcome: { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: unknown };
}

/**
 * Runs a call. Never rejects: any error is in the reply. Without a promise where nothing has to wait; the reply of a read is
 * held until the nonce of its request is logged.
 */
export function execute(services: Services, call: Call): Awaitable<Reply> | Held<Reply> {
  const run = new Run(planOf(services, call.operation), call);
  const reply = attempt(
    () => run.authenticate(),
    (error) => run.failure(error),
  );
  if (!(reply instanceof Promise)) return run.held(reply);
  return reply.then((done) => released(run.held(done)));
}

/** A call on its way. Each step ends with the next one, so that their order can be read from top to bottom. */
class Run implements Holder {
  turn: NonceTurn | undefined;
  #plan: Plan;
  #call: Call;
  #echo: unknown;
  #limits: LimitStates | undefined;
  #caller: Caller | undefined;

  constructor(plan: Plan, call: Call) {
    this.#plan = plan;
    this.#call = call;
  }

  authenticate(): Awaitable<Reply> {
    const verified = this.#plan.verify(this.#call.credentials, this.#plan.holds ? this : undefined);
    return chain(verified, (caller) => {
      this.#caller = caller;
      return this.#enter(caller);
    });
  }

  /** Finds the account and checks the permission. */
  #enter(caller: Caller): Awaitable<Reply> {
    const entered = attempt<PipelineContext>(
      () => this.#plan.context(this.#call, caller),
      (error) => {
        // A rejected caller uses up a limit of its own, never that of the account, and learns how much of it is left.
        this.#limits = this.#plan.count(caller, undefined, NO_VALUES);
        throw this.#limits?.user.exceeded ? new ApiError('TOO_MANY_REQUESTS') : error;
      },
    );
    return chain(entered, (context) => {
      const { receive } = this.#call;
      return receive ? this.#receive(receive, caller) : this.#read(context, caller);
    });
  }

  /** Reads a body that only this caller may send, after which it is known what exactly is called. */
  async #receive(receive: NonNullable<Call['receive']>, caller: Caller): Promise<Reply> {
    this.#call = { ...this.#call, ...(await receive()) };
    this.#plan = this.#plan.of(this.#call.operation);
    return this.#read(await this.#plan.context(this.#call, caller), caller);
  }

  /** Reads the parameters, and counts. */
  #read(context: PipelineContext, caller: Caller): Awaitable<Reply> {
    const { operation, problem } = this.#call;
    const read = this.#plan.read(this.#call);
    this.#echo = read.echo;
    const account_id = 'record' in context ? context.record.id : undefined;
    this.#limits = this.#plan.count(caller, account_id, read.values);
    if (this.#limits?.user.exceeded || this.#limits?.account?.exceeded) throw new ApiError('TOO_MANY_REQUESTS');
    if (problem) throw problem;
    if (!operation.batch?.users) return this.#handle(context, read);
    return chain(readUsersOf(this.#call, read), (whole) => {
      this.#echo = whole.echo;
      return this.#handle(context, whole);
    });
  }

  /** Rejects invalid parameters, and handles the call. */
  #handle(context: PipelineContext, { values, issues, itemIssues }: ReadCall): Awaitable<Reply> {
    const [first, ...others] = issues;
    if (first) throw new ApiError(first, ...others);
    if (itemIssues?.some((list) => list.length > 0)) throw new BatchError(itemIssues);
    rejectDeleted(this.#call, context, values);
    const value = attempt(
      () => this.#plan.handler(context, values),
      (error) => {
        throw asListed(this.#call.operation, error);
      },
    );
    return chain(value, (given) => this.#reply({ ok: true, value: given }));
  }

  failure(error: unknown): Reply {
    this.#echo ??= this.#plan.read(this.#call).echo;
    return this.#reply({ ok: false, error: singleErrorOf(this.#call, asUnavailable(error)) });
  }

  /** A reply that nobody sees before the nonce is logged, if that is still to be done. */
  held(reply: Reply): Reply | Held<Reply> {
    const { turn } = this;
    if (!turn) return reply;
    return new Held(turn, (failure) => {
      if (!failure) return reply;
      // As if the call had not been made, except that it was counted.
      this.#limits = undefined;
      this.#caller = undefined;
      return this.failure(failure.error);
    });
  }

  #reply(outcome: Reply['outcome']): Reply {
    return { echo: this.#echo, limits: this.#limits, caller: this.#caller, outcome };
  }
}

const NO_VALUES = {};

/** Statuses that no endpoint replaces by its single error. */
const OWN_STATUSES: ReadonlySet<number> = new Set(
  (['REQUEST_TOO_LARGE', 'UNSUPPORTED_CONTENT_TYPE', 'SERVICE_UNAVAILABLE'] as const).map(errorStatus),
);

/** An endpoint with a single error responds with it, and gives the cause in `details`. */
function singleErrorOf({ operation }: Call, error: unknown): unknown {
  const one = operation.kind === 'auth' ? operation.rejection : undefined;
  if (one === undefined || !(error instanceof ApiError)) return error;
  const [{ error: first, details, message }] = error.issues;
  if (OWN_STATUSES.has(error.status)) return error;
  const reason = first === one ? details : (message ?? details);
  const rejection = new ApiError({ error: one, ...(reason === undefined ? {} : { details: reason }) });
  rejection.diagnosis = error.diagnosis;
  return rejection;
}

/** A deleted account can be looked at as a deleted record; nothing below it can be reached any more. */
function rejectDeleted(call: Call, context: PipelineContext, values: Readonly<Record<string, unknown>>): void {
  if (!('record' in context)) return;
  if ('deletedAccount' in call.operation.access && values['with_deleted'] === true) return;
  rejectDeletedAccount(context.record);
}

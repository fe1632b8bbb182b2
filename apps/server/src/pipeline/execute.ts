/**
 * The one way in which an operation runs, whatever adapter it came through: authenticate, find the account and check the
 * permission, read the parameters, count against the rate limits (a list that counts all its matches has a limit of its
 * own), reject invalid parameters, handle. Adapters decode before and encode after; they cannot skip a step.
 */
import { ApiError, BatchError, type Issue } from '@broadside/core';
import type { NonceTurn } from '../auth/nonce-turn.ts';
import { type Awaitable, attempt, chain } from '../awaitable.ts';
import type { LoggedChange } from '../db/change-log.ts';
import type { Faulted } from '../faults/delivery.ts';
import { type CallFaults, type FaultRules, InjectedFailure } from '../faults/fault-rules.ts';
import { recordedCall } from '../journal/recorded-call.ts';
import type { RecordedCall, Recording } from '../journal/records.ts';
import { rejectDeletedAccount } from '../world/account-directory.ts';
import { Rehearsed } from '../world/account-store.ts';
import type { AdsStore } from '../world/ads-store.ts';
import { DEFAULT_ID } from '../worlds/host-options.ts';
import { overAhead } from './ahead.ts';
import { othersOf } from './batch.ts';
import type { Call } from './call.ts';
import type { Caller } from './caller.ts';
import { type Entered, isNamed, noSuchWorld, type WorldFinder, worldOfCall } from './choose-world.ts';
import type { PipelineContext } from './context-for.ts';
import { countedWith, countsTogether } from './count-ahead.ts';
import { Held, released } from './held.ts';
import { asListed } from './listed-errors.ts';
import { type Plan, planOf } from './plan.ts';
import type { LimitStates } from './rate-limiter.ts';
import { type ReadCall, readUsersOf } from './read-call.ts';
import type { Services } from './services.ts';
import { singleErrorOf } from './single-error.ts';
import { asUnavailable } from './unavailable.ts';
import type { Holder } from './verify-caller.ts';

export type { Services, UntypedHandler } from './services.ts';

/** Result of a call, for the adapter to encode. */
export interface Reply {
  /** `request.params`, or `request` of a batch; as much as could be read. */
  readonly echo: unknown;
  readonly limits: LimitStates | undefined;
  readonly caller: Caller | undefined;
  /** The advertising account, once the caller was let into it. */
  readonly account_id: string | undefined;
  readonly outcome: { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: unknown };
  /** The faults that befell the call, where some did: adapters follow `delivery`, logs name `fired`. */
  readonly faulted?: Faulted | undefined;
  /** The call as the journal of its world keeps it, where there is one. */
  readonly recorded: RecordedCall | undefined;
}

/**
 * Runs a call. Never rejects: any error is in the reply. Without a promise where nothing has to wait; the reply of a read is
 * held until the nonce of its request is logged.
 */
export function execute(services: Services, call: Call): Awaitable<Reply> | Held<Reply> {
  const { worlds } = services;
  if (call.operation.kind === 'control') return executeControl(services, call);
  const id = worlds && worldOfCall(worlds, call.credentials);
  if (worlds === undefined) return executeIn(services, call);
  if (id !== undefined) {
    const open = worlds.opened?.(id);
    return open?.enter() ? executeInside(open, call) : executeElsewhere(services, worlds, id, call);
  }
  const { here } = worlds;
  if (here === undefined) return executeIn(services, call);
  return here.enter() ? executeInside(here, call) : executeElsewhere(services, worlds, DEFAULT_ID, call);
}

/** Runs a call in a world that it has entered, which it leaves when it has ended. An answer that is held needs nothing of the world. */
function executeInside(here: Entered<Services>, call: Call): Awaitable<Reply> | Held<Reply> {
  let reply: Awaitable<Reply> | Held<Reply>;
  try {
    reply = executeIn(here.services, call);
  } catch (error) {
    here.leave();
    throw error;
  }
  if (!(reply instanceof Promise)) {
    here.leave();
    return reply;
  }
  return reply.then((done) => {
    here.leave();
    return done;
  });
}

/** Runs a call in a world that has to be opened first, or to come back. */
async function executeElsewhere(
  services: Services,
  worlds: WorldFinder<Services>,
  id: string,
  call: Call,
): Promise<Reply> {
  const failed = (error: unknown) =>
    new Run(services, planOf(services, call.operation), call, undefined, services.journal).failure(error);
  try {
    const inside = (own: Services) => released(executeIn(own, call));
    const reply = await worlds.use(id, inside);
    if (reply) return reply;
    // Deleted while the call waited for it: its credentials are nobody's, as those of any world that is not there.
    const elsewhere = isNamed(call.credentials) ? undefined : await worlds.use(DEFAULT_ID, inside);
    return elsewhere ?? failed(noSuchWorld(id));
  } catch (error) {
    return failed(error);
  }
}

/** Runs a call of the control. A world that it works in stays open until it has ended. */
function executeControl(services: Services, call: Call): Awaitable<Reply> {
  const entered: (() => void)[] = [];
  return chain(released(executeIn(services, { ...call, entered })), (reply) => {
    for (const leave of entered) leave();
    return reply;
  });
}

function executeIn(services: Services, call: Call): Awaitable<Reply> | Held<Reply> {
  const { faults } = services;
  if (faults?.armed) return executeFaulted(services, faults, call);
  const run = runOf(services, call, undefined);
  const reply = attempt(
    () => run.authenticate(),
    (error) => run.failure(error),
  );
  return held(run, reply);
}

/** The same where faults may befall the call. */
function executeFaulted(services: Services, rules: FaultRules, call: Call): Awaitable<Reply> | Held<Reply> {
  let faults: CallFaults;
  try {
    faults = rules.begin(call);
  } catch (error) {
    return runOf(services, call, undefined).failure(error);
  }
  const run = runOf(services, call, faults);
  const made = attempt(
    () => chain(faults.arrive(), () => run.authenticate()),
    (error) => run.failure(error),
  );
  return held(
    run,
    chain(made, (reply) => faulted(faults, reply)),
  );
}

function runOf(services: Services, call: Call, faults: CallFaults | undefined): Run {
  return new Run(services, planOf(services, call.operation), call, faults, journalOf(services, call));
}

function held(run: Run, reply: Awaitable<Reply>): Awaitable<Reply> | Held<Reply> {
  if (!(reply instanceof Promise)) return run.held(reply);
  return reply.then((done) => released(run.held(done)));
}

/** What controls worlds is in none of them. */
function journalOf({ journal }: Services, { operation }: Call): Recording | undefined {
  return operation.kind === 'control' ? undefined : journal;
}

/** What is durable stays so, whatever becomes of the answer. */
function faulted(faults: CallFaults, reply: Reply): Awaitable<Reply> {
  return chain(faults.answer(reply.outcome.ok), (done) => (done ? { ...reply, faulted: done } : reply));
}

/** A call on its way. Each step ends with the next one, so that their order can be read from top to bottom. */
class Run implements Holder {
  turn: NonceTurn | undefined;
  readonly #services: Services;
  #plan: Plan;
  #call: Call;
  #echo: unknown;
  /** The parameters, once they were read. */
  #given: ReadCall | undefined;
  #limits: LimitStates | undefined;
  /** The limits of a call that was counted with its nonce. */
  #already: LimitStates | undefined;
  #caller: Caller | undefined;
  #account_id: string | undefined;
  readonly #faults: CallFaults | undefined;
  readonly #journal: Recording | undefined;
  readonly #world_ms: number;
  #logged: readonly LoggedChange[] | undefined;

  constructor(
    services: Services,
    plan: Plan,
    call: Call,
    faults: CallFaults | undefined,
    journal: Recording | undefined,
  ) {
    this.#services = services;
    this.#plan = plan;
    this.#call = call;
    this.#faults = faults;
    this.#journal = journal;
    this.#world_ms = journal === undefined ? 0 : journal.clock.now();
  }

  authenticate(): Awaitable<Reply> {
    const { countAhead } = this.#plan;
    const credentials =
      countAhead === undefined || this.#faults !== undefined || !countsTogether(this.#services, this.#call.operation)
        ? this.#call.credentials
        : countedWith(
            this.#services,
            this.#call,
            countAhead,
            () => this.#parameters(),
            (states) => {
              this.#already = states;
            },
          );
    const store = this.#storeAhead();
    if (store !== undefined) this.#plan.ahead?.locate(store, this.#call);
    const verified = this.#plan.verify(this.#services, credentials, this.#plan.holds ? this : undefined);
    return chain(verified, (caller) => {
      this.#caller = caller;
      return this.#enter(caller);
    });
  }

  /** Finds the account and checks the permission. */
  #enter(caller: Caller): Awaitable<Reply> {
    const store = this.#storeAhead();
    const reads =
      store === undefined ? undefined : this.#plan.ahead?.begin(store, this.#call, caller, () => this.#parameters());
    const entered = attempt<PipelineContext>(
      () => this.#plan.context(this.#services, this.#call, caller),
      (error) => {
        // A rejected caller uses up a limit of its own, never that of the account, and learns how much of it is left.
        return chain(this.#plan.count(this.#services, caller, undefined, NO_VALUES, this.#already), (limits) => {
          this.#limits = limits;
          throw limits?.user.exceeded ? new ApiError('TOO_MANY_REQUESTS') : error;
        });
      },
    );
    return chain(entered, (context) => {
      const { receive } = this.#call;
      if (receive) return this.#receive(receive, caller);
      return this.#entered(reads === undefined ? context : overAhead(context, reads, this.#call.operation), caller);
    });
  }

  /** The store of which reads can be begun before the caller is let in. */
  #storeAhead(): AdsStore | undefined {
    // Faults may delay a call, which then shows what is there afterwards.
    if (this.#plan.ahead === undefined || this.#faults !== undefined) return undefined;
    const store = this.#services.world.ads[this.#call.environment];
    return store.isRemote ? store : undefined;
  }

  /** Reads a body that only this caller may send, after which it is known what exactly is called. */
  async #receive(receive: NonNullable<Call['receive']>, caller: Caller): Promise<Reply> {
    const { world } = this.#services;
    const late = await receive(world);
    this.#call = { ...this.#call, ...late };
    this.#given = undefined;
    this.#plan = planOf(this.#services, this.#call.operation);
    await this.#faults?.receive(late);
    // It may have taken minutes.
    await world.shared?.freshen();
    return this.#entered(await this.#plan.context(this.#services, this.#call, caller), caller);
  }

  #entered(context: PipelineContext, caller: Caller): Awaitable<Reply> {
    const faults = this.#faults;
    if (!faults) return this.#read(context, caller);
    const befallen = attempt<void>(
      () => faults.enter(caller, 'record' in context ? context.record.id : undefined),
      (error) => {
        // As real rejections of this kind are counted.
        const counted = faults.isLockedOut(error)
          ? this.#plan.count(this.#services, caller, undefined, NO_VALUES, this.#already)
          : undefined;
        return chain(counted, (limits) => {
          this.#limits = limits;
          throw error;
        });
      },
    );
    return chain(befallen, () => this.#read(context, caller));
  }

  /** Reads the parameters, and counts. */
  #read(context: PipelineContext, caller: Caller): Awaitable<Reply> {
    if (this.#journal !== undefined && 'actor' in context) this.#logged = context.actor.logged;
    const read = this.#parameters();
    this.#echo = read.echo;
    this.#account_id = 'record' in context ? context.record.id : undefined;
    const counted = this.#plan.count(this.#services, caller, this.#account_id, read.values, this.#already);
    return chain(counted, (limits) => this.#counted(context, read, limits));
  }

  #parameters(): ReadCall {
    this.#given ??= this.#plan.read(this.#call);
    return this.#given;
  }

  #counted(context: PipelineContext, read: ReadCall, limits: LimitStates | undefined): Awaitable<Reply> {
    const { operation, problem } = this.#call;
    this.#limits = limits;
    if (this.#faults) this.#limits = this.#plan.usedUp(this.#services, this.#limits, this.#faults);
    if (this.#limits?.user.exceeded || this.#limits?.account?.exceeded) throw new ApiError('TOO_MANY_REQUESTS');
    if (problem) throw problem;
    if (read.restated || read.restatedItems) {
      return chain(this.#plan.settle(context, read), (settled) => this.#handle(context, settled));
    }
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
    rejectDeleted(this.#call, context, values);
    if (itemIssues?.some((list) => list.length > 0)) return this.#tryOthers(context, values, itemIssues);
    const value = attempt(
      () => {
        if (!this.#faults) return this.#plan.handler(context, values);
        return chain(this.#faults.handle(), () => this.#plan.handler(context, values));
      },
      (error) => {
        throw error instanceof InjectedFailure ? error : asListed(this.#call.operation, error);
      },
    );
    return chain(value, (given) => this.#reply({ ok: true, value: given }));
  }

  /**
   * Tries the items of a batch that could be read, so that the response has their errors beside those of the others. Nothing
   * of it is kept. @throws BatchError always
   */
  #tryOthers(
    context: PipelineContext,
    values: ReadCall['values'],
    itemIssues: readonly (readonly Issue[])[],
  ): Awaitable<Reply> {
    const rejected = new BatchError(itemIssues);
    const others = othersOf(values['operations'], itemIssues);
    if (!others || !('account' in context)) throw rejected;
    const { account } = context;
    const tried = attempt(
      () => this.#plan.handler({ ...context, account: account.rehearsal() }, { ...values, operations: others }),
      (error) => {
        // What concerns the whole batch, such as a quota, can be said once its items are right.
        if (error instanceof Rehearsed || error instanceof ApiError) throw rejected;
        throw asListed(this.#call.operation, error);
      },
    );
    return chain(tried, () => {
      throw rejected;
    });
  }

  failure(error: unknown): Reply {
    this.#echo ??= this.#parameters().echo;
    if (error instanceof InjectedFailure) return this.#reply({ ok: false, error: new ApiError('INTERNAL_ERROR') });
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
      this.#account_id = undefined;
      return this.failure(failure.error);
    });
  }

  #reply(outcome: Reply['outcome']): Reply {
    const limits = this.#limits;
    const caller = this.#caller;
    const account_id = this.#account_id;
    return { echo: this.#echo, limits, caller, account_id, outcome, recorded: this.#recorded(outcome) };
  }

  #recorded(outcome: Reply['outcome']): RecordedCall | undefined {
    if (this.#journal === undefined) return undefined;
    const { secrets } = this.#services.world;
    const ended = { caller: this.#caller, account_id: this.#account_id, limits: this.#limits, outcome, secrets };
    return recordedCall(this.#journal, this.#call, ended, this.#world_ms, this.#logged);
  }
}

const NO_VALUES = {};

/** A deleted account can be looked at as a deleted record; nothing below it can be reached any more. */
function rejectDeleted(call: Call, context: PipelineContext, values: Readonly<Record<string, unknown>>): void {
  if (!('record' in context)) return;
  if ('deletedAccount' in call.operation.access && values['with_deleted'] === true) return;
  rejectDeletedAccount(context.record);
}

/**
 * The faults of one call. Rules are tried in the order of their creation, and the first that decides the answer ends that. A
 * rule does not overtake an earlier one that could still match when more is known of the call. Latencies of rules that decide nothing
 * add up.
 */
import { ApiError, timestampMs } from '@broadside/core';
import { errorNamed, hasBody, isOfAccount, type Phase, phases } from '@broadside/core/resources/control/faults';
import type { Awaitable } from '../awaitable.ts';
import type { Delivery, Faulted } from './delivery.ts';
import { type CallFaults, InjectedFailure, type RuledCall } from './fault-rules.ts';
import { injectedError } from './injected-error.ts';
import type { Rule, Who } from './rule.ts';

/** What a call needs of the faults of its world. */
export interface Rules {
  /** The rules that concern calls of an operation, in the order of their creation. */
  concerning(call: RuledCall): readonly Rule[];
  isActive(rule: Rule): boolean;
  /** Makes the counts of rules durable. */
  save(rules: readonly Rule[]): Promise<void>;
  /**
   * Takes a call back that a rule does not concern after all, and has calls ask for the rule again. Resolves when the counts are durable.
   * @param fired whether the rule had fired for it
   */
  giveBack(rule: Rule, fired: boolean): Promise<void>;
  wait(ms: number): Promise<void>;
}

export class CallRun implements CallFaults {
  readonly #rules: Rules;
  #call: RuledCall;
  #who: Who = {};
  /** Rules that decide the answer and were not asked yet. */
  #deciding: readonly Rule[] = [];
  /** Rules that only delay, and were not asked yet. */
  #delaying: readonly Rule[] = [];
  #fired: Rule[] = [];
  #delivery: Delivery | undefined;
  /** The rule that damages the answer, once there is one. */
  #ofAnswer: Rule | undefined;
  /** Rules that damage answers and have counted the call, although it was not their turn. */
  readonly #passedOver: Rule[] = [];
  #limiting: Rule | undefined;
  #saved: Promise<void>[] = [];

  constructor(rules: Rules, call: RuledCall) {
    this.#rules = rules;
    this.#call = call;
  }

  arrive(): Awaitable<void> {
    if (this.#call.receive === undefined) return this.#begin();
  }

  receive({ operation, params }: Pick<RuledCall, 'operation' | 'params'>): Awaitable<void> {
    this.#call = { ...this.#call, operation, params };
    return this.#begin();
  }

  enter({ app_id, user_id }: Omit<Who, 'account_id'>, account_id: string | undefined): Awaitable<void> {
    this.#who = { app_id, user_id, account_id };
    return this.#at('entry');
  }

  limit(now_ms: number): { readonly until_ms: number | undefined } | undefined {
    const rule = this.#limiting;
    if (!rule) return undefined;
    const { rate_limit } = rule.row.effect;
    if (rate_limit?.seconds !== undefined && rule.window_ends_ms === null) {
      rule.window_ends_ms = now_ms + rate_limit.seconds * 1000;
      this.#saved.push(this.#rules.save([rule]));
    }
    return {
      until_ms: rate_limit?.until === undefined ? (rule.window_ends_ms ?? undefined) : timestampMs(rate_limit.until),
    };
  }

  handle(): Awaitable<void> {
    return this.#at('handling');
  }

  isLockedOut(error: unknown): boolean {
    return error instanceof ApiError && isOfAccount(error.issues[0].error);
  }

  async answer(ok: boolean): Promise<Faulted | undefined> {
    const rule = this.#ofAnswer;
    // They count answers to work that is done.
    if (!ok) this.#saved.push(...this.#passedOver.map((one) => this.#rules.giveBack(one, false)));
    if (rule && !ok) {
      this.#saved.push(this.#rules.giveBack(rule, true));
      this.#fired = this.#fired.filter((one) => one !== rule);
      this.#delivery = undefined;
    } else if (rule) await this.#rules.wait(rule.latency_ms);
    await Promise.all(this.#saved);
    if (this.#fired.length === 0) return undefined;
    return { fired: this.#fired.map(({ id }) => id), delivery: this.#delivery };
  }

  #begin(): Awaitable<void> {
    const isEmpty = this.#isHead || !hasBody(this.#call.operation);
    const rules = this.#rules.concerning(this.#call).filter((rule) => !(isEmpty && rule.damagesBody));
    if (rules.length === 0) return undefined;
    this.#deciding = rules.filter(({ decides }) => decides);
    this.#delaying = rules.filter(({ decides }) => !decides);
    return this.#at('arrival');
  }

  /** Whether no answer to it has a body. */
  get #isHead(): boolean {
    return this.#call.credentials.received.method === 'HEAD';
  }

  #at(phase: Phase): Awaitable<void> {
    if (this.#deciding.length + this.#delaying.length > 0) return this.#decide(phases.indexOf(phase));
  }

  async #decide(reached: number): Promise<void> {
    const isReached = (rule: Rule) => phases.indexOf(rule.phase) <= reached;
    let delay_ms = 0;
    const now = this.#delaying.filter(isReached);
    this.#delaying = this.#delaying.filter((rule) => !isReached(rule));
    for (const rule of now) if (this.#take(rule)) delay_ms += rule.latency_ms;
    let decided: Rule | undefined;
    while (decided === undefined) {
      const [rule, ...others] = this.#deciding;
      if (rule === undefined || !isReached(rule)) break;
      this.#deciding = others;
      if (this.#take(rule)) decided = rule;
    }
    if (decided) this.#deciding = [];
    if (decided && !isOfAnswer(decided)) delay_ms += decided.latency_ms;
    await this.#rules.wait(delay_ms);
    if (decided) this.#befall(decided);
  }

  #take(rule: Rule): boolean {
    if (!this.#rules.isActive(rule) || !rule.isOf(this.#who)) return false;
    const fires = rule.take();
    const saved = this.#rules.save([rule]);
    if (!fires) {
      if (rule.decides && isOfAnswer(rule)) this.#passedOver.push(rule);
      return false;
    }
    this.#fired.push(rule);
    this.#saved.push(saved);
    return true;
  }

  /** Lets a rule take effect. @throws what the call is answered with instead of its work */
  #befall(rule: Rule): void {
    const { error, status, rate_limit, drop, retry_after, ...others } = rule.row.effect;
    const inBody = this.#isHead ? undefined : 'in_body';
    const ends = drop === 'mid_body' ? inBody : drop === undefined ? undefined : 'unanswered';
    const body = this.#isHead ? undefined : others.body;
    if (ends !== undefined || body !== undefined || retry_after !== undefined) {
      this.#delivery = { ends, body, retry_after };
    }
    if (rate_limit !== undefined || error === 'TOO_MANY_REQUESTS') this.#limiting = rule;
    else if (error !== undefined) {
      const name = errorNamed(error, [this.#call.operation]);
      throw name === undefined || name === 'INTERNAL_ERROR' ? new InjectedFailure() : injectedError(name, this.#call);
    } else if (status === 502) {
      this.#delivery = { ...this.#delivery, gateway: status };
      throw new InjectedFailure();
    } else if (status === 503) throw new ApiError('SERVICE_UNAVAILABLE');
    else if (status !== undefined || drop === 'before_work') throw new InjectedFailure();
    else this.#ofAnswer = rule;
  }
}

/** Returns whether a rule damages the answer to work that is done. */
function isOfAnswer({ row }: Rule): boolean {
  const { error, status, rate_limit, drop } = row.effect;
  return error === undefined && status === undefined && rate_limit === undefined && drop !== 'before_work';
}

/** One rule of a world: which calls it concerns, whether it is the turn of one, and its counts. */
import { createHash } from 'node:crypto';
import type { AnyOperation } from '@broadside/core';
import {
  concerns,
  damagesBody,
  isDeciding,
  isTurn,
  type LaterEffect,
  latencyAt,
  laterEffects,
  matchesPath,
  type Phase,
  phaseOf,
} from '@broadside/core/resources/control/faults';
import type { Environment } from '../world/environment.ts';
import type { FaultRow } from './store.ts';

/** What is known of a caller and of what is called. */
export interface Who {
  readonly app_id?: string | undefined;
  readonly user_id?: string | undefined;
  readonly account_id?: string | undefined;
}

/** Numbers of 48 bits. */
const CHANCES = 2 ** 48;

export class Rule {
  readonly row: Readonly<Omit<FaultRow, 'matched' | 'fired' | 'window_ends_ms'>>;
  /** The effect of a rule on what comes after a call. */
  readonly later: LaterEffect | undefined;
  readonly phase: Phase;
  /** It decides the answer, so that rules after it have no effect on the call. */
  readonly decides: boolean;
  /** It has no effect on an answer without a body. */
  readonly damagesBody: boolean;
  matched: number;
  fired: number;
  window_ends_ms: number | null;
  readonly #concerned = new Map<AnyOperation, boolean>();

  constructor({ matched, fired, window_ends_ms, ...row }: FaultRow) {
    this.row = row;
    this.matched = matched;
    this.fired = fired;
    this.window_ends_ms = window_ends_ms;
    this.later = laterEffects.find((name) => row.effect[name] !== undefined);
    this.phase = phaseOf(row.match, row.effect);
    this.decides = isDeciding(row.effect);
    this.damagesBody = damagesBody(row.effect);
  }

  get id(): string {
    return faultId(this.row.number);
  }

  /**
   * Returns whether it can still fire.
   * @param now_ms the time of the world
   * @param limits_ms the time of rate limits
   */
  isActive(now_ms: number, limits_ms: number): boolean {
    const { times, until_ms, effect, match } = this.row;
    if (times !== null && this.fired >= times) return false;
    if (match.first !== undefined && this.matched >= match.first) return false;
    if (until_ms !== null && now_ms >= until_ms) return false;
    const until = effect.rate_limit?.until;
    const ends_ms = until === undefined ? this.window_ends_ms : Date.parse(until);
    return ends_ms === null || limits_ms < ends_ms;
  }

  /** Returns whether it concerns calls of an operation with these parameters of the path, as far as follows from them. */
  concerns(operation: AnyOperation, environment: Environment, params: Readonly<Record<string, unknown>>): boolean {
    const { match } = this.row;
    if (this.later !== undefined) return false;
    let can = this.#concerned.get(operation);
    if (can === undefined) {
      can = concerns(match, operation);
      this.#concerned.set(operation, can);
    }
    if (!can || (match.environment !== undefined && match.environment !== environment)) return false;
    return match.path === undefined || matchesPath(match.path, operation, params);
  }

  /** Returns whether it concerns who calls. */
  isOf({ app_id, user_id, account_id }: Who): boolean {
    const { app, user, account } = this.row.match;
    return (
      (app === undefined || app === app_id) &&
      (user === undefined || user === user_id) &&
      (account === undefined || account === account_id)
    );
  }

  /** Counts a call that it concerns, and returns whether it fires. */
  take(): boolean {
    this.matched++;
    if (!isTurn(this.row.match, { number: this.matched, chance: this.#chance('turn') })) return false;
    this.fired++;
    return true;
  }

  /** Takes a call back that it does not concern after all. @param fired whether it had fired for it */
  giveBack(fired: boolean): void {
    this.matched--;
    if (fired) this.fired--;
  }

  /** The latency of the call that was taken last, in milliseconds. */
  get latency_ms(): number {
    const { latency } = this.row.effect;
    return latency === undefined ? 0 : latencyAt(latency, this.#chance('latency'));
  }

  /** From 0 up to 1; follows from the seed of the rule and the number of the call, so that it is the same again. */
  #chance(what: string): number {
    const digest = createHash('sha256').update(`${this.row.seed} ${this.matched} ${what}`).digest();
    return digest.readUIntBE(0, 6) / CHANCES;
  }
}

/** The id of a rule. */
function faultId(number: number): string {
  return `f${number}`;
}

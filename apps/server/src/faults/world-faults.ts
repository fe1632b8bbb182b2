/**
 * The rules of faults of one world. They are in its store, and so are their counts: a rule that fired is counted before its
 * effect is seen, so that it fires no more often than it is to, also after a crash.
 */
import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { timestampMs } from '@broadside/core';
import type { FaultRule, LaterEffect } from '@broadside/core/resources/control/faults';
import type { Database } from '../db/database.ts';
import { MainThreadError } from '../threads/main-thread-error.ts';
import type { Clock } from '../world/clock.ts';
import { CallRun, type Rules } from './call-run.ts';
import type { CallFaults, FaultRules, RuledCall } from './fault-rules.ts';
import type { LaterFault, LaterFaults, LaterSubject } from './later-faults.ts';
import { Rule } from './rule.ts';
import { deleteFault, deleteFaults, insertFault, listFaults, setCounts, setSeed } from './store.ts';

/** A world has at most so many rules: our choice. Each call asks those that concern it. */
export const MAX_RULES = 500;

/** A rule to be created. */
export type NewFault = Pick<FaultRule, 'match' | 'effect' | 'times' | 'until' | 'ttl_seconds'>;

interface Services {
  readonly database: Database;
  readonly clock: Clock;
  /** The clock of rate limits. */
  readonly limitsClock: Clock;
  /** What chances follow from: the seed of the world or, where it has none, the platform's key and what tells its worlds apart. */
  readonly chances: string;
  /** For a reader thread, which passes calls on while there are rules: the memory in which it sees that. */
  readonly memory?: SharedArrayBuffer | undefined;
}

export class WorldFaults implements FaultRules, LaterFaults {
  readonly #services: Services;
  readonly #armed: Int32Array<SharedArrayBuffer>;
  readonly #isReader: boolean;
  /** The same in the thread that has the rules: each call asks, and the shared memory of many worlds is in no cache of the processor. */
  #isArmed = false;
  /** In the order of their creation. */
  #rules: readonly Rule[] = [];
  /** Rules whose counts are not durable. */
  readonly #unsaved = new Set<Rule>();
  #saving: Promise<void> | undefined;
  /** Ends calls that wait when the world is closed. */
  #closed = new AbortController();
  readonly #forCalls: Rules;

  constructor(services: Services) {
    this.#services = services;
    this.#isReader = services.memory !== undefined;
    this.#armed = new Int32Array(services.memory ?? new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    this.#forCalls = {
      concerning: ({ operation, environment, params }) =>
        this.#rules.filter((rule) => this.#isActive(rule) && rule.concerns(operation, environment, params)),
      isActive: (rule) => this.#isActive(rule),
      save: (rules) => this.#save(rules),
      giveBack: (rule, fired) => this.#giveBack(rule, fired),
      wait: (ms) => this.#wait(ms),
    };
  }

  get armed(): boolean {
    return this.#isReader ? Atomics.load(this.#armed, 0) !== 0 : this.#isArmed;
  }

  /** The memory in which reader threads see that there are rules. */
  get memory(): SharedArrayBuffer {
    return this.#armed.buffer;
  }

  /** Reads the rules of the store. */
  async load(): Promise<void> {
    this.#rules = (await listFaults.all(this.#services.database)).map((row) => new Rule(row));
    this.#arm();
  }

  begin(call: RuledCall): CallFaults {
    if (this.#services.memory) throw new MainThreadError('faults are decided in the main thread');
    return new CallRun(this.#forCalls, call);
  }

  /** All rules, in the order of their creation. */
  list(): readonly Rule[] {
    return this.#rules;
  }

  /** Returns a rule. */
  get(id: string): Rule | undefined {
    return this.#rules.find((rule) => rule.id === id);
  }

  /** Returns whether a rule can still fire. */
  isActive(rule: Rule): boolean {
    return this.#isActive(rule);
  }

  /** Creates a rule, after all others. It holds for calls that begin after this resolves. */
  async create({ match = {}, effect, times, until, ttl_seconds }: NewFault): Promise<Rule> {
    const { database, clock, chances } = this.#services;
    const created_ms = clock.now();
    const ends = until === undefined ? undefined : timestampMs(until);
    const until_ms = ttl_seconds === undefined ? (ends ?? null) : created_ms + ttl_seconds * 1000;
    const given = { match, effect, times: times ?? null, until_ms, created_ms, seed: '' };
    const row = await database.write(async (writer) => {
      const stored = await insertFault(writer, given);
      // Not of the source of randomness: a world gives the same ids, with rules and without.
      const seed = createHmac('sha256', chances).update(`fault ${stored.number}`).digest('base64url');
      await setSeed.run(writer, { number: stored.number, seed });
      return { ...stored, seed };
    });
    const rule = new Rule(row);
    this.#rules = [...this.#rules, rule].sort((one, other) => one.row.number - other.row.number);
    this.#arm();
    return rule;
  }

  /** Deletes a rule. @returns it; `undefined` when there is none with this id */
  async delete(id: string): Promise<Rule | undefined> {
    const rule = this.get(id);
    if (!rule) return undefined;
    await this.#services.database.write((writer) => deleteFault.run(writer, { number: rule.row.number }));
    this.#rules = this.#rules.filter((one) => one !== rule);
    this.#arm();
    return rule;
  }

  /** Deletes all rules. @returns them */
  async clear(): Promise<readonly Rule[]> {
    const rules = this.#rules;
    await this.#services.database.write((writer) => deleteFaults.run(writer));
    this.#rules = this.#rules.filter((rule) => !rules.includes(rule));
    this.#arm();
    return rules;
  }

  /** Returns what befalls work that a call left behind, and counts it. The first rule that fires decides. */
  async later(effect: LaterEffect, { environment, ...who }: LaterSubject): Promise<LaterFault | undefined> {
    if (!this.armed) return undefined;
    for (const rule of this.#rules) {
      if (rule.later !== effect || !this.#isActive(rule) || !rule.isOf(who)) continue;
      const { match } = rule.row;
      if (match.environment !== undefined && match.environment !== environment) continue;
      const fires = rule.take();
      const saved = this.#save([rule]);
      if (!fires) continue;
      await saved;
      const { media_processing, scheduled_post, audience_processing } = rule.row.effect;
      const { delay_seconds = 0 } = media_processing ?? audience_processing ?? {};
      const fails = media_processing?.fail ?? scheduled_post?.fail ?? false;
      const holds = media_processing?.hold ?? false;
      return { id: rule.id, fails, holds, delay_ms: delay_seconds * 1000 };
    }
    return undefined;
  }

  /**
   * Has windows of rate limits go on where limits pass by another clock from now on: what is left of them stays, and those that have ended
   * stay so.
   * @param moved_ms the time by which the other clock is later
   */
  moveLimits(moved_ms: number): void {
    for (const rule of this.#rules) {
      if (rule.window_ends_ms === null) continue;
      rule.window_ends_ms += moved_ms;
      void this.#save([rule]);
    }
    this.#arm();
  }

  /** Lets calls that wait go on at once, and those that would wait later, so that nobody has to wait for them. */
  endWaits(): void {
    this.#closed.abort();
  }

  /** Has calls wait again: the world stays after all. */
  allowWaits(): void {
    this.#closed = new AbortController();
  }

  /** Ends what waits, and makes all counts durable. */
  async close(): Promise<void> {
    this.endWaits();
    await this.#saving;
  }

  #isActive(rule: Rule): boolean {
    const { clock, limitsClock } = this.#services;
    return rule.isActive(clock.now(), limitsClock.now());
  }

  #arm(): void {
    this.#isArmed = this.#rules.some((rule) => this.#isActive(rule));
    Atomics.store(this.#armed, 0, this.#isArmed ? 1 : 0);
  }

  /** Takes a call back that a rule does not concern after all. It may have been the last of its times, after which no call asked any more. */
  #giveBack(rule: Rule, fired: boolean): Promise<void> {
    rule.giveBack(fired);
    this.#arm();
    return this.#save([rule]);
  }

  /** Writes counts soon, those of several calls together. Never rejects. */
  #save(rules: readonly Rule[]): Promise<void> {
    for (const rule of rules) this.#unsaved.add(rule);
    this.#saving ??= this.#saveAll();
    return this.#saving;
  }

  async #saveAll(): Promise<void> {
    // After all that is counted in this turn.
    await Promise.resolve();
    this.#saving = undefined;
    const rules = [...this.#unsaved];
    this.#unsaved.clear();
    try {
      await this.#services.database.write(async (writer) => {
        for (const { row, matched, fired, window_ends_ms } of rules) {
          await setCounts.run(writer, { number: row.number, matched, fired, window_ends_ms });
        }
      });
    } catch {
      // The disk rejects writes, of which the store tells; counts go on in memory.
      for (const rule of rules) this.#unsaved.add(rule);
    }
    if (rules.some((rule) => !this.#isActive(rule))) this.#arm();
  }

  async #wait(ms: number): Promise<void> {
    if (ms <= 0) return;
    try {
      await sleep(ms, undefined, { signal: this.#closed.signal, ref: false });
    } catch {
      // The world is closed: the call goes on at once.
    }
  }
}

/**
 * The time of a world. Until somebody sets or advances it, it is the machine's, and jobs run by their own timers. From then on it is a
 * row of the platform's store, so that copies of the store carry it, and this class keeps the jobs: it runs all of them in one order, each
 * at its own time, whether the clock is advanced, runs at a rate, or stands.
 *
 * A running clock does not pass the time of a job before the job has run: it stands there, and goes on from where it would be. So jobs see
 * the same times however fast the clock runs, and as if it had been advanced in small steps. It stops where clocks end.
 *
 * A change is durable before it is seen. The time never goes back, also not after a crash: what was seen follows from the row.
 */
import {
  CLOCKS_END_MS,
  type ClockAdvance,
  type ClockSet,
  checkChanges,
  checkTarget,
  furthest,
  resolveAdvance,
} from '@broadside/core/resources/control/clock';
import type { Happened } from '../jobs/job-queue.ts';
import type { JobKeeper, Jobs } from '../jobs/jobs.ts';
import type { Job } from '../jobs/store.ts';
import { Pace } from '../pace.ts';
import { type Clock, ManualClock, type WallClock } from '../world/clock.ts';
import { AS_MACHINE, ClockRow, givenOf, type Settings } from './clock-row.ts';
import { type Advanced, ClockRejectedError, type ClockState, type TimeServices } from './clock-state.ts';
import type { DueSource } from './due-source.ts';
import { EXPECTED_MS, ExpectedJobs } from './expected-jobs.ts';
import { Passage } from './passage.ts';
import { readTime, type StoredTime } from './store.ts';
import { LimitsTime, SharedTime, TimeMemory } from './time-memory.ts';

/** A remote store can get jobs from other processes, so they are looked for at least this often. */
const LOOK_MS = 60_000;
/** Jobs that are run in a row before an advance that waits has its turn. */
const BATCH = 32;

export class WorldTime implements JobKeeper {
  /** The world's clock. */
  readonly clock: Clock;
  /** The clock of windows of rate limits. */
  readonly limits: WallClock;
  readonly #services: TimeServices;
  readonly #memory: TimeMemory;
  readonly #row: ClockRow;
  readonly #sources: DueSource[] = [];
  #jobs: Jobs | undefined;
  #onLimits: ((moved_ms: number) => void) | undefined;
  /** Of a clock that was set. */
  #settings: Settings | undefined;
  #keeps = false;
  /** The end of the last thing that has the clock to itself. */
  #turn: Promise<unknown> = Promise.resolve();
  /** Jobs that writes under way add. */
  readonly #expected: ExpectedJobs;
  #changes = 0;
  #advancing = false;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  private constructor(services: TimeServices, memory: TimeMemory) {
    this.#services = services;
    this.#memory = memory;
    this.#row = new ClockRow(services.database, services.wall);
    this.#expected = new ExpectedJobs(services.wall);
    this.clock = services.given ?? new SharedTime(this.#memory, services.wall);
    this.limits = new LimitsTime(this.#memory, services.wall);
  }

  /** Reads the clock of a world. @param startsAt where it stands if it was never set; the machine's time by default */
  static async open(services: TimeServices, startsAt?: number): Promise<WorldTime> {
    const time = new WorldTime(services, new TimeMemory());
    if (services.given !== undefined) return time;
    const { database, wall } = services;
    let stored = await readTime(database);
    if (!stored && startsAt !== undefined) {
      const frozen = { ...AS_MACHINE, frozen: true };
      await time.#row.store(startsAt, frozen);
      stored = { ...frozen, world_ms: startsAt, wall_ms: wall.now() };
    }
    if (stored) time.#resume(stored);
    return time;
  }

  /** The time of a world that another thread of the process has open. It can only be read. */
  static reading(services: TimeServices, buffer: SharedArrayBuffer): WorldTime {
    return new WorldTime(services, new TimeMemory(buffer));
  }

  /** The memory by which other threads know the time. */
  get buffer(): SharedArrayBuffer {
    return this.#memory.buffer;
  }

  /** Takes the jobs of the world, before it is used. */
  with(jobs: Jobs): void {
    this.#jobs = jobs;
  }

  /** Adds what happens by the time alone. */
  watch(source: DueSource): void {
    this.#sources.push(source);
  }

  /** @param listener called when limits pass by the other clock from now on, with the time by which that one is later */
  onLimits(listener: (moved_ms: number) => void): void {
    this.#onLimits = listener;
  }

  /** Begins to keep the jobs, whose handlers are all known now, if the clock was set. */
  async begin(): Promise<void> {
    if (this.#settings === undefined) return;
    await this.#keep();
    await this.#exclusively(() => this.#limitTime());
  }

  /** The state of the clock. */
  get state(): ClockState {
    const { given } = this.#services;
    return {
      ...(this.#settings ?? AS_MACHINE),
      ...(given instanceof ManualClock && { frozen: given.isFrozen }),
      now_ms: this.clock.now(),
      follows_machine: this.#settings === undefined && given === undefined,
      advancing: this.#advancing,
    };
  }

  /**
   * Changes the clock. Everything that is due until the time that it is set to happens in order, each at its own time.
   * Waits for an advance that is under way.
   * @throws ClockRejectedError, ClockClosedError
   */
  set({ now, ...changes }: ClockSet): Promise<Advanced> {
    return this.#exclusively(async () => {
      const { state } = this;
      // What is so already is no change.
      const parameter = (['rate', 'frozen', 'limits'] as const).find(
        (name) => changes[name] !== undefined && changes[name] !== state[name],
      );
      if (this.#services.given && parameter !== undefined) {
        const message = `The clock of this world is held by the program that opened it: only its time can be set, not ${parameter}`;
        throw new ClockRejectedError([{ error: 'INVALID_PARAMETER', parameter, message }]);
      }
      const now_ms = this.clock.now();
      const until_ms = now === undefined ? undefined : Date.parse(now);
      const issues = now === undefined ? checkChanges(changes) : checkTarget('now', now, until_ms ?? now_ms, now_ms);
      if (issues.length > 0) throw new ClockRejectedError(issues);
      return this.#pass(
        async (passage) => {
          if (until_ms !== undefined) await passage.until(until_ms);
        },
        { ...(this.#settings ?? AS_MACHINE), ...givenOf(changes) },
      );
    });
  }

  /**
   * Advances the clock, and has everything due on the way happen in order, each at its own time. Another advance waits until this one has
   * ended (our choice), and begins from there. Where the process ends in between, all is done until the time that the clock then has.
   * @throws ClockRejectedError, ClockClosedError
   */
  advance(request: ClockAdvance): Promise<Advanced> {
    return this.#exclusively(async () => {
      this.#resolve(request);
      return this.#pass((passage) => {
        // From where the clock stands now: a running one has gone on since.
        const destination = this.#resolve(request, 'standing');
        return destination === 'next'
          ? passage.untilNext(furthest(this.clock.now()))
          : passage.until(destination.until_ms);
      });
    });
  }

  /** Jobs may be due, or due sooner than those that were known. */
  wake(): void {
    this.#lookIn(0);
  }

  expect(id: number, due_ms: number): void {
    this.#changes++;
    if (this.#services.given) return;
    this.#expected.add(id, due_ms);
    const line = this.#memory.read();
    if (line && line.rate > 0 && due_ms < line.horizon_ms) this.#publish({ horizon_ms: due_ms });
  }

  forget(id: number): void {
    this.#expected.forget(id);
  }

  runDue(most: number): Promise<number> {
    return this.#exclusively(() => this.#runDue(most));
  }

  /** Ends. An advance that is under way is cut off: the clock stays at the time that it has reached. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#turn;
    // From the present on, so that a machine whose clock is set back meanwhile does not set this one back. The last row will do as well.
    if (this.#settings && !this.#settings.frozen) await this.#store().catch(() => {});
  }

  #resolve(request: ClockAdvance, from?: 'standing') {
    const now_ms = this.clock.now();
    const resolved = resolveAdvance(request, now_ms);
    if ('destination' in resolved) return resolved.destination;
    // It was right when it was asked for, and the clock has reached it.
    if (from === 'standing' && request.to !== undefined) return { until_ms: now_ms };
    throw new ClockRejectedError(resolved.issues);
  }

  /** Runs after everything that has the clock to itself. */
  #exclusively<Result>(body: () => Promise<Result>): Promise<Result> {
    const run = this.#turn.then(body);
    this.#turn = run.catch(() => {});
    return run;
  }

  async #pass(body: (passage: Passage) => Promise<void>, settings = this.#settings ?? AS_MACHINE): Promise<Advanced> {
    const jobs = this.#theJobs();
    const { given } = this.#services;
    await this.#keep();
    const from_ms = this.clock.now();
    const passage = new Passage({
      jobs,
      sources: this.#sources,
      changes: () => this.#changes,
      now: () => this.clock.now(),
      stand: (at_ms, isNext) => this.#stand(at_ms, isNext),
      run: (job, end_ms) => this.#runOnTheWay(job, end_ms),
      isClosed: () => this.#closed,
    });
    this.#advancing = true;
    if (!given) {
      this.#settings ??= AS_MACHINE;
      this.#publish({ world_ms: from_ms, rate: 0 });
    }
    let reached_ms = from_ms;
    try {
      await body(passage);
      reached_ms = this.clock.now();
      if (!given) {
        await this.#row.store(reached_ms, settings);
        this.#settings = settings;
      }
    } catch (error) {
      // What was stored last may be where the clock would have stood next.
      if (!given && this.#row.isAfter(this.clock.now())) await this.#store().catch(() => {});
      throw error;
    } finally {
      this.#advancing = false;
      if (given) {
        this.#keeps = false;
        jobs.takeBack();
      } else {
        await this.#goOn();
      }
    }
    // What was asked for exactly, although a running clock has gone on since.
    const state = { ...this.state, now_ms: reached_ms };
    return { from_ms, state, happenings: passage.happenings, complete: !passage.isCutOff };
  }

  /** Has the clock stand at a later time, if that is still next once it is stored. @returns whether it does */
  async #stand(at_ms: number, isNext: () => boolean): Promise<boolean> {
    const { given } = this.#services;
    if (!given) {
      if (!this.#row.covers(at_ms)) {
        await this.#row.store(at_ms, this.#settings ?? AS_MACHINE);
        // What is stored is then later than what is seen, as behind the end of a job: see #runOnTheWay().
        if (!isNext()) return false;
      }
      this.#publish({ world_ms: at_ms, rate: 0 });
    } else if (given instanceof ManualClock) {
      given.advance(Math.max(0, at_ms - given.now()));
    } else {
      throw new ClockRejectedError([
        { error: 'INVALID_PARAMETER', parameter: 'to', message: 'The clock of this world cannot be set' },
      ]);
    }
    return true;
  }

  /**
   * Runs a job while the clock is on the way to a time. The time at which it stands next is stored in the transaction that ends the job, so
   * that it is durable before it is seen without a write of its own. A job that others add meanwhile may be due before that: the clock stands
   * there too, and what is stored is later than what is seen.
   */
  async #runOnTheWay(job: Job, end_ms: number): Promise<readonly Happened[]> {
    const jobs = this.#theJobs();
    if (this.#services.given) return jobs.run(job);
    let stored: StoredTime | undefined;
    const happened = await jobs.run(job, async (writer) => {
      const next = await jobs.next({ reader: writer });
      const world_ms = Math.max(this.clock.now(), Math.min(end_ms, next?.due_ms ?? end_ms));
      stored = await this.#row.put(writer, world_ms, this.#settings ?? AS_MACHINE);
    });
    if (stored) this.#row.stored(stored);
    return happened;
  }

  /** Lets a clock that stands run on as its settings say. */
  async #goOn(): Promise<void> {
    const { frozen, rate, limits } = this.#settings ?? AS_MACHINE;
    this.#publish({ rate: frozen ? 0 : rate, horizon_ms: this.clock.now() }, limits);
    try {
      await this.#limitTime();
    } finally {
      this.#lookIn(0);
    }
  }

  /** Stores a running clock again where the machine's was set, since a start goes on by that one. */
  async #follow(): Promise<void> {
    if (this.#settings === undefined || this.#settings.frozen) return;
    if (this.#row.isMachineSet) await this.#store();
  }

  async #store(): Promise<void> {
    await this.#row.store(this.clock.now(), this.#settings ?? AS_MACHINE);
  }

  /** Goes on from what was stored: time has passed since. */
  #resume({ world_ms, wall_ms, rate, frozen, limits }: StoredTime): void {
    const { wall } = this.#services;
    this.#settings = { rate, frozen, limits };
    // A machine whose clock was set back does not set this one back. It stands until it is known what is due: see begin().
    const passed_ms = frozen ? 0 : Math.max(0, wall.now() - wall_ms) * rate;
    this.#publish({ world_ms, rate: frozen ? 0 : rate, horizon_ms: world_ms }, limits, passed_ms);
  }

  /** Publishes the time from now on. What is not given stays as it is, but that the line begins at the present. */
  #publish(
    line: { readonly world_ms?: number; readonly rate?: number; readonly horizon_ms?: number },
    limits = this.#settings?.limits ?? 'wall',
    passed_ms = 0,
  ): void {
    const { wall } = this.#services;
    const before = this.#memory.read();
    const elapsed_ms = wall.elapsed();
    const limits_ms = this.limits.elapsed();
    const now_ms = this.clock.now();
    const isMoved = line.rate !== undefined || line.world_ms !== undefined;
    // A running clock keeps its beginning: where it was held up, it goes on from where it would be.
    const next =
      before && !isMoved
        ? { ...before, horizon_ms: horizonFrom(now_ms, line.horizon_ms ?? before.horizon_ms) }
        : {
            world_ms: line.world_ms ?? now_ms,
            elapsed_ms: elapsed_ms - (line.rate ? passed_ms / line.rate : 0),
            rate: line.rate ?? before?.rate ?? 1,
            horizon_ms: horizonFrom(line.world_ms ?? now_ms, line.horizon_ms),
          };
    const isSame = before?.limits.follows === limits;
    const was_ms = this.limits.now();
    this.#memory.publish(
      next,
      isSame
        ? before.limits
        : { follows: limits, base_ms: limits_ms, at_ms: limits === 'world' ? (line.world_ms ?? now_ms) : elapsed_ms },
    );
    if (before && !isSame) this.#onLimits?.(this.limits.now() - was_ms);
  }

  async #keep(): Promise<void> {
    if (this.#keeps) return;
    this.#keeps = true;
    await this.#theJobs().leaveTo(this);
  }

  /** Has a running clock go until what is due next, or until clocks end, and no further. @returns when that is */
  async #limitTime(): Promise<number> {
    const expected_ms = await this.#expected.next(this.#theJobs());
    const next = await this.#theJobs().next();
    const horizon_ms = Math.min(next?.due_ms ?? CLOCKS_END_MS, expected_ms, CLOCKS_END_MS);
    if ((this.#memory.read()?.rate ?? 0) > 0) this.#publish({ horizon_ms });
    return horizon_ms;
  }

  async #runDue(most: number): Promise<number> {
    const pace = new Pace();
    for (let begun = 0; begun < most; begun++) {
      await this.#limitTime();
      const job = await this.#theJobs().next();
      if (this.#closed || !job || job.due_ms > this.clock.now()) return begun;
      await this.#theJobs().run(job);
      await pace.step();
    }
    return most;
  }

  #lookIn(ms: number): void {
    clearTimeout(this.#timer);
    if (this.#closed || !this.#keeps || this.#services.given || !this.#theJobs().isStarted) return;
    this.#timer = setTimeout(() => void this.#look(), ms);
    this.#timer.unref();
  }

  /** Runs what is due, and looks again when the next is. */
  async #look(): Promise<void> {
    const wait = await this.#exclusively(async () => {
      if (this.#closed || !this.#theJobs().isStarted) return undefined;
      await this.#follow();
      if ((await this.#runDue(BATCH)) === BATCH) return 0;
      const { rate } = this.#memory.read() ?? { rate: 0 };
      const horizon_ms = await this.#limitTime();
      const expected = this.#expected.size > 0 ? EXPECTED_MS : LOOK_MS;
      const now_ms = this.clock.now();
      // Nothing more becomes due.
      if (rate === 0 || now_ms >= CLOCKS_END_MS) return expected;
      return Math.min(expected, Math.ceil((horizon_ms - now_ms) / rate));
    }).catch((error: unknown) => {
      this.#theJobs().report(error);
      return 1_000;
    });
    if (wait !== undefined) this.#lookIn(Math.max(0, wait));
  }

  #theJobs(): Jobs {
    if (!this.#jobs) throw new TypeError('the world has no jobs yet');
    return this.#jobs;
  }
}

/** The time beyond which a clock does not go for now, which is not before its present one. */
function horizonFrom(now_ms: number, horizon_ms = CLOCKS_END_MS): number {
  return Math.max(now_ms, Math.min(horizon_ms, CLOCKS_END_MS));
}

/** Jobs that run one after the other. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Happening } from '@broadside/core/resources/control/clock';
import type { Database, Writer } from '../db/database.ts';
import type { Watch } from '../db/store-watch.ts';
import type { Clock } from '../world/clock.ts';
import { WorldClosedError } from '../world/world-closed-error.ts';
import type { JobLeases } from './job-leases.ts';
import { deleteJob, findNext, type Job, listDue, postpone, setTime } from './store.ts';

/** Something that a job has had happen; its time is that of the job. */
export type Happened = Omit<Happening, 'at'>;

/**
 * Handles one kind of job. The write that it returns runs in the transaction that removes the job; `undefined` when there is
 * nothing to write. A thrown error postpones the job, but for a {@link WorldClosedError}: the job is left as it was.
 * @param report takes what the job does that somebody outside can see, for the answer of an advance of the clock
 */
export type JobHandler = (
  subject: string,
  failures: number,
  report: (happened: Happened) => void,
) => Promise<((writer: Writer) => Promise<void>) | undefined>;

/** Thrown by a handler whose work has to wait for something that is expected: the job is tried again after a time, and has not failed. */
export class JobPostponedError extends Error {
  override readonly name = 'JobPostponedError';
  readonly delay_ms: number;

  /** @param reason what is waited for */
  constructor(reason: string, delay_ms: number) {
    super(reason);
    this.delay_ms = delay_ms;
  }
}

/** Called when a job failed and will be retried, when one is postponed with a {@link JobPostponedError}, and when the store could not be queried for jobs. */
export type OnJobFailure = (error: unknown, job: { readonly kind: string; readonly failures: number }) => void;

/** Watches a job of a kind, for metrics and traces. */
export type JobWatch = (kind: string) => Watch;

/** What is written in the transaction that ends a job, after all else that is written there. */
export type AfterJob = (writer: Writer) => Promise<void>;

/** The number of jobs that may still be started. */
export interface Budget {
  left: number;
}

const BATCH = 32;
const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 3_600_000;
/** A runner looks at least this often. */
const LOOK_MS = 60_000;
/** The same where other servers add jobs, and leave some behind when they end. */
const SHARED_LOOK_MS = 2_000;

/** The time until a job that another server runs is asked for again. */
const CLAIMED_MS = 200;

interface Services {
  readonly database: Database;
  readonly clock: Clock;
  /** Where other processes run jobs of the store too. */
  readonly leases?: JobLeases | undefined;
}

export class JobQueue {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #leases: JobLeases | undefined;
  readonly #handlers = new Map<string, JobHandler>();
  #onFailure: OnJobFailure = () => {};
  #running: Promise<unknown> = Promise.resolve();
  #watch: JobWatch | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isStarted = false;

  constructor({ database, clock, leases }: Services) {
    this.#database = database;
    this.#clock = clock;
    this.#leases = leases;
  }

  /** Has its jobs watched from now on. */
  watch(watch: JobWatch | undefined): void {
    this.#watch = watch;
  }

  handle(kind: string, handler: JobHandler): void {
    this.#handlers.set(kind, handler);
  }

  /** Returns whether it runs jobs of a kind. */
  handles(kind: string): boolean {
    return this.#handlers.has(kind);
  }

  /** Runs its due jobs, and those that they add, one after the other. @returns the number of jobs started */
  runDue(budget: Budget): Promise<number> {
    const run = this.#running.then(() => this.#runDue(budget));
    this.#running = run.catch(() => {});
    return run;
  }

  /** Runs a job after those that run. @returns what happened */
  runOne(job: Job, onFailure: OnJobFailure, after?: AfterJob): Promise<Happened[]> {
    const run = this.#running.then(async () => {
      if (this.#leases && !(await this.#leases.claimOne(job))) {
        // Another server is at it. Whoever asked asks again.
        await delay(CLAIMED_MS);
        return [];
      }
      return (await this.#run(job, onFailure, after)) ?? [];
    });
    this.#running = run.catch(() => {});
    return run;
  }

  /** Starts running jobs when they are due. */
  start(onFailure: OnJobFailure): void {
    this.#onFailure = onFailure;
    this.#isStarted = true;
    this.wake();
  }

  /** Checks for jobs soon. */
  wake(): void {
    if (this.#isStarted) this.#lookIn(0);
  }

  /** Starts no further job, and waits for the running one. */
  async stop(): Promise<void> {
    this.#isStarted = false;
    clearTimeout(this.#timer);
    await this.#running;
  }

  get #kinds(): string[] {
    return [...this.#handlers.keys()];
  }

  #lookIn(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#look(), ms);
    this.#timer.unref();
  }

  async #look(): Promise<void> {
    let wait = this.#leases ? SHARED_LOOK_MS : LOOK_MS;
    try {
      await this.runDue({ left: Number.POSITIVE_INFINITY });
      const next = await findNext.first(this.#database, { kinds: this.#kinds });
      const left = next ? next.due_ms - this.#clock.now() : wait;
      // What is due and was not run is under way on another server.
      if (left > 0 || !this.#leases) wait = Math.min(wait, Math.max(0, left));
    } catch (error) {
      if (this.#isStarted) this.#onFailure(error, { kind: 'look', failures: 0 });
      wait = FIRST_DELAY_MS;
    }
    if (this.#isStarted) this.#lookIn(wait);
  }

  async #runDue(budget: Budget): Promise<number> {
    if (this.#leases) return this.#runClaimed(this.#leases, budget);
    const isOwn = !this.#isStarted;
    let begun = 0;
    while (budget.left > 0) {
      const count = Math.min(BATCH, budget.left);
      const due = await listDue.all(this.#database, { kinds: this.#kinds, now: this.#clock.now(), count });
      if (due.length === 0) break;
      for (const job of due) {
        // A stopped runner leaves the rest to the next one.
        if ((!isOwn && !this.#isStarted) || budget.left <= 0) return begun;
        budget.left--;
        // It is still due, and would be found again.
        if ((await this.#run(job, this.#onFailure)) === undefined) return begun;
        begun++;
      }
    }
    return begun;
  }

  /** One after the other, each claimed when the one before it has ended: so that others take those that wait. */
  async #runClaimed(leases: JobLeases, budget: Budget): Promise<number> {
    const isOwn = !this.#isStarted;
    let begun = 0;
    while (budget.left > 0 && (isOwn || this.#isStarted)) {
      const now_ms = this.#clock.now();
      // A read, so that a server that has nothing to do does not lock the store.
      const next = await findNext.first(this.#database, { kinds: this.#kinds });
      const job = next && next.due_ms <= now_ms ? await leases.claim(this.#kinds, now_ms) : undefined;
      if (job === undefined) break;
      budget.left--;
      if ((await this.#run(job, this.#onFailure)) === undefined) break;
      begun++;
    }
    return begun;
  }

  /** @returns what happened; `undefined` where the job was cut off by the end of its world */
  async #run(job: Job, onFailure: OnJobFailure, after?: AfterJob): Promise<Happened[] | undefined> {
    const watch = this.#watch?.(job.kind);
    try {
      const handler = this.#handlers.get(job.kind);
      if (!handler) throw new TypeError(`nobody does jobs of the kind ${job.kind}`);
      const happened: Happened[] = [];
      const handled = () => handler(job.subject, job.failures, (one) => void happened.push(one));
      const body = await (watch === undefined ? handled() : watch.run(handled));
      const isOwn = await this.#end(job, async (writer) => {
        if ((await deleteJob.run(writer, { id: job.id })) > 0) await body?.(writer);
        await after?.(writer);
      });
      watch?.ended();
      return isOwn ? happened : [];
    } catch (error) {
      if (error instanceof WorldClosedError) {
        watch?.ended();
        return undefined;
      }
      const postponed = error instanceof JobPostponedError ? error : undefined;
      watch?.ended(postponed ? undefined : { error });
      onFailure(error, { kind: job.kind, failures: job.failures + (postponed ? 0 : 1) });
      const delay = postponed?.delay_ms ?? Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** job.failures);
      const due_ms = this.#clock.now() + delay;
      await this.#end(job, async (writer) => {
        await (postponed ? setTime : postpone).run(writer, { id: job.id, due_ms });
        await after?.(writer);
      });
      return postponed ? [] : [{ what: 'JOB_FAILED', id: `${job.kind} ${job.subject}` }];
    } finally {
      this.#leases?.forget(job);
    }
  }

  /**
   * Writes what ends a run of a job.
   * @returns false if another server has taken the job over meanwhile, because this one could not say that it is at work: nothing is written
   */
  async #end(job: Job, write: (writer: Writer) => Promise<void>): Promise<boolean> {
    return this.#database.write(async (writer) => {
      if (this.#leases && !(await this.#leases.end(writer, job))) return false;
      await write(writer);
      return true;
    });
  }
}

/**
 * The durable jobs of a world: deferred work, on the world's clock. A job is a row, and the row is removed in the write that
 * does the work, so a crash neither loses a job nor runs one twice. Slow work, and work outside the database, is done by the
 * handler before that write; it may be repeated after a crash and must be idempotent.
 *
 * Jobs whose kinds begin with the same word (`media.process`, `media.expire`) run one after the other. Those of other kinds run
 * beside them, so that a post is published at its time while a long video is processed. That holds for each server: where several have a
 * platform, each claims the job that is due first by a lease, and nobody else runs it while the lease is prolonged, see `job-leases.ts`.
 */
import type { Database, Reader, Writer } from '../db/database.ts';
import type { Messages } from '../shared/shared-state.ts';
import type { Clock } from '../world/clock.ts';
import type { JobLeases } from './job-leases.ts';
import {
  type AfterJob,
  type Happened,
  type JobHandler,
  JobQueue,
  type JobWatch,
  type OnJobFailure,
} from './job-queue.ts';
import { plainKind } from './placed-kinds.ts';
import {
  countKinds,
  deleteJob,
  deleteSame,
  findFirst,
  findJob,
  findSame,
  findSameBy,
  insertJob,
  type Job,
  listKinds,
  setTime,
} from './store.ts';

/** A job to be added. */
export interface NewJob {
  /** Two words with a dot between them: jobs that share the first run one after the other. */
  readonly kind: string;
  /** Subject of the job. */
  readonly subject: string;
  readonly due_ms: number;
}

/**
 * Runs jobs in place of their queues: all in one order, each at its own time, where the time of the world is one that somebody sets. See
 * `clock/world-time.ts`.
 */
export interface JobKeeper {
  /** There may be jobs that are due, or due sooner than those that were known. */
  wake(): void;
  /** A job is being stored, in a write that is not committed yet. */
  expect(id: number, due_ms: number): void;
  /** A job was run, or is being cancelled. */
  forget(id: number): void;
  /** Runs the due jobs, and those that they add. @returns the number of jobs started */
  runDue(most: number): Promise<number>;
}

/** Tells other servers that there are jobs. */
const WAKE = 'jobs';

/** The jobs of a kind. */
export interface WaitingJobs {
  readonly kind: string;
  readonly count: number;
  /** For how long the first of them has been due, in milliseconds of the world; 0 where none is. */
  readonly overdue_ms: number;
}

interface NextOptions {
  readonly seen?: boolean;
  readonly reader?: Reader;
}

interface Services {
  readonly database: Database;
  readonly clock: Clock;
  /** The jobs of the world outside, of those of a world that is seen from inside a write. */
  readonly outer?: Jobs | undefined;
  /** Where other processes run jobs of the store too. */
  readonly leases?: JobLeases | undefined;
  /** To other servers that run jobs of the same store. */
  readonly messages?: Messages | undefined;
  /** First words of kinds that another process runs. */
  readonly elsewhere?: readonly string[] | undefined;
}

export class Jobs {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #outer: Jobs | undefined;
  readonly #leases: JobLeases | undefined;
  readonly #messages: Messages | undefined;
  readonly #elsewhere: readonly string[];
  /** By the first word of the kinds. */
  readonly #queues = new Map<string, JobQueue>();
  readonly #unseen = new Set<string>();
  readonly #kinds: string[] = [];
  #watch: JobWatch | undefined;
  #keeper: JobKeeper | undefined;
  #onFailure: OnJobFailure | undefined;

  constructor({ database, clock, outer, leases, messages, elsewhere = [] }: Services) {
    this.#database = database;
    this.#clock = clock;
    this.#outer = outer;
    this.#leases = leases;
    this.#messages = messages;
    messages?.on(WAKE, () => this.#wake());
    messages?.onGap(() => this.#wake());
    this.#elsewhere = elsewhere;
  }

  /** The kinds of jobs that have a handler. */
  get kinds(): readonly string[] {
    return this.#kinds;
  }

  /**
   * Registers the handler of a kind of job.
   * @param unseen nobody outside sees what comes of such a job, such as the removal of bytes
   */
  handle(kind: string, handler: JobHandler, { unseen = false }: { readonly unseen?: boolean } = {}): void {
    const name = queueOf(kind);
    if (this.#elsewhere.includes(name)) return;
    this.#kinds.push(kind);
    if (unseen) this.#unseen.add(kind);
    const services = { database: this.#database, clock: this.#clock, leases: this.#leases };
    const queue = this.#queues.get(name) ?? new JobQueue(services);
    queue.watch(this.#watch);
    this.#queues.set(name, queue);
    queue.handle(kind, handler);
  }

  /** Has all jobs watched from now on. */
  watch(watch: JobWatch): void {
    this.#watch = watch;
    for (const queue of this.#queues.values()) queue.watch(watch);
  }

  /** Counts the jobs that are stored, by kind. */
  async waiting(): Promise<readonly WaitingJobs[]> {
    const now = this.#clock.now();
    const found = await countKinds.all(this.#database);
    return found.map(({ kind, count, due_ms }) => ({ kind, count, overdue_ms: Math.max(0, now - due_ms) }));
  }

  /** Adds a job in a write; after it, call {@link wake}. @returns its id */
  async add(writer: Writer, job: NewJob): Promise<number> {
    const id = await insertJob(writer, job);
    this.#expect(id, job.due_ms);
    return id;
  }

  /** Adds a job in a write, unless there is one of the same kind and subject; after it, call {@link wake}. */
  async addOnce(writer: Writer, job: NewJob): Promise<void> {
    if (!(await findSame.first(writer, job))) await this.add(writer, job);
  }

  /** Adds a job in a write, unless one of the same kind and subject is due as early; after it, call {@link wake}. */
  async addUnlessSooner(writer: Writer, job: NewJob): Promise<void> {
    if (!(await findSameBy.first(writer, job))) await this.add(writer, job);
  }

  /** Adds a job in a write, or moves one of the same kind and subject to another time; after it, call {@link wake}. */
  async put(writer: Writer, job: NewJob): Promise<void> {
    const same = await findSame.first(writer, job);
    if (same) await this.reschedule(writer, same.id, job.due_ms);
    else await this.add(writer, job);
  }

  /** Returns whether there is a job of a kind and subject. @param reader a write whose changes count already */
  async has(kind: string, subject: string, reader: Reader = this.#database): Promise<boolean> {
    return (await findSame.first(reader, { kind, subject })) !== undefined;
  }

  /** Cancels a job in a write. @returns whether it still existed */
  async cancel(writer: Writer, id: number): Promise<boolean> {
    (this.#outer ?? this).#keeper?.forget(id);
    return (await deleteJob.run(writer, { id })) > 0;
  }

  /** Cancels the jobs of a kind and subject in a write. */
  async cancelAll(writer: Writer, kind: string, subject: string): Promise<void> {
    await deleteSame.run(writer, { kind, subject });
  }

  /** Moves a job to another time, in a write. */
  async reschedule(writer: Writer, id: number, due_ms: number): Promise<void> {
    await setTime.run(writer, { id, due_ms });
    this.#expect(id, due_ms);
  }

  /**
   * Returns the job that is due first; of several, the one that was added first.
   * @param seen only of kinds that are seen
   * @param reader a write whose changes count already
   */
  async next({ seen = false, reader = this.#database }: NextOptions = {}): Promise<Job | undefined> {
    let first: Job | undefined;
    // One read of an index for each kind, however many jobs there are.
    for (const kind of this.#kinds) {
      if (seen && this.#unseen.has(kind)) continue;
      const job = await findFirst.first(reader, { kind });
      if (job && (!first || job.due_ms < first.due_ms || (job.due_ms === first.due_ms && job.id < first.id)))
        first = job;
    }
    return first;
  }

  /** Returns whether a job is stored. */
  async exists(id: number): Promise<boolean> {
    return (await findJob.first(this.#database, { id })) !== undefined;
  }

  /** Runs a job. Only for the one who keeps the jobs. @param after writes in the transaction that ends it @returns what happened */
  async run(job: Job, after?: AfterJob): Promise<readonly Happened[]> {
    this.#keeper?.forget(job.id);
    return (await this.#queues.get(queueOf(job.kind))?.runOne(job, this.#onFailure ?? (() => {}), after)) ?? [];
  }

  /** Has somebody else run the jobs from now on. Resolves when those that run have ended. */
  async leaveTo(keeper: JobKeeper): Promise<void> {
    this.#keeper = keeper;
    await this.#stopQueues();
  }

  /** Has the queues run the jobs again. */
  takeBack(): void {
    this.#keeper = undefined;
    if (this.#onFailure) for (const queue of this.#queues.values()) queue.start(this.#onFailure);
  }

  /** Reports that jobs could not be looked for. */
  report(error: unknown): void {
    this.#onFailure?.(error, { kind: 'look', failures: 0 });
  }

  /** Whether they run when they are due. */
  get isStarted(): boolean {
    return this.#onFailure !== undefined;
  }

  /** Runs the due jobs, and those that they add. @returns the number of jobs started */
  async runDue(most = Number.POSITIVE_INFINITY): Promise<number> {
    if (this.#keeper) return this.#keeper.runDue(most);
    const budget = { left: most };
    let begun = 0;
    let round: number;
    do {
      const runs = await Promise.all([...this.#queues.values()].map((queue) => queue.runDue(budget)));
      round = runs.reduce((sum, run) => sum + run, 0);
      begun += round;
      // A job may have added some to a queue that had ended.
    } while (round > 0);
    return begun;
  }

  /** Starts running jobs when they are due. */
  start(onFailure: OnJobFailure): void {
    this.#onFailure = onFailure;
    if (this.#keeper) this.#keeper.wake();
    else for (const queue of this.#queues.values()) queue.start(onFailure);
    this.#reportUnknown(onFailure).catch((error: unknown) => onFailure(error, { kind: 'look', failures: 0 }));
  }

  /** Checks for jobs soon; to be called after a write that added some. */
  wake(): void {
    this.#messages?.send(WAKE);
    this.#wake();
  }

  #wake(): void {
    if (this.#keeper) this.#keeper.wake();
    else for (const queue of this.#queues.values()) queue.wake();
  }

  /** Starts no further job, and waits for the running ones. */
  async stop(): Promise<void> {
    this.#onFailure = undefined;
    await this.#stopQueues();
  }

  async #stopQueues(): Promise<void> {
    await Promise.all([...this.#queues.values()].map((queue) => queue.stop()));
  }

  #expect(id: number, due_ms: number): void {
    (this.#outer ?? this).#keeper?.expect(id, due_ms);
  }

  /** Jobs of a kind without a handler, such as of a later version, stay in the store; those of other places are done there. */
  async #reportUnknown(onFailure: OnJobFailure): Promise<void> {
    const known = new Set(this.#kinds.map(plainKind));
    for (const { kind } of await listKinds.all(this.#database)) {
      if (this.#elsewhere.includes(queueOf(kind)) || known.has(plainKind(kind))) continue;
      onFailure(new TypeError(`nobody does jobs of the kind ${kind}`), { kind, failures: 0 });
    }
  }
}

function queueOf(kind: string): string {
  return kind.split('.', 1)[0] ?? kind;
}

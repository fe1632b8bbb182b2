/**
 * The durable jobs of a world: deferred work, on the world's clock. A job is a row, and the row is removed in the write that
 * does the work, so a crash neither loses a job nor runs one twice. Slow work, and work outside the database, is done by the
 * handler before that write; it may be repeated after a crash and must be idempotent.
 */
import { and, eq, lte, sql } from 'drizzle-orm';
import type { Database, Writer } from '../db/database.ts';
import { query } from '../db/query-builder.ts';
import { statement } from '../db/statement.ts';
import { types } from '../db/value-types.ts';
import type { Clock } from '../world/clock.ts';
import { jobs } from './platform-table.ts';

/** A job to be added. */
export interface NewJob {
  readonly kind: string;
  /** Subject of the job. */
  readonly subject: string;
  readonly due_ms: number;
}

/**
 * Handles one kind of job. The write that it returns runs in the transaction that removes the job; `undefined` when there is
 * nothing to write. A thrown error postpones the job.
 */
export type JobHandler = (
  subject: string,
  failures: number,
) => Promise<((writer: Writer) => Promise<void>) | undefined>;

/** Called when a job failed and will be retried, and when the store could not be queried for jobs. */
export type OnJobFailure = (error: unknown, job: { readonly kind: string; readonly failures: number }) => void;

type Job = typeof jobs.$inferSelect;

const { id, kind, subject, due_ms, failures } = jobs;

const insertJob = statement({ kind, subject, due_ms }, (job) => query.insert(jobs).values(job).returning({ id }));
const deleteJob = statement({ id }, (args) => query.delete(jobs).where(eq(id, args.id)));
const findSame = statement({ kind, subject }, (args) =>
  query
    .select({ id })
    .from(jobs)
    .where(and(eq(kind, args.kind), eq(subject, args.subject)))
    .limit(1),
);
const findNext = statement({}, () => query.select({ due_ms }).from(jobs).orderBy(due_ms).limit(1));
const listDue = statement({ now: due_ms, count: types.int }, ({ now, count }) =>
  query.select().from(jobs).where(lte(due_ms, now)).orderBy(due_ms, id).limit(count.placeholder),
);
const setTime = statement({ id, due_ms }, (args) =>
  query.update(jobs).set({ due_ms: args.due_ms }).where(eq(id, args.id)),
);
const postpone = statement({ id, due_ms }, (args) =>
  query
    .update(jobs)
    .set({ failures: sql`${failures} + 1`, due_ms: args.due_ms })
    .where(eq(id, args.id)),
);

const BATCH = 32;
const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 3_600_000;
/** A remote store can get jobs from other processes, so a runner polls at least this often. */
const LOOK_MS = 60_000;

export class Jobs {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #handlers = new Map<string, JobHandler>();
  #onFailure: OnJobFailure = () => {};
  #running: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #isStarted = false;

  constructor({ database, clock }: { readonly database: Database; readonly clock: Clock }) {
    this.#database = database;
    this.#clock = clock;
  }

  /** Registers the handler of a kind of job. */
  handle(kind: string, handler: JobHandler): void {
    this.#handlers.set(kind, handler);
  }

  /** Adds a job in a write; after it, call {@link wake}. @returns its id */
  async add(writer: Writer, job: NewJob): Promise<number> {
    const added = await insertJob.first(writer, job);
    if (!added) throw new TypeError('a job got no id');
    return added.id;
  }

  /** Adds a job in a write, unless there is one of the same kind and subject; after it, call {@link wake}. */
  async addOnce(writer: Writer, job: NewJob): Promise<void> {
    if (!(await findSame.first(writer, job))) await this.add(writer, job);
  }

  /** Adds a job in a write, or moves one of the same kind and subject to another time; after it, call {@link wake}. */
  async put(writer: Writer, job: NewJob): Promise<void> {
    const same = await findSame.first(writer, job);
    if (same) await this.reschedule(writer, same.id, job.due_ms);
    else await this.add(writer, job);
  }

  /** Returns whether there is a job of a kind and subject. */
  async has(kind: string, subject: string): Promise<boolean> {
    return (await findSame.first(this.#database, { kind, subject })) !== undefined;
  }

  /** Cancels a job in a write. @returns whether it still existed */
  async cancel(writer: Writer, id: number): Promise<boolean> {
    return (await deleteJob.run(writer, { id })) > 0;
  }

  /** Moves a job to another time, in a write. */
  async reschedule(writer: Writer, id: number, due_ms: number): Promise<void> {
    await setTime.run(writer, { id, due_ms });
  }

  /** Runs the due jobs, and those that they add, one after the other. @returns the number of jobs started */
  runDue(most = Number.POSITIVE_INFINITY): Promise<number> {
    const run = this.#running.then(() => this.#runDue(most));
    this.#running = run.catch(() => {});
    return run;
  }

  /** Starts running jobs when they are due. */
  start(onFailure: OnJobFailure): void {
    this.#onFailure = onFailure;
    this.#isStarted = true;
    this.wake();
  }

  /** Checks for jobs soon; to be called after a write that added some. */
  wake(): void {
    if (this.#isStarted) this.#lookIn(0);
  }

  /** Starts no further job, and waits for the running one. */
  async stop(): Promise<void> {
    this.#isStarted = false;
    clearTimeout(this.#timer);
    await this.#running;
  }

  #lookIn(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#look(), ms);
    this.#timer.unref();
  }

  async #look(): Promise<void> {
    let wait = LOOK_MS;
    try {
      await this.runDue();
      const next = await findNext.first(this.#database);
      if (next) wait = Math.min(LOOK_MS, Math.max(0, next.due_ms - this.#clock.now()));
    } catch (error) {
      if (this.#isStarted) this.#onFailure(error, { kind: 'look', failures: 0 });
      wait = FIRST_DELAY_MS;
    }
    if (this.#isStarted) this.#lookIn(wait);
  }

  async #runDue(most: number): Promise<number> {
    const isOwn = !this.#isStarted;
    let begun = 0;
    while (begun < most) {
      const count = Math.min(BATCH, most - begun);
      const due = await listDue.all(this.#database, { now: this.#clock.now(), count });
      if (due.length === 0) break;
      for (const job of due) {
        // A stopped runner leaves the rest to the next one.
        if (!isOwn && !this.#isStarted) return begun;
        begun++;
        await this.#run(job);
      }
    }
    return begun;
  }

  async #run(job: Job): Promise<void> {
    try {
      const handler = this.#handlers.get(job.kind);
      if (!handler) throw new TypeError(`nobody does jobs of the kind ${job.kind}`);
      const body = await handler(job.subject, job.failures);
      await this.#database.write(async (writer) => {
        if (await this.cancel(writer, job.id)) await body?.(writer);
      });
    } catch (error) {
      this.#onFailure(error, { kind: job.kind, failures: job.failures + 1 });
      const delay = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** job.failures);
      const due_ms = this.#clock.now() + delay;
      await this.#database.write((writer) => postpone.run(writer, { id: job.id, due_ms }));
    }
  }
}

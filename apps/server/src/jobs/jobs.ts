/**
 * The durable jobs of a world: work for later, on the world's clock. A job is a row, and the row goes in the write that does
 * the work, so a crash loses no job and does none twice. What takes long, or is no statement, a handler does before that
 * write; it may then be done again after a crash and must stand that.
 */
import { eq, lte, sql } from 'drizzle-orm';
import type { Database, Writer } from '../db/database.ts';
import { query } from '../db/query-builder.ts';
import { statement } from '../db/statement.ts';
import { types } from '../db/value-types.ts';
import type { Clock } from '../world/clock.ts';
import { jobs } from './platform-table.ts';

/** Work to be done. */
export interface NewJob {
  readonly kind: string;
  /** What it is about. */
  readonly subject: string;
  readonly due_ms: number;
}

/**
 * Does the work of one kind of job. What it gives back is run in the write that ends the job; nothing when there is
 * nothing to write. What it throws puts the job off.
 */
export type JobHandler = (
  subject: string,
  failures: number,
) => Promise<((writer: Writer) => Promise<void>) | undefined>;

/** Told of a job that failed and will be tried again, and of a store that could not be asked for jobs. */
export type OnJobFailure = (error: unknown, job: { readonly kind: string; readonly failures: number }) => void;

type Job = typeof jobs.$inferSelect;

const { id, kind, subject, due_ms, failures } = jobs;

const insertJob = statement({ kind, subject, due_ms }, (job) => query.insert(jobs).values(job).returning({ id }));
const deleteJob = statement({ id }, (args) => query.delete(jobs).where(eq(id, args.id)));
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
/** A store on a server can get jobs from elsewhere, so a runner looks at least this often. */
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

  /** Says who does the jobs of a kind. */
  handle(kind: string, handler: JobHandler): void {
    this.#handlers.set(kind, handler);
  }

  /** Adds a job in a write; after it, call {@link wake}. @returns its id */
  async add(writer: Writer, job: NewJob): Promise<number> {
    const added = await insertJob.first(writer, job);
    if (!added) throw new TypeError('a job got no id');
    return added.id;
  }

  /** Calls a job off in a write. @returns whether it was still there */
  async cancel(writer: Writer, id: number): Promise<boolean> {
    return (await deleteJob.run(writer, { id })) > 0;
  }

  /** Moves a job to another time, in a write. */
  async reschedule(writer: Writer, id: number, due_ms: number): Promise<void> {
    await setTime.run(writer, { id, due_ms });
  }

  /** Does the jobs whose time has come, and those that they bring, one after the other. @returns how many were begun */
  runDue(most = Number.POSITIVE_INFINITY): Promise<number> {
    const run = this.#running.then(() => this.#runDue(most));
    this.#running = run.catch(() => {});
    return run;
  }

  /** Does jobs when their time comes, from now on. */
  start(onFailure: OnJobFailure): void {
    this.#onFailure = onFailure;
    this.#isStarted = true;
    this.wake();
  }

  /** Looks for jobs soon; to be called after a write that has added some. */
  wake(): void {
    if (this.#isStarted) this.#lookIn(0);
  }

  /** Begins no further job, and waits for the one under way. */
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
        // A runner that was stopped leaves the rest to the next one.
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

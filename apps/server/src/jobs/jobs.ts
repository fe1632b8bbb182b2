/**
 * The durable jobs of a world: deferred work, on the world's clock. A job is a row, and the row is removed in the write that
 * does the work, so a crash neither loses a job nor runs one twice. Slow work, and work outside the database, is done by the
 * handler before that write; it may be repeated after a crash and must be idempotent.
 *
 * Jobs whose kinds begin with the same word (`media.process`, `media.expire`) run one after the other. Those of other kinds run
 * beside them, so that a post is published at its time while a long video is processed.
 */
import type { Database, Writer } from '../db/database.ts';
import type { Clock } from '../world/clock.ts';
import { type JobHandler, JobQueue, type OnJobFailure } from './job-queue.ts';
import { deleteJob, findSame, findSameBy, insertJob, listKinds, setTime } from './store.ts';

/** A job to be added. */
export interface NewJob {
  /** Two words with a dot between them: jobs that share the first run one after the other. */
  readonly kind: string;
  /** Subject of the job. */
  readonly subject: string;
  readonly due_ms: number;
}

export class Jobs {
  readonly #database: Database;
  readonly #clock: Clock;
  /** By the first word of the kinds. */
  readonly #queues = new Map<string, JobQueue>();

  constructor({ database, clock }: { readonly database: Database; readonly clock: Clock }) {
    this.#database = database;
    this.#clock = clock;
  }

  /** Registers the handler of a kind of job. */
  handle(kind: string, handler: JobHandler): void {
    const name = queueOf(kind);
    const queue = this.#queues.get(name) ?? new JobQueue({ database: this.#database, clock: this.#clock });
    this.#queues.set(name, queue);
    queue.handle(kind, handler);
  }

  /** Adds a job in a write; after it, call {@link wake}. @returns its id */
  add(writer: Writer, job: NewJob): Promise<number> {
    return insertJob(writer, job);
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

  /** Runs the due jobs, and those that they add. @returns the number of jobs started */
  async runDue(most = Number.POSITIVE_INFINITY): Promise<number> {
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
    for (const queue of this.#queues.values()) queue.start(onFailure);
    this.#reportUnknown(onFailure).catch((error: unknown) => onFailure(error, { kind: 'look', failures: 0 }));
  }

  /** Checks for jobs soon; to be called after a write that added some. */
  wake(): void {
    for (const queue of this.#queues.values()) queue.wake();
  }

  /** Starts no further job, and waits for the running ones. */
  async stop(): Promise<void> {
    await Promise.all([...this.#queues.values()].map((queue) => queue.stop()));
  }

  /** Jobs of a kind without a handler, such as of a later version, stay in the store. */
  async #reportUnknown(onFailure: OnJobFailure): Promise<void> {
    for (const { kind } of await listKinds.all(this.#database)) {
      if (this.#queues.get(queueOf(kind))?.handles(kind)) continue;
      onFailure(new TypeError(`nobody does jobs of the kind ${kind}`), { kind, failures: 0 });
    }
  }
}

function queueOf(kind: string): string {
  return kind.split('.', 1)[0] ?? kind;
}

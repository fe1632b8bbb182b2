/**
 * The durable jobs of a world: work for later, on the world's clock. A job is a row, and the row goes in the write that does
 * the work, so a crash loses no job and does none twice. What takes long, or is no statement, a handler does before that
 * write; it may then be done again after a crash and must stand that.
 */
import type { Database, Row, Writer } from '../db/database.ts';
import type { Clock } from '../world/clock.ts';

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

interface Job extends NewJob {
  readonly id: bigint;
  readonly failures: number;
}

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
  async add(writer: Writer, { kind, subject, due_ms }: NewJob): Promise<bigint> {
    const [row] = await writer.query(
      'INSERT INTO "jobs" ("kind", "subject", "due_ms") VALUES (?, ?, ?) RETURNING "id"',
      [kind, subject, due_ms],
    );
    const id = row?.[0];
    if (typeof id !== 'bigint') throw new TypeError('a job got no id');
    return id;
  }

  /** Calls a job off in a write. @returns whether it was still there */
  async cancel(writer: Writer, id: bigint): Promise<boolean> {
    return (await writer.run('DELETE FROM "jobs" WHERE "id" = ?', [id])) > 0;
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
      const [next] = await this.#database.query('SELECT "due_ms" FROM "jobs" ORDER BY "due_ms" LIMIT 1');
      if (next) wait = Math.min(LOOK_MS, Math.max(0, Number(next[0]) - this.#clock.now()));
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
      const rows = await this.#database.query(
        'SELECT "id", "kind", "subject", "due_ms", "failures" FROM "jobs" WHERE "due_ms" <= ? ORDER BY "due_ms", "id" LIMIT ?',
        [this.#clock.now(), Math.min(BATCH, most - begun)],
      );
      if (rows.length === 0) break;
      for (const job of rows.map(jobOf)) {
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
      await this.#database.write((writer) =>
        writer.run('UPDATE "jobs" SET "failures" = "failures" + 1, "due_ms" = ? WHERE "id" = ?', [
          this.#clock.now() + delay,
          job.id,
        ]),
      );
    }
  }
}

function jobOf(row: Row): Job {
  return {
    id: BigInt(String(row[0])),
    kind: String(row[1]),
    subject: String(row[2]),
    due_ms: Number(row[3]),
    failures: Number(row[4]),
  };
}

/** Reads of one store that are asked for together share round trips. */
import { LibsqlError } from '@libsql/client/sqlite3';
import { boundArguments } from '../arguments.ts';
import { SkippedReadError, StoreUnreachableError } from '../errors.ts';
import type { Row } from '../native-connection.ts';
import type { Guard } from '../remote-store.ts';
import { sqlFacts } from '../sql-text.ts';
import type { Outcome, Step } from './steps.ts';

/** Streams that read at the same time. */
const MOST_BATCHES = 4;

/** Reads of one batch. They run one after the other. */
const MOST_READS = 32;

interface Waiting {
  readonly step: Step;
  readonly guard: Guard | undefined;
  resolve(rows: readonly Row[]): void;
  reject(error: unknown): void;
}

/** Collects the reads of one turn of the event loop, or of the time while all streams are taken, and gives each its own result. */
export class ReadQueue {
  readonly #run: (steps: readonly Step[]) => Promise<Outcome[]>;
  #waiting: Waiting[] = [];
  #running = 0;
  #scheduled = false;

  /** @param run runs a batch on a stream that is free */
  constructor(run: (steps: readonly Step[]) => Promise<Outcome[]>) {
    this.#run = run;
  }

  /** @param guard the read is made only if it succeeds; it is run once for all reads of a batch that have it */
  read(step: Step, guard?: Guard): Promise<readonly Row[]> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ step, guard, resolve, reject });
      if (this.#scheduled || this.#running >= MOST_BATCHES) return;
      this.#scheduled = true;
      setImmediate(() => {
        this.#scheduled = false;
        this.#send();
      });
    });
  }

  #send(): void {
    while (this.#waiting.length > 0 && this.#running < MOST_BATCHES) {
      const reads = this.#waiting.splice(0, MOST_READS);
      this.#running += 1;
      // It answers the reads itself and never rejects.
      void this.#answer(reads).then(() => {
        this.#running -= 1;
        this.#send();
      });
    }
  }

  async #answer(reads: readonly Waiting[]): Promise<void> {
    try {
      const { steps, places } = batchOf(reads);
      const outcomes = await this.#runAgain(steps);
      for (const [index, read] of reads.entries()) {
        const outcome = outcomes[places[index] ?? -1];
        if (outcome === undefined) read.reject(new SkippedReadError());
        else if (outcome instanceof LibsqlError) read.reject(outcome);
        else read.resolve(outcome.rows);
      }
    } catch (error) {
      // The server may reject a batch for one of its reads, such as one with a result that is too large.
      if (error instanceof LibsqlError && reads.length > 1) for (const read of reads) await this.#answer([read]);
      else for (const read of reads) read.reject(error);
    }
  }

  /** A connection can have ended while nobody used it: what only reads is sent once more. */
  async #runAgain(steps: readonly Step[]): Promise<Outcome[]> {
    try {
      return await this.#run(steps);
    } catch (error) {
      if (!(error instanceof StoreUnreachableError) || error.isLate) throw error;
      return this.#run(steps);
    }
  }
}

/** The steps of some reads, and the place of each of them. */
function batchOf(reads: readonly Waiting[]): { readonly steps: readonly Step[]; readonly places: readonly number[] } {
  const steps: Step[] = [];
  const guards = new Map<Guard, number>();
  const places = reads.map(({ step, guard }) => {
    if (guard === undefined) return steps.push(step) - 1;
    let place = guards.get(guard);
    if (place === undefined) {
      place = steps.push({ sql: guard.sql, args: boundArguments(guard.sql, sqlFacts(guard.sql), guard.args) }) - 1;
      guards.set(guard, place);
    }
    return steps.push({ ...step, condition: { type: 'ok', step: place } }) - 1;
  });
  return { steps, places };
}

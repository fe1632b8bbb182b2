/** Reads of one store that are asked for together share round trips. */
import { LibsqlError } from '@libsql/client/sqlite3';
import { StoreUnreachableError } from '../errors.ts';
import type { Row } from '../native-connection.ts';
import type { Outcome, Step } from './link.ts';

/** Streams that read at the same time. */
const MOST_BATCHES = 4;

/** Reads of one batch. They run one after the other. */
const MOST_READS = 32;

interface Waiting {
  readonly step: Step;
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

  read(step: Step): Promise<readonly Row[]> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ step, resolve, reject });
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
      const outcomes = await this.#runAgain(reads.map(({ step }) => step));
      for (const [place, read] of reads.entries()) {
        const outcome = outcomes[place];
        if (outcome instanceof LibsqlError) read.reject(outcome);
        else read.resolve(outcome?.rows ?? []);
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

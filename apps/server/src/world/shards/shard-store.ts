/** One shard of an environment: its store, once it could be opened and is the right one. */
import { type Database, DatabaseOpenError, StoreUnreachableError } from '../../db/database.ts';
import { errorText } from '../../error-text.ts';
import { Asked } from '../asked.ts';

/** Opens the store of a shard, checks whose it is, and brings it up to date. */
type Open = () => Promise<Database>;

/** After a failure it is tried again this much later, in milliseconds. */
const RETRY_MS = 1000;

export class ShardStore {
  readonly name: string;
  readonly #open: Open;
  readonly #report: (problem: string | undefined) => void;
  readonly #asked = new Asked(async () => {
    if (this.#database === undefined) return false;
    await this.#database.ping();
    return true;
  });
  #database: Database | undefined;
  #problem = 'it has not been opened yet';
  #timer: NodeJS.Timeout | undefined;
  #opening: Promise<void> | undefined;
  #isClosed = false;

  /** @param report called when the shard could not be opened at the start, and when it could be later (no problem) */
  constructor(name: string, open: Open, report: (problem: string | undefined) => void) {
    this.name = name;
    this.#open = open;
    this.#report = report;
  }

  /** The store; undefined while it could not be opened. */
  get opened(): Database | undefined {
    return this.#database;
  }

  /** @throws StoreUnreachableError while it could not be opened */
  get database(): Database {
    if (this.#database !== undefined) return this.#database;
    throw new StoreUnreachableError(`of the shard ${this.name}`, this.#problem, false);
  }

  /**
   * Opens the store. One that does not respond is tried again until it does.
   * @throws the error of one that responds and cannot be used
   */
  async begin(): Promise<void> {
    try {
      this.#database = await this.#open();
    } catch (error) {
      if (!isAway(error)) throw error;
      this.#failed(error);
    }
  }

  /** Returns whether it responds in time. */
  responds(): Promise<boolean> {
    return this.#asked.answer();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#opening;
    await this.#database?.close();
  }

  #failed(error: unknown): void {
    const problem = errorText(error);
    if (problem !== this.#problem) this.#report(problem);
    this.#problem = problem;
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => {
      this.#opening = this.#retry();
    }, RETRY_MS).unref();
  }

  async #retry(): Promise<void> {
    try {
      this.#database = await this.#open();
      this.#report(undefined);
    } catch (error) {
      this.#failed(error);
    }
  }
}

function isAway(error: unknown): boolean {
  if (error instanceof StoreUnreachableError) return true;
  return error instanceof DatabaseOpenError && error.cause instanceof StoreUnreachableError;
}

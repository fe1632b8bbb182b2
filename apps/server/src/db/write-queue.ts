/** Writes of one database, which share transactions. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { type Awaitable, attempt, chain } from '../awaitable.ts';
import type { Writer } from './access.ts';
import { commitGuarded, type GuardedTables } from './commit-guard.ts';
import { CommitUnknownError, WriteAbortedError, WriteInWriteError } from './errors.ts';
import type { Failure, Session } from './session.ts';
import { isDiskError, storageFailure } from './storage-failure.ts';
import type { StoreWatch, Watch } from './store-watch.ts';
import type { TouchedSlots } from './touched-slots.ts';

/** Writes that may share one transaction. More would only delay the first of them. */
const groupLimit = 64;

/** A write that waits for its turn. */
interface Job {
  /** Runs the body and keeps its result; at once where the body waits for nothing. */
  run(writer: Writer): Awaitable<undefined>;
  /** Returns the retained result to the caller. Only after COMMIT. */
  resolve(): void;
  reject(error: unknown): void;
  readonly repeatable: boolean;
}

/** Properties of a body. */
export interface WriteOptions {
  /**
   * The body leaves nothing behind but its changes, so it can run again after they have been undone. Such bodies need no
   * savepoints in the transaction that they share: if one fails after it has written, all of them run again.
   */
  readonly repeatable?: boolean;
  /** Written whatever the guard of the database says. */
  readonly unguarded?: boolean;
}

class QueuedWrite<T> implements Job {
  readonly #body: (tx: Writer) => Awaitable<T>;
  readonly #resolve: (value: T) => void;
  readonly reject: (error: unknown) => void;
  readonly repeatable: boolean;
  readonly #watch: Watch | undefined;
  #result: { readonly value: T } | undefined;

  constructor(
    body: (tx: Writer) => Awaitable<T>,
    repeatable: boolean,
    resolve: (value: T) => void,
    reject: (error: unknown) => void,
    watch: Watch | undefined,
  ) {
    this.#body = body;
    this.repeatable = repeatable;
    this.#resolve = resolve;
    this.#watch = watch;
    this.reject = watch === undefined ? reject : watched(watch, reject);
  }

  run(writer: Writer): Awaitable<undefined> {
    const body = () => this.#body(writer);
    return chain(this.#watch === undefined ? body() : this.#watch.run(body), (value) => {
      this.#result = { value };
      return undefined;
    });
  }

  resolve(): void {
    if (this.#result === undefined) this.reject(new Error('a write was committed before its body had ended'));
    else {
      this.#watch?.ended();
      this.#resolve(this.#result.value);
    }
  }
}

/** The database as a queue of writes sees it. */
export interface Writable {
  begin(): Promise<Session>;
  /** Collects what a transaction touches. */
  touched(): TouchedSlots;
  /** True if a COMMIT that the disk reported an error for can be settled by another one. */
  readonly settles: boolean;
}

/**
 * The queue of the writes of a database. Those that wait together share one transaction: see `Database`, which has methods of the
 * same names.
 */
export class WriteQueue {
  readonly #database: Writable;
  readonly #queue: Job[] = [];
  /** The body that is running in this asynchronous context, to find a write inside a write. */
  readonly #context = new AsyncLocalStorage<{ active: boolean }>();
  #scheduled = false;
  #draining = false;
  #whenIdle: (() => void) | undefined;
  /** Counts the commits of the store. */
  #counting: { readonly sql: string; readonly committed: () => void } | undefined;
  #guarded: GuardedTables | undefined;
  #problem: string | undefined;
  #watch: StoreWatch | undefined;
  #onProblem: ((problem: string | undefined) => void) | undefined;

  constructor(database: Writable) {
    this.#database = database;
  }

  write<T>(body: (tx: Writer) => Awaitable<T>, repeatable: boolean): Promise<T> {
    if (this.isInside()) return Promise.reject(new WriteInWriteError());
    return new Promise<T>((resolve, reject) => {
      this.#queue.push(new QueuedWrite(body, repeatable, resolve, reject, this.#watch?.write()));
      this.#schedule();
    });
  }

  /** Returns whether a body is running in this asynchronous context. */
  isInside(): boolean {
    return this.#context.getStore()?.active === true;
  }

  /** The number of writes that wait for a transaction. */
  get length(): number {
    return this.#queue.length;
  }

  watch(watch: StoreWatch): void {
    this.#watch = watch;
  }

  countCommits(sql: string, committed: () => void): void {
    this.#counting = { sql, committed };
  }

  guardCommits(guarded: GuardedTables): void {
    this.#guarded = guarded;
  }

  get problem(): string | undefined {
    return this.#problem;
  }

  onProblem(report: (problem: string | undefined) => void): void {
    this.#onProblem = report;
  }

  /** Resolves when no write waits or runs. To be called once, after the last one. */
  idle(): Awaitable<void> {
    if (!this.#draining && this.#queue.length === 0) return undefined;
    return new Promise<void>((resolve) => {
      this.#whenIdle = resolve;
    });
  }

  // One turn of the event loop is the window in which requests gather: no timer, so a lone write is not held up.
  #schedule(): void {
    if (this.#scheduled || this.#draining) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#draining = true;
      // It resolves the jobs of the group itself and never rejects.
      void this.#drain(this.#queue.splice(0, groupLimit)).then(() => {
        this.#draining = false;
        if (this.#queue.length > 0) this.#schedule();
        else this.#whenIdle?.();
      });
    });
  }

  /** Runs one group to its end and resolves or rejects the promises of its callers. Never rejects. */
  async #drain(group: readonly Job[]): Promise<void> {
    const alone = group.length === 1;
    // A savepoint costs as much as two statements, and copies each page that is written in it.
    if ((alone || group.every(({ repeatable }) => repeatable)) && (await this.#transact(group, false))) return;
    await this.#transact(group, true);
  }

  /**
   * Runs one group in a transaction.
   * @param isolated each body in a savepoint
   * @returns false when a body has failed after it had written, and had no savepoint: all is undone, and nobody has an answer
   */
  async #transact(group: readonly Job[], isolated: boolean): Promise<boolean> {
    let session: Session;
    try {
      session = await this.#database.begin();
    } catch (error) {
      this.#note(error);
      for (const job of group) job.reject(new WriteAbortedError(error));
      return true;
    }
    const touched = this.#database.touched();
    const done: Job[] = [];
    const failed: { job: Job; error: unknown }[] = [];
    for (const [index, job] of group.entries()) {
      let outcome: Failure | undefined;
      try {
        const before = touched.count;
        const running = isolated ? this.#runIsolated(session, job, touched) : this.#runBody(session, job, touched);
        outcome = running instanceof Promise ? await running : running;
        // A read that fails can have ended the transaction too, or have met rows of others that cannot be stored.
        const isUndone = touched.count > before || session.ended || session.failure !== undefined;
        if (outcome && !isolated && group.length > 1 && isUndone) {
          await session.rollback().catch(() => {});
          return false;
        }
      } catch (error) {
        // The transaction is gone. Those that have not begun can have another one.
        this.#queue.unshift(...group.slice(index + 1));
        await session.rollback().catch(() => {});
        this.#note(error);
        for (const lost of [...done, job]) lost.reject(new WriteAbortedError(error));
        for (const one of failed) one.job.reject(one.error);
        return true;
      }
      if (outcome === undefined) done.push(job);
      else {
        failed.push({ job, error: outcome.error });
        this.#note(outcome.error);
      }
    }
    const unstored = done.length > 0 ? session.flush() : undefined;
    if (unstored) {
      await session.rollback().catch(() => {});
      // Of several bodies nobody knows whose row it was; with savepoints they have stored theirs before.
      if (group.length > 1) return false;
      this.#note(unstored.error);
      for (const job of group) job.reject(unstored.error);
      return true;
    }
    try {
      if (done.length > 0) await this.#commitWatched(session, touched, done.length);
      else await session.rollback();
    } catch (error) {
      this.#note(error);
      const settled = isDiskError(error) ? await this.#settle(error) : error;
      // A failed body may have decided on changes of the same group that were rolled back.
      for (const job of group) job.reject(settled);
      return true;
    }
    if (done.length > 0) this.#hasProblem(undefined);
    for (const job of done) job.resolve();
    for (const { job, error } of failed) job.reject(error);
    return true;
  }

  #note(error: unknown): void {
    const problem = storageFailure(error);
    if (problem !== undefined) this.#hasProblem(problem);
  }

  #hasProblem(problem: string | undefined): void {
    const before = this.#problem;
    this.#problem = problem;
    if (before !== problem) this.#onProblem?.(problem);
  }

  async #commitWatched(session: Session, touched: TouchedSlots, writes: number): Promise<void> {
    const committed = this.#watch?.commit(writes);
    await this.#commit(session, touched);
    committed?.();
  }

  async #commit(session: Session, touched: TouchedSlots): Promise<void> {
    const counting = this.#counting;
    if (counting !== undefined) {
      try {
        const counted = session.control(counting.sql);
        if (counted !== undefined) await counted;
      } catch (error) {
        await session.rollback().catch(() => {});
        throw error;
      }
    }
    const guarded = this.#guarded;
    const commit = () => touched.during(() => session.commit());
    if (guarded === undefined) await commit();
    else await this.#commitGuarded(guarded, session, touched, commit);
    counting?.committed();
  }

  async #commitGuarded(
    guarded: GuardedTables,
    session: Session,
    touched: TouchedSlots,
    commit: () => Promise<void>,
  ): Promise<void> {
    let isSent = false;
    try {
      await commitGuarded(guarded, touched, () => {
        isSent = true;
        return commit();
      });
    } catch (error) {
      if (!isSent) await session.rollback().catch(() => {});
      throw error;
    }
  }

  /**
   * Finds out whether a commit that the disk reported an error for is stored. Its pages may be in the log, where the next start
   * would find them. Another commit overwrites them: then nothing is stored, otherwise that is unknown.
   */
  async #settle(error: unknown): Promise<unknown> {
    if (!this.#database.settles || this.#counting === undefined) return error;
    try {
      await this.#commit(await this.#database.begin(), this.#database.touched());
      return new WriteAbortedError(error);
    } catch {
      return new CommitUnknownError(error);
    }
  }

  /** Runs one body in a savepoint; gives the error that it threw. Fails when the transaction itself is lost. */
  #runIsolated(session: Session, job: Job, touched: TouchedSlots): Awaitable<Failure | undefined> {
    return chain(session.control('SAVEPOINT job'), () =>
      chain(this.#runBody(session, job, touched), (thrown) => {
        const failed = thrown ?? session.flush();
        return failed === undefined ? chain(session.control('RELEASE job'), () => undefined) : undo(session, failed);
      }),
    );
  }

  #runBody(session: Session, job: Job, touched: TouchedSlots): Awaitable<Failure | undefined> {
    const context = { active: true };
    const writer = session.writer(touched);
    const running = attempt<Failure | undefined>(() => this.#context.run(context, runIn, job, writer), failure);
    return chain(running, (thrown) => {
      context.active = false;
      return chain(writer.end(), () => thrown ?? session.failure);
    });
  }
}

function watched(watch: Watch, reject: (error: unknown) => void): (error: unknown) => void {
  return (error) => {
    watch.ended({ error });
    reject(error);
  };
}

function failure(error: unknown): Failure {
  return { error };
}

function runIn(job: Job, writer: Writer): Awaitable<undefined> {
  return job.run(writer);
}

/** Undoes the changes of a body that failed. Fails with its error where that is what ended the transaction. */
function undo(session: Session, thrown: Failure): Awaitable<Failure> {
  session.drop();
  return attempt(
    () => chain(session.control('ROLLBACK TO job'), () => chain(session.control('RELEASE job'), () => thrown)),
    () => {
      throw thrown.error;
    },
  );
}

/** Writes of one database, which share transactions. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Awaitable, attempt, chain } from '../awaitable.ts';
import type { Reader, Writer } from './access.ts';
import { commitGuarded, type GuardedTables } from './commit-guard.ts';
import { commitMarked, type Marking } from './commit-mark.ts';
import { CommitUnknownError, WriteAbortedError, WriteInWriteError } from './errors.ts';
import { type PlayedTransaction, playDrafts } from './played-drafts.ts';
import { type Job, type Outcome, QueuedWrite } from './queued-write.ts';
import type { Draft, Failure, Played, Session, SessionWriter } from './session.ts';
import { DISK_FULL, isDiskError, storageFailure } from './storage-failure.ts';
import type { StoreWatch } from './store-watch.ts';
import type { TouchedSlots } from './touched-slots.ts';

/** Writes that may share one transaction. More would only delay the first of them. */
const groupLimit = 64;

/** Makes a draft of a body. @param before one that guessed wrong */
type MakeDraftOf = (
  body: (writer: Writer) => Awaitable<unknown>,
  reader: Reader,
  before: Played | undefined,
) => Promise<Draft | undefined>;

/** The database as a queue of writes sees it. */
export interface Writable {
  begin(): Promise<Session>;
  /** Collects what a transaction touches. */
  touched(): TouchedSlots;
  /** Runs a body outside of a transaction and notes what it would do. Missing where statements cost nothing. */
  readonly draft?: MakeDraftOf | undefined;
  /** True if a COMMIT that the disk reported an error for can be settled by another one. */
  readonly settles: boolean;
  /** Returns whether there is room for writes again, after one that the disk had no space for. */
  readonly hasRoom: () => boolean;
}

/**
 * The queue of the writes of a database. Those that wait together share one transaction: see `Database`, which has methods of the
 * same names.
 */
export class WriteQueue {
  /** Where commits are marked: how. */
  marking: Marking | undefined;
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

  /** @param reader what a draft of it reads */
  write<T>(body: (tx: Writer) => Awaitable<T>, repeatable: boolean, reader: Reader): Promise<T> {
    if (this.isInside()) return Promise.reject(new WriteInWriteError());
    return new Promise<T>((resolve, reject) => {
      const job = new QueuedWrite(body, repeatable, resolve, reject, this.#watch?.write());
      // Begun here, so that it does not keep others waiting.
      const { draft } = this.#database;
      if (repeatable && draft) job.drafts((before) => draft((writer) => this.#draft(body, writer), reader, before));
      this.#queue.push(job);
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
      const drain = () => this.#drain(this.#queue.splice(0, this.#groupSize()));
      const first = this.#queue[0]?.draft;
      // It resolves the jobs of the group itself and never rejects.
      void (first === undefined ? drain() : ready(first).then(drain)).then(() => {
        this.#draining = false;
        if (this.#queue.length > 0) this.#schedule();
        else this.#whenIdle?.();
      });
    });
  }

  /**
   * Writes with a draft and others do not share a transaction: statements that are sent one by one would keep the lock for all of them. Nor does a
   * write whose draft is not made yet keep those before it waiting.
   */
  #groupSize(): number {
    if (this.#database.draft === undefined) return groupLimit;
    const isDrafted = this.#queue[0]?.draft !== undefined;
    const other = this.#queue.findIndex(
      (job) => (job.draft !== undefined) !== isDrafted || job.isDrafted !== isDrafted,
    );
    return other < 0 ? groupLimit : Math.min(other, groupLimit);
  }

  /** Runs one group to its end and resolves or rejects the promises of its callers. Never rejects. */
  async #drain(group: readonly Job[]): Promise<void> {
    const alone = group.length === 1;
    if (group.every(({ draft }) => draft !== undefined) && (await this.#transactDrafts(group))) return;
    // A savepoint costs as much as two statements, and copies each page that is written in it.
    if ((alone || group.every(({ repeatable }) => repeatable)) && (await this.#transact(group, false))) return;
    await this.#transact(group, true);
  }

  /**
   * Runs one group by its drafts: one round trip for all statements and one for COMMIT.
   * @returns false when a body has not done what its draft has: all is undone, and nobody has an answer
   */
  async #transactDrafts(group: readonly Job[]): Promise<boolean> {
    let transaction: PlayedTransaction | undefined;
    try {
      transaction = await playDrafts(group, {
        begin: () => this.#database.begin(),
        touched: () => this.#database.touched(),
        run: (writer, job) => this.#runWith(writer, job),
      });
    } catch (error) {
      this.#abort(group, error);
      return true;
    }
    if (transaction === undefined) return false;
    const { session, touched, outcomes } = transaction;
    for (const { thrown } of outcomes) if (thrown !== undefined) this.#note(thrown.error);
    await this.#end(session, touched, outcomes);
    return true;
  }

  #abort(group: readonly Job[], error: unknown): void {
    this.#note(error);
    for (const job of group) job.reject(new WriteAbortedError(error));
  }

  /** Runs a body outside of a transaction. */
  async #draft(body: (tx: Writer) => Awaitable<unknown>, writer: Writer): Promise<void> {
    const context = { active: true };
    try {
      await this.#context.run(context, body, writer);
    } finally {
      context.active = false;
    }
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
      this.#abort(group, error);
      return true;
    }
    const touched = this.#database.touched();
    const outcomes: Outcome[] = [];
    for (const [index, job] of group.entries()) {
      let thrown: Failure | undefined;
      try {
        const before = touched.count;
        const running = isolated ? this.#runIsolated(session, job, touched) : this.#runBody(session, job, touched);
        thrown = running instanceof Promise ? await running : running;
        // A read that fails can have ended the transaction too, or have met rows of others that cannot be stored.
        const isUndone = touched.count > before || session.ended || session.failure !== undefined;
        if (thrown && !isolated && group.length > 1 && isUndone) {
          await session.rollback().catch(() => {});
          return false;
        }
      } catch (error) {
        // The transaction is gone. Those that have not begun can have another one.
        this.#queue.unshift(...group.slice(index + 1));
        await session.rollback().catch(() => {});
        this.#note(error);
        job.reject(new WriteAbortedError(error));
        for (const one of outcomes) one.job.reject(one.thrown ? one.thrown.error : new WriteAbortedError(error));
        return true;
      }
      outcomes.push({ job, thrown });
      if (thrown) this.#note(thrown.error);
    }
    const unstored = outcomes.some(succeeded) ? session.flush() : undefined;
    if (unstored) {
      await session.rollback().catch(() => {});
      // Of several bodies nobody knows whose row it was; with savepoints they have stored theirs before.
      if (group.length > 1) return false;
      this.#note(unstored.error);
      for (const job of group) job.reject(unstored.error);
      return true;
    }
    await this.#end(session, touched, outcomes);
    return true;
  }

  /** Commits what is left of a group and answers its callers. */
  async #end(session: Session, touched: TouchedSlots, outcomes: readonly Outcome[]): Promise<void> {
    const isAnyDone = outcomes.some(succeeded);
    try {
      if (isAnyDone) await this.#commitWatched(session, touched, outcomes.filter(succeeded).length);
      else await session.rollback();
    } catch (error) {
      this.#note(error);
      const settled = isDiskError(error) ? await this.#settle(error) : error;
      // A failed body may have decided on changes of the same group that were rolled back.
      for (const { job } of outcomes) job.reject(settled);
      return;
    }
    if (isAnyDone && this.#isOver()) this.#hasProblem(undefined);
    for (const { job, thrown } of outcomes) {
      if (thrown === undefined) job.resolve();
      else job.reject(thrown.error);
    }
  }

  #note(error: unknown): void {
    const problem = storageFailure(error);
    if (problem !== undefined) this.#hasProblem(problem);
  }

  /** Whether a write that was stored ends the problem: a small one may have found a place on a disk that is full. */
  #isOver(): boolean {
    return this.#problem !== DISK_FULL || this.#database.hasRoom();
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
    const { marking } = this;
    const store = marking === undefined ? () => session.commit() : () => commitMarked(session, touched, marking);
    const commit = () => touched.during(store);
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
    return this.#runWith(session.writer(touched), job, session);
  }

  #runWith(writer: SessionWriter, job: Job, session?: Session): Awaitable<Failure | undefined> {
    const context = { active: true };
    const running = attempt<Failure | undefined>(() => this.#context.run(context, runIn, job, writer), failure);
    return chain(running, (thrown) => {
      context.active = false;
      return chain(writer.end(), () => thrown ?? session?.failure);
    });
  }
}

/** Resolves when a draft is made, with those that are made in the same turn of the event loop. */
async function ready(draft: Promise<unknown>): Promise<void> {
  await draft.catch(() => {});
  await nextTurn();
}

function succeeded({ thrown }: Outcome): boolean {
  return thrown === undefined;
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

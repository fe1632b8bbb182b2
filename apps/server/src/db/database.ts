/**
 * The only way in which stores reach a database: plain reads, and writes that share commits. It works over the embedded
 * client and over `@libsql/client`, with the same semantics.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Client } from '@libsql/client';
import { type Awaitable, attempt, chain } from '../awaitable.ts';
import type { Arg, Reader, Writer } from './access.ts';
import { CommitUnknownError, DatabaseClosedError, WriteAbortedError, WriteInWriteError } from './errors.ts';
import { Generations } from './generations.ts';
import { type KeptOptions, KeptRows } from './kept-rows.ts';
import { NativeClient } from './native-client.ts';
import { notAQuery, type Row } from './native-connection.ts';
import { NativeSession } from './native-session.ts';
import { plainRow, RemoteSession, statementFor } from './remote-session.ts';
import type { Session } from './session.ts';
import { sqlFacts } from './sql-text.ts';
import { isDiskError, storageFailure } from './storage-failure.ts';
import { TouchedSlots } from './touched-slots.ts';

export type { Arg, Reader, Touched, Writer } from './access.ts';
export {
  CommitUnknownError,
  DatabaseClosedError,
  DatabaseOpenError,
  violatedConstraint,
  WriteAbortedError,
  WriteInWriteError,
} from './errors.ts';
export type { Row, Value } from './native-connection.ts';

/** Writes that may share one transaction. More would only delay the first of them. */
const groupLimit = 64;

/** Options of a {@link Database}. */
export interface DatabaseOptions {
  readonly generations?: Generations | undefined;
  readonly keep?: KeptOptions | undefined;
}

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
}

class QueuedWrite<T> implements Job {
  readonly #body: (tx: Writer) => Awaitable<T>;
  readonly #resolve: (value: T) => void;
  readonly reject: (error: unknown) => void;
  readonly repeatable: boolean;
  #result: { readonly value: T } | undefined;

  constructor(
    body: (tx: Writer) => Awaitable<T>,
    repeatable: boolean,
    resolve: (value: T) => void,
    reject: (error: unknown) => void,
  ) {
    this.#body = body;
    this.repeatable = repeatable;
    this.#resolve = resolve;
    this.reject = reject;
  }

  run(writer: Writer): Awaitable<undefined> {
    return chain(this.#body(writer), (value) => {
      this.#result = { value };
      return undefined;
    });
  }

  resolve(): void {
    if (this.#result === undefined) this.reject(new Error('a write was committed before its body had ended'));
    else this.#resolve(this.#result.value);
  }
}

/**
 * One database. Reads run at once and see what is committed.
 *
 * Writes are queued. Those that wait together share one transaction, each in a savepoint of its own or, if all of them can be
 * repeated, without: a body that throws rolls back its own changes only. Callers get their result after the shared COMMIT, which is durable (WAL with full
 * synchronisation), and never before. Two limits follow for schemas and statements: nothing that ends the shared transaction
 * (ON CONFLICT ROLLBACK, RAISE(ROLLBACK)) and no deferred constraints, which fail at COMMIT and would hit every caller.
 *
 * A body should do nothing but statements and computing: while it waits for anything else, all other writes wait too.
 * It must not wait for a write to another database whose bodies write to this one.
 */
export class Database implements Reader {
  /** Tells whoever keeps rows of this store when they are outdated. */
  readonly generations: Generations;
  readonly kept: KeptRows | undefined;
  readonly #client: Client;
  readonly #native: NativeClient | undefined;
  readonly #queue: Job[] = [];
  /** The body that is running in this asynchronous context, to find a write inside a write. */
  readonly #context = new AsyncLocalStorage<{ active: boolean }>();
  #scheduled = false;
  #draining = false;
  #closing: Promise<void> | undefined;
  #whenIdle: (() => void) | undefined;
  #closed = false;
  /** Counts the commits of the store. */
  #counting: { readonly sql: string; readonly committed: () => void } | undefined;
  #problem: string | undefined;
  #onProblem: ((problem: string | undefined) => void) | undefined;

  /**
   * Takes over the client: {@link close} closes it. A remote client must be made with `intMode: 'bigint'`.
   * @param options.generations those of the thread that writes the store, where that is another one
   * @param options.keep keep rows of entities. Only where no other process writes the store
   */
  constructor(client: Client, { generations = new Generations(), keep }: DatabaseOptions = {}) {
    this.generations = generations;
    this.kept = keep && new KeptRows(generations, keep);
    this.#client = client;
    this.#native = client instanceof NativeClient ? client : undefined;
  }

  /** Runs a SELECT or PRAGMA. Other statements are rejected with TypeError, after `close` with DatabaseClosedError. */
  async query(sql: string, args?: readonly Arg[]): Promise<readonly Row[]> {
    return this.read(sql, args);
  }

  /** The same; on an embedded database the rows are returned at once. */
  read(sql: string, args?: readonly Arg[]): Awaitable<readonly Row[]> {
    if (this.#closed) throw new DatabaseClosedError();
    return this.#native === undefined ? this.#queryRemote(sql, args) : this.#native.readRows(sql, args);
  }

  async #queryRemote(sql: string, args: readonly Arg[] | undefined): Promise<readonly Row[]> {
    const facts = sqlFacts(sql);
    if (facts.kind !== 'read' && facts.kind !== 'pragma') throw notAQuery(sql);
    const result = await this.#client.execute(statementFor(sql, facts, args));
    return result.rows.map(plainRow);
  }

  /**
   * Runs `body` in a transaction and gives its result once the changes are on disk.
   * Rejects with whatever the body throws (its changes are undone), WriteInWriteError, DatabaseClosedError,
   * WriteAbortedError (nothing stored), CommitUnknownError (may be stored), or LibsqlError from COMMIT (nothing stored).
   */
  write<T>(body: (tx: Writer) => Awaitable<T>, { repeatable = false }: WriteOptions = {}): Promise<T> {
    if (this.#closing !== undefined) return Promise.reject(new DatabaseClosedError());
    if (this.#context.getStore()?.active === true) return Promise.reject(new WriteInWriteError());
    return new Promise<T>((resolve, reject) => {
      this.#queue.push(new QueuedWrite(body, repeatable, resolve, reject));
      this.#schedule();
    });
  }

  /**
   * Runs statements in one transaction of their own with foreign keys off, which rebuilding a table needs. For migrations.
   * Rejects with LibsqlBatchError and changes nothing when one fails.
   */
  async applyMigration(statements: readonly { readonly sql: string; readonly args?: readonly Arg[] }[]): Promise<void> {
    if (this.#closing !== undefined) throw new DatabaseClosedError();
    try {
      await this.#client.migrate(statements.map(({ sql, args }) => statementFor(sql, sqlFacts(sql), args)));
    } finally {
      this.generations.advanceAll();
    }
  }

  /**
   * Runs a statement at the end of each transaction from now on.
   * @param sql counts the transaction; without arguments
   * @param committed called after each commit that is on disk
   */
  countCommits(sql: string, committed: () => void): void {
    this.#counting = { sql, committed };
  }

  /** Why the disk rejected the latest write; `undefined` when it took it. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Reports when the disk begins to reject writes, and `undefined` when it takes them again. */
  onProblem(report: (problem: string | undefined) => void): void {
    this.#onProblem = report;
  }

  /** Finds out whether the store can be written again, if it could not be. */
  async probe(): Promise<void> {
    if (this.#problem === undefined || this.#closing !== undefined) return;
    // Counted, so that something is written.
    await this.write(() => undefined).catch(() => {});
  }

  /** Resolves when the database responds; rejects with its error. */
  async ping(): Promise<void> {
    await this.query('SELECT 1 LIMIT 1');
  }

  /** Rejects new writes, waits for the queued ones, then closes. Repeated calls return the same promise. */
  close(): Promise<void> {
    if (this.#context.getStore()?.active === true) return Promise.reject(new WriteInWriteError());
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    if (this.#draining || this.#queue.length > 0) {
      await new Promise<void>((resolve) => {
        this.#whenIdle = resolve;
      });
    }
    this.#closed = true;
    this.#client.close();
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
      session = await this.#begin();
    } catch (error) {
      this.#note(error);
      for (const job of group) job.reject(new WriteAbortedError(error));
      return true;
    }
    const touched = new TouchedSlots(this.generations, this.kept);
    const done: Job[] = [];
    const failed: { job: Job; error: unknown }[] = [];
    for (const [index, job] of group.entries()) {
      let outcome: Failure | undefined;
      try {
        const before = touched.count;
        const running = isolated ? this.#runIsolated(session, job, touched) : this.#runBody(session, job, touched);
        outcome = running instanceof Promise ? await running : running;
        // A read that fails can have ended the transaction too.
        if (outcome && !isolated && group.length > 1 && (touched.count > before || session.ended)) {
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
    try {
      if (done.length > 0) await this.#commit(session, touched);
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
    await touched.during(() => session.commit());
    counting?.committed();
  }

  /**
   * Finds out whether a commit that the disk reported an error for is stored. Its pages may be in the log, where the next start
   * would find them. Another commit overwrites them: then nothing is stored, otherwise that is unknown.
   */
  async #settle(error: unknown): Promise<unknown> {
    if (this.#native === undefined || this.#counting === undefined) return error;
    try {
      await this.#commit(await this.#begin(), new TouchedSlots(this.generations, this.kept));
      return new WriteAbortedError(error);
    } catch {
      return new CommitUnknownError(error);
    }
  }

  /** Runs one body in a savepoint; gives the error that it threw. Fails when the transaction itself is lost. */
  #runIsolated(session: Session, job: Job, touched: TouchedSlots): Awaitable<Failure | undefined> {
    return chain(session.control('SAVEPOINT job'), () =>
      chain(this.#runBody(session, job, touched), (thrown) =>
        thrown === undefined ? chain(session.control('RELEASE job'), () => undefined) : undo(session, thrown),
      ),
    );
  }

  #runBody(session: Session, job: Job, touched: TouchedSlots): Awaitable<Failure | undefined> {
    const context = { active: true };
    const writer = session.writer(touched);
    const running = attempt<Failure | undefined>(() => this.#context.run(context, runIn, job, writer), failure);
    return chain(running, (thrown) => {
      context.active = false;
      return chain(writer.end(), () => thrown);
    });
  }

  async #begin(): Promise<Session> {
    if (this.#native !== undefined) return new NativeSession(await this.#native.transaction('write'));
    return new RemoteSession(await this.#client.transaction('write'));
  }
}

/** The error of a body. */
interface Failure {
  readonly error: unknown;
}

function failure(error: unknown): Failure {
  return { error };
}

function runIn(job: Job, writer: Writer): Awaitable<undefined> {
  return job.run(writer);
}

/** Undoes the changes of a body that failed. Fails with its error where that is what ended the transaction. */
function undo(session: Session, thrown: Failure): Awaitable<Failure> {
  return attempt(
    () => chain(session.control('ROLLBACK TO job'), () => chain(session.control('RELEASE job'), () => thrown)),
    () => {
      throw thrown.error;
    },
  );
}

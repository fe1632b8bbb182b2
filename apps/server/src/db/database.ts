/**
 * The only way in which stores reach a database: plain reads, and writes that share commits. It works over the embedded
 * client and over `@libsql/client`, with the same semantics.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { fileURLToPath } from 'node:url';
import type { Client, Row as ClientRow, InStatement, Transaction } from '@libsql/client';
import { LibsqlError } from '@libsql/client/sqlite3';
import { boundArguments } from './arguments.ts';
import {
  CommitUnknownError,
  DatabaseClosedError,
  DatabaseOpenError,
  WriteAbortedError,
  WriteInWriteError,
} from './errors.ts';
import { NativeClient, type NativeTransaction, openNativeClient } from './native-client.ts';
import { notAQuery, type Row } from './native-connection.ts';
import { type SqlFacts, sqlFacts } from './sql-text.ts';

export {
  CommitUnknownError,
  DatabaseClosedError,
  DatabaseOpenError,
  WriteAbortedError,
  WriteInWriteError,
} from './errors.ts';
export type { Row, Value } from './native-connection.ts';

/** An argument of a statement. Whole numbers and booleans are stored as INTEGER; beyond 2^53 pass a bigint. */
export type Arg = string | number | bigint | boolean | null | Uint8Array;

/** Reads. */
export interface Reader {
  /**
   * Runs a SELECT (on a {@link Writer} any statement) and gives its rows, by column index; INTEGER arrives as bigint.
   * A SELECT that ends with a literal `LIMIT 1` is the cheapest.
   * Rejects with LibsqlError from the database, with TypeError or RangeError on arguments that do not fit.
   */
  query(sql: string, args?: readonly Arg[]): Promise<readonly Row[]>;
}

/** Reads and writes inside one write; it is refused outside the body that it was given to. */
export interface Writer extends Reader {
  /** Runs a statement and gives the number of rows that it inserted, updated or deleted. Rejects as `query`. */
  run(sql: string, args?: readonly Arg[]): Promise<number>;
  /** Tells a writer from a reader by type. */
  readonly writer: true;
}

/** Writes that may share one transaction. More would only delay the first of them. */
const groupLimit = 64;

interface Job {
  /** Runs the body and keeps its result. */
  run(writer: Writer): Promise<void>;
  /** Gives the kept result to the caller. Only after COMMIT. */
  resolve(): void;
  reject(error: unknown): void;
}

/** What the drain needs of a transaction, embedded or remote. */
interface Session {
  /** Runs a statement of the queue's own: SAVEPOINT and its kind. */
  control(sql: string): Promise<unknown>;
  /** The handle for one body. */
  writer(): SessionWriter;
  commit(): Promise<void>;
  rollback(): Promise<void>;
}

interface SessionWriter extends Writer {
  /** Ends the handle. Resolves when none of its statements is on the way any more. */
  end(): Promise<void> | undefined;
}

/**
 * One database. Reads run at once and see what is committed.
 *
 * Writes queue. Those that wait together share one transaction, each in a savepoint of its own: a body that throws loses
 * its own changes only. Callers get their answer after the shared COMMIT, which is durable (WAL with full
 * synchronisation), and never before. Two limits follow for schemas and statements: nothing that ends the shared transaction
 * (ON CONFLICT ROLLBACK, RAISE(ROLLBACK)) and no deferred constraints, which fail at COMMIT and would hit every caller.
 *
 * A body should do nothing but statements and computing: while it waits for anything else, all other writes wait too.
 * It must not wait for a write to another database whose bodies write to this one.
 */
export class Database implements Reader {
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

  /** Takes over the client: {@link close} closes it. A remote client must be made with `intMode: 'bigint'`. */
  constructor(client: Client) {
    this.#client = client;
    this.#native = client instanceof NativeClient ? client : undefined;
  }

  /** Runs a SELECT or PRAGMA. Other statements are refused with TypeError, after `close` with DatabaseClosedError. */
  query(sql: string, args?: readonly Arg[]): Promise<readonly Row[]> {
    if (this.#closed) return Promise.reject(new DatabaseClosedError());
    if (this.#native === undefined) return this.#queryRemote(sql, args);
    try {
      return Promise.resolve(this.#native.readRows(sql, args));
    } catch (error) {
      return Promise.reject(error);
    }
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
   * WriteAbortedError (nothing stored), CommitUnknownError (remote only), or LibsqlError from COMMIT (nothing stored).
   */
  write<T>(body: (tx: Writer) => Promise<T>): Promise<T> {
    if (this.#closing !== undefined) return Promise.reject(new DatabaseClosedError());
    if (this.#context.getStore()?.active === true) return Promise.reject(new WriteInWriteError());
    return new Promise<T>((resolve, reject) => {
      let result: { readonly value: T } | undefined;
      this.#queue.push({
        run: async (writer) => {
          result = { value: await body(writer) };
        },
        resolve: () => {
          if (result === undefined) reject(new Error('a write was committed before its body had ended'));
          else resolve(result.value);
        },
        reject,
      });
      this.#schedule();
    });
  }

  /**
   * Runs statements in one transaction of their own with foreign keys off, which rebuilding a table needs. For migrations.
   * Rejects with LibsqlBatchError and changes nothing when one fails.
   */
  async applyMigration(statements: readonly { readonly sql: string; readonly args?: readonly Arg[] }[]): Promise<void> {
    if (this.#closing !== undefined) throw new DatabaseClosedError();
    await this.#client.migrate(statements.map(({ sql, args }) => statementFor(sql, sqlFacts(sql), args)));
  }

  /** Resolves when the database answers; rejects with its error. */
  async ping(): Promise<void> {
    await this.query('SELECT 1 LIMIT 1');
  }

  /** Refuses new writes, waits for those that are queued, then closes. Repeated calls give the same promise. */
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
      // It settles the jobs of the group itself and never rejects.
      void this.#drain(this.#queue.splice(0, groupLimit)).then(() => {
        this.#draining = false;
        if (this.#queue.length > 0) this.#schedule();
        else this.#whenIdle?.();
      });
    });
  }

  /** Runs one group to its end and settles its callers. Never rejects. */
  async #drain(group: Job[]): Promise<void> {
    let session: Session;
    try {
      session = await this.#begin();
    } catch (error) {
      for (const job of group) job.reject(new WriteAbortedError(error));
      return;
    }
    const alone = group.length === 1;
    const done: Job[] = [];
    const failed: { job: Job; error: unknown }[] = [];
    for (const [index, job] of group.entries()) {
      let outcome: { error: unknown } | undefined;
      try {
        outcome = await this.#runJob(session, job, alone);
      } catch (error) {
        // The transaction is gone. Those that have not begun can have another one.
        this.#queue.unshift(...group.slice(index + 1));
        await session.rollback().catch(() => {});
        for (const lost of [...done, job]) lost.reject(new WriteAbortedError(error));
        for (const one of failed) one.job.reject(one.error);
        return;
      }
      if (outcome === undefined) done.push(job);
      else failed.push({ job, error: outcome.error });
    }
    try {
      if (done.length > 0) await session.commit();
      else await session.rollback();
    } catch (error) {
      // What a failed body decided may rest on changes of the same group that are not there now.
      for (const job of group) job.reject(error);
      return;
    }
    for (const job of done) job.resolve();
    for (const { job, error } of failed) job.reject(error);
  }

  /** Runs one body; gives the error that it threw. Throws when the transaction itself is lost. */
  async #runJob(session: Session, job: Job, alone: boolean): Promise<{ error: unknown } | undefined> {
    if (!alone) await session.control('SAVEPOINT job');
    const context = { active: true };
    const writer = session.writer();
    let thrown: { error: unknown } | undefined;
    try {
      await this.#context.run(context, job.run, writer);
    } catch (error) {
      thrown = { error };
    }
    context.active = false;
    const pending = writer.end();
    if (pending !== undefined) await pending;
    if (alone) return thrown;
    if (thrown === undefined) {
      await session.control('RELEASE job');
      return undefined;
    }
    try {
      await session.control('ROLLBACK TO job');
      await session.control('RELEASE job');
    } catch {
      // The error of the body is what ended the transaction.
      throw thrown.error;
    }
    return thrown;
  }

  async #begin(): Promise<Session> {
    if (this.#native !== undefined) return new NativeSession(await this.#native.transaction('write'));
    return new RemoteSession(await this.#client.transaction('write'));
  }
}

function checkNoControl(facts: SqlFacts, sql: string): void {
  if (facts.kind === 'control') throw new TypeError(`a write cannot control its own transaction: ${sql.slice(0, 200)}`);
}

function endedError(): TypeError {
  return new TypeError('the writer was used after its write had ended');
}

/** Statements run when they are called, so the bodies of a group run without a pause for I/O between them. */
class NativeSession implements Session {
  readonly #transaction: NativeTransaction;

  constructor(transaction: NativeTransaction) {
    this.#transaction = transaction;
  }

  async control(sql: string): Promise<void> {
    this.#transaction.control(sql);
  }

  writer(): SessionWriter {
    return new NativeWriter(this.#transaction);
  }

  commit(): Promise<void> {
    return this.#transaction.commit();
  }

  rollback(): Promise<void> {
    return this.#transaction.rollback();
  }
}

class NativeWriter implements SessionWriter {
  readonly writer = true;
  #transaction: NativeTransaction | undefined;

  constructor(transaction: NativeTransaction) {
    this.#transaction = transaction;
  }

  query(sql: string, args?: readonly Arg[]): Promise<readonly Row[]> {
    try {
      return Promise.resolve(this.#usable(sql).rows(sql, args));
    } catch (error) {
      return Promise.reject(error);
    }
  }

  run(sql: string, args?: readonly Arg[]): Promise<number> {
    try {
      return Promise.resolve(this.#usable(sql).run(sql, args));
    } catch (error) {
      return Promise.reject(error);
    }
  }

  #usable(sql: string): NativeTransaction {
    if (this.#transaction === undefined) throw endedError();
    checkNoControl(sqlFacts(sql), sql);
    return this.#transaction;
  }

  end(): undefined {
    this.#transaction = undefined;
  }
}

/** A transaction over the network. Any failure that may have ended it on the other side makes the whole session lost. */
class RemoteSession implements Session {
  readonly #transaction: Transaction;
  #lost: { error: unknown } | undefined;

  constructor(transaction: Transaction) {
    this.#transaction = transaction;
  }

  async execute(statement: InStatement): Promise<{ rows: ClientRow[]; rowsAffected: number }> {
    // Over protocol version 2 a statement after a lost transaction would be committed on its own.
    if (this.#lost !== undefined) throw this.#lost.error;
    try {
      return await this.#transaction.execute(statement);
    } catch (error) {
      if (!isStatementError(error)) this.#lost ??= { error };
      throw error;
    }
  }

  control(sql: string): Promise<unknown> {
    return this.execute(sql);
  }

  writer(): SessionWriter {
    return new RemoteWriter(this);
  }

  async commit(): Promise<void> {
    if (this.#lost !== undefined) {
      await this.rollback();
      throw new WriteAbortedError(this.#lost.error);
    }
    try {
      await this.#transaction.commit();
    } catch (error) {
      throw isDefiniteAnswer(error) ? error : new CommitUnknownError(error);
    }
  }

  async rollback(): Promise<void> {
    try {
      if (this.#lost === undefined) await this.#transaction.rollback();
    } catch {
      // COMMIT was never sent, so the server rolls back by itself when the stream ends.
    } finally {
      this.#transaction.close();
    }
  }

  /** Why the transaction is gone, if it is. */
  get lost(): { error: unknown } | undefined {
    return this.#lost;
  }
}

class RemoteWriter implements SessionWriter {
  readonly writer = true;
  readonly #session: RemoteSession;
  readonly #pending = new Set<Promise<unknown>>();
  #ended = false;

  constructor(session: RemoteSession) {
    this.#session = session;
  }

  async query(sql: string, args?: readonly Arg[]): Promise<readonly Row[]> {
    const result = await this.#execute(sql, args);
    return result.rows.map(plainRow);
  }

  async run(sql: string, args?: readonly Arg[]): Promise<number> {
    const result = await this.#execute(sql, args);
    return sqlFacts(sql).kind === 'write' ? result.rowsAffected : 0;
  }

  async #execute(sql: string, args: readonly Arg[] | undefined): Promise<{ rows: ClientRow[]; rowsAffected: number }> {
    if (this.#ended) throw endedError();
    const facts = sqlFacts(sql);
    checkNoControl(facts, sql);
    const answer = this.#session.execute(statementFor(sql, facts, args));
    this.#pending.add(answer);
    try {
      return await answer;
    } finally {
      this.#pending.delete(answer);
    }
  }

  async end(): Promise<void> {
    this.#ended = true;
    // Promise.all in a body gives up at its first failure while others are still on the way: they belong to this job.
    await Promise.allSettled(this.#pending);
    if (this.#session.lost !== undefined) throw this.#session.lost.error;
  }
}

/** The statement failed and nothing else: SQLite undid it alone, and the transaction goes on. */
function isStatementError(error: unknown): boolean {
  if (error instanceof TypeError || error instanceof RangeError) return !isNetworkError(error);
  if (!(error instanceof LibsqlError)) return false;
  return /^(SQLITE_(CONSTRAINT|ERROR|MISMATCH|TOOBIG|RANGE|AUTH)|SQL_|ARGS_|BLOCKED)/.test(error.code);
}

// `fetch` reports a failed connection as a TypeError with a cause.
function isNetworkError(error: Error): boolean {
  return error.cause !== undefined || error.message === 'fetch failed';
}

/** The server has answered the COMMIT with an error, or says that the transaction had ended before: nothing is stored. */
function isDefiniteAnswer(error: unknown): boolean {
  if (!(error instanceof LibsqlError)) return false;
  return /^(SQLITE_|TRANSACTION_(TIMEOUT|BUSY|CLOSED)|STREAM_EXPIRED)/.test(error.code);
}

function statementFor(sql: string, facts: SqlFacts, args: readonly Arg[] | undefined): InStatement {
  return { sql, args: boundArguments(sql, facts, args) };
}

// Rows of `@libsql/client` are objects with hidden indexes: not iterable, and slow to read.
function plainRow(row: ClientRow): Row {
  return Array.from(row);
}

/** Kinds of constraint that a statement can violate. */
export type ConstraintKind = 'unique' | 'foreign key' | 'not null' | 'check' | 'other';

/**
 * The constraint that a failed statement violated; undefined for all other errors. To be used instead of error codes:
 * a libSQL server reports SQLITE_CONSTRAINT without saying which one, only its message does.
 */
export function violatedConstraint(error: unknown): ConstraintKind | undefined {
  if (!(error instanceof LibsqlError) || !error.code.startsWith('SQLITE_CONSTRAINT')) return undefined;
  if (/UNIQUE constraint failed/.test(error.message)) return 'unique';
  if (/FOREIGN KEY constraint failed/.test(error.message)) return 'foreign key';
  if (/NOT NULL constraint failed/.test(error.message)) return 'not null';
  if (/CHECK constraint failed/.test(error.message)) return 'check';
  return 'other';
}

/** Options of {@link openDatabase}. */
export interface OpenOptions {
  /** Sent to a remote server as a bearer token. */
  readonly authToken?: string;
}

/**
 * Opens a store: a path or `file:` URL with the embedded client, `libsql:`, `https:`, `http:`, `wss:` and `ws:` with
 * `@libsql/client`. A remote server is not contacted yet: use {@link Database.ping}.
 * @throws DatabaseOpenError with one clear sentence.
 */
export async function openDatabase(url: string, options: OpenOptions = {}): Promise<Database> {
  // A scheme of one letter is a drive.
  const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(url)?.[1]?.toLowerCase();
  switch (scheme) {
    case undefined:
    case 'file':
      return new Database(openNativeClient({ path: scheme === undefined ? filePath(url) : pathOfFileUrl(url) }));
    case 'libsql':
    case 'https':
    case 'http':
    case 'wss':
    case 'ws': {
      const { createClient } = await import('@libsql/client');
      try {
        const { authToken } = options;
        return new Database(
          createClient({ url, intMode: 'bigint', ...(authToken === undefined ? {} : { authToken }) }),
        );
      } catch (error) {
        // The query may carry a token.
        throw new DatabaseOpenError(
          url.replace(/\?.*/s, ''),
          error instanceof Error ? error.message : String(error),
          error,
        );
      }
    }
    default:
      throw new DatabaseOpenError(
        url.replace(/\?.*/s, ''),
        `the scheme "${scheme}:" is unknown (use a path, file:, libsql:, https:, http:, wss: or ws:)`,
      );
  }
}

function filePath(path: string): string {
  if (path === '' || path.startsWith(':memory:')) {
    throw new DatabaseOpenError(JSON.stringify(path), 'it must be a file, databases in memory lose data');
  }
  return path;
}

function pathOfFileUrl(url: string): string {
  if (/[?#]/.test(url)) throw new DatabaseOpenError(url, 'a file: URL takes no query and no fragment');
  try {
    // `file:relative.db` is not a URL by the standard, but it is what libSQL's own tools take.
    return filePath(/^file:\//i.test(url) ? fileURLToPath(url) : decodeURIComponent(url.slice('file:'.length)));
  } catch (error) {
    if (error instanceof DatabaseOpenError) throw error;
    throw new DatabaseOpenError(url, error instanceof Error ? error.message : String(error), error);
  }
}

/** A write transaction over `@libsql/client`. */
import type { Row as ClientRow, InStatement, Transaction } from '@libsql/client';
import { LibsqlError } from '@libsql/client/sqlite3';
import type { Arg, Touched } from './access.ts';
import { boundArguments } from './arguments.ts';
import { CommitUnknownError, WriteAbortedError } from './errors.ts';
import type { Row } from './native-connection.ts';
import { checkNoControl, endedError, type Session, type SessionWriter } from './session.ts';
import { type SqlFacts, sqlFacts } from './sql-text.ts';
import type { TouchedSlots } from './touched-slots.ts';

/** A transaction over the network. Any failure that may have ended it on the other side makes the whole session lost. */
export class RemoteSession implements Session {
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

  writer(touched: TouchedSlots): SessionWriter {
    return new RemoteWriter(this, touched);
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

  // Over the network rows are inserted when they are given.
  readonly failure = undefined;

  flush(): undefined {}

  drop(): void {}

  get ended(): boolean {
    return this.#lost !== undefined;
  }

  /** Why the transaction is gone, if it is. */
  get lost(): { error: unknown } | undefined {
    return this.#lost;
  }
}

class RemoteWriter implements SessionWriter {
  readonly writer = true;
  readonly #session: RemoteSession;
  readonly #touched: TouchedSlots;
  readonly #pending = new Set<Promise<unknown>>();
  #ended = false;

  constructor(session: RemoteSession, touched: TouchedSlots) {
    this.#session = session;
    this.#touched = touched;
  }

  query(sql: string, args?: readonly Arg[]): Promise<readonly Row[]> {
    return this.read(sql, args);
  }

  async read(sql: string, args?: readonly Arg[]): Promise<readonly Row[]> {
    const result = await this.#execute(sql, args);
    return result.rows.map(plainRow);
  }

  run(sql: string, args?: readonly Arg[], touched?: Touched): Promise<number> {
    return this.change(sql, args, touched);
  }

  async change(sql: string, args?: readonly Arg[], touched?: Touched): Promise<number> {
    const result = await this.#execute(sql, args, touched);
    return sqlFacts(sql).kind === 'write' ? result.rowsAffected : 0;
  }

  async #execute(
    sql: string,
    args: readonly Arg[] | undefined,
    touched?: Touched,
  ): Promise<{ rows: ClientRow[]; rowsAffected: number }> {
    if (this.#ended) throw endedError();
    const facts = sqlFacts(sql);
    checkNoControl(facts, sql);
    this.#touched.note(facts, touched);
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

/** Only the statement failed: SQLite rolled it back alone, and the transaction continues. */
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

/** A statement with its arguments as `@libsql/client` takes them. */
export function statementFor(sql: string, facts: SqlFacts, args: readonly Arg[] | undefined): InStatement {
  return { sql, args: boundArguments(sql, facts, args) };
}

/** Rows of `@libsql/client` are objects with hidden indexes: not iterable, and slow to read. */
export function plainRow(row: ClientRow): Row {
  return Array.from(row);
}

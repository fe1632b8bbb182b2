/** Transactions of the embedded client: interactive ones, and batches. */
import type { InArgs, InStatement, ResultSet, Transaction } from '@libsql/client';
import { LibsqlBatchError, LibsqlError } from '@libsql/client/sqlite3';
import type { BoundValue } from './arguments.ts';
import type { Arguments, NativeConnection, Row } from './native-connection.ts';
import { NativeResultSet } from './native-result.ts';
import { sqlFacts } from './sql-text.ts';

/** A statement in one of its forms. */
export interface Parsed {
  readonly sql: string;
  readonly args: Arguments | undefined;
}

/** A statement of a batch. */
export type BatchStatement = InStatement | readonly [string, InArgs?];

function isPair(statement: BatchStatement): statement is readonly [string, InArgs?] {
  return Array.isArray(statement);
}

/** Takes a statement apart. */
export function parse(statement: BatchStatement, args?: Arguments): Parsed {
  if (typeof statement === 'string') return { sql: statement, args };
  if (isPair(statement)) return { sql: statement[0], args: statement[1] };
  return { sql: statement.sql, args: statement.args };
}

/** Runs `work` and makes a promise of its result or error, in one layer. */
export function promised<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return Promise.resolve(work());
  } catch (error) {
    return Promise.reject(error);
  }
}

/** Runs a statement for its result. */
export function resultOf(connection: NativeConnection, { sql, args }: Parsed): ResultSet {
  return new NativeResultSet(connection.execute(sql, args));
}

/** Runs statements in order; an error says which one failed. @param first the number of the first one */
function runAll(
  connection: NativeConnection,
  statements: readonly BatchStatement[],
  guard: () => void,
  first = 0,
): ResultSet[] {
  const results: ResultSet[] = [];
  for (const [index, statement] of statements.entries()) {
    try {
      guard();
      const result = resultOf(connection, parse(statement));
      // The names belong to this moment: a later statement of the batch may change the table.
      void result.columns;
      results.push(result);
    } catch (error) {
      if (!(error instanceof LibsqlError)) throw error;
      const cause = error.cause instanceof Error ? error.cause : undefined;
      throw new LibsqlBatchError(error.message, first + index, error.code, error.extendedCode, error.rawCode, cause);
    }
  }
  return results;
}

/** Rejects BEGIN, COMMIT and the like where they would break the queue of the one writer connection. */
export function checkNoControl(sql: string): void {
  if (sqlFacts(sql).kind !== 'control') return;
  throw new LibsqlError('use transaction() instead of BEGIN, COMMIT, ROLLBACK or SAVEPOINT', 'TRANSACTION_CONTROL');
}

/** An interactive transaction on the writer connection. Its {@link rows} and {@link run} return synchronously. */
export class NativeTransaction implements Transaction {
  readonly #connection: NativeConnection;
  /** Failures of the connection before this transaction. */
  readonly #failures: number;
  /** A statement of a caller may have ended the transaction without a failure. */
  #uncertain = false;
  #release: (() => void) | undefined;

  /** @internal Made by {@link NativeClient.transaction}. */
  constructor(connection: NativeConnection, release: () => void) {
    this.#connection = connection;
    this.#failures = connection.failures;
    this.#release = release;
  }

  /** True after commit, rollback and close, and when the database itself has rolled the transaction back. */
  get closed(): boolean {
    return this.#release === undefined || !this.#connection.inTransaction;
  }

  #check(): void {
    // To ask the binding takes as long as a small statement, and without a failure the answer is known.
    const { open, failures } = this.#connection;
    if (this.#release !== undefined && open && failures === this.#failures && !this.#uncertain) return;
    if (this.closed) throw new LibsqlError('The transaction is closed', 'TRANSACTION_CLOSED');
  }

  #settle(): void {
    const release = this.#release;
    this.#release = undefined;
    release?.();
  }

  /** Runs a statement for its rows. @throws LibsqlError, or TypeError and RangeError on bad arguments. */
  rows(sql: string, args?: readonly unknown[]): readonly Row[] {
    this.#check();
    return this.#connection.rows(sql, args, false);
  }

  /** Runs SAVEPOINT, RELEASE or ROLLBACK TO. @throws LibsqlError. */
  control(sql: string): void {
    this.#check();
    this.#connection.run(sql, undefined);
  }

  /** Runs a statement for the number of rows that it changed. @throws as {@link rows}. */
  run(sql: string, args?: readonly unknown[]): number {
    this.#check();
    return this.#connection.run(sql, args);
  }

  /** The same with values that are converted already. */
  runBound(sql: string, values: BoundValue[]): number {
    this.#check();
    return this.#connection.runBound(sql, values);
  }

  execute(statement: InStatement | string, args?: InArgs): Promise<ResultSet> {
    return promised(() => {
      this.#check();
      this.#uncertain = true;
      return resultOf(this.#connection, parse(statement, args));
    });
  }

  /** @param first the number of the first statement, if these are a part of more */
  batch(statements: BatchStatement[], first?: number): Promise<ResultSet[]> {
    return promised(() => {
      this.#uncertain = true;
      return runAll(this.#connection, statements, () => this.#check(), first);
    });
  }

  executeMultiple(sql: string): Promise<void> {
    return promised(() => {
      this.#check();
      this.#uncertain = true;
      this.#connection.script(sql);
    });
  }

  /** Commits; when the promise resolves, the changes are on disk. If it fails, the transaction is rolled back. */
  commit(): Promise<void> {
    return promised(() => {
      this.#check();
      try {
        this.#connection.script('COMMIT');
      } finally {
        this.close();
      }
    });
  }

  rollback(): Promise<void> {
    return promised(() => this.close());
  }

  close(): void {
    if (this.#release === undefined) return;
    try {
      if (this.#connection.inTransaction) this.#connection.script('ROLLBACK');
    } finally {
      this.#settle();
    }
  }
}

/** Runs statements in one transaction: all of them, or none. */
export function inTransaction(
  connection: NativeConnection,
  begin: string,
  statements: readonly BatchStatement[],
): ResultSet[] {
  for (const statement of statements) checkNoControl(parse(statement).sql);
  connection.script(begin);
  try {
    const results = runAll(connection, statements, () => {
      if (!connection.inTransaction) throw new LibsqlError('The transaction was rolled back', 'TRANSACTION_CLOSED');
    });
    connection.script('COMMIT');
    return results;
  } catch (error) {
    if (connection.inTransaction) connection.script('ROLLBACK');
    throw error;
  }
}

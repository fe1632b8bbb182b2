/**
 * One connection of the native `libsql` binding, with its prepared statements kept. Preparing anew is what makes
 * `@libsql/client` on a file 20 times slower than SQLite itself; here a text is prepared once, and a hit costs one map
 * lookup. Everything in this file is synchronous.
 */

import { LibsqlError } from '@libsql/client/sqlite3';
import Native from 'libsql';
import QuickLRU from 'quick-lru';
import { type BoundValue, boundArguments, boundByName } from './arguments.ts';
import { type SqlFacts, sqlFacts } from './sql-text.ts';

/** A value as the database gives it: INTEGER is always bigint, REAL is number, BLOB is an ArrayBuffer. */
export type Value = string | number | bigint | null | ArrayBuffer;

/** One row, by column index. */
export type Row = readonly Value[];

/** Returns a value that was read as an argument, to write it again. A row has none in a column that it lacks. */
export function asArg(value: Value | undefined): BoundValue {
  return value instanceof ArrayBuffer ? new Uint8Array(value) : (value ?? null);
}

/** Arguments by position or by name, not yet checked. */
export type Arguments = readonly unknown[] | Readonly<Record<string, unknown>>;

/** Result of executing a statement. */
export interface Outcome {
  readonly rows: readonly Row[];
  /** Rows that an INSERT, UPDATE or DELETE changed, 0 for all others. */
  readonly changes: number;
  /** Row id of the latest insert; undefined for a statement that returns rows. */
  readonly lastInsertRowid: bigint | undefined;
  /** Names and declared types of the columns; none if the statement returns no rows. Call it soon: it asks SQLite. */
  describe(): readonly { readonly name: string; readonly type: string | null }[];
}

interface CachedStatement {
  readonly statement: Native.Statement;
  readonly facts: SqlFacts;
  /** True if it returns rows. */
  readonly reader: boolean;
}

/** Number of cached statements; temporarily up to twice as many. */
const MAX_CACHED_STATEMENTS = 250;
const noRows: readonly Row[] = [];
const noColumns = () => [];

const baseCodes = new Map<number, string>(
  [
    'ERROR INTERNAL PERM ABORT BUSY LOCKED NOMEM READONLY INTERRUPT IOERR CORRUPT NOTFOUND FULL CANTOPEN PROTOCOL EMPTY',
    'SCHEMA TOOBIG CONSTRAINT MISMATCH MISUSE NOLFS AUTH FORMAT RANGE NOTADB NOTICE WARNING',
  ]
    .join(' ')
    .split(' ')
    .map((name, index) => [index + 1, `SQLITE_${name}`]),
);

/** An error of the binding as `@libsql/client` reports it: `code` is the base code, `extendedCode` the exact one. */
export function libsqlError(error: unknown): unknown {
  if (!(error instanceof Native.SqliteError)) return error;
  const raw = error.rawCode;
  const base = raw === undefined ? 'SQLITE_UNKNOWN' : (baseCodes.get(raw & 0xff) ?? `SQLITE_UNKNOWN_${raw & 0xff}`);
  return new LibsqlError(error.message, base, error.code, raw, error);
}

/** Rejects a text that is not exactly one statement: the binding would run the first and silently drop the rest. */
function checkOneStatement(sql: string, facts: SqlFacts): void {
  if (sql.includes('\0')) throw new TypeError('SQL text contains a NUL character');
  if (facts.statements === 0) throw new LibsqlError('SQL text contains no statement', 'SQL_NO_STATEMENT');
  if (facts.statements > 1) {
    throw new LibsqlError('SQL text contains more than one statement, use executeMultiple', 'SQL_MANY_STATEMENTS');
  }
}

function toArrayBuffer(value: unknown): ArrayBuffer {
  if (!(value instanceof Uint8Array)) throw new Error(`unexpected value from the database: ${typeof value}`);
  const { buffer } = value;
  // The binding gives each blob memory of its own; copy if that ever changes, rather than hand out the neighbours.
  if (buffer instanceof ArrayBuffer && buffer.byteLength === value.byteLength) return buffer;
  return new Uint8Array(value).buffer;
}

/** Turns a raw row of the binding into a {@link Row}, in place: only blobs need a change. */
function adoptRow(row: unknown): Row {
  if (!Array.isArray(row)) throw new Error('the database gave a row that is not an array');
  for (let i = 0; i < row.length; i++) {
    const value: unknown = row[i];
    if (typeof value === 'object' && value !== null) row[i] = toArrayBuffer(value);
  }
  return row;
}

/** One open connection. Errors of the database are thrown as LibsqlError, see {@link libsqlError}. */
export class NativeConnection {
  readonly #native: Native.Database;
  readonly #cached = new QuickLRU<string, CachedStatement>({ maxSize: MAX_CACHED_STATEMENTS });
  #stuck = false;
  #failures = 0;

  /**
   * Opens the file and runs `setup`, one statement after the other.
   * @throws whatever the binding says; `openNativeClient` makes a clear error of it.
   */
  constructor(path: string, setup: readonly string[]) {
    this.#native = new Native(path);
    try {
      for (const sql of setup) this.#native.exec(sql);
    } catch (error) {
      this.#native.close();
      throw error;
    }
  }

  /** False after {@link close}. */
  get open(): boolean {
    return this.#native.open;
  }

  /**
   * Returns whether a statement was left in progress. SQLite does not end a statement that fails with SQLITE_BUSY, the binding
   * cannot reset it, and as long as it exists every COMMIT fails ("SQL statements in progress"): open a new connection.
   */
  get stuck(): boolean {
    return this.#stuck;
  }

  /** The number of statements that have failed. Only one of them, or {@link script}, can have ended a transaction. */
  get failures(): number {
    return this.#failures;
  }

  /** Returns whether a transaction is open. */
  get inTransaction(): boolean {
    // On a closed connection the binding aborts the process instead of answering.
    return this.#native.open && this.#native.inTransaction;
  }

  #prepare(sql: string): CachedStatement {
    const facts = sqlFacts(sql);
    checkOneStatement(sql, facts);
    let statement: Native.Statement;
    try {
      statement = this.#native.prepare(sql);
    } catch (error) {
      throw libsqlError(error);
    }
    const { reader } = statement;
    statement.safeIntegers(true);
    if (reader) statement.raw(true);
    const cached: CachedStatement = { statement, facts, reader };
    this.#cached.set(sql, cached);
    return cached;
  }

  #statement(sql: string): CachedStatement {
    return this.#cached.get(sql) ?? this.#prepare(sql);
  }

  /**
   * Runs a statement for its rows. With `readOnly`, a statement that is not a SELECT or PRAGMA is rejected before it runs.
   * @throws TypeError or RangeError on arguments that do not fit, LibsqlError from the database.
   */
  rows(sql: string, args: readonly unknown[] | undefined, readOnly: boolean): readonly Row[] {
    const cached = this.#statement(sql);
    if (readOnly && cached.facts.kind !== 'read' && cached.facts.kind !== 'pragma') throw notAQuery(sql);
    return this.#rows(cached, boundArguments(sql, cached.facts, args));
  }

  #rows(cached: CachedStatement, values: BoundValue[]): readonly Row[] {
    const { statement } = cached;
    try {
      if (!cached.reader) {
        statement.run(values);
        return noRows;
      }
      // One step costs half of what an iteration over one row does.
      if (cached.facts.singleRow) {
        const row = statement.get(values);
        return row === undefined ? noRows : [adoptRow(row)];
      }
      const rows: Row[] = [];
      for (const row of statement.all(values)) rows.push(adoptRow(row));
      return rows;
    } catch (error) {
      throw this.#failed(error);
    }
  }

  /** Runs a statement for the number of rows that it changed. Errors as {@link rows}. */
  run(sql: string, args: readonly unknown[] | undefined): number {
    const cached = this.#statement(sql);
    return this.#run(cached, boundArguments(sql, cached.facts, args));
  }

  /** The same with values that are converted already, as many as the statement has. */
  runBound(sql: string, values: BoundValue[]): number {
    return this.#run(this.#statement(sql), values);
  }

  #run(cached: CachedStatement, values: BoundValue[]): number {
    if (cached.reader) {
      this.#rows(cached, values);
      return this.#changes(cached);
    }
    try {
      return cached.statement.run(values).changes;
    } catch (error) {
      throw this.#failed(error);
    }
  }

  /** Runs a statement for everything that can be said about it. Errors as {@link rows}. */
  execute(sql: string, args: Arguments | undefined): Outcome {
    const cached = this.#statement(sql);
    const { facts } = cached;
    const values =
      args === undefined || isPositional(args) ? boundArguments(sql, facts, args) : boundByName(sql, facts, args);
    if (cached.reader) {
      const rows = this.#rows(cached, values);
      const describe = () => cached.statement.columns();
      return { rows, changes: this.#changes(cached), lastInsertRowid: undefined, describe };
    }
    try {
      const info = cached.statement.run(values);
      // The binding reports the row id as a number, exact only up to 2^53.
      const exact = Number.isSafeInteger(info.lastInsertRowid)
        ? BigInt(info.lastInsertRowid)
        : this.#integer('SELECT last_insert_rowid() LIMIT 1');
      return { rows: noRows, changes: info.changes, lastInsertRowid: exact, describe: noColumns };
    } catch (error) {
      throw this.#failed(error);
    }
  }

  #failed(error: unknown): unknown {
    this.#failures++;
    const translated = libsqlError(error);
    if (translated instanceof LibsqlError && translated.code === 'SQLITE_BUSY') this.#stuck = true;
    return translated;
  }

  /** Runs any number of statements. They are not cached, and none is left in progress. Errors as {@link rows}. */
  script(sql: string): void {
    if (sql.includes('\0')) throw new TypeError('SQL text contains a NUL character');
    try {
      this.#native.exec(sql);
    } catch (error) {
      throw libsqlError(error);
    }
  }

  // The binding does not report changes of a statement that returns rows (INSERT ... RETURNING).
  #changes(cached: CachedStatement): number {
    return cached.facts.kind === 'write' ? Number(this.#integer('SELECT changes() LIMIT 1')) : 0;
  }

  #integer(sql: string): bigint {
    const value = this.rows(sql, undefined, false)[0]?.[0];
    return typeof value === 'bigint' ? value : 0n;
  }

  /**
   * Gives back the memory that it can do without: the schema, which the next statement reads anew, pages and prepared statements. Not to be
   * called in a transaction.
   */
  rest(): void {
    this.#cached.clear();
    // SQLite forgets the whole schema where a change of it is undone. The table would be in memory: nothing of it reaches a file.
    try {
      this.script('BEGIN; CREATE TEMP TABLE forgotten (a); ROLLBACK; PRAGMA shrink_memory');
    } finally {
      // Where the table could not be made, the transaction is still open.
      if (this.inTransaction) this.script('ROLLBACK');
    }
  }

  /** Closes the connection; an open transaction is rolled back. Idempotent. */
  close(): void {
    if (!this.#native.open) return;
    // Cached statements hold the file open, so they are released, and the transaction is ended explicitly.
    this.#cached.clear();
    if (this.#native.inTransaction) this.#native.exec('ROLLBACK');
    this.#native.close();
  }
}

/** The error for a statement that writes where only reading is allowed. */
export function notAQuery(sql: string): TypeError {
  return new TypeError(`only SELECT and PRAGMA can be queried outside a write: ${sql.slice(0, 200)}`);
}

function isPositional(args: Arguments): args is readonly unknown[] {
  return Array.isArray(args);
}

import { setTimeout as delay } from 'node:timers/promises';
import Native from 'libsql';
import { StatementError } from './errors.ts';
import { array, type Json } from './json.ts';
import type { HranaServerOptions, SqlFacts } from './options.ts';
import { encodeValue, type NativeValue } from './values.ts';

/** A connection of the native binding. It waits for locks with timers: several streams share this thread. */
export class Connection {
  readonly #native: Native.Database;
  readonly #busyTimeout: number;
  readonly #readSql: HranaServerOptions['readSql'];
  #stuck = false;

  constructor({ path, busyTimeout = 5000, readSql }: HranaServerOptions) {
    this.#busyTimeout = busyTimeout;
    this.#readSql = readSql;
    this.#native = new Native(path);
    for (const pragma of ['busy_timeout = 0', 'journal_mode = WAL', 'synchronous = FULL', 'foreign_keys = ON']) {
      this.#native.exec(`PRAGMA ${pragma}`);
    }
  }

  get autocommit(): boolean {
    return !(this.#native.open && this.#native.inTransaction);
  }

  /** Resets the connection for another stream; false if that is not possible, and it must be closed. */
  reset(): boolean {
    if (!this.#native.open) return false;
    if (this.#native.inTransaction) this.#native.exec('ROLLBACK');
    this.#native.exec('PRAGMA foreign_keys = ON');
    return !this.#stuck;
  }

  close(): void {
    if (!this.#native.open) return;
    this.reset();
    this.#native.close();
  }

  execute(
    sql: string,
    positional: readonly NativeValue[],
    named: ReadonlyMap<string, NativeValue>,
    wantRows: boolean,
  ): Promise<Json> {
    // Prepared once and run again: a statement that failed with SQLITE_BUSY remains in progress until it is run to
    // completion, and COMMIT fails meanwhile.
    let statement: Native.Statement | undefined;
    return this.#retryBusy(() => {
      statement ??= this.#prepare(sql);
      const values = bind(this.#readSql(sql), positional, named);
      if (!statement.reader) {
        const { changes } = statement.run(values);
        return statementResult([], [], changes, this.#integer('last_insert_rowid()'));
      }
      statement.raw(true);
      statement.safeIntegers(true);
      const columns = statement.columns().map(({ name, type }) => ({ name, decltype: type }));
      const rows = statement.all(values);
      const changes = this.#readSql(sql).kind === 'write' ? Number(this.#integer('changes()')) : 0;
      return statementResult(columns, wantRows ? rows : [], changes, this.#integer('last_insert_rowid()'));
    });
  }

  async script(sql: string): Promise<void> {
    // A script cannot be repeated after a partial failure, so wait for the write lock before it runs (in the same
    // turn).
    await this.#retryBusy(() => {
      if (this.autocommit) this.#native.exec('BEGIN IMMEDIATE; ROLLBACK');
      this.#native.exec(sql);
    });
  }

  describe(sql: string): Json {
    const facts = this.#readSql(sql);
    const statement = this.#translate(() => this.#prepare(sql));
    const params: Json[] = Array.from({ length: facts.parameterCount }, () => ({ name: null }));
    for (const [name, index] of facts.named) params[index] = { name };
    const cols = statement.reader ? statement.columns().map(({ name, type }) => ({ name, decltype: type })) : [];
    return { params, cols, is_explain: /^\s*explain/i.test(sql), is_readonly: facts.kind === 'read' };
  }

  #prepare(sql: string): Native.Statement {
    const { statements } = this.#readSql(sql);
    if (statements === 0) throw new StatementError('SQL string does not contain any statement', 'SQL_NO_STATEMENT');
    if (statements > 1) throw new StatementError('SQL string contains more than one statement', 'SQL_MANY_STATEMENTS');
    return this.#native.prepare(sql);
  }

  #integer(expression: string): bigint {
    const row = this.#native.prepare(`SELECT ${expression}`).safeIntegers(true).raw(true).get([]);
    const value: unknown = Array.isArray(row) ? row[0] : undefined;
    return typeof value === 'bigint' ? value : 0n;
  }

  async #retryBusy<T>(work: () => T): Promise<T> {
    const pause = 2;
    for (let waited = 0; ; waited += pause) {
      try {
        return this.#translate(work);
      } catch (error) {
        // A read transaction whose snapshot is outdated can never become a write: waiting would not help.
        const hopeless = !(error instanceof BusyError) || error.hopeless || waited >= this.#busyTimeout;
        if (hopeless || !this.#native.open) {
          this.#stuck ||= error instanceof BusyError;
          throw error;
        }
        await delay(pause);
      }
    }
  }

  #translate<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof Native.SqliteError)) throw error;
      if (error.code.startsWith('SQLITE_BUSY')) throw new BusyError(error.message, error.code);
      // `sqld` reports the base code only, and a code of its own for SQL that it cannot parse.
      const isInput = error.code === 'SQLITE_ERROR' && /syntax error|no such|incomplete input/.test(error.message);
      const message = isInput ? `SQL input error: ${error.message} (at offset 0)` : `SQLite error: ${error.message}`;
      const base = /^SQLITE_(?:CONSTRAINT|READONLY|IOERR|CANTOPEN|CORRUPT|LOCKED)/.exec(error.code)?.[0] ?? error.code;
      throw new StatementError(message, isInput ? 'SQL_INPUT_ERROR' : base);
    }
  }
}

class BusyError extends StatementError {
  readonly hopeless: boolean;
  constructor(message: string, exactCode: string) {
    super(`SQLite error: ${message}`, 'SQLITE_BUSY');
    this.hopeless = exactCode === 'SQLITE_BUSY_SNAPSHOT';
  }
}

function bind(
  facts: SqlFacts,
  positional: readonly NativeValue[],
  named: ReadonlyMap<string, NativeValue>,
): readonly NativeValue[] {
  if (named.size > 0) {
    if (positional.length > 0) {
      throw new StatementError('both positional and named arguments were given', 'ARGS_BOTH_POSITIONAL_AND_NAMED');
    }
    return [...facts.named.keys()].map((parameter) => {
      const value = named.get(named.has(parameter) ? parameter : parameter.slice(1));
      if (value === undefined) throw new StatementError(`value for parameter ${parameter} not found`, 'ARGS_INVALID');
      return value;
    });
  }
  if (positional.length !== facts.parameterCount) {
    throw new StatementError(`${facts.parameterCount} parameters, ${positional.length} values`, 'ARGS_INVALID');
  }
  return positional;
}

function statementResult(cols: readonly Json[], rows: readonly unknown[], changes: number, rowid: bigint): Json {
  return {
    cols,
    rows: rows.map((row) => array(row, 'row').map(encodeValue)),
    affected_row_count: changes,
    last_insert_rowid: rowid.toString(),
    replication_index: null,
  };
}

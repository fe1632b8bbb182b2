/** `@libsql/client`'s `Client` over the native binding, with kept statements: the embedded way of access. */
import { accessSync, constants, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type {
  Client,
  Row as ClientRow,
  Value as ClientValue,
  InArgs,
  InStatement,
  ResultSet,
  Transaction,
  TransactionMode,
} from '@libsql/client';
import { LibsqlBatchError, LibsqlError } from '@libsql/client/sqlite3';
import { DatabaseOpenError } from './errors.ts';
import { type Arguments, libsqlError, NativeConnection, type Outcome, type Row } from './native-connection.ts';
import { sqlFacts } from './sql-text.ts';

// `busy_timeout` comes first: until it is set, each of the others can fail at once while another process recovers or
// writes. It applies per connection, as all of these do except the journal mode.
const pragmas = (busyTimeout: number): string[] => [
  `PRAGMA busy_timeout = ${busyTimeout}`,
  'PRAGMA journal_mode = WAL',
  'PRAGMA synchronous = FULL', // a commit returns after its fsync
  'PRAGMA foreign_keys = ON',
  'PRAGMA cache_size = -16000', // 16 MB a connection
  'PRAGMA temp_store = MEMORY',
  'PRAGMA journal_size_limit = 67108864', // the WAL file shrinks back to 64 MB after a burst
  // No mmap: measured without gain on reads of this kind, and a disk error would be a SIGBUS instead of an error.
];
const readerPragmas = (busyTimeout: number): string[] => [...pragmas(busyTimeout), 'PRAGMA query_only = ON'];

interface Parsed {
  readonly sql: string;
  readonly args: Arguments | undefined;
}

type BatchStatement = InStatement | readonly [string, InArgs?];

function isPair(statement: BatchStatement): statement is readonly [string, InArgs?] {
  return Array.isArray(statement);
}

function parse(statement: BatchStatement, args?: Arguments): Parsed {
  if (typeof statement === 'string') return { sql: statement, args };
  if (isPair(statement)) return { sql: statement[0], args: statement[1] };
  return { sql: statement.sql, args: statement.args };
}

/** Runs `work` and makes a promise of its result or error, in one layer. */
function promised<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return Promise.resolve(work());
  } catch (error) {
    return Promise.reject(error);
  }
}

/** A row by the `Client` contract: own enumerable properties are the column names, indexes and `length` are hidden. */
class NamedRow implements ClientRow {
  [name: string]: ClientValue;
  readonly #values: Row;

  constructor(values: Row, names: readonly string[]) {
    this.#values = values;
    for (let i = 0; i < names.length; i++) {
      const name = names[i];
      const value = values[i];
      if (name === undefined || value === undefined) continue;
      if (name in this) {
        // A repeated name (the first wins), or one that is taken: `length`, an index, or a member of Object.
        if (Object.hasOwn(this, name) || name === 'length') continue;
        if (indexName.test(name) && Number(name) < values.length) continue;
        Object.defineProperty(this, name, { value, enumerable: true, configurable: true, writable: true });
      } else {
        this[name] = value;
      }
    }
  }

  get length(): number {
    return this.#values.length;
  }

  static defineIndex(index: number): void {
    Object.defineProperty(NamedRow.prototype, index, {
      get(this: NamedRow) {
        return this.#values[index];
      },
    });
  }
}
const indexName = /^\d+$/;
let definedIndexes = 0;

/** A result whose columns and named rows are made when they are first asked for; {@link rawRows} cost nothing. */
class NativeResultSet implements ResultSet {
  /** The rows by index only, without names. */
  readonly rawRows: readonly Row[];
  readonly rowsAffected: number;
  readonly lastInsertRowid: bigint | undefined;
  readonly #describeColumns: Outcome['describe'];
  #described: { names: string[]; types: string[] } | undefined;
  #named: ClientRow[] | undefined;

  constructor(outcome: Outcome) {
    this.rawRows = outcome.rows;
    this.rowsAffected = outcome.changes;
    this.lastInsertRowid = outcome.lastInsertRowid;
    this.#describeColumns = outcome.describe;
  }

  #describe(): { names: string[]; types: string[] } {
    if (this.#described === undefined) {
      const columns = this.#describeColumns();
      this.#described = { names: columns.map((c) => c.name), types: columns.map((c) => c.type ?? '') };
    }
    return this.#described;
  }

  get columns(): string[] {
    return this.#describe().names;
  }

  get columnTypes(): string[] {
    return this.#describe().types;
  }

  get rows(): ClientRow[] {
    if (this.#named === undefined) {
      const { names } = this.#describe();
      while (definedIndexes < names.length) NamedRow.defineIndex(definedIndexes++);
      this.#named = this.rawRows.map((row) => new NamedRow(row, names));
    }
    return this.#named;
  }

  toJSON(): unknown {
    const plain = (value: ClientValue): unknown => {
      if (typeof value === 'bigint') return value.toString();
      return value instanceof ArrayBuffer ? Buffer.from(value).toString('base64') : value;
    };
    return {
      columns: this.columns,
      columnTypes: this.columnTypes,
      rows: this.rawRows.map((row) => row.map(plain)),
      rowsAffected: this.rowsAffected,
      lastInsertRowid: this.lastInsertRowid?.toString() ?? null,
    };
  }
}

function resultOf(connection: NativeConnection, { sql, args }: Parsed): ResultSet {
  return new NativeResultSet(connection.execute(sql, args));
}

/** Runs statements in order; an error says which one failed. */
function runAll(connection: NativeConnection, statements: readonly BatchStatement[], guard: () => void): ResultSet[] {
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
      throw new LibsqlBatchError(error.message, index, error.code, error.extendedCode, error.rawCode, cause);
    }
  }
  return results;
}

/** Refuses BEGIN, COMMIT and the like where they would break the queue of the one writer connection. */
function checkNoControl(sql: string): void {
  if (sqlFacts(sql).kind !== 'control') return;
  throw new LibsqlError('use transaction() instead of BEGIN, COMMIT, ROLLBACK or SAVEPOINT', 'TRANSACTION_CONTROL');
}

/** An interactive transaction on the writer connection. Its {@link rows} and {@link run} answer at once. */
export class NativeTransaction implements Transaction {
  readonly #connection: NativeConnection;
  #release: (() => void) | undefined;

  /** @internal Made by {@link NativeClient.transaction}. */
  constructor(connection: NativeConnection, release: () => void) {
    this.#connection = connection;
    this.#release = release;
  }

  /** True after commit, rollback and close, and when the database itself has rolled the transaction back. */
  get closed(): boolean {
    return this.#release === undefined || !this.#connection.inTransaction;
  }

  #check(): void {
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
    this.#connection.script(sql);
  }

  /** Runs a statement for the number of rows that it changed. @throws as {@link rows}. */
  run(sql: string, args?: readonly unknown[]): number {
    this.#check();
    return this.#connection.run(sql, args);
  }

  execute(statement: InStatement | string, args?: InArgs): Promise<ResultSet> {
    return promised(() => {
      this.#check();
      return resultOf(this.#connection, parse(statement, args));
    });
  }

  batch(statements: BatchStatement[]): Promise<ResultSet[]> {
    return promised(() => runAll(this.#connection, statements, () => this.#check()));
  }

  executeMultiple(sql: string): Promise<void> {
    return promised(() => {
      this.#check();
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

interface Waiting {
  run(): void;
  refuse(error: LibsqlError): void;
}

/**
 * The embedded client: two connections to one file. Reads go to the reader; writes, transactions of every mode and all
 * other statements go to the one writer, in the order in which they were asked for, and wait while an interactive
 * transaction is open (a second writing connection of the same thread would block the event loop on the first).
 * Integers are bigint. Statements run synchronously, so a method has done its work when it returns its promise.
 */
export class NativeClient implements Client {
  readonly protocol = 'file';
  readonly #options: Required<NativeClientOptions>;
  #reader: NativeConnection;
  #writer: NativeConnection;
  /** The writer connection's open interactive transaction. */
  #holder: NativeTransaction | undefined;
  #waiting: Waiting[] = [];

  /** @throws DatabaseOpenError with one sentence that names the path and the reason. */
  constructor({ path, busyTimeout = 5000 }: NativeClientOptions) {
    this.#options = { path, busyTimeout };
    [this.#writer, this.#reader] = openConnections(this.#options);
  }

  get closed(): boolean {
    return !this.#writer.open;
  }

  /**
   * Runs a SELECT or PRAGMA on the reader connection and answers at once.
   * @throws LibsqlError; TypeError on a statement that writes and on bad arguments, RangeError on integers too large.
   */
  readRows(sql: string, args?: readonly unknown[]): readonly Row[] {
    return this.#readerConnection().rows(sql, args, true);
  }

  execute(statement: InStatement | string, args?: InArgs): Promise<ResultSet> {
    return promised(() => {
      const parsed = parse(statement, args);
      checkNoControl(parsed.sql);
      if (sqlFacts(parsed.sql).kind === 'read') return Promise.resolve(resultOf(this.#readerConnection(), parsed));
      return this.#exclusive((writer) => resultOf(writer, parsed));
    });
  }

  batch(statements: BatchStatement[], mode: TransactionMode = 'deferred'): Promise<ResultSet[]> {
    if (mode === 'read') return promised(() => inTransaction(this.#readerConnection(), 'BEGIN', statements));
    // Never DEFERRED: a transaction that starts to write late fails if another process wrote meanwhile.
    return this.#exclusive((writer) => inTransaction(writer, 'BEGIN IMMEDIATE', statements));
  }

  /** As in `@libsql/client`, and more careful: rolled back if it would leave a foreign key that points nowhere. */
  migrate(statements: InStatement[]): Promise<ResultSet[]> {
    return this.#exclusive((writer) => {
      writer.script('PRAGMA foreign_keys = OFF');
      try {
        return inTransaction(writer, 'BEGIN IMMEDIATE', statements, () => checkForeignKeys(writer));
      } finally {
        writer.script('PRAGMA foreign_keys = ON');
      }
    });
  }

  transaction(mode: TransactionMode = 'write'): Promise<NativeTransaction> {
    return this.#exclusive((writer) => {
      // All modes share the writer connection, so none can meet a lock later on; `read` is kept from writing.
      writer.script(mode === 'read' ? 'PRAGMA query_only = ON; BEGIN' : 'BEGIN IMMEDIATE');
      const transaction: NativeTransaction = new NativeTransaction(writer, () => {
        if (mode === 'read' && writer.open) writer.script('PRAGMA query_only = OFF');
        this.#release(transaction);
      });
      this.#holder = transaction;
      return transaction;
    });
  }

  executeMultiple(sql: string): Promise<void> {
    return this.#exclusive((writer) => {
      try {
        writer.script(sql);
      } finally {
        // A script must not leave its transaction to whoever comes next.
        if (writer.inTransaction) writer.script('ROLLBACK');
      }
    });
  }

  sync(): Promise<never> {
    return Promise.reject(new LibsqlError('sync is not supported by a plain file', 'SYNC_NOT_SUPPORTED'));
  }

  /** Closes both connections. An open transaction is rolled back, waiting writes are refused with CLIENT_CLOSED. */
  close(): void {
    if (this.closed) return;
    this.#reader.close();
    if (this.#writer.inTransaction) this.#writer.script('ROLLBACK');
    try {
      // Leave one complete file behind. Not worth waiting for: if another process reads, the next start does it.
      this.#writer.script('PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)');
    } catch {
      // The WAL stays, which is safe.
    }
    this.#writer.close();
    this.#holder = undefined;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const one of waiting) one.refuse(closedError());
  }

  reconnect(): void {
    this.close();
    [this.#writer, this.#reader] = openConnections(this.#options);
  }

  #readerConnection(): NativeConnection {
    if (!this.#reader.open) throw closedError();
    if (this.#reader.stuck) {
      this.#reader.close();
      this.#reader = openReader(this.#options);
    }
    return this.#reader;
  }

  #writerConnection(): NativeConnection {
    if (!this.#writer.open) throw closedError();
    if (this.#writer.stuck) {
      this.#writer.close();
      this.#writer = openWriter(this.#options);
    }
    return this.#writer;
  }

  /** Runs `work` when no interactive transaction holds the writer, in the order of the calls. */
  #exclusive<T>(work: (writer: NativeConnection) => T): Promise<T> {
    if (this.#holder === undefined) return promised(() => work(this.#writerConnection()));
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({
        run: () => {
          try {
            resolve(work(this.#writerConnection()));
          } catch (error) {
            reject(error);
          }
        },
        refuse: reject,
      });
    });
  }

  #release(transaction: NativeTransaction): void {
    // A transaction from before close() and reconnect() holds nothing any more.
    if (this.#holder !== transaction) return;
    this.#holder = undefined;
    // A waiting transaction() takes the writer again, and the loop stops there.
    while (this.#holder === undefined) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      next.run();
    }
  }
}

/** Options of {@link openNativeClient}. */
export interface NativeClientOptions {
  /** The database file. It is created if it is not there; its directory must be. */
  readonly path: string;
  /** Milliseconds to wait (blocking) for another process that writes, before SQLITE_BUSY; 5,000 by default. */
  readonly busyTimeout?: number;
}

/**
 * Opens the embedded client on a file.
 * @throws DatabaseOpenError with one sentence that names the path and the reason.
 */
export function openNativeClient(options: NativeClientOptions): NativeClient {
  return new NativeClient(options);
}

function closedError(): LibsqlError {
  return new LibsqlError('The client is closed', 'CLIENT_CLOSED');
}

/** Runs statements in one transaction: all of them, or none. */
function inTransaction(
  connection: NativeConnection,
  begin: string,
  statements: readonly BatchStatement[],
  beforeCommit?: () => void,
): ResultSet[] {
  for (const statement of statements) checkNoControl(parse(statement).sql);
  connection.script(begin);
  try {
    const results = runAll(connection, statements, () => {
      if (!connection.inTransaction) throw new LibsqlError('The transaction was rolled back', 'TRANSACTION_CLOSED');
    });
    beforeCommit?.();
    connection.script('COMMIT');
    return results;
  } catch (error) {
    if (connection.inTransaction) connection.script('ROLLBACK');
    throw error;
  }
}

function checkForeignKeys(connection: NativeConnection): void {
  const broken = connection.rows('PRAGMA foreign_key_check', undefined, true);
  const first = broken[0];
  if (first === undefined) return;
  throw new LibsqlError(
    `${broken.length} rows would refer to nothing, the first in table ${first[0]}, referring to ${first[2]}`,
    'SQLITE_CONSTRAINT',
    'SQLITE_CONSTRAINT_FOREIGNKEY',
  );
}

function openConnections(options: Required<NativeClientOptions>): [writer: NativeConnection, reader: NativeConnection] {
  const { path } = options;
  const obstacle = findObstacle(path);
  if (obstacle !== undefined) throw new DatabaseOpenError(path, obstacle);
  let writer: NativeConnection | undefined;
  try {
    writer = openWriter(options);
    const mode = writer.rows('PRAGMA journal_mode', undefined, true)[0]?.[0];
    if (mode !== 'wal') throw new DatabaseOpenError(path, 'its file system does not support write-ahead logging');
    checkWritable(writer);
    return [writer, openReader(options)];
  } catch (error) {
    writer?.close();
    if (error instanceof DatabaseOpenError) throw error;
    throw new DatabaseOpenError(path, openFailure(error), error);
  }
}

function openReader({ path, busyTimeout }: Required<NativeClientOptions>): NativeConnection {
  return openConnection(path, readerPragmas(busyTimeout));
}

function openWriter({ path, busyTimeout }: Required<NativeClientOptions>): NativeConnection {
  return openConnection(path, pragmas(busyTimeout));
}

// While another process makes the switch to WAL on a new file, SQLite answers BUSY at once, whatever the timeout: of four
// processes that open a new file at the same moment, one in seven failed without this.
function openConnection(path: string, setup: readonly string[]): NativeConnection {
  for (let attempt = 1; ; attempt++) {
    try {
      return new NativeConnection(path, setup);
    } catch (error) {
      const translated = libsqlError(error);
      if (!(translated instanceof LibsqlError) || translated.code !== 'SQLITE_BUSY' || attempt === 50) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    }
  }
}

function checkWritable(writer: NativeConnection): void {
  try {
    writer.script('BEGIN IMMEDIATE; ROLLBACK');
  } catch (error) {
    // Somebody else is writing right now, so it is writable.
    if (!(error instanceof LibsqlError) || error.code !== 'SQLITE_BUSY') throw error;
  }
}

/** What can be told before SQLite is asked, which only says that it cannot open. */
function findObstacle(path: string): string | undefined {
  const directory = dirname(path);
  const inside = statSync(directory, { throwIfNoEntry: false });
  if (inside === undefined) return `the directory ${directory} does not exist`;
  if (!inside.isDirectory()) return `${directory} is not a directory`;
  const file = statSync(path, { throwIfNoEntry: false });
  if (file?.isDirectory()) return 'it is a directory';
  // SQLite creates its -wal and -shm files beside the database, so the directory must be writable too.
  if (!allows(directory, constants.W_OK | constants.X_OK)) return `the directory ${directory} is not writable`;
  if (file !== undefined && !allows(path, constants.R_OK)) return 'it is not readable';
  if (file !== undefined && !allows(path, constants.W_OK)) return 'it is read-only';
  return undefined;
}

function allows(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}

function openFailure(error: unknown): string {
  const translated = libsqlError(error);
  if (translated instanceof LibsqlError) {
    switch (translated.code) {
      case 'SQLITE_NOTADB':
        return 'it is not a database file';
      case 'SQLITE_READONLY':
        return 'it is read-only';
      case 'SQLITE_BUSY':
        return 'another process keeps it locked';
      case 'SQLITE_FULL':
        return 'the disk is full';
      case 'SQLITE_CORRUPT':
        return 'it is damaged';
    }
  }
  return error instanceof Error ? error.message : String(error);
}

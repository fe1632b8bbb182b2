/** `@libsql/client`'s `Client` over the native binding, with cached prepared statements: the embedded way of access. */
import type { Client, InArgs, InStatement, ResultSet, TransactionMode } from '@libsql/client';
import { LibsqlError } from '@libsql/client/sqlite3';
import { Pace } from '../pace.ts';
import type { NativeConnection, Row } from './native-connection.ts';
import { type NativeClientOptions, openConnections, openReader, openWriter } from './native-open.ts';
import {
  type BatchStatement,
  checkNoControl,
  inTransaction,
  NativeTransaction,
  parse,
  promised,
  resultOf,
} from './native-transaction.ts';
import { sqlFacts } from './sql-text.ts';
import { hasRoomAt } from './storage-failure.ts';
import { type StoreImage, StoreImages } from './store-image.ts';

interface Waiting {
  run(): void;
  reject(error: LibsqlError): void;
}

/**
 * The embedded client: one connection to a file, and a second one from the first read beside a transaction on. Writes, transactions of
 * every mode and all other statements than reads go to the one writer, in the order in which they were asked for, and wait while an
 * interactive transaction is open (a second writing connection of the same thread would block the event loop on the first). Reads go to the
 * reader, and to the writer as long as there is none.
 * Integers are bigint. Statements run synchronously, so a method has done its work when it returns its promise; only `migrate` yields in between.
 */
export class NativeClient implements Client {
  readonly protocol = 'file';
  readonly #options: Required<NativeClientOptions>;
  /** Undefined until something reads while a transaction is open, and where memory is saved again when the store rests. */
  #reader: NativeConnection | undefined;
  #writer: NativeConnection;
  /** The writer connection's open interactive transaction. */
  #holder: NativeTransaction | undefined;
  #waiting: Waiting[] = [];
  readonly #images: StoreImages;
  /** Calls of {@link rest} since the last use. */
  #unused = 0;

  /** @throws DatabaseOpenError with one sentence that names the path and the reason. */
  constructor({ path, busyTimeout = 5000, readOnly = false, synced = true, frugal = false }: NativeClientOptions) {
    this.#options = { path, busyTimeout, readOnly, synced, frugal };
    [this.#writer, this.#reader] = openConnections(this.#options);
    this.#images = new StoreImages(
      path,
      (pages) => {
        if (this.#writer.open) this.#writer.script(`PRAGMA wal_autocheckpoint = ${pages}`);
      },
      () => openReader(this.#options),
    );
  }

  /** Whether there is room for writes on the disk. */
  get hasRoom(): boolean {
    return hasRoomAt(this.#options.path);
  }

  /** The files as they are at this moment, still until the image is released. To be called while a write transaction is open. */
  image(): StoreImage {
    return this.#images.take();
  }

  /** Resolves when there is no image any more. */
  withoutImages(): Promise<void> {
    return this.#images.quiet();
  }

  /** The number of connections that are open. */
  get connections(): number {
    return new Set([this.#writer, this.#reader].filter((connection) => connection?.open)).size;
  }

  get closed(): boolean {
    return !this.#writer.open;
  }

  /**
   * Runs a SELECT or PRAGMA on the reader connection and returns synchronously.
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
    if (mode === 'read') return promised(() => inTransaction(this.#readerOf(statements), 'BEGIN', statements));
    // Never DEFERRED: a transaction that starts to write late fails if another process wrote meanwhile.
    return this.#exclusive((writer) => inTransaction(writer, 'BEGIN IMMEDIATE', statements));
  }

  /**
   * As in `@libsql/client`, and more careful: rolled back if it would leave a foreign key that points nowhere. A server may make the
   * stores of a world while it serves others, so other work gets its turn between the statements.
   */
  async migrate(statements: InStatement[]): Promise<ResultSet[]> {
    for (const statement of statements) checkNoControl(parse(statement).sql);
    const transaction = await this.#exclusive((writer) =>
      this.#hold(writer, {
        begin: 'PRAGMA foreign_keys = OFF; BEGIN IMMEDIATE',
        restore: 'PRAGMA foreign_keys = ON',
      }),
    );
    const pace = new Pace();
    try {
      const results: ResultSet[] = [];
      for (const [index, statement] of statements.entries()) {
        results.push(...(await transaction.batch([statement], index)));
        await pace.step();
      }
      checkForeignKeys((sql) => transaction.rows(sql));
      await transaction.commit();
      return results;
    } finally {
      transaction.close();
    }
  }

  transaction(mode: TransactionMode = 'write'): Promise<NativeTransaction> {
    return this.#exclusive((writer) =>
      // All modes share the writer connection, so none can meet a lock later on; `read` is kept from writing.
      mode === 'read'
        ? this.#hold(writer, { begin: 'PRAGMA query_only = ON; BEGIN', restore: 'PRAGMA query_only = OFF' })
        : this.#hold(writer, { begin: 'BEGIN IMMEDIATE' }),
    );
  }

  /** Begins an interactive transaction. @param restore what sets the connection right when it is over, or cannot begin */
  #hold(writer: NativeConnection, { begin, restore }: { begin: string; restore?: string }): NativeTransaction {
    const end = () => {
      if (restore !== undefined && writer.open) writer.script(restore);
    };
    try {
      writer.script(begin);
    } catch (error) {
      end();
      throw error;
    }
    const transaction: NativeTransaction = new NativeTransaction(writer, () => {
      end();
      this.#release(transaction);
    });
    this.#holder = transaction;
    return transaction;
  }

  executeMultiple(sql: string): Promise<void> {
    return this.#exclusive((writer) => {
      try {
        writer.script(sql);
      } finally {
        // A script must not leave its transaction open for the next caller.
        if (writer.inTransaction) writer.script('ROLLBACK');
      }
    });
  }

  sync(): Promise<never> {
    return Promise.reject(new LibsqlError('sync is not supported by a plain file', 'SYNC_NOT_SUPPORTED'));
  }

  /**
   * Gives back memory where that is saved, if nothing has used the store since the last call. The next use takes some milliseconds longer,
   * for reading the schema.
   */
  rest(): void {
    if (!this.#options.frugal || this.closed || this.#holder !== undefined) return;
    this.#unused += 1;
    if (this.#unused !== 2) return;
    this.#reader?.close();
    this.#reader = undefined;
    this.#giveBack();
  }

  /** Closes both connections. An open transaction is rolled back, waiting writes are rejected with CLIENT_CLOSED. */
  close(): void {
    this.#close(() => {
      try {
        // Leave one complete file behind. Not worth waiting for: if another process reads, the next start does it.
        this.#writer.script('PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)');
      } catch {
        // The WAL stays, which is safe.
      }
      // What is left is kept until its statements are collected as garbage, which can be hundreds of worlds later.
      this.#giveBack();
    });
  }

  /** Closes both connections as `close` does, and leaves the file and its WAL as they are. */
  leave(): void {
    this.#close(() => {});
  }

  #close(last: () => void): void {
    if (this.closed) return;
    this.#reader?.close();
    if (this.#writer.inTransaction) this.#writer.script('ROLLBACK');
    last();
    this.#writer.close();
    this.#images.close();
    this.#holder = undefined;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const one of waiting) one.reject(closedError());
  }

  reconnect(): void {
    this.close();
    [this.#writer, this.#reader] = openConnections(this.#options);
  }

  #giveBack(): void {
    if (!this.#options.frugal) return;
    try {
      this.#writer.rest();
    } catch {
      // It is given back later.
    }
  }

  #readerConnection(): NativeConnection {
    this.#unused = 0;
    const reader = this.#reader;
    if (!(reader ?? this.#writer).open) throw closedError();
    // What a transaction has written is not to be seen outside it.
    if (!reader && this.#holder === undefined) return this.#writerConnection();
    if (reader && !reader.stuck) return reader;
    reader?.close();
    this.#reader = openReader(this.#options);
    return this.#reader;
  }

  /** What is no read fails on a connection that only reads. */
  #readerOf(statements: readonly BatchStatement[]): NativeConnection {
    const areReads = statements.every((statement) => sqlFacts(parse(statement).sql).kind === 'read');
    if (!areReads && this.#writer.open) this.#reader ??= openReader(this.#options);
    return this.#readerConnection();
  }

  #writerConnection(): NativeConnection {
    this.#unused = 0;
    if (!this.#writer.open) throw closedError();
    if (this.#writer.stuck) {
      this.#writer.close();
      this.#writer = openWriter(this.#options);
      this.#writer.script(`PRAGMA wal_autocheckpoint = ${this.#images.autoCheckpoint}`);
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
        reject,
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

function checkForeignKeys(rows: (sql: string) => readonly Row[]): void {
  const broken = rows('PRAGMA foreign_key_check');
  const first = broken[0];
  if (first === undefined) return;
  throw new LibsqlError(
    `${broken.length} rows would refer to nothing, the first in table ${first[0]}, referring to ${first[2]}`,
    'SQLITE_CONSTRAINT',
    'SQLITE_CONSTRAINT_FOREIGNKEY',
  );
}

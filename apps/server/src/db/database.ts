/**
 * The only way in which stores reach a database: plain reads, and writes that share commits. It works over the embedded
 * client and over a libSQL server, with the same semantics.
 */
import type { Awaitable } from '../awaitable.ts';
import type { Arg, Reader, Writer } from './access.ts';
import { boundArguments } from './arguments.ts';
import type { GuardedTables } from './commit-guard.ts';
import type { Announce } from './commit-mark.ts';
import { draftOf } from './draft.ts';
import { DatabaseClosedError, WriteInWriteError } from './errors.ts';
import { Generations } from './generations.ts';
import { type KeptOptions, KeptRows } from './kept-rows.ts';
import { NativeClient } from './native-client.ts';
import type { Row } from './native-connection.ts';
import { NativeSession } from './native-session.ts';
import type { WriteOptions } from './queued-write.ts';
import type { Guard, RemoteImage, RemoteStore } from './remote-store.ts';
import type { Session } from './session.ts';
import { sqlFacts } from './sql-text.ts';
import type { StoreImage } from './store-image.ts';
import type { StoreWatch } from './store-watch.ts';
import { TouchedSlots } from './touched-slots.ts';
import { WriteQueue } from './write-queue.ts';

export type { Arg, Reader, Touched, Writer } from './access.ts';
export {
  CommitUnknownError,
  DatabaseClosedError,
  DatabaseOpenError,
  StoreUnreachableError,
  violatedConstraint,
  WriteAbortedError,
  WriteInWriteError,
} from './errors.ts';
export type { Row, Value } from './native-connection.ts';

/** Options of a {@link Database}. */
export interface DatabaseOptions {
  readonly generations?: Generations | undefined;
  readonly keep?: KeptOptions | undefined;
}

/** A write that a database is seen from. */
interface OpenWrite {
  readonly writer: Writer;
  readonly onFailure: (error: unknown) => void;
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
  readonly #client: NativeClient | RemoteStore;
  readonly #native: NativeClient | undefined;
  readonly #writes: WriteQueue;
  readonly #within: OpenWrite | undefined;
  #guard: (() => Error | undefined) | undefined;
  #watch: StoreWatch | undefined;
  #closing: Promise<void> | undefined;
  #closed = false;

  /**
   * Takes over the client: {@link close} closes it.
   * @param options.generations those of the thread that writes the store, where that is another one
   * @param options.keep keep rows of entities. Only where no other process writes the store
   */
  constructor(
    client: NativeClient | RemoteStore,
    { generations = new Generations(), keep }: DatabaseOptions = {},
    within?: OpenWrite,
  ) {
    this.#within = within;
    this.generations = generations;
    this.kept = keep && new KeptRows(generations, keep);
    this.#client = client;
    this.#native = client instanceof NativeClient ? client : undefined;
    this.#writes = new WriteQueue({
      begin: () => this.#begin(),
      touched: () => new TouchedSlots(this.generations, this.kept, this.#writes.marking !== undefined),
      draft:
        this.#native === undefined
          ? (body, reader, before) => draftOf((sql, args) => reader.query(sql, args), body, before)
          : undefined,
      settles: this.#native !== undefined,
      hasRoom: () => this.#native?.hasRoom ?? true,
    });
  }

  /**
   * The same database as seen from inside a write: reads see the changes of the write, and writes belong to it. They have no savepoints:
   * after one that failed, the whole write has to fail.
   * @param onFailure called with the error of each of these writes that fails
   */
  inside(writer: Writer, onFailure: (error: unknown) => void): Database {
    return new Database(this.#client, {}, { writer, onFailure });
  }

  /** Runs a SELECT or PRAGMA. Other statements are rejected with TypeError, after `close` with DatabaseClosedError. */
  async query(sql: string, args?: readonly Arg[]): Promise<readonly Row[]> {
    return this.read(sql, args);
  }

  /** The same; on an embedded database the rows are returned at once. */
  read(sql: string, args?: readonly Arg[]): Awaitable<readonly Row[]> {
    if (this.#closed) throw new DatabaseClosedError();
    if (this.#within !== undefined) return this.#within.writer.read(sql, args);
    return this.#watch === undefined ? this.#read(sql, args) : this.#watch.read(() => this.#read(sql, args));
  }

  /** Whether each read is a round trip to a server. */
  get isRemote(): boolean {
    return this.#native === undefined && this.#within === undefined;
  }

  /**
   * Reads from a store on a server, unless a guard fails that is run before it in the same round trip.
   * @throws SkippedReadError where it fails; as {@link query}
   */
  async readIf(guard: Guard, sql: string, args: readonly Arg[]): Promise<readonly Row[]> {
    const client = this.#client;
    if (this.#closed) throw new DatabaseClosedError();
    if (client instanceof NativeClient || this.#within !== undefined)
      throw new TypeError('only servers have round trips');
    const read = () => client.readIf(guard, sql, args);
    return this.#watch === undefined ? read() : this.#watch.read(read);
  }

  #read(sql: string, args: readonly Arg[] | undefined): Awaitable<readonly Row[]> {
    const client = this.#client;
    return client instanceof NativeClient ? client.readRows(sql, args) : client.read(sql, args);
  }

  /**
   * Runs `body` in a transaction and gives its result once the changes are on disk.
   * Rejects with whatever the body throws (its changes are undone), WriteInWriteError, DatabaseClosedError,
   * WriteAbortedError (nothing stored), CommitUnknownError (may be stored), or LibsqlError from COMMIT (nothing stored).
   */
  write<T>(
    body: (tx: Writer) => Awaitable<T>,
    { repeatable = false, unguarded = false, begun = this }: WriteOptions = {},
  ): Promise<T> {
    if (this.#closing !== undefined) return Promise.reject(new DatabaseClosedError());
    if (this.#within !== undefined) return writeWithin(this.#within, body);
    const refused = this.#guard === undefined || unguarded ? undefined : this.#guard();
    if (refused !== undefined) return Promise.reject(refused);
    return this.#writes.write(body, repeatable, begun);
  }

  /** Has writes rejected from now on while a guard returns an error. */
  guardBy(guard: () => Error | undefined): void {
    this.#guard = guard;
  }

  /**
   * Runs statements in one transaction of their own with foreign keys off, which rebuilding a table needs. For migrations.
   * Rejects with LibsqlBatchError and changes nothing when one fails.
   */
  async applyMigration(statements: readonly { readonly sql: string; readonly args?: readonly Arg[] }[]): Promise<void> {
    if (this.#closing !== undefined) throw new DatabaseClosedError();
    try {
      await this.#client.migrate(
        statements.map(({ sql, args }) => ({ sql, args: boundArguments(sql, sqlFacts(sql), args) })),
      );
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
    this.#writes.countCommits(sql, committed);
  }

  /** Has a guard told of each commit of some tables from now on, before it is acknowledged. */
  guardCommits(guarded: GuardedTables): void {
    this.#writes.guardCommits(guarded);
  }

  /**
   * Has commits marked from now on, if the store has replicas. For stores on servers that know their platform.
   * @param announce where other servers read the replicas. If it fails, the write fails, although it is stored
   */
  markCommits(announce?: Announce): void {
    this.#writes.marking = { announce };
  }

  /**
   * Returns the files of the store as they are at this moment, which is to be in a write; `undefined` for a store on a server. The store goes
   * on, and its files stay until the image is released, which {@link close} waits for.
   */
  image(): StoreImage | undefined {
    return this.#native?.image();
  }

  /** Connects for an image of a store on a server; `undefined` for a file. @throws StoreUnreachableError */
  async remoteImage(): Promise<RemoteImage | undefined> {
    const client = this.#client;
    return client instanceof NativeClient ? undefined : client.image();
  }

  /** Why the disk rejected the latest write; `undefined` when it took it. */
  get problem(): string | undefined {
    return this.#writes.problem;
  }

  /** Reports when the disk begins to reject writes, and `undefined` when it takes them again. */
  onProblem(report: (problem: string | undefined) => void): void {
    this.#writes.onProblem(report);
  }

  /** Has its work watched from now on. */
  watch(watch: StoreWatch): void {
    this.#watch = watch;
    this.#writes.watch(watch);
  }

  /** The number of writes that wait for their turn. */
  get waitingWrites(): number {
    return this.#writes.length;
  }

  /** Finds out whether the store can be written again, if it could not be. */
  async probe(): Promise<void> {
    if (this.problem === undefined || this.#closing !== undefined) return;
    // Counted, so that something is written.
    await this.write(() => undefined).catch(() => {});
  }

  /** Gives back memory where the store is opened to save it, if nothing has used it since the last call. */
  rest(): void {
    this.#native?.rest();
  }

  /** Resolves when the database responds; rejects with its error. */
  async ping(): Promise<void> {
    await this.query('SELECT 1 LIMIT 1');
  }

  /**
   * Rejects new writes, waits for the queued ones, then closes. Repeated calls return the same promise.
   * @param last called when nothing is written any more, while the database can still be read
   */
  close(last?: () => void): Promise<void> {
    if (this.#writes.isInside()) return Promise.reject(new WriteInWriteError());
    this.#closing ??= this.#close(() => this.#client.close(), last);
    return this.#closing;
  }

  /** Closes a store that is rejected: its file stays as it is, down to what is in the WAL. */
  leave(): Promise<void> {
    this.#closing ??= this.#close(() => (this.#native ? this.#native.leave() : this.#client.close()));
    return this.#closing;
  }

  async #close(close: () => void, last?: () => void): Promise<void> {
    await this.#writes.idle();
    await this.#native?.withoutImages();
    try {
      last?.();
    } finally {
      this.#closed = true;
      this.generations.release();
      close();
    }
  }

  async #begin(): Promise<Session> {
    const client = this.#client;
    return client instanceof NativeClient ? new NativeSession(await client.transaction('write')) : client.begin();
  }
}

async function writeWithin<T>({ writer, onFailure }: OpenWrite, body: (tx: Writer) => Awaitable<T>): Promise<T> {
  try {
    return await body(writer);
  } catch (error) {
    onFailure(error);
    throw error;
  }
}

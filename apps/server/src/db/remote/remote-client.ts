/** A store on a libSQL server: a kept connection with kept streams, reads that share round trips, and transactions. */
import { LibsqlBatchError, LibsqlError } from '@libsql/client/sqlite3';
import type { Arg } from '../access.ts';
import { boundArguments } from '../arguments.ts';
import { DatabaseClosedError, StoreUnreachableError, WeakStoreError } from '../errors.ts';
import { notAQuery, type Row } from '../native-connection.ts';
import type { Guard, RemoteStore } from '../remote-store.ts';
import { sqlFacts } from '../sql-text.ts';
import type { Address } from './address.ts';
import { type Lease, type Leases, Link } from './link.ts';
import { ReadQueue } from './read-queue.ts';
import { ReadTransaction } from './remote-image.ts';
import { RemoteSession } from './remote-session.ts';
import type { Outcome, Step } from './steps.ts';
import type { TriggerEffects } from './trigger-effects.ts';

/** Milliseconds that a server has to answer. */
const PATIENCE_MS = 5000;

/** The lowest value of `PRAGMA synchronous` with which each commit is synced: FULL. */
const FULL = 2n;

/** Milliseconds for the statements of a migration, which can rewrite large tables. */
const MIGRATION_MS = 600_000;

/** Milliseconds for which nothing is tried after a connection has failed: doubled each time, from the first to the second. */
const PAUSES_MS = [50, 2000] as const;

/** Options of a {@link RemoteClient}. */
export interface ClientOptions {
  /** Milliseconds that the server has for each answer, and to take a connection. */
  readonly patience?: number | undefined;
  /** Use no server that acknowledges commits before they are on its disk. */
  readonly isDurable?: boolean;
  /** Take a replica as well, for reads whose age is known otherwise. */
  readonly takesReplicas?: boolean;
}

/** Connects at the first use, and again after a failure. */
export class RemoteClient implements Leases, RemoteStore {
  readonly #address: Address;
  readonly #patience: number;
  readonly #isDurable: boolean;
  readonly #takesReplicas: boolean;
  readonly #reads: ReadQueue;
  readonly #idle: Lease[] = [];
  effects: TriggerEffects | undefined;
  #link: Promise<Link> | undefined;
  #closed = false;
  /** Why the server could not be reached a moment ago. */
  #resting: StoreUnreachableError | undefined;
  #pause: number = PAUSES_MS[0];

  constructor(
    address: Address,
    { patience = PATIENCE_MS, isDurable = false, takesReplicas = false }: ClientOptions = {},
  ) {
    this.#address = address;
    this.#patience = patience;
    this.#isDurable = isDurable;
    this.#takesReplicas = takesReplicas;
    this.#reads = new ReadQueue((steps) => this.#runAlone(steps));
  }

  /**
   * Reads, in one round trip with what else is read in the same turn of the event loop.
   * @throws TypeError on a statement that writes; LibsqlError; StoreUnreachableError
   */
  async read(sql: string, args?: readonly Arg[]): Promise<readonly Row[]> {
    return this.#reads.read(stepOf(sql, args));
  }

  /**
   * Reads in the same way, unless a guard fails that is run before it in the same round trip. Reads of one guard object run it once.
   * @throws SkippedReadError where it does; as {@link read}
   */
  async readIf(guard: Guard, sql: string, args?: readonly Arg[]): Promise<readonly Row[]> {
    return this.#reads.read(stepOf(sql, args), guard);
  }

  /** Returns whether its commits are on the disk of the server when they are acknowledged. @throws StoreUnreachableError */
  async isDurable(): Promise<boolean> {
    const [outcome] = await this.#runAlone([{ sql: 'PRAGMA synchronous', args: [] }]);
    return isFull(outcome);
  }

  /** A write transaction, which begins with its first statement. */
  begin(): RemoteSession {
    if (this.#closed) throw new DatabaseClosedError();
    return new RemoteSession(this);
  }

  /**
   * Runs statements in one transaction with foreign keys off.
   * @throws LibsqlBatchError
   */
  async migrate(statements: readonly Step[]): Promise<void> {
    const first = 2;
    const steps: Step[] = [
      { sql: 'PRAGMA foreign_keys = OFF', args: [] },
      { sql: 'BEGIN IMMEDIATE', args: [], condition: { type: 'ok', step: 0 } },
    ];
    for (const { sql, args } of statements) {
      steps.push({ sql, args, condition: { type: 'ok', step: steps.length - 1 } });
    }
    steps.push({ sql: 'COMMIT', args: [], condition: { type: 'ok', step: steps.length - 1 } });
    const lease = await this.lease();
    try {
      const outcomes = await lease.link.run(lease.stream, steps, MIGRATION_MS);
      const place = outcomes.findIndex((outcome) => outcome instanceof LibsqlError);
      const failed = outcomes[place];
      if (failed instanceof LibsqlError) {
        throw new LibsqlBatchError(
          failed.message,
          Math.max(0, place - first),
          failed.code,
          undefined,
          undefined,
          failed,
        );
      }
    } finally {
      // With the stream ends what it had set, and a transaction that failed.
      lease.stream.close();
    }
  }

  /** Connects for an image of the store. @throws StoreUnreachableError */
  image(): Promise<ReadTransaction> {
    if (this.#closed) throw new DatabaseClosedError();
    return ReadTransaction.open(this.#address, this.#patience);
  }

  /** Takes a stream, to give it back with {@link release} or close it. @throws StoreUnreachableError */
  async lease(): Promise<Lease> {
    const link = await this.#connected();
    for (;;) {
      const idle = this.#idle.pop();
      if (idle === undefined) return { link, stream: link.openStream() };
      if (idle.link === link && !idle.stream.closed) return idle;
    }
  }

  release(lease: Lease): void {
    if (!lease.link.closed && !this.#closed) this.#idle.push(lease);
  }

  /** Runs statements on a stream that was taken. @throws StoreUnreachableError, LibsqlError */
  run({ link, stream }: Lease, steps: readonly Step[], waitsForLock = false): Promise<Outcome[]> {
    return waitsForLock ? link.runWaiting(stream, steps, this.#patience) : link.run(stream, steps, this.#patience);
  }

  close(): void {
    this.#closed = true;
    this.#idle.length = 0;
    this.#link?.then(
      (link) => link.close('it was closed here'),
      () => {},
    );
  }

  async #runAlone(steps: readonly Step[]): Promise<Outcome[]> {
    const lease = await this.lease();
    try {
      const outcomes = await this.run(lease, steps);
      this.release(lease);
      return outcomes;
    } catch (error) {
      // Others would wait behind what it may still run.
      lease.stream.close();
      throw error;
    }
  }

  async #connected(): Promise<Link> {
    if (this.#closed) throw new DatabaseClosedError();
    const known = this.#link;
    if (known !== undefined) {
      const link = await known;
      if (!link.closed) return link;
      if (this.#link === known) this.#link = undefined;
      return this.#connected();
    }
    if (this.#resting !== undefined) throw this.#resting;
    const opening = this.#open();
    this.#link = opening;
    try {
      const link = await opening;
      this.#pause = PAUSES_MS[0];
      return link;
    } catch (error) {
      this.#link = undefined;
      this.#rest(error);
      throw error;
    }
  }

  /**
   * Connects. A server may have another configuration after a restart: without `--enable-namespaces`, `sqld` forgets what it was given. An address
   * can lead to another server than before.
   */
  async #open(): Promise<Link> {
    const link = await Link.open(this.#address, this.#patience);
    try {
      await Promise.all([
        !this.#takesReplicas && link.checkPrimary(this.#patience),
        this.#isDurable && this.#checkDurable(link),
      ]);
      return link;
    } catch (error) {
      link.close();
      throw error;
    }
  }

  async #checkDurable(link: Link): Promise<void> {
    const lease = { link, stream: link.openStream() };
    const [synchronous] = await this.run(lease, [{ sql: 'PRAGMA synchronous', args: [] }]);
    if (!isFull(synchronous)) throw new WeakStoreError(this.#address.shown);
    this.#idle.push(lease);
  }

  /** Does not try again for a while, so that requests are answered at once. */
  #rest(error: unknown): void {
    if (!(error instanceof StoreUnreachableError)) return;
    this.#resting = error;
    setTimeout(() => {
      this.#resting = undefined;
    }, this.#pause).unref();
    this.#pause = Math.min(this.#pause * 2, PAUSES_MS[1]);
  }
}

/** @throws TypeError on a statement that writes */
function stepOf(sql: string, args: readonly Arg[] | undefined): Step {
  const facts = sqlFacts(sql);
  if (facts.kind !== 'read' && facts.kind !== 'pragma') throw notAQuery(sql);
  return { sql, args: boundArguments(sql, facts, args) };
}

function isFull(outcome: Outcome): boolean {
  if (outcome === undefined || outcome instanceof LibsqlError) return false;
  const [[synchronous] = []] = outcome.rows;
  return typeof synchronous === 'bigint' && synchronous >= FULL;
}

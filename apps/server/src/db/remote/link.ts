/** One WebSocket to a libSQL server, with the streams on it. */
import { LibsqlError } from '@libsql/client/sqlite3';
import { ResponseError, type Sql, WebSocket, WsClient, type WsStream } from '@libsql/hrana-client';
import { errorText } from '../../error-text.ts';
import { StoreUnreachableError } from '../errors.ts';
import type { Row, Value } from '../native-connection.ts';
import type { Address } from './address.ts';
import type { Batch, Done, Outcome, Step } from './steps.ts';
import type { TriggerEffects } from './trigger-effects.ts';

type StepResult =
  Awaited<ReturnType<WsStream['_batch']>>['stepResults'] extends Map<number, infer Result> ? Result : never;

/** A stream of a connection. */
export interface Lease {
  readonly link: Link;
  readonly stream: WsStream;
}

/** Streams for transactions. */
export interface Leases {
  /** Takes a stream, to give it back with {@link release} or close it. @throws StoreUnreachableError */
  lease(): Promise<Lease>;
  release(lease: Lease): void;
  /** What triggers of the store write, as it was known last. */
  effects: TriggerEffects | undefined;
  /**
   * Runs statements on a stream that was taken.
   * @param waitsForLock the first of them may have to wait for other transactions
   * @throws StoreUnreachableError, LibsqlError
   */
  run(lease: Lease, steps: readonly Step[], waitsForLock?: boolean): Promise<Outcome[]>;
}

/**
 * A write waits so many times as long for the lock of the store. `sqld` ends a transaction that keeps others waiting for 5 seconds, so one that
 * waits behind a process that has stopped gets the lock just after that.
 */
const LOCK_PATIENCE = 1.5;

const REPLICA = 'it is a replica, whose answers can be older than what was acknowledged; name the primary instead';

/** Version 3 knows whether a transaction is open. A server may speak either encoding. */
const PROTOCOLS = ['hrana3-protobuf', 'hrana3'];

/** Texts that the server stores for a connection at most: `sqld` takes 150. */
const MOST_TEXTS = 120;

/** Shorter texts are sent each time. */
const SHORT_TEXT = 60;

/** A connection. Once it is closed, for whatever reason, it stays so. */
export class Link {
  readonly #socket: WebSocket;
  readonly #client: WsClient;
  readonly #shown: string;
  readonly #texts = new Map<string, Sql>();
  #reason: string | undefined;
  #isLate = false;
  /** When it answered last, in milliseconds. */
  #heard_at = 0;

  private constructor({ url, authToken, shown }: Address, patience: number) {
    this.#shown = shown;
    this.#socket = new WebSocket(url, PROTOCOLS, { handshakeTimeout: patience, perMessageDeflate: false });
    this.#client = new WsClient(this.#socket, authToken);
    this.#client.intMode = 'bigint';
  }

  /**
   * Connects.
   * @param patience milliseconds
   * @throws StoreUnreachableError
   */
  static async open(address: Address, patience: number): Promise<Link> {
    const link = new Link(address, patience);
    try {
      await link.#client.getVersion();
      return link;
    } catch (error) {
      throw link.#failed(error);
    }
  }

  /**
   * Whether the server is a replica, which sends what writes to its primary and reads what it has itself. So a setting of the connection, which
   * counts as a write, is not seen by a SELECT that follows it.
   * @throws StoreUnreachableError
   */
  async #isReplica(patience: number): Promise<boolean> {
    const stream = this.openStream();
    try {
      // A batch would be sent to the primary as a whole.
      const [[set], [read]] = await Promise.all([
        this.run(stream, [{ sql: 'PRAGMA foreign_keys = OFF', args: [] }], patience),
        this.run(stream, [{ sql: 'SELECT foreign_keys FROM pragma_foreign_keys', args: [] }], patience),
      ]);
      // A server that does not take the setting says nothing of itself by it.
      if (set instanceof LibsqlError || read instanceof LibsqlError) return false;
      return read?.rows[0]?.[0] === 1n;
    } finally {
      // With it ends the setting.
      stream.close();
    }
  }

  get closed(): boolean {
    return this.#client.closed;
  }

  openStream(): WsStream {
    return this.#client.openStream();
  }

  /** Closes it; what is on the way fails. @param reason for the error of that, as the end of a sentence */
  close(reason = 'the connection was closed'): void {
    this.#reason ??= reason;
    this.#client.close();
    // A peer that is stopped would never answer to a proper end.
    this.#socket.terminate();
  }

  /**
   * Runs statements the first of which may have to wait for other transactions, for half as long again as the server has to answer. The connection
   * counts as dead after that only if it answers nobody else either.
   * @param patience milliseconds that the server has for what does not wait
   * @throws StoreUnreachableError, or LibsqlError where the server rejects the batch as such
   */
  async runWaiting(stream: WsStream, steps: readonly Step[], patience: number): Promise<Outcome[]> {
    let asked: { readonly stream: WsStream; readonly at: number } | undefined;
    const clear = after(patience, () => {
      if (this.closed) return;
      asked = { stream: this.openStream(), at: performance.now() };
      this.#batch(asked.stream, [{ sql: 'SELECT 1 LIMIT 1', args: [] }]).catch(() => {});
    });
    const isAlive = () => asked !== undefined && this.#heard_at > asked.at;
    try {
      return await this.#within(LOCK_PATIENCE * patience, this.#batch(stream, steps), isAlive, 'its lock was not free');
    } finally {
      clear();
      asked?.stream.close();
    }
  }

  /** Rejects a replica. @param patience milliseconds @throws StoreUnreachableError */
  async checkPrimary(patience: number): Promise<void> {
    if (await this.#isReplica(patience)) throw new StoreUnreachableError(this.#shown, REPLICA, false);
  }

  /**
   * Runs statements one after the other: one round trip.
   * @param patience milliseconds; after them, the whole connection counts as dead, unless it has answered others meanwhile
   * @throws StoreUnreachableError, or LibsqlError where the server rejects the batch as such
   */
  run(stream: WsStream, steps: readonly Step[], patience: number): Promise<Outcome[]> {
    const sent_at = performance.now();
    const isAlive = () => this.#heard_at > sent_at;
    return this.#within(patience, this.#batch(stream, steps), isAlive, 'it has not answered this');
  }

  /** What comes of statements in a time, after which they fail alone where the connection is alive, and end it otherwise. */
  async #within<T>(ms: number, running: Promise<T>, isAlive: () => boolean, reason: string): Promise<T> {
    const { promise: late, reject } = Promise.withResolvers<never>();
    const clear = after(ms, () => {
      if (isAlive()) reject(new StoreUnreachableError(this.#shown, `${reason} within ${ms / 1000} s`, true));
      else this.#giveUp(ms);
    });
    try {
      return await Promise.race([running, late]);
    } finally {
      clear();
    }
  }

  /** Runs statements one after the other, however long it takes. */
  async #batch(stream: WsStream, steps: readonly Step[]): Promise<Outcome[]> {
    try {
      const { stepResults, stepErrors } = await stream._batch(this.#batchOf(steps));
      this.#heard_at = performance.now();
      return steps.map((_, place): Outcome => {
        const result = stepResults.get(place);
        if (result !== undefined) return doneOf(result);
        const error = stepErrors.get(place);
        return error && databaseError(error.message, error.code, undefined);
      });
    } catch (error) {
      if (!(error instanceof ResponseError) || this.closed) throw this.#failed(error);
      this.#heard_at = performance.now();
      throw databaseError(error.message, error.code, error);
    }
  }

  #batchOf(steps: readonly Step[]): Batch {
    const used = new Set(steps.map(({ sql }) => sql));
    return {
      steps: steps.map(({ sql, args, condition }) => {
        const sqlId = this.#idOf(sql, used);
        const text = sqlId === undefined ? sql : undefined;
        return { condition, stmt: { sql: text, sqlId, args: [...args], namedArgs: [], wantRows: true } };
      }),
    };
  }

  /** The number of a text that the server has, so that it need not be sent. @param used texts that are not to be given up */
  #idOf(text: string, used: ReadonlySet<string>): number | undefined {
    if (text.length < SHORT_TEXT) return undefined;
    let stored = this.#texts.get(text);
    if (stored === undefined) {
      if (this.#texts.size >= MOST_TEXTS) {
        const oldest = [...this.#texts.keys()].find((one) => !used.has(one));
        if (oldest === undefined) return undefined;
        this.#texts.get(oldest)?.close();
        this.#texts.delete(oldest);
      }
      stored = this.#client.storeSql(text);
    } else {
      // A Map keeps the order of insertion: the one used last goes to its end.
      this.#texts.delete(text);
    }
    this.#texts.set(text, stored);
    return stored._getSqlId(this.#client);
  }

  #giveUp(waited_ms: number): void {
    this.#isLate = true;
    this.close(`it has not answered within ${waited_ms / 1000} s`);
  }

  #failed(error: unknown): StoreUnreachableError {
    const reason = this.#reason ?? errorText(error);
    this.close(reason);
    return new StoreUnreachableError(this.#shown, reason, this.#isLate, error);
  }
}

/**
 * Calls a function after a time, once what had arrived before is read: in a process that was stopped, or had no processor, timers run first.
 * @returns does not call it any more
 */
function after(ms: number, call: () => void): () => void {
  let turn: NodeJS.Immediate | undefined;
  const timer = setTimeout(() => {
    turn = setImmediate(call);
  }, ms);
  return () => {
    clearTimeout(timer);
    clearImmediate(turn);
  };
}

function doneOf({ rows, affectedRowCount }: StepResult): Done {
  return { rows: rows.map(plainRow), changed: affectedRowCount };
}

function plainRow(row: StepResult['rows'][number]): Row {
  return row.map((value): Value => {
    if (value instanceof Uint8Array) return value.slice().buffer;
    return value ?? null;
  });
}

function databaseError(message: string, code: string | undefined, cause: Error | undefined): LibsqlError {
  return new LibsqlError(message, code ?? 'UNKNOWN', undefined, undefined, cause);
}

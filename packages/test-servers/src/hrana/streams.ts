import { createHmac } from 'node:crypto';
import { Connection } from './connection.ts';
import { ProtocolError, StreamExpiredError } from './errors.ts';
import { string } from './json.ts';
import type { HranaServerOptions } from './options.ts';
import { Stream } from './stream.ts';

/** Milliseconds after which a stream is closed that its client cannot continue: much less than the time of one that is idle. */
const LOST_MS = 100;

/** The open streams, found by baton. A baton is valid for one request. */
export class Streams {
  readonly #options: HranaServerOptions;
  readonly #open = new Map<string, Stream>();
  readonly #expired = new Set<string>();
  readonly #idle: Connection[] = [];
  #lastId = 0;

  constructor(options: HranaServerOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#open.size;
  }

  acquire(baton: unknown): Stream {
    if (baton === undefined || baton === null) {
      const connection = this.#idle.pop() ?? new Connection(this.#options);
      const stream = new Stream(String(++this.#lastId), connection);
      stream.acquired = true;
      this.#open.set(stream.id, stream);
      return stream;
    }
    const [id = '', sequence = '', mac] = string(baton, 'baton').split('.');
    if (mac !== this.#mac(id, sequence)) throw new ProtocolError('Received an invalid baton');
    if (this.#expired.has(id)) throw new StreamExpiredError();
    const stream = this.#open.get(id);
    if (stream === undefined) throw new ProtocolError('Received an invalid baton');
    if (stream.acquired || sequence !== String(stream.sequence)) throw new ProtocolError('Received a reused baton');
    clearTimeout(stream.expiry);
    stream.acquired = true;
    stream.sequence++;
    return stream;
  }

  /** Ends the use of the stream by one request; returns the baton of the next one, or null if the stream was closed. */
  release(stream: Stream): string | null {
    stream.acquired = false;
    if (stream.closed) {
      this.#forget(stream);
      return null;
    }
    stream.expiry = setTimeout(() => this.#expire(stream), this.#options.streamTimeout ?? 10_000);
    stream.expiry.unref();
    return `${stream.id}.${stream.sequence}.${this.#mac(stream.id, String(stream.sequence))}`;
  }

  /** Expires a stream soon whose client has lost the connection, and so its baton. */
  lose(baton: unknown): void {
    const stream = typeof baton === 'string' ? this.#open.get(baton.split('.')[0] ?? '') : undefined;
    if (stream === undefined) return;
    clearTimeout(stream.expiry);
    stream.expiry = setTimeout(() => this.#expire(stream), LOST_MS);
  }

  /** Expires the streams that have no request now. */
  expireIdle(): void {
    for (const stream of this.#open.values()) if (!stream.acquired) this.#expire(stream);
  }

  drop(stream: Stream): void {
    this.#forget(stream);
  }

  close(): void {
    for (const stream of this.#open.values()) {
      clearTimeout(stream.expiry);
      stream.connection.close();
    }
    this.#open.clear();
    for (const connection of this.#idle.splice(0)) connection.close();
  }

  #expire(stream: Stream): void {
    clearTimeout(stream.expiry);
    this.#expired.add(stream.id);
    this.#forget(stream);
  }

  #forget(stream: Stream): void {
    if (!this.#open.delete(stream.id)) return;
    if (stream.connection.reset()) this.#idle.push(stream.connection);
    else stream.connection.close();
  }

  // Not a secret (this is a test server): it distinguishes batons of this server from any other text.
  #mac(id: string, sequence: string): string {
    return createHmac('sha256', this.#options.path).update(`${id}.${sequence}`).digest('base64url');
  }
}

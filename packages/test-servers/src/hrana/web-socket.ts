/** The protocol over a WebSocket, version 3 in JSON: streams are kept, and texts are stored for all streams of a connection. */
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { ProtocolError } from './errors.ts';
import { array, integer, isObject, type Json, object, parse, string } from './json.ts';
import type { HranaServerOptions } from './options.ts';
import type { Stream } from './stream.ts';
import type { Streams } from './streams.ts';

const PROTOCOL = 'hrana3';

/** Connections of one server. */
export class Sockets {
  readonly #server = new WebSocketServer({
    noServer: true,
    handleProtocols: (offered) => (offered.has(PROTOCOL) ? PROTOCOL : false),
  });
  readonly #sessions = new Set<Session>();

  constructor(server: Server, streams: Streams, options: HranaServerOptions) {
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      this.#server.handleUpgrade(request, socket, head, (opened) => {
        const session = new Session(opened, streams, options);
        this.#sessions.add(session);
        opened.once('close', () => this.#sessions.delete(session));
      });
    });
  }

  /** Ends the transactions of streams that have no request now, as a server does with those that hold the lock for too long. */
  expireIdle(): void {
    for (const session of this.#sessions) session.expireIdle();
  }

  close(): void {
    for (const session of this.#sessions) session.end();
  }
}

/** A stream with the end of its queue: requests of one run in their order. */
interface Kept {
  readonly stream: Stream;
  running: Promise<void>;
  waiting: number;
  isTimedOut: boolean;
}

class Session {
  readonly #socket: WebSocket;
  readonly #streams: Streams;
  readonly #options: HranaServerOptions;
  readonly #kept = new Map<number, Kept>();
  readonly #texts = new Map<number, string>();
  #isGreeted = false;

  constructor(socket: WebSocket, streams: Streams, options: HranaServerOptions) {
    this.#socket = socket;
    this.#streams = streams;
    this.#options = options;
    socket.on('message', (data) => {
      try {
        this.#take(object(parse(String(data)), 'message'));
      } catch (error) {
        socket.close(3000, error instanceof ProtocolError ? error.message : 'the server failed');
      }
    });
    // A client that goes away is not a failure of the server.
    socket.on('error', () => {});
    socket.once('close', () => {
      for (const id of this.#kept.keys()) this.#close(id);
    });
  }

  expireIdle(): void {
    for (const kept of this.#kept.values()) {
      if (kept.waiting > 0 || kept.stream.connection.autocommit) continue;
      kept.stream.connection.reset();
      kept.isTimedOut = true;
    }
  }

  end(): void {
    this.#socket.terminate();
  }

  #take(message: Json): void {
    if (message.type === 'hello') {
      const { authToken } = this.#options;
      this.#isGreeted = authToken === undefined || message.jwt === authToken;
      if (this.#isGreeted) return void this.#send({ type: 'hello_ok' });
      const error = { message: 'Authentication failed: the token is wrong', code: 'AUTH_JWT_INVALID' };
      return void this.#send({ type: 'hello_error', error });
    }
    if (message.type !== 'request') throw new ProtocolError(`unknown message: ${JSON.stringify(message.type)}`);
    if (!this.#isGreeted) throw new ProtocolError('a request before a hello');
    const request = object(message.request, 'request');
    const answer = (answered: Json): void => this.#send({ ...answered, request_id: message.request_id });
    switch (request.type) {
      case 'store_sql':
        this.#texts.set(integer(request.sql_id, 'sql_id'), string(request.sql, 'sql'));
        return void answer(done(request.type));
      case 'close_sql':
        this.#texts.delete(integer(request.sql_id, 'sql_id'));
        return void answer(done(request.type));
      case 'open_stream': {
        const stream = this.#streams.acquire(undefined);
        this.#kept.set(integer(request.stream_id, 'stream_id'), {
          stream,
          running: Promise.resolve(),
          waiting: 0,
          isTimedOut: false,
        });
        return void answer(done(request.type));
      }
      case 'close_stream':
        this.#close(integer(request.stream_id, 'stream_id'));
        return void answer(done(request.type));
      default:
        return void this.#run(this.#withTexts(request), answer);
    }
  }

  #run(request: Json, answer: (answered: Json) => void): void {
    const kept = this.#kept.get(integer(request.stream_id, 'stream_id'));
    if (kept === undefined) throw new ProtocolError('the stream is not open');
    const fault = this.#options.fault?.(sqlOf(request));
    if (fault === 'drop-request') return void this.end();
    const held = this.#options.hold?.(sqlOf(request));
    kept.waiting += 1;
    kept.running = kept.running.then(async () => {
      try {
        await held;
        const answered = kept.isTimedOut ? timedOut() : await kept.stream.handle(request, 3);
        kept.isTimedOut = false;
        if (fault === 'drop-answer') this.end();
        else answer({ ...answered, type: answered.type === 'ok' ? 'response_ok' : 'response_error' });
      } catch {
        this.end();
      } finally {
        kept.waiting -= 1;
      }
    });
  }

  #close(id: number): void {
    const kept = this.#kept.get(id);
    this.#kept.delete(id);
    // What waits for the lock goes on until it has it, and is undone then.
    if (kept !== undefined) void kept.running.then(() => this.#streams.drop(kept.stream));
  }

  /** Puts the stored texts into a request. */
  #withTexts(request: Json): Json {
    const { stmt, batch } = request;
    if (isObject(stmt)) return { ...request, stmt: this.#withText(stmt) };
    if (!isObject(batch)) return this.#withText(request);
    const steps = array(batch.steps, 'steps').map((one) => {
      const step = object(one, 'step');
      return { ...step, stmt: this.#withText(object(step.stmt, 'stmt')) };
    });
    return { ...request, batch: { ...batch, steps } };
  }

  #withText(holder: Json): Json {
    const { sql_id, ...rest } = holder;
    if (sql_id === undefined || sql_id === null) return holder;
    const sql = this.#texts.get(integer(sql_id, 'sql_id'));
    if (sql === undefined) throw new ProtocolError(`SQL text ${JSON.stringify(sql_id)} is not stored`);
    return { ...rest, sql };
  }

  #send(message: Json): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(JSON.stringify(message));
  }
}

function done(type: string): Json {
  return { type: 'response_ok', response: { type } };
}

function timedOut(): Json {
  return { type: 'error', error: { message: 'Transaction timed-out', code: 'TRANSACTION_TIMEOUT' } };
}

/** Returns the SQL texts of a request, for {@link HranaServerOptions.fault}. */
export function sqlOf(request: Json): string[] {
  const batch = request.batch;
  const steps = isObject(batch) && Array.isArray(batch.steps) ? batch.steps : [];
  return [request, request.stmt, ...steps.map((step: unknown) => (isObject(step) ? step.stmt : undefined))].flatMap(
    (holder) => (isObject(holder) && typeof holder.sql === 'string' ? [holder.sql] : []),
  );
}

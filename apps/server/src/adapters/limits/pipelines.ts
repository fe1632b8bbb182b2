/** The answers that are owed on each connection, their bounds, and the order of the requests. */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { isReading } from '../direct.ts';

/**
 * Maximum number of requests that a client sends on a connection ahead of the answers. All that arrive together are read at once, so a
 * client that sends thousands and reads nothing would have an object for each in memory, and answers to most.
 */
const MOST_PIPELINED = 32;

/** Maximum size of the answers that wait on a connection for those before them. The one that is being sent may have any. */
const MOST_WAITING_BYTES = 4_000_000;

/** The requests of connections that are not answered completely. */
export class Pipelines {
  /** The responses in the order of their requests. */
  readonly #owed = new WeakMap<Socket, ServerResponse[]>();
  /** Connections that owe several answers, or did at the last look. */
  readonly #crowds = new Set<Socket>();
  /** What is done when an answer has been sent, or its connection has ended. */
  readonly #behind = new WeakMap<ServerResponse, (() => void)[]>();
  /** Requests that were answered before their bodies had arrived, the last one of each connection. */
  readonly #unfinished = new WeakMap<Socket, IncomingMessage>();
  readonly #end: (socket: Socket) => void;

  /** @param end called for a connection with too many requests or too long answers, which it has to destroy */
  constructor(end: (socket: Socket) => void) {
    this.#end = end;
  }

  /** Counts the requests of a server. */
  watch(server: Server): void {
    // Before anybody answers one.
    server.prependListener('request', ({ socket }, response) => this.#add(socket, response));
  }

  /**
   * Wraps a handler so that the requests of a connection are handled in order: a read waits until the write before it is answered, a write
   * until everything before it is. Only reads may be handled together (RFC 9112 section 9.3.2). {@link watch} has to count the requests first.
   * @param onWait called for a request that has to wait
   */
  inOrder(handle: RequestListener, onWait: (request: IncomingMessage) => void = () => {}): RequestListener {
    return (request, response) => {
      const earlier = this.#toWaitFor(request, response);
      if (earlier === undefined) {
        handle(request, response);
        return;
      }
      onWait(request);
      const go = () => {
        // The earlier answer may have been the last one of the connection (section 9.6).
        if (request.socket.writable) handle(request, response);
      };
      const waiting = this.#behind.get(earlier);
      if (waiting !== undefined) {
        waiting.push(go);
        return;
      }
      const all = [go];
      this.#behind.set(earlier, all);
      earlier.once('close', () => {
        for (const each of all) each();
      });
    };
  }

  /** The last response that has to be sent before a request is handled. */
  #toWaitFor({ socket, method }: IncomingMessage, response: ServerResponse): ServerResponse | undefined {
    const owed = this.#owed.get(socket) ?? [];
    const isRead = isReading(method);
    for (let at = owed.lastIndexOf(response) - 1; at >= 0; at--) {
      const before = owed[at];
      if (before !== undefined && !(isRead && isReading(before.req.method))) return before;
    }
    return undefined;
  }

  /** The last request of a connection, while its body is arriving. It may be answered. */
  arriving(socket: Socket): IncomingMessage | undefined {
    const last = this.#owed.get(socket)?.at(-1)?.req ?? this.#unfinished.get(socket);
    return last?.complete === false ? last : undefined;
  }

  /** The response to a request that is not answered completely. */
  responseTo(socket: Socket, request: IncomingMessage): ServerResponse | undefined {
    return this.#owed.get(socket)?.find(({ req }) => req === request);
  }

  /** The last response that has to be sent before that to a request, or before one to what follows all requests. */
  before(socket: Socket, request: IncomingMessage | undefined): ServerResponse | undefined {
    const owed = this.#owed.get(socket) ?? [];
    const own = request === undefined ? owed.length : owed.findIndex(({ req }) => req === request);
    return owed[own - 1];
  }

  /** Ends connections whose answers have become too long. */
  look(): void {
    for (const socket of this.#crowds) {
      const owed = this.#owed.get(socket);
      if (owed === undefined || owed.length < 2 || socket.destroyed) this.#crowds.delete(socket);
      else if (waitingBytes(owed) > MOST_WAITING_BYTES) this.#end(socket);
    }
  }

  #add(socket: Socket, response: ServerResponse): void {
    const owed = this.#owed.get(socket);
    if (owed === undefined) {
      const first = [response];
      this.#owed.set(socket, first);
      response.on('close', () => this.#remove(first, response));
      return;
    }
    if (owed.length > 0) {
      if (owed.length > MOST_PIPELINED || waitingBytes(owed) > MOST_WAITING_BYTES) {
        if (!socket.destroyed) this.#end(socket);
        return;
      }
      this.#crowds.add(socket);
    }
    owed.push(response);
    response.on('close', () => this.#remove(owed, response));
  }

  #remove(owed: ServerResponse[], response: ServerResponse): void {
    // Nearly always the first one: answers are sent in their order.
    const at = owed.indexOf(response);
    if (at !== -1) owed.splice(at, 1);
    const { req: request } = response;
    if (!request.complete) this.#unfinished.set(request.socket, request);
  }
}

function waitingBytes([, ...waiting]: readonly ServerResponse[]): number {
  return waiting.reduce((sum, { writableLength }) => sum + writableLength, 0);
}

import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { SocketAnswers, SocketForm } from '../rest/malformed.ts';
import type { HttpLimits } from './http-limits.ts';
import type { ResponsiveTime } from './responsive-time.ts';

/** A request to which Node has given up waiting, and which has time left. */
interface Granted {
  /** The responsive time until which it has to arrive. */
  readonly until: number;
  readonly error: NodeJS.ErrnoException;
  /** The request, once its head has arrived. */
  readonly request: IncomingMessage | undefined;
  readonly form: SocketForm;
}

/**
 * Ends requests that do not arrive in time. Node measures their time by the clock, so a request that waited unread for the server
 * itself would be late: it is granted the time of these delays.
 */
export class LateRequests {
  readonly #limits: Pick<HttpLimits, 'header_ms' | 'request_ms'>;
  readonly #time: ResponsiveTime;
  readonly #answers: Pick<SocketAnswers, 'malformed'>;
  readonly #granted = new Map<Socket, Granted>();
  /** Requests that may take any time to arrive. */
  readonly #unlimited = new WeakSet<IncomingMessage>();

  constructor(
    limits: Pick<HttpLimits, 'header_ms' | 'request_ms'>,
    time: ResponsiveTime,
    answers: Pick<SocketAnswers, 'malformed'>,
  ) {
    this.#answers = answers;
    this.#limits = limits;
    this.#time = time;
  }

  /**
   * Answers a connection that failed.
   * @param form that of its listener
   * @param request the request whose body is arriving on it
   */
  fail(form: SocketForm, error: NodeJS.ErrnoException, socket: Socket, request?: IncomingMessage): void {
    const { header_ms, request_ms } = this.#limits;
    const isLate = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
    if (isLate && request && this.#unlimited.has(request)) return;
    const delay = isLate ? this.#time.delays(request ? request_ms : header_ms) : 0;
    if (delay === 0) this.#answers.malformed(form, error, socket, request);
    else this.#granted.set(socket, { until: this.#time.elapsed + delay, error, request, form });
  }

  /** Notes that the head of a request has arrived. */
  arrived(request: IncomingMessage): void {
    if (this.#granted.size === 0) return;
    const granted = this.#granted.get(request.socket);
    if (!granted) return;
    if (request.complete) this.#granted.delete(request.socket);
    // Node has stopped to watch it.
    else
      this.#granted.set(request.socket, { ...granted, until: this.#time.elapsed + this.#limits.request_ms, request });
  }

  /** Lets a request whose head has arrived take any time to arrive, as long as its body grows. */
  unlimit(request: IncomingMessage): void {
    this.#unlimited.add(request);
    this.#granted.delete(request.socket);
  }

  /** Ends those whose time is over. */
  look(): void {
    for (const [socket, { until, error, request, form }] of this.#granted) {
      if (!socket.destroyed && !request?.complete && this.#time.elapsed < until) continue;
      this.#granted.delete(socket);
      if (!socket.destroyed && !request?.complete) this.#answers.malformed(form, error, socket, request);
    }
  }
}

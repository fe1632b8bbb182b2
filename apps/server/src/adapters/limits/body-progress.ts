/** Ends requests whose bodies do not arrive. */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { SocketAnswers, SocketForm } from '../rest/malformed.ts';
import { PROGRESS_BYTES } from './http-limits.ts';
import type { ResponsiveTime } from './responsive-time.ts';

interface Arriving {
  readonly request: IncomingMessage;
  readonly form: SocketForm;
  /** Bytes of the connection when the interval began, in which it has to grow. */
  read: number;
  from: number;
}

/** Looks at the bodies that are arriving, in an interval of the time in which the process reads them. */
export class BodyProgress {
  /**
   * By the connection, on which one body arrives at a time. The framework of streams takes it off a request whose body nobody wants any
   * more.
   */
  readonly #arriving = new Map<Socket, Arriving>();
  readonly #stall_ms: number;
  readonly #time: Pick<ResponsiveTime, 'elapsed'>;
  readonly #answers: Pick<SocketAnswers, 'late'>;

  constructor(stall_ms: number, time: Pick<ResponsiveTime, 'elapsed'>, answers: Pick<SocketAnswers, 'late'>) {
    this.#answers = answers;
    this.#stall_ms = stall_ms;
    this.#time = time;
  }

  /** Watches a request until its body has arrived. Requests without a body are ignored. */
  watch(request: IncomingMessage, form: SocketForm): void {
    const { method, socket } = request;
    // Nothing reads the body of these; the time for the whole request limits it.
    if (method === 'GET' || method === 'HEAD' || request.complete) return;
    this.#arriving.set(socket, { request, form, read: socket.bytesRead, from: this.#time.elapsed });
  }

  /** The request whose body is arriving on a connection. */
  on(socket: Socket): IncomingMessage | undefined {
    const request = this.#arriving.get(socket)?.request;
    return request?.complete === false ? request : undefined;
  }

  /** Forgets those that have arrived, and ends those that have not grown in their interval. Called after each tick. */
  look(): void {
    const now = this.#time.elapsed;
    for (const [socket, arriving] of this.#arriving) {
      const { request, form } = arriving;
      // Not told by events of the request: a listener for each would cost more than this.
      if (request.complete || socket.destroyed) {
        this.#arriving.delete(socket);
        continue;
      }
      if (now - arriving.from < this.#stall_ms) continue;
      const { bytesRead } = socket;
      // Where the server itself does not read on, the client cannot go on.
      if (!socket.isPaused() && bytesRead - arriving.read < PROGRESS_BYTES) {
        this.#arriving.delete(socket);
        this.#answers.late(form, request, socket);
      }
      arriving.read = bytesRead;
      arriving.from = now;
    }
  }
}

/** Ends requests whose bodies do not arrive. */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { SocketAnswers, SocketForm } from '../rest/malformed.ts';
import { PROGRESS_BYTES } from './http-limits.ts';
import type { ResponsiveTime } from './responsive-time.ts';

interface Arriving {
  /** The connection. The framework of streams takes it off a request whose body nobody wants any more. */
  readonly socket: Socket;
  /** Bytes of the connection at the last look. */
  read: number;
  readonly form: SocketForm;
}

/** Looks at the bodies that are arriving, in an interval of the time in which the process reads them. */
export class BodyProgress {
  readonly #arriving = new Map<IncomingMessage, Arriving>();
  readonly #stall_ms: number;
  readonly #time: Pick<ResponsiveTime, 'elapsed'>;
  readonly #answers: Pick<SocketAnswers, 'late'>;
  #looked = 0;

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
    if (this.#arriving.size === 0) this.#looked = this.#time.elapsed;
    this.#arriving.set(request, { socket, read: socket.bytesRead, form });
  }

  /** The request whose body is arriving on a connection. */
  on(socket: Socket): IncomingMessage | undefined {
    for (const [request, arriving] of this.#arriving) {
      if (arriving.socket === socket && !request.complete) return request;
    }
    return undefined;
  }

  /** Ends those that have not grown since the look before, once the interval is over. */
  look(): void {
    if (this.#time.elapsed - this.#looked < this.#stall_ms) return;
    this.#looked = this.#time.elapsed;
    for (const [request, arriving] of this.#arriving) {
      const { socket } = arriving;
      if (request.complete || socket.destroyed) {
        this.#arriving.delete(request);
        continue;
      }
      const { bytesRead } = socket;
      // Where the server itself does not read on, the client cannot go on.
      if (!socket.isPaused() && bytesRead - arriving.read < PROGRESS_BYTES) {
        this.#arriving.delete(request);
        this.#answers.late(arriving.form, request, socket);
      }
      arriving.read = bytesRead;
    }
  }
}

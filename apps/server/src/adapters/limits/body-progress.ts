/** Ends requests whose bodies do not arrive. */
import type { IncomingMessage } from 'node:http';
import { respondLate } from '../rest/malformed.ts';
import { PROGRESS_BYTES } from './http-limits.ts';

interface Arriving {
  /** Bytes of the connection at the last look. */
  read: number;
  /** Bytes written to the connection before this request. */
  readonly written: number;
}

/** Looks at the bodies that are arriving, in an interval. */
export class BodyProgress {
  readonly #arriving = new Map<IncomingMessage, Arriving>();
  readonly #stall_ms: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(stall_ms: number) {
    this.#stall_ms = stall_ms;
  }

  /** Watches a request until its body has arrived. Requests without a body are ignored. */
  readonly watch = (request: IncomingMessage): void => {
    const { method, socket } = request;
    // Nothing reads the body of these; the time for the whole request limits it.
    if (method === 'GET' || method === 'HEAD' || request.complete) return;
    this.#arriving.set(request, { read: socket.bytesRead, written: socket.bytesWritten });
    this.#timer ??= setInterval(() => this.#look(), this.#stall_ms).unref();
  };

  #look(): void {
    for (const [request, arriving] of this.#arriving) {
      const { socket } = request;
      if (request.complete || socket.destroyed) {
        this.#arriving.delete(request);
        continue;
      }
      const { bytesRead } = socket;
      // Where the server itself does not read on, the client cannot go on.
      if (!socket.isPaused() && bytesRead - arriving.read < PROGRESS_BYTES) {
        this.#arriving.delete(request);
        respondLate(socket, arriving.written);
      }
      arriving.read = bytesRead;
    }
    if (this.#arriving.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

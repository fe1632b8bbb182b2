/** Ends connections whose clients do not read their answers. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { SocketAnswers } from '../rest/malformed.ts';
import type { ResponsiveTime } from './responsive-time.ts';

/** What of the bytes of a connection the system has not taken over yet. */
interface Unread {
  /** Bytes that it had taken over when they became more the last time. */
  readonly taken: number;
  readonly at: number;
}

/** Looks at what waits to be read by clients. Streams of events in which nothing happens have nothing that waits. */
export class UnreadAnswers {
  readonly #open = new Set<Socket>();
  readonly #unread = new Map<Socket, Unread>();
  readonly #stall_ms: number;
  readonly #time: Pick<ResponsiveTime, 'elapsed'>;
  readonly #answers: Pick<SocketAnswers, 'unread'>;
  #looked = 0;

  /** @param stall_ms the time in which a client has to read some of what waits for it */
  constructor(stall_ms: number, time: Pick<ResponsiveTime, 'elapsed'>, answers: Pick<SocketAnswers, 'unread'>) {
    this.#stall_ms = stall_ms;
    this.#time = time;
    this.#answers = answers;
  }

  /** Watches the connections of a server. With TLS these are the ones that carry what is encrypted. */
  watch(server: Server): void {
    server.on('connection', (socket: Socket) => {
      this.#open.add(socket);
      socket.once('close', () => {
        this.#open.delete(socket);
        this.#unread.delete(socket);
      });
    });
  }

  /** Ends those whose clients have read nothing for the whole interval. */
  look(): void {
    const now = this.#time.elapsed;
    // There may be thousands of connections.
    if (now - this.#looked < this.#stall_ms / LOOKS) return;
    this.#looked = now;
    for (const socket of this.#open) {
      const { written, queued } = bytesOf(socket);
      if (queued === 0) {
        this.#unread.delete(socket);
        continue;
      }
      const taken = written - queued;
      const before = this.#unread.get(socket);
      if (before?.taken !== taken) this.#unread.set(socket, { taken, at: now });
      else if (now - before.at >= this.#stall_ms) this.#answers.unread(socket);
    }
  }
}

/** Looks in the interval. */
const LOOKS = 10;

/**
 * The bytes that were written to a connection, and those of them that the system has not taken over. The streams of Node count a piece as
 * unwritten until all of it is, so that a client that reads megabytes slowly would seem to read nothing.
 */
function bytesOf(socket: object): { readonly written: number; readonly queued: number } {
  const none = { written: 0, queued: 0 };
  if (!('_handle' in socket)) return none;
  const { _handle: handle } = socket;
  if (typeof handle !== 'object' || handle === null) return none;
  if (!('bytesWritten' in handle) || !('writeQueueSize' in handle)) return none;
  const { bytesWritten: written, writeQueueSize: queued } = handle;
  return typeof written === 'number' && typeof queued === 'number' ? { written, queued } : none;
}

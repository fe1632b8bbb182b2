import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** A request may be on its way on a connection that was opened just before. */
const GRACE_MS = 500;

/**
 * Connections on which nothing was sent. Node does not count them as idle when a server closes, and stops looking for late ones then, so
 * a browser that opened one ahead of need would hold up a shutdown for more than a minute.
 */
export class UnusedConnections {
  readonly #open = new Set<Socket>();

  /** @param server one that does not listen yet */
  constructor(server: Server) {
    const note = (socket: Socket) => {
      this.#open.add(socket);
      socket.once('close', () => this.#open.delete(socket));
    };
    server.on('connection', note);
    // Their own bytes are those within; the connections that carry them have those of the handshake.
    server.on('secureConnection', note);
  }

  /** Ends them half a second from now, for a server that is closing. */
  end(): void {
    setTimeout(() => {
      for (const socket of this.#open) if (socket.bytesRead === 0) socket.destroy();
    }, GRACE_MS);
  }
}

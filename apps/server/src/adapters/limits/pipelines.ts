/** Bounds the requests that wait on a connection for the answers to those before them. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Maximum number of requests that a client sends on a connection ahead of the answers. All that arrive together are read at once, so a
 * client that sends thousands and reads nothing would have an object for each in memory, and answers to most.
 */
const MOST_PIPELINED = 32;

/** Calls `end` for a connection with more requests, which has to destroy it. */
export function limitPipelines(server: Server, end: (socket: Socket) => void): void {
  const waiting = new WeakMap<Socket, number>();
  server.prependListener('request', ({ socket }, response) => {
    // A response has the connection when those before it are done, as nearly all have at once.
    if (response.socket !== null) return;
    const others = waiting.get(socket) ?? 0;
    if (others === MOST_PIPELINED) {
      if (!socket.destroyed) end(socket);
      return;
    }
    waiting.set(socket, others + 1);
    response.once('close', () => waiting.set(socket, (waiting.get(socket) ?? 1) - 1));
  });
}

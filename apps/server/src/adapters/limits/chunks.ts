/** Bodies in chunks: each costs the same, be it a byte or a thousand. */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** A body may have this many chunks of any size: what is read of a connection at once has more than twice as many of a byte, */
const FREE_CHUNKS = 4_000;
/** and further ones as long as all have this many bytes on average. */
const LEAST_AVERAGE_BYTES = 16;

/**
 * Counts the chunks of a body as they are parsed, whoever reads it then, or nobody. Where there are so many for so few bytes that no client
 * needs them, the connection is not read on.
 * @param onTooMany called once then
 */
export function limitChunks(
  request: IncomingMessage,
  onTooMany: (request: IncomingMessage, socket: Socket) => void,
): void {
  if (request.headers['transfer-encoding'] === undefined) return;
  const { socket } = request;
  const push = request.push.bind(request);
  let count = 0;
  let size = 0;
  let isOver = false;
  request.push = (chunk, encoding) => {
    if (isOver) return false;
    if (chunk instanceof Uint8Array) {
      count += 1;
      size += chunk.byteLength;
    }
    if (count <= FREE_CHUNKS + size / LEAST_AVERAGE_BYTES) return push(chunk, encoding);
    isOver = true;
    onTooMany(request, socket);
    return false;
  };
}

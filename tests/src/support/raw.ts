/** Requests byte by byte over a socket, for what no HTTP client would send. */
import { connect } from 'node:net';

/** A response as it came over the wire. */
export interface RawAnswer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** Long enough for a slow machine to respond. */
const SILENCE_MS = 60_000;

/**
 * Sends bytes and reads until the server closes the connection, has sent as many responses as `answers` says, or says nothing more for a
 * while.
 * @returns the responses in their order; none when the server closed the connection without one
 */
export function sendRaw(
  url: string,
  bytes: string | Buffer,
  { abortAfterMs, answers }: { abortAfterMs?: number; answers?: number } = {},
): Promise<RawAnswer[]> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname);
    const end = () => {
      socket.destroy();
      resolve(split(Buffer.concat(chunks).toString('latin1')));
    };
    const abort = () => {
      socket.destroy();
      // What has arrived of the last one when it is aborted may be a part.
      resolve(split(Buffer.concat(chunks).toString('latin1')).filter(isWhole));
    };
    socket.setTimeout(SILENCE_MS, end);
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      if (answers === undefined) return;
      if (split(Buffer.concat(chunks).toString('latin1')).filter(isWhole).length >= answers) end();
    });
    socket.on('connect', () => {
      socket.write(bytes);
      if (abortAfterMs !== undefined) setTimeout(abort, abortAfterMs);
    });
    socket.on('close', end);
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // The server may close the connection while the request is still being written; that is a valid response.
      if (error.code === 'ECONNRESET' || error.code === 'EPIPE') end();
      else reject(error);
    });
  });
}

function isWhole({ head, body }: RawAnswer): boolean {
  const [, length] = /^content-length: (\d+)$/im.exec(head) ?? [];
  return length !== undefined ? body.length >= Number(length) : body.endsWith('0\r\n\r\n');
}

function split(text: string): RawAnswer[] {
  return text
    .split(/(?=HTTP\/1\.1 \d{3} )/)
    .filter((part) => part !== '')
    .map((part) => {
      const end = part.indexOf('\r\n\r\n');
      const head = part.slice(0, end === -1 ? undefined : end);
      return { status: Number(head.slice(9, 12)), head, body: end === -1 ? '' : part.slice(end + 4) };
    });
}

/** Small bodies, read before the framework: of a form or JSON, announced by their length. */
import type { IncomingMessage } from 'node:http';
import { SMALL_BODY_BYTES } from './body-memory.ts';
import { announcedLength, isEncoded } from './read-body.ts';

/** Content types as clients write them. Any other is one for the framework. */
const PLAIN_TYPE = /^application\/(?:json|x-www-form-urlencoded)(?:; ?charset=utf-8)?$/i;

/**
 * Returns whether a request has no body, or a small one that says what it is. It needs no room and no credentials to be read:
 * with the maximum number of connections such bodies are bounded.
 */
export function hasSmallBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  if (headers['transfer-encoding'] !== undefined || headers.upgrade !== undefined || headers.expect !== undefined) {
    return false;
  }
  if (isEncoded({ headers })) return false;
  const type = headers['content-type'];
  const length = announcedLength({ headers }) ?? 0;
  return type === undefined ? length === 0 : length <= SMALL_BODY_BYTES && PLAIN_TYPE.test(type);
}

/**
 * Reads a body. Calls back when it has arrived; never when the connection ends before, since nobody is left to be answered.
 */
export function readSmallBody(request: IncomingMessage, done: (bytes: Buffer) => void): void {
  const pieces: Buffer[] = [];
  request.on('data', (piece: Buffer) => pieces.push(piece));
  request.on('end', () => {
    const [first] = pieces;
    const bytes = first !== undefined && pieces.length === 1 ? first : Buffer.concat(pieces);
    // Whatever holds the request would hold its body too.
    pieces.length = 0;
    done(bytes);
  });
  // The connection ended.
  request.on('error', () => {});
}

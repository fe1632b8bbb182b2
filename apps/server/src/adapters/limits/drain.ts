/** Reads what is left of bodies of rejected requests. */
import type { Readable } from 'node:stream';
import { streamBody } from './read-body.ts';

/** Bytes of a rejected body that are still read, so that a client that sends everything first still gets its response. */
const DRAINED_BYTES = 32 * 1024 * 1024;

/** Drains the rest of a body. @returns whether it was read to the end; where it was not, the connection is of no more use */
export async function drain(body: Readable): Promise<boolean> {
  let size = 0;
  try {
    for await (const piece of streamBody(body)) {
      size += piece.byteLength;
      if (size > DRAINED_BYTES) return false;
    }
    return true;
  } catch {
    return false;
  }
}

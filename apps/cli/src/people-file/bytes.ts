/** Bytes of a file or a pipe as text: unpacked where they are compressed, decoded by how they begin. */
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

/** Bytes in pieces. */
export type Bytes = AsyncIterable<Uint8Array>;

/** The beginning of some bytes, and all of them. */
export interface Peeked {
  /** As long as it was asked for, or all there is. */
  readonly head: Uint8Array;
  /** The bytes from the first on. */
  readonly all: Bytes;
}

/** Reads the beginning. */
export async function peek(bytes: Bytes, length: number): Promise<Peeked> {
  const pieces = bytes[Symbol.asyncIterator]();
  const held: Uint8Array[] = [];
  let size = 0;
  while (size < length) {
    const { done, value } = await pieces.next();
    if (done) break;
    held.push(value);
    size += value.length;
  }
  const head = Buffer.concat(held).subarray(0, length);
  return { head, all: joined(held, pieces) };
}

/** Gives the pieces that are held, then those that are left. */
export async function* joined<Piece>(held: Piece[], pieces: AsyncIterator<Piece>): AsyncGenerator<Piece> {
  try {
    yield* held.splice(0);
    for (let next = await pieces.next(); !next.done; next = await pieces.next()) yield next.value;
  } finally {
    await pieces.return?.();
  }
}

const GZIP = [0x1f, 0x8b];
const BOMS: readonly (readonly [encoding: string, bytes: readonly number[]])[] = [
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

function beginsWith(head: Uint8Array, bytes: readonly number[]): boolean {
  return head.length >= bytes.length && bytes.every((byte, index) => head[index] === byte);
}

/** Decodes bytes, after unpacking where they are compressed. A byte order mark is left out; without one it is UTF-8. */
export async function* textOf(bytes: Bytes): AsyncGenerator<string> {
  const outer = await peek(bytes, GZIP.length);
  const plain = beginsWith(outer.head, GZIP) ? unpacked(outer.all) : outer.all;
  const { head, all } = await peek(plain, 2);
  const [encoding] = BOMS.find(([, mark]) => beginsWith(head, mark)) ?? ['utf-8'];
  const decoder = new TextDecoder(encoding);
  for await (const piece of all) yield decoder.decode(piece, { stream: true });
  yield decoder.decode();
}

function unpacked(bytes: Bytes): Bytes {
  // Unlike `pipe` and `compose`, this hands each error on to whoever reads the end.
  return pipeline(Readable.from(bytes), createGunzip(), () => {});
}

/** Room for bodies, without sockets: who gets it, who waits, and who goes without. */
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { BodyMemory, SMALL_BODY_BYTES } from './body-memory.ts';
import { readBody } from './read-body.ts';

const PIECE = 4 * SMALL_BODY_BYTES;

function memory(body: number, address: number): BodyMemory {
  return new BodyMemory({ body_bytes: body * PIECE, body_bytes_per_address: address * PIECE, room_ms: 20 });
}

describe('a body that does not fit', () => {
  test('in all gets no room, although its address has some left', async () => {
    const room = memory(2, 2);
    await room.take('a', PIECE);
    await room.take('b', PIECE);
    expect(await room.take('c', PIECE)).toBeUndefined();
    expect(room.held).toBe(2 * PIECE);
  });

  test('for its address gets no room, although others do', async () => {
    const room = memory(10, 2);
    await room.take('a', PIECE);
    await room.take('a', PIECE);
    expect(await room.take('a', PIECE)).toBeUndefined();
    expect(await room.take('b', PIECE)).toBeTypeOf('function');
  });

  test('waits for one that ends, in its order', async () => {
    const room = new BodyMemory({ body_bytes: PIECE, body_bytes_per_address: PIECE, room_ms: 60_000 });
    const release = await room.take('a', PIECE);
    const order: string[] = [];
    const waiting = ['b', 'c'].map(async (address) => {
      const end = await room.take(address, PIECE);
      order.push(address);
      end?.();
    });
    release?.();
    // Twice the same body gives no room twice.
    release?.();
    await Promise.all(waiting);
    expect(order).toEqual(['b', 'c']);
    expect(room.held).toBe(0);
  });
});

test('a small body needs no room', async () => {
  const room = memory(1, 1);
  await room.take('a', PIECE);
  expect(await room.take('a', SMALL_BODY_BYTES)).toBeTypeOf('function');
  expect(room.held).toBe(PIECE);
});

test('a body of unknown length has the room of the largest until it was answered', async () => {
  const room = memory(1, 1);
  const { bytes, release } = await readBody(Readable.from([Buffer.from('{}')]), undefined, {
    largest: PIECE,
    memory: room,
    address: 'a',
  });
  expect(bytes.toString()).toBe('{}');
  expect(room.held).toBe(PIECE);
  release();
  expect(room.held).toBe(0);
});

test('a body of unknown length ends where it is longer than the largest', async () => {
  const room = memory(1, 1);
  const endless = Readable.from(
    (function* () {
      for (;;) yield Buffer.alloc(PIECE);
    })(),
  );
  await expect(readBody(endless, undefined, { largest: PIECE, memory: room, address: 'a' })).rejects.toThrow(
    /may have up to/,
  );
  expect(room.held).toBe(0);
});

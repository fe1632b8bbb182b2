/** Answers that clients do not read, over sockets, in a time that the test moves. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { plainUrl } from '../../listening/plain-url.ts';
import { UnreadAnswers } from './unread-answers.ts';

const MEGABYTE = 1_000_000;
const STALL_MS = 10_000;

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** Asks for an answer in one piece. */
async function ask(bytes: number) {
  const ended: Socket[] = [];
  const time = { elapsed: 0 };
  const unread = new UnreadAnswers(STALL_MS, time, { unread: (socket) => void ended.push(socket) });
  let isWritten = false;
  const server = createServer((_, response) => {
    response.write('x'.repeat(bytes));
    isWritten = true;
  });
  unread.watch(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect(Number(new URL(plainUrl(server, '127.0.0.1')).port), '127.0.0.1').on('error', () => {});
  closing.push(() => {
    socket.destroy();
    server.closeAllConnections();
    server.close();
  });
  socket.pause().write('GET / HTTP/1.1\r\nhost: a\r\n\r\n');
  await expect.poll(() => isWritten).toBe(true);
  await nextTurn();
  return {
    ended,
    socket,
    pass(ms: number) {
      for (const until = time.elapsed + ms; time.elapsed < until; ) {
        time.elapsed += 100;
        unread.look();
      }
    },
  };
}

async function read(socket: Socket, bytes: number): Promise<void> {
  for (let left = bytes; left > 0; ) {
    const piece: unknown = socket.read();
    if (piece instanceof Uint8Array) left -= piece.length;
    else await once(socket, 'readable');
  }
}

test('a connection whose client reads nothing is ended after the interval', async () => {
  const { ended, pass } = await ask(40 * MEGABYTE);
  // What the system takes over by itself it has taken over by then.
  pass(2_000);
  await nextTurn();
  pass(2_000);
  expect(ended).toEqual([]);
  pass(STALL_MS);
  expect(ended).not.toEqual([]);
});

test('a connection whose client reads slowly is not, although its answer is one piece', async () => {
  const { ended, socket, pass } = await ask(100 * MEGABYTE);
  for (let i = 0; i < 5; i++) {
    pass(STALL_MS - 1_000);
    // More than the system can have taken over ahead of the client.
    await read(socket, 15 * MEGABYTE);
    expect(ended).toEqual([]);
  }
});

test('a connection on which nothing waits to be read is not', async () => {
  const { ended, pass } = await ask(100);
  pass(10 * STALL_MS);
  expect(ended).toEqual([]);
});

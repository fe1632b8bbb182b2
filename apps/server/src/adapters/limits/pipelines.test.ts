/** Answers that wait on a connection, over sockets. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { plainUrl } from '../../listening/plain-url.ts';
import { Pipelines } from './pipelines.ts';

const MEGABYTE = 1_000_000;
const GET = 'GET / HTTP/1.1\r\nhost: a\r\n\r\n';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** Sends requests in one piece. @param answer called for each unless its connection was ended */
async function send(bytes: string, answer: RequestListener) {
  const ended: Socket[] = [];
  const pipelines = new Pipelines((socket) => {
    ended.push(socket);
    socket.destroy();
  });
  const server = createServer((request, response) => {
    if (!request.socket.destroyed) answer(request, response);
  });
  pipelines.watch(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect(Number(new URL(plainUrl(server, '127.0.0.1')).port), '127.0.0.1').on('error', () => {});
  closing.push(() => {
    socket.destroy();
    server.close();
  });
  socket.pause().write(bytes);
  return { pipelines, ended, socket };
}

test('a connection is ended when the answers that wait for the first one are too long', async () => {
  let answered = 0;
  const { ended } = await send(GET.repeat(32), (_, response) => {
    answered += 1;
    response.end('x'.repeat(MEGABYTE));
  });
  await expect.poll(() => ended.length).toBe(1);
  expect(answered).toBeLessThan(8);
});

test('also where they are made later', async () => {
  let asked = 0;
  const make: (() => void)[] = [];
  const { pipelines, ended } = await send(GET.repeat(32), (_, response) => {
    asked += 1;
    make.push(() => response.end('x'.repeat(MEGABYTE)));
  });
  await expect.poll(() => asked).toBe(32);
  for (const one of make.slice(0, 4)) one();
  pipelines.look();
  expect(ended).toEqual([]);
  for (const one of make.slice(4)) one();
  pipelines.look();
  pipelines.look();
  expect(ended).toHaveLength(1);
});

test('one answer may be of any size, and the next request is answered', async () => {
  const large = 30 * MEGABYTE;
  let asked = 0;
  const { pipelines, ended, socket } = await send(GET.repeat(2), (_, response) => {
    asked += 1;
    response.end('x'.repeat(asked === 1 ? large : 1));
  });
  await expect.poll(() => asked).toBe(2);
  pipelines.look();
  let read = 0;
  socket.on('data', (piece: Buffer) => {
    read += piece.length;
  });
  socket.resume();
  await expect.poll(() => read).toBeGreaterThan(large + 1);
  expect(ended).toEqual([]);
});

/** Bodies in chunks, over sockets. */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { plainUrl } from '../../listening/plain-url.ts';
import { limitChunks } from './chunks.ts';

interface Outcome {
  readonly isTooMany: boolean;
  /** Bytes of the connection that were read. */
  readonly read: number;
}

/** Sends a request in chunks of a size, to a server that does something with it. */
async function send(
  count: number,
  bytes: number,
  use: (request: IncomingMessage) => void,
  head = 'transfer-encoding: chunked',
): Promise<Outcome> {
  const server = createServer();
  let isTooMany = false;
  server.on('request', (request, response) => {
    limitChunks(request, (of, socket) => {
      expect(of).toBe(request);
      isTooMany = true;
      setTimeout(() => socket.destroy(), 50);
    });
    request.on('error', () => {}).on('end', () => response.end());
    use(request);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const accepted = once(server, 'connection');
  const socket = connect(Number(new URL(plainUrl(server, '127.0.0.1')).port), '127.0.0.1').on('error', () => {});
  const closed = new Promise((resolve) => socket.on('close', resolve).on('data', () => socket.destroy()));
  socket.write(`POST / HTTP/1.1\r\nhost: a\r\n${head}\r\n\r\n`);
  const chunk = head.startsWith('transfer') ? `${bytes.toString(16)}\r\n${'x'.repeat(bytes)}\r\n` : 'x'.repeat(bytes);
  socket.write(`${chunk.repeat(count)}${head.startsWith('transfer') ? '0\r\n\r\n' : ''}`);
  const [own] = await accepted;
  await closed;
  server.close();
  return { isTooMany, read: own.bytesRead };
}

const reading = (request: IncomingMessage): void => void request.resume();

test.each([
  [3_000, 1, false],
  [9_000, 1, true],
  [9_000, 15, false],
  [300_000, 15, true],
  [300_000, 16, false],
])('%i chunks of %i bytes: no client needs them is %s', async (count, bytes, expected) => {
  const { isTooMany } = await send(count, bytes, reading);
  expect(isTooMany).toBe(expected);
});

test.each([
  ['is read', reading],
  ['waits to be read', () => {}],
  ['is paused', (request: IncomingMessage) => void request.on('data', () => request.pause())],
])('the connection is not read on where the body %s', async (_, use) => {
  const { isTooMany, read } = await send(400_000, 1, use);
  expect(isTooMany).toBe(true);
  expect(read).toBeLessThan(200_000);
});

test('a body whose length is announced has none', async () => {
  const { isTooMany } = await send(400_000, 1, reading, 'content-length: 400000');
  expect(isTooMany).toBe(false);
});

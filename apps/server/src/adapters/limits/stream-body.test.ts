/** Bodies as streams, over sockets. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { plainUrl } from '../../listening/plain-url.ts';
import { drain } from './drain.ts';
import { streamBody } from './read-body.ts';

const open: (Server | Socket)[] = [];
afterEach(() => {
  for (const each of open.splice(0)) 'destroy' in each ? each.destroy() : each.close();
});

/** A request whose head has arrived, and the connection on which its body is to be sent. */
async function request(head: string): Promise<{ readonly body: IncomingMessage; readonly socket: Socket }> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect(Number(new URL(plainUrl(server, '127.0.0.1')).port), '127.0.0.1');
  open.push(socket, server);
  socket.on('error', () => {});
  socket.write(`POST / HTTP/1.1\r\nhost: a\r\n${head}\r\n\r\n`);
  const [body]: IncomingMessage[] = await once(server, 'request');
  if (!body) throw new Error('no request arrived');
  return { body, socket };
}

const CHUNKED = 'transfer-encoding: chunked';
const byteByByte = (count: number) => '1\r\nx\r\n'.repeat(count);

test('what comes byte by byte is read in far fewer pieces', async () => {
  const { body, socket } = await request(CHUNKED);
  socket.write(`${byteByByte(5_000)}0\r\n\r\n`);
  const pieces: number[] = [];
  for await (const { length } of streamBody(body)) pieces.push(length);
  expect(pieces.reduce((sum, length) => sum + length, 0)).toBe(5_000);
  expect(pieces.length).toBeLessThan(500);
});

test('a body of an announced length may come in any pieces', async () => {
  const { body, socket } = await request('content-length: 30');
  socket.setNoDelay(true);
  const sending = (async () => {
    for (let i = 0; i < 30; i++) {
      socket.write('x');
      await new Promise((resolve) => setImmediate(resolve));
    }
  })();
  let size = 0;
  for await (const { length } of streamBody(body)) size += length;
  await sending;
  expect(size).toBe(30);
});

test('it reads no more than is asked for, and goes on from there', async () => {
  const { body, socket } = await request('content-length: 20000000');
  socket.write(Buffer.alloc(20_000_000));
  const pieces = streamBody(body);
  let size = (await pieces.next()).value?.length ?? 0;
  for (let i = 0; i < 50; i++) await new Promise((resolve) => setTimeout(resolve, 2));
  expect(body.socket.bytesRead).toBeLessThan(5_000_000);
  for await (const { length } of pieces) size += length;
  expect(size).toBe(20_000_000);
});

test('a body that ends early is rejected, and one that was read to its end is empty', async () => {
  const { body, socket } = await request('content-length: 10');
  socket.write('12345');
  const pieces = streamBody(body);
  expect(String((await pieces.next()).value)).toBe('12345');
  const reading = pieces.next();
  socket.destroy();
  await expect(reading).rejects.toThrow('The body ended too early');
  expect(await drain(body)).toBe(false);
  const whole = await request('content-length: 3');
  whole.socket.write('123');
  for await (const piece of streamBody(whole.body)) expect(String(piece)).toBe('123');
  expect((await streamBody(whole.body).next()).done).toBe(true);
  expect(await drain(whole.body)).toBe(true);
});

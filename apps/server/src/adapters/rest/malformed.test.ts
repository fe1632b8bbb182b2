/** Errors of connections that owe answers to earlier requests, over sockets. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { plainUrl } from '../../listening/plain-url.ts';
import { Pipelines } from '../limits/pipelines.ts';
import { SocketAnswers, type SocketForm } from './malformed.ts';

const form: SocketForm = ({ status }) => ({ status, headers: [], body: 'rejected' });
const GET = 'GET / HTTP/1.1\r\nhost: a\r\n\r\n';
const POST = 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 9\r\n\r\nx';

/** Sends requests, and gives them to the test once the server has all of them. */
async function send(bytes: string, count: number) {
  const pipelines = new Pipelines(() => {});
  const answers = new SocketAnswers(
    pipelines,
    () => 'id',
    () => {},
  );
  const exchanges: { readonly request: IncomingMessage; readonly response: ServerResponse }[] = [];
  const server = createServer((request, response) => void exchanges.push({ request, response }));
  pipelines.watch(server);
  server.on('clientError', (error, socket) => {
    if (socket instanceof Socket) answers.malformed(form, error, socket, pipelines.arriving(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect(Number(new URL(plainUrl(server, '127.0.0.1')).port), '127.0.0.1');
  const read = text(client);
  client.write(bytes);
  await expect.poll(() => exchanges.length).toBe(count);
  const [{ request, response } = fail(), second] = exchanges;
  const done = async () => {
    const all = await read;
    server.close();
    return all.match(/HTTP\/1\.1 \d+/g);
  };
  return { answers, socket: request.socket, first: response, second, client, done };
}

function fail(): never {
  throw new TypeError('there was no request');
}

test('a request that does not arrive is answered after the one before it', async () => {
  const { answers, socket, first, second = fail(), done } = await send(`${GET}${POST}`, 2);
  answers.late(form, second.request, socket);
  answers.late(form, second.request, socket);
  expect(socket.bytesWritten).toBe(0);
  first.end('first');
  expect(await done()).toEqual(['HTTP/1.1 200', 'HTTP/1.1 408']);
});

test('one that was answered before it arrived has that answer only', async () => {
  const { answers, socket, first, second = fail(), done } = await send(`${GET}${POST}`, 2);
  second.response.statusCode = 401;
  second.response.end('second');
  answers.late(form, second.request, socket);
  first.end('first');
  expect(await done()).toEqual(['HTTP/1.1 200', 'HTTP/1.1 401']);
});

test('what is no HTTP is answered once, after all requests before it', async () => {
  const bytes = `${GET}${GET}@\r\n\r\n`;
  const { socket, first, second = fail(), client, done } = await send(bytes, 2);
  client.write('@\r\n\r\n');
  await expect.poll(() => socket.bytesRead).toBeGreaterThan(bytes.length);
  second.response.end('second');
  first.end('first');
  expect(await done()).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 400']);
});

test('a last answer is not followed by an error', async () => {
  const { first, done } = await send(`${GET.replace('host', 'connection: close\r\nhost')}${GET}`, 1);
  first.end('first');
  expect(await done()).toEqual(['HTTP/1.1 200']);
});

test.each([
  ['what is no HTTP', '@\r\n\r\n', 400],
  ['a head that is too long', `GET / HTTP/1.1\r\nx: ${'x'.repeat(20_000)}`, 413],
])('an error behind a request that is answered completely is answered: %s', async (_, bytes, status) => {
  const { first, client, done } = await send(GET, 1);
  const isClosed = once(first, 'close');
  first.end('first');
  await isClosed;
  client.write(bytes);
  expect(await done()).toEqual(['HTTP/1.1 200', `HTTP/1.1 ${status}`]);
});

test.each(['GET', 'POST'])(
  'an error in the body of a %s that is answered completely has no answer of its own',
  async (method) => {
    const { first, client, done } = await send(
      `${method} / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n`,
      1,
    );
    const isClosed = once(first, 'close');
    first.end('first');
    await isClosed;
    client.write('@\r\n');
    expect(await done()).toEqual(['HTTP/1.1 200']);
  },
);

test('an error behind a body that arrived after its answer is answered', async () => {
  const { first, client, done } = await send(POST, 1);
  const isClosed = once(first, 'close');
  first.end('first');
  await isClosed;
  client.write(`${'x'.repeat(8)}@\r\n\r\n`);
  expect(await done()).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
});

test('an error in the body of a HEAD is answered without a body', async () => {
  const { answers, socket, client, done, first } = await send(POST.replace('POST', 'HEAD'), 1);
  let all = '';
  client.on('data', (piece: Buffer) => {
    all += piece.toString();
  });
  answers.late(form, first.req, socket);
  expect(await done()).toEqual(['HTTP/1.1 408']);
  expect(all).toMatch(/content-length: 8\r\n.*\r\n\r\n$/s);
});

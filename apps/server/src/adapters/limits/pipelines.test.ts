/** Answers that wait on a connection, over sockets. */
import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { plainUrl } from '../../listening/plain-url.ts';
import type { SocketForm } from '../rest/malformed.ts';
import { defaultHttpLimits } from './http-limits.ts';
import { HttpIntake } from './intake.ts';
import { Pipelines } from './pipelines.ts';

const MEGABYTE = 1_000_000;
const GET = 'GET / HTTP/1.1\r\nhost: a\r\n\r\n';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** Sends requests in one piece. @param answer called for each in its order, unless its connection was ended */
async function send(bytes: string, answer: RequestListener) {
  const ended: Socket[] = [];
  const pipelines = new Pipelines((socket) => {
    ended.push(socket);
    socket.destroy();
  });
  const server = createServer(
    pipelines.inOrder((request, response) => {
      if (!request.socket.destroyed) answer(request, response);
    }),
  );
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

describe('a request behind others', () => {
  /** Sends requests, notes them in order as they are handled, and answers them when asked to. */
  async function noted(...lines: readonly string[]) {
    const handled: string[] = [];
    const open = new Map<string, ServerResponse>();
    const { socket } = await send(
      lines.map((line) => `${line} HTTP/1.1\r\nhost: a\r\n\r\n`).join(''),
      ({ method, url = '' }, response) => {
        handled.push(`${method} ${url}`);
        open.set(url, response);
      },
    );
    const answer = (url: string, isLast = false) => {
      if (isLast) open.get(url)?.setHeader('connection', 'close');
      open.get(url)?.end();
    };
    /** The requests that have been handled, once there are so many, and a while later. */
    const handledAfter = async (count: number) => {
      await expect.poll(() => handled.length).toBe(count);
      await new Promise((resolve) => setTimeout(resolve, 20));
      return [...handled];
    };
    return { handledAfter, answer, socket };
  }

  test('waits for a write, and writes wait for everything', async () => {
    const lines = ['GET /a', 'GET /b', 'POST /c', 'GET /d', 'HEAD /e', 'PUT /f', 'DELETE /g', 'GET /h'];
    const { handledAfter, answer, socket } = await noted(...lines);
    socket.resume();
    expect(await handledAfter(2)).toEqual(lines.slice(0, 2));
    // Answers are sent in the order of the requests, and the first one is not answered yet.
    answer('/b');
    expect(await handledAfter(2)).toHaveLength(2);
    answer('/a');
    expect(await handledAfter(3)).toEqual(lines.slice(0, 3));
    answer('/c');
    expect(await handledAfter(5)).toEqual(lines.slice(0, 5));
    answer('/d');
    expect(await handledAfter(5)).toHaveLength(5);
    answer('/e');
    expect(await handledAfter(6)).toEqual(lines.slice(0, 6));
    answer('/f');
    expect(await handledAfter(7)).toEqual(lines.slice(0, 7));
    answer('/g');
    expect(await handledAfter(8)).toEqual(lines);
  });

  test('may be as much as a connection may owe', async () => {
    const warnings: Error[] = [];
    const warned = (warning: Error) => warnings.push(warning);
    process.on('warning', warned);
    const reads = Array.from({ length: 31 }, (_, at) => `GET /${at}`);
    const { handledAfter, answer, socket } = await noted('DELETE /a', ...reads);
    socket.resume();
    expect(await handledAfter(1)).toEqual(['DELETE /a']);
    answer('/a');
    expect(await handledAfter(32)).toEqual(['DELETE /a', ...reads]);
    process.off('warning', warned);
    expect(warnings).toEqual([]);
  });

  test.each(['POST /a', 'GET /a'])(
    'is not handled when the answer to %s was the last one of the connection',
    async (first) => {
      const { handledAfter, answer, socket } = await noted(first, 'POST /b', 'GET /c');
      socket.resume();
      expect(await handledAfter(1)).toEqual([first]);
      answer('/a', true);
      expect(await handledAfter(1)).toEqual([first]);
    },
  );

  test('is not handled when the connection has ended', async () => {
    const { handledAfter, socket } = await noted('POST /a', 'GET /b', 'POST /c');
    expect(await handledAfter(1)).toEqual(['POST /a']);
    socket.destroy();
    expect(await handledAfter(1)).toEqual(['POST /a']);
  });
});

test('the time in which a request waits is not taken from that for its body', async () => {
  const intake = new HttpIntake({ ...defaultHttpLimits, header_ms: 200, request_ms: 300 });
  const form: SocketForm = ({ status }) => ({ status, headers: [], body: '' });
  const bytes: number[] = [];
  const server = createServer(
    intake.serverOptions,
    intake.inOrder((request, response) => {
      if (request.url === '/first') {
        // Several times as long as a request may take.
        setTimeout(() => response.end(), 1500);
        return;
      }
      let length = 0;
      request.on('data', (piece: Buffer) => {
        length += piece.length;
      });
      request.on('end', () => {
        bytes.push(length);
        response.end();
      });
    }),
  );
  intake.apply(server, form);
  server.on('clientError', intake.failing(form));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => server.close());
  const socket = connect(Number(new URL(plainUrl(server, '127.0.0.1')).port), '127.0.0.1');
  // More than is read ahead of a request that is handled.
  const body = Buffer.alloc(MEGABYTE);
  socket.write('POST /first HTTP/1.1\r\nhost: a\r\ncontent-length: 0\r\n\r\n');
  socket.write(`POST /second HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-length: ${body.length}\r\n\r\n`);
  socket.write(body);
  let answers = '';
  for await (const piece of socket) answers += String(piece);
  expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200']);
  expect(bytes).toEqual([body.length]);
});

/** A server whose thread is busy for longer than requests may take: what it does not read meanwhile is not late. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Listening, listening } from '../support/listening.ts';

let running: Listening;
let client: Worker | undefined;
beforeAll(async () => {
  // Long enough for a slow machine between the first part of a request and the moment at which the thread is held.
  running = await listening({ BROADSIDE_HTTP_LIMITS: 'header_seconds=3,stall_seconds=3,request_seconds=4' });
  expect((await fetch(`${running.server.urls.sandbox}/health`)).status).toBe(200);
});
afterEach(() => client?.terminate());
afterAll(() => running[Symbol.asyncDispose]());

/**
 * Sends the first part of a request from a thread of its own, and the rest while this thread is held: until it has been sent, and for a
 * while that exceeds the limits. @returns the answer
 */
async function sendWhileBusy(parts: readonly [string, string], busy_ms: number): Promise<string> {
  const { hostname, port } = new URL(running.server.urls.sandbox);
  const held = new Int32Array(new SharedArrayBuffer(4));
  client = new Worker(
    `const { parentPort, workerData: { parts, port, hostname, held, busy_ms } } = require('node:worker_threads');
     const socket = require('node:net').connect(port, hostname);
     let text = '';
     socket.on('data', (chunk) => { text += chunk; });
     socket.on('error', () => {});
     socket.on('close', () => parentPort.postMessage(text));
     socket.write(parts[0], () => {
       parentPort.postMessage('begun');
       parentPort.once('message', () => socket.write(parts[1], () => setTimeout(() => {
         Atomics.store(held, 0, 1);
         Atomics.notify(held, 0);
       }, busy_ms)));
     });`,
    { eval: true, workerData: { parts, port: Number(port), hostname, held, busy_ms } },
  );
  await once(client, 'message');
  // The first part has been read when another request has been answered.
  expect((await fetch(`${running.server.urls.sandbox}/health`)).status).toBe(200);
  client.postMessage('go on');
  Atomics.wait(held, 0, 0);
  const [answer]: unknown[] = await once(client, 'message');
  return String(answer);
}

const head = 'GET /12/accounts HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n';

test('a head that arrives while the server is busy is read', async () => {
  expect(await sendWhileBusy([head, '\r\n'], 7_000)).toMatch(/^HTTP\/1\.1 401 /);
});

test('so is a body', async () => {
  const body = 'x'.repeat(20_000);
  const post = [
    'POST /12/accounts HTTP/1.1',
    'host: localhost',
    'connection: close',
    'authorization: OAuth oauth_consumer_key="a"',
    'content-type: application/json',
    `content-length: ${body.length}`,
  ].join('\r\n');
  const parts = [`${post}\r\n\r\n${body.slice(0, 100)}`, body.slice(100)] as const;
  expect(await sendWhileBusy(parts, 8_000)).toMatch(/^HTTP\/1\.1 400 /);
});

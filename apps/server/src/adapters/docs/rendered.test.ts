import { once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gunzipSync } from 'node:zlib';
import { stringifyJson } from '@broadside/core';
import { openapiDocument } from '@broadside/core/openapi';
import Fastify from 'fastify';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createApp } from '../../app.ts';
import { packageVersion } from '../../package-file.ts';
import { namedBaseUrl } from '../own-host.ts';
import { AdapterWorld, origins } from '../testing/world.ts';
import { Reference } from './page.ts';
import { Rendered } from './rendered.ts';

/** The addresses that a listener shows to a request for `host`. */
const at = (host: string) => namedBaseUrl({ headers: { host } });

test('a text is rendered once, whatever hosts requests name, and shows the address that each names', async () => {
  let rendered = 0;
  const text = new Rendered(({ own, listeners }) => {
    rendered += 1;
    return `at ${own}, beside ${listeners?.ads}, at ${own}`;
  });
  const app = Fastify();
  app.get('/', (request, reply) => {
    const own = at(request.headers.host ?? '');
    return text.send(request, reply, { own, listeners: { api: own, ads: `${own}1`, sandbox: own } }, true);
  });
  const ask = (host: string, headers: Readonly<Record<string, string>> = {}) =>
    app.inject({ url: '/', headers: { host, ...headers } });
  const tags = new Set<unknown>();
  for (let i = 0; i < 100; i++) {
    const { payload, headers } = await ask(`host${i}.example:80`);
    expect(payload).toBe(
      `at http://host${i}.example:80, beside http://host${i}.example:801, at http://host${i}.example:80`,
    );
    tags.add(headers['etag']);
  }
  expect(rendered).toBe(1);
  expect(tags.size).toBe(100);
  const zipped = await ask('[::1]:80', { 'accept-encoding': 'gzip' });
  expect(gunzipSync(zipped.rawPayload).toString()).toBe(
    'at http://[::1]:80, beside http://[::1]:801, at http://[::1]:80',
  );
  // Those whose addresses need quotes in a shell.
  expect(rendered).toBe(2);
  await app.close();
});

test('a text is compressed for hosts of the listener, for one at a time', async () => {
  const text = new Rendered(({ own }) => `at ${own}${' or elsewhere'.repeat(100_000)}`);
  const app = Fastify();
  app.get('/:own', (request, reply) => {
    return text.send(request, reply, { own: at(request.headers.host ?? '') }, request.url === '/own');
  });
  const ask = async (host: string, url = '/own') => {
    const headers = { host, 'accept-encoding': 'gzip' };
    const { headers: got, rawPayload, payload } = await app.inject({ url, headers });
    const isZipped = got['content-encoding'] === 'gzip';
    const shown = isZipped ? gunzipSync(rawPayload).toString() : payload;
    expect(Number(got['content-length'])).toBe(rawPayload.length);
    expect(shown).toBe(`at http://${host}${' or elsewhere'.repeat(100_000)}`);
    return isZipped;
  };
  expect(await ask('elsewhere.example', '/foreign')).toBe(false);
  // So that it is rendered.
  expect(await ask('a.example')).toBe(true);
  expect(await Promise.all([ask('b.example'), ask('c.example'), ask('b.example')])).toEqual([true, false, true]);
  expect(await ask('c.example')).toBe(true);
  await app.close();
});

test('what waits for clients that do not read it takes no memory for each host that they name', async () => {
  const hosts = 32;
  const connections = 4;
  const length = 2_000_000;
  const text = new Rendered(({ own }) => `at ${own}${'.'.repeat(length)}`);
  const app = Fastify();
  let asked = 0;
  app.get('/', (request, reply) => {
    asked += 1;
    return text.send(request, reply, { own: at(request.headers.host ?? '') }, true);
  });
  const port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port);
  const before = memory();
  const sockets = Array.from({ length: connections }, (_, c) => {
    const socket = connect(port, '127.0.0.1').pause();
    socket.write(
      Array.from({ length: hosts }, (__, i) => `GET / HTTP/1.1\r\nhost: host${i}.of${c}.example\r\n\r\n`).join(''),
    );
    return socket;
  });
  await expect.poll(() => asked).toBe(hosts * connections);
  for (let turn = 0; turn < 100; turn++) await nextTurn();
  expect(memory() - before).toBeLessThan(10 * length);
  for (const socket of sockets) {
    socket.destroy();
    await once(socket, 'close');
  }
  await app.close();
});

setFlagsFromString('--expose-gc');
const collect: unknown = runInNewContext('gc');

function memory(): number {
  if (typeof collect !== 'function') throw new TypeError('the garbage cannot be collected');
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

test('a text that could not be rendered is tried again', async () => {
  let tries = 0;
  const text = new Rendered(async () => {
    tries += 1;
    if (tries === 1) throw new TypeError('not yet');
    return 'now';
  });
  const app = Fastify();
  app.get('/', (request, reply) => text.send(request, reply, { own: '' }, true));
  expect((await app.inject('/')).statusCode).toBe(500);
  expect((await app.inject('/')).payload).toBe('now');
  await app.close();
});

test('pages and documents are what they are when they are rendered for their address', async () => {
  await using world = await AdapterWorld.open();
  const environment = 'sandbox';
  const version = packageVersion();
  const logger = pino({ level: 'silent' });
  for (const [host, serverUrl, named] of [
    ['box.example:8002', 'http://box.example:8002', {}],
    ['[2001:db8::1]:8002', 'http://[2001:db8::1]:8002', {}],
    ['box.example:8002', "https://ads.example/it's ours", { baseUrl: "https://ads.example/it's ours" }],
  ] as const) {
    const app = createApp({ services: world.services, listener: 'sandbox', logger, ...named });
    const ask = async (url: string) => (await app.inject({ url, headers: { host } })).payload;
    const reference = new Reference({ environment, serverUrl, version, trial: false });
    expect(await ask('/docs/campaigns')).toBe(reference.page('campaigns'));
    expect(await ask('/openapi.json')).toBe(stringifyJson(openapiDocument({ environment, serverUrl, version })));
    await app.close();
  }
});

test.each(['/openapi.json', '/docs/index.json'])('others have their turn while %s is made', async (url) => {
  await using world = await AdapterWorld.open();
  /** How often others have their turn until the answer is there. */
  const turnsOf = async () => {
    let turns = 0;
    let isAnswered = false;
    const count = () => {
      turns += 1;
      if (!isAnswered) setImmediate(count);
    };
    setImmediate(count);
    expect((await world.fetch(`${origins.sandbox}${url}`)).status).toBe(200);
    isAnswered = true;
    return turns;
  };
  const made = await turnsOf();
  const known = await turnsOf();
  expect(made - known).toBeGreaterThan(5);
});

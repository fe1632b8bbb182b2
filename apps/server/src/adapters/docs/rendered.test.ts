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
    return text.send(request, reply, { own, listeners: { api: own, ads: `${own}1`, sandbox: own } });
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

test('a text that could not be rendered is tried again', async () => {
  let tries = 0;
  const text = new Rendered(async () => {
    tries += 1;
    if (tries === 1) throw new TypeError('not yet');
    return 'now';
  });
  const app = Fastify();
  app.get('/', (request, reply) => text.send(request, reply, { own: '' }));
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

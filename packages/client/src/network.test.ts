/// <reference types="node" />
/** The platform's own `fetch` on real connections: verifies that Node fails in the ways that `retry.ts` relies on. */
import { createServer, type RequestListener, type Server } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { type ClientOptions, createClient } from './client.ts';
import { NetworkError, TimeoutError } from './errors.ts';
import { credentials, rejection } from './testing/fake-server.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** Starts a server on a free port. */
async function serve(listener: RequestListener): Promise<{ address: string; server: Server }> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new TypeError('the server has no port');
  return { address: `http://127.0.0.1:${address.port}`, server };
}

function connect(ads_base_url: string, options: ClientOptions = {}) {
  const waits: number[] = [];
  const sleep = async (ms: number) => void waits.push(ms);
  return { client: createClient({ ...credentials, ads_base_url }, { sleep, ...options }), waits };
}

const target = { account_id: 'abc1', campaign_id: '8wku2' };

test('a write to a closed port is retried, and certainly had no effect', async () => {
  const { address, server } = await serve(() => {});
  await new Promise((resolve) => server.close(resolve));
  const { client, waits } = connect(address);
  const error = await rejection(NetworkError, client.campaigns.delete(target));
  expect(error.mayHaveHappened).toBe(false);
  expect(error.message).toMatch(/^campaigns\.delete got no answer from http:\/\/127\.0\.0\.1:\d+: .*ECONNREFUSED/);
  expect(waits).toHaveLength(2);
});

test('a write is sent once when its connection breaks, a read three times', async () => {
  const methods: (string | undefined)[] = [];
  const { address } = await serve((request) => {
    methods.push(request.method);
    request.socket.destroy();
  });
  const { client } = connect(address);
  const error = await rejection(NetworkError, client.campaigns.delete(target));
  expect(error.mayHaveHappened).toBe(true);
  await rejection(NetworkError, client.campaigns.get(target));
  expect(methods).toEqual(['DELETE', 'GET', 'GET', 'GET']);
});

test('an incomplete response counts as no response', async () => {
  const { address } = await serve((request, response) => {
    response.writeHead(200, { 'content-length': '1000' });
    response.write('{"data":', () => request.socket.destroy());
  });
  const { client } = connect(address, { retry: false });
  expect((await rejection(NetworkError, client.campaigns.delete(target))).mayHaveHappened).toBe(true);
});

test('the timeout covers the body too, and the connection is closed', async () => {
  let begun = 0;
  let closed = 0;
  const { address } = await serve((_, response) => {
    begun++;
    response.on('close', () => closed++);
    response.writeHead(200);
    response.write('{');
  });
  // A machine can be too slow to send the request in that time; then it gets more.
  for (let timeoutMs = 400; begun === 0; timeoutMs *= 2) {
    const { client } = connect(address, { retry: false, timeoutMs });
    await rejection(TimeoutError, client.campaigns.get(target));
  }
  await expect.poll(() => closed).toBe(begun);
});

test('a redirect is not followed', async () => {
  const paths: (string | undefined)[] = [];
  const { address } = await serve((request, response) => {
    paths.push(request.url);
    response.writeHead(307, { location: '/elsewhere' }).end();
  });
  const { client } = connect(address);
  expect((await client.request({ method: 'POST', path: '/a', form: { a: 'b' } })).status).toBe(307);
  expect(paths).toEqual(['/a']);
});

/** A connection that stays open costs the same after any number of requests. */
import { Agent, type IncomingMessage, type RequestOptions, request as send } from 'node:http';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AdapterWorld } from '../testing/world.ts';

const REQUESTS = 50;

let world: AdapterWorld;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const accepted: Socket[] = [];

beforeAll(async () => {
  world = await AdapterWorld.open();
  for (const { server } of Object.values(world.apps)) server.on('connection', (socket) => accepted.push(socket));
});
afterAll(async () => {
  agent.destroy();
  await world[Symbol.asyncDispose]();
});

/** The listeners of the only connection, by event. */
function listeners(): Record<string, number> {
  expect(accepted).toHaveLength(1);
  const [socket] = accepted;
  return Object.fromEntries(
    (socket?.eventNames() ?? []).map((name) => [String(name), socket?.listenerCount(name) ?? 0]),
  );
}

interface Case extends RequestOptions {
  readonly body?: string;
  readonly status: number;
}

const json = (length: number) => ({ 'content-type': 'application/json', 'content-length': length });

test.each<[string, 'api' | 'sandbox', (origin: string) => Case | Promise<Case>]>([
  ['a read before the framework', 'sandbox', (origin) => signed(origin, 'GET', '/12/accounts')],
  ['a rejected read', 'sandbox', () => ({ path: '/12/accounts', status: 401 })],
  [
    'a small body',
    'sandbox',
    () => ({ method: 'POST', path: '/12/accounts', headers: json(2), body: '{}', status: 401 }),
  ],
  [
    'a body that takes room',
    'sandbox',
    async (origin) => {
      const { headers, ...rest } = await signed(origin, 'PUT', `/12/accounts/${world.credentials.sandbox_account_id}`);
      return { ...rest, headers: { ...headers, ...json(100_000) }, body: ' '.repeat(100_000), status: 400 };
    },
  ],
  ['a query of tRPC', 'sandbox', (origin) => signed(origin, 'GET', '/trpc/accounts.list')],
  ['a route of the framework', 'sandbox', () => ({ path: '/health', status: 200 })],
  ['a path that does not exist', 'sandbox', () => ({ path: '/nothing', status: 404 })],
  ['a page', 'api', () => ({ path: '/sign-in', status: 200 })],
  [
    'an upload in parts',
    'api',
    () => ({
      method: 'POST',
      path: '/1.1/media/upload.json',
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
      body: '--b\r\ncontent-disposition: form-data; name="command"\r\n\r\nINIT\r\n--b--\r\n',
      status: 400,
    }),
  ],
])('%s leaves no listener on its connection', async (_title, listener, make) => {
  accepted.length = 0;
  agent.destroy();
  const app = world.apps[listener];
  const origin = app.server.listening ? app.listeningOrigin : await app.listen({ port: 0, host: '127.0.0.1' });
  const exchange = async () => {
    const { body, status, ...options } = await make(origin);
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      send(origin, { ...options, agent }, resolve)
        .on('error', reject)
        .end(body);
    });
    expect([answer.statusCode, await text(answer)]).toEqual([status, expect.any(String)]);
  };
  await exchange();
  const before = listeners();
  for (let i = 0; i < REQUESTS; i++) await exchange();
  await expect.poll(listeners).toEqual(before);
});

async function signed(origin: string, method: string, path: string): Promise<Case> {
  return { method, path, headers: { authorization: await world.sign(method, `${origin}${path}`) }, status: 200 };
}

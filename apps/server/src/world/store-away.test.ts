/** A store that is away, refuses or hangs: others go on, what needs it is told so, and all is well again when it is back. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startProxy } from '@broadside/test-servers/proxy';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createApp } from '../app.ts';
import { createServices } from '../create-services.ts';
import { startSqlServer } from '../db/testing/sql-server.ts';
import { World } from '../open-world.ts';
import { storeNames } from './world-options.ts';

type StoreProxy = Awaited<ReturnType<typeof startProxy>>;

const TOKEN = 'operator-token-of-at-least-24-characters';
/** Longer than anything waits. */
const HANG_MS = 20_000;
const directory = mkdtempSync(path.join(tmpdir(), 'broadside-away-'));
const closers: (() => Promise<unknown>)[] = [];
let production: StoreProxy;
let platform: StoreProxy;
let world: World;
let app: ReturnType<typeof createApp>;
const lines: string[] = [];

beforeAll(async () => {
  const proxies: StoreProxy[] = [];
  for (const name of storeNames) {
    const server = await startSqlServer({ path: path.join(directory, `${name}.db`) });
    const proxy = await startProxy(Number(new URL(server.url).port));
    proxies.push(proxy);
    closers.push(
      () => server.close(),
      () => proxy.close(),
    );
  }
  const [first, second] = proxies;
  if (!first || !second) throw new TypeError('there are three stores');
  [platform, production] = [first, second];
  const stores = Object.fromEntries(
    storeNames.map((name, i) => [name, { url: `http://127.0.0.1:${proxies[i]?.port}` }]),
  );
  world = await World.open({ dataDirectory: path.join(directory, 'data'), stores, serving: { shares: false } });
  const services = createServices(world, { rateLimits: 'off', operatorToken: TOKEN });
  app = createApp({
    services,
    listener: 'ads',
    logger: pino({ level: 'info' }, { write: (line) => lines.push(line) }),
  });
  closers.push(
    () => world.close(),
    () => app.close(),
  );
});

beforeEach(async () => {
  await expect.poll(async () => (await ready()).status).toBe(200);
});

afterAll(async () => {
  for (const close of closers.reverse()) await close();
  rmSync(directory, { recursive: true, force: true });
});

async function ready(): Promise<{ status: number; stores: unknown }> {
  const { statusCode, body } = await app.inject('/ready');
  return { status: statusCode, stores: JSON.parse(body).stores };
}

/** Calls a procedure of the operator that reads a store. */
function call(procedure: string) {
  return app.inject({ url: `/trpc/${procedure}`, headers: { authorization: `Bearer ${TOKEN}` } });
}

function hang(proxy: StoreProxy): void {
  proxy.delay(HANG_MS);
}

function comeBack(proxy: StoreProxy): void {
  proxy.delay(0);
  proxy.cut();
}

test('the readiness of a server with a store that hangs is known before the store is given up', async () => {
  hang(production);
  try {
    const order: string[] = [];
    const given = Promise.resolve(world.ads.production.record('a1'))
      .catch(() => {})
      .then(() => void order.push('given up'));
    // Who asks again meanwhile is told the same.
    const answers = await Promise.all([ready(), ready(), ready()]);
    order.push('told');
    for (const answer of answers) expect(answer).toEqual({ status: 503, stores: ['production'] });
    await given;
    expect(order).toEqual(['told', 'given up']);
  } finally {
    comeBack(production);
  }
  await expect.poll(ready).toEqual({ status: 200, stores: undefined });
});

test('calls that need a store that hangs are answered with 503 and when to come again, and the log says why; others go on', async () => {
  hang(platform);
  try {
    const { statusCode, headers } = await call('admin.users.list');
    expect(statusCode).toBe(503);
    expect(headers['retry-after']).toBeDefined();
    expect(lines.at(-1)).toContain('"rejected":"SERVICE_UNAVAILABLE: its server cannot be reached"');
    expect((await app.inject('/health')).statusCode).toBe(200);
  } finally {
    comeBack(platform);
  }
  await expect.poll(async () => (await call('admin.users.list')).statusCode).toBe(200);
});

test('jobs wait for a store that is away, and are run when it is back', async () => {
  const done: string[] = [];
  const failures: unknown[] = [];
  world.jobs.handle('notes.write', async (subject) => {
    done.push(subject);
    return undefined;
  });
  world.jobs.start((error) => failures.push(error));
  hang(platform);
  platform.cut();
  world.jobs.wake();
  await expect.poll(() => failures.length).toBeGreaterThan(0);
  comeBack(platform);
  const add = () =>
    world.seeds
      .write((writer) => world.jobs.add(writer, { kind: 'notes.write', subject: 'x', due_ms: 0 }))
      .then(
        () => true,
        () => false,
      );
  await expect.poll(add).toBe(true);
  await expect.poll(() => done).toContain('x');
});

/** Servers of one platform at work, and what a process is told that does not fit them. */
import path from 'node:path';
import { noRedis, RedisServer } from '@broadside/test-servers/redis';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createApp } from '../app.ts';
import { readConfig } from '../config/config.ts';
import { createServices } from '../create-services.ts';
import type { World } from '../open-world.ts';
import { SeedRefusedError, seedFile } from '../seed/index.ts';
import { startServer } from '../server.ts';
import { ManualClock } from '../world/clock.ts';
import { LeaseEndedError } from './errors.ts';
import { LEASE_MS } from './leases.ts';
import { type RemotePlatform, startRemotePlatform } from './testing/remote-stores.ts';

const TOKEN = 'operator-token-of-at-least-24-characters';
let platform: RemotePlatform;

beforeAll(async () => {
  platform = await startRemotePlatform();
});
afterAll(() => platform.close());

async function open(name: string, wallClock?: ManualClock): Promise<World> {
  const world = await platform.open(name, { wallClock });
  onTestFinished(() => world.close());
  return world;
}

/** The environment of a process in a data directory of its own. */
function env(name: string, settings: Readonly<Record<string, string>> = {}): Record<string, string> {
  const { platform: people, production, sandbox } = platform.stores;
  return {
    BROADSIDE_DATA_DIR: path.join(platform.directory, name),
    BROADSIDE_API_PORT: '0',
    BROADSIDE_ADS_PORT: '0',
    BROADSIDE_SANDBOX_PORT: '0',
    BROADSIDE_WORKERS: '1',
    BROADSIDE_DEMO: '0',
    BROADSIDE_DATABASE_URL: people?.url ?? '',
    BROADSIDE_ADS_DATABASE_URL: production?.url ?? '',
    BROADSIDE_SANDBOX_DATABASE_URL: sandbox?.url ?? '',
    BROADSIDE_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    BROADSIDE_MEDIA_SHARED_DIRECTORY: path.join(platform.directory, 'media'),
    ...settings,
  };
}

test('the jobs of a platform are run once, whichever server added them, and their ids never meet', async () => {
  const worlds = await Promise.all(['a', 'b', 'c'].map((name) => open(name)));
  const done: string[] = [];
  for (const world of worlds) {
    world.jobs.handle('notes.write', async (subject) => {
      done.push(subject);
      return undefined;
    });
    world.jobs.start(() => {});
  }
  const subjects: string[] = [];
  for (let i = 0; i < 15; i++) {
    const world = worlds[i % 3];
    if (!world) throw new TypeError('there are three');
    const subject = world.snowflakes.next();
    subjects.push(subject);
    expect((BigInt(subject) >> 12n) & 1023n).toBe(BigInt(world.servers?.registration.worker ?? -1));
    await world.seeds.write((writer) => world.jobs.add(writer, { kind: 'notes.write', subject, due_ms: i }));
    for (const other of worlds) other.jobs.wake();
  }
  expect(new Set(subjects).size).toBe(15);
  await expect.poll(() => done.length).toBeGreaterThanOrEqual(15);
  for (const world of worlds) await world.jobs.stop();
  expect(done.toSorted()).toEqual(subjects.toSorted());
});

test('a server whose lease has ended answers writes with 503 until it has one again, and reads go on', async () => {
  const wall = new ManualClock(Date.now());
  const world = await open('a', wall);
  const services = createServices(world, { rateLimits: 'off', operatorToken: TOKEN });
  const app = createApp({ services, listener: 'ads', logger: pino({ level: 'silent' }) });
  onTestFinished(() => app.close());
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
  const create = (screen_name: string) =>
    app.inject({
      method: 'POST',
      url: '/trpc/admin.users.create',
      headers,
      payload: JSON.stringify({ screen_name, name: 'Person', password: 'a password of somebody' }),
    });
  expect((await create('before')).statusCode).toBe(200);
  // Nothing is written, whether or not it needs an id.
  wall.advance(LEASE_MS);
  await expect(world.seeds.write(async () => 'written')).rejects.toThrow(LeaseEndedError);
  await expect.poll(() => world.servers?.registration.problem).toBeUndefined();
  wall.advance(LEASE_MS);
  const refused = await create('meanwhile');
  expect(refused.statusCode).toBe(503);
  expect(refused.headers['retry-after']).toBeDefined();
  expect((await app.inject({ url: '/trpc/admin.users.list', headers })).statusCode).toBe(200);
  await expect.poll(async () => (await create('again')).statusCode).toBe(200);
});

test('a server does not start beside another one that it shares nothing with', async () => {
  const logger = pino({ level: 'silent' });
  const first = await startServer(readConfig(env('first')), logger);
  onTestFinished(() => first.close());
  await expect(startServer(readConfig(env('second')), logger)).rejects.toThrow(
    new RegExp(`^Another server \\(number \\d+, process ${process.pid} on .*BROADSIDE_SHARED_URL[^\\n]*$`),
  );
});

test.each([
  ['another secret key', { BROADSIDE_SECRET_KEY: Buffer.alloc(32, 8).toString('base64') }, 'BROADSIDE_SECRET_KEY'],
  ['media of its own', { BROADSIDE_MEDIA_SHARED_DIRECTORY: '' }, 'BROADSIDE_MEDIA_SHARED_DIRECTORY'],
])('a seed with %s is refused in one line', async (_, settings, named) => {
  await (await open('a')).close();
  const place = { env: env('laptop', settings), dataDirectory: path.join(platform.directory, 'laptop') };
  const refused: unknown = await seedFile(place, {
    name: 'seed.yaml',
    text: 'users: [{ screen_name: seeded }]',
  }).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(SeedRefusedError);
  const { message } = refused instanceof Error ? refused : new Error('');
  expect(message).toContain(named);
  expect(message).not.toContain('\n');
});

test.skipIf(noRedis !== undefined)(
  'a seed file tells servers by what they share that people and apps have changed, and is not seeded without',
  async () => {
    const redis = await RedisServer.start();
    onTestFinished(() => redis.close());
    const world = await open('told');
    const seed = (url: string) =>
      seedFile(
        { env: env('seeding', { BROADSIDE_SHARED_URL: url }), dataDirectory: path.join(platform.directory, 'seeding') },
        { name: 'seed.yaml', text: 'users: [{ screen_name: told_by_seed }]' },
      );
    await expect(seed('redis://127.0.0.1:1')).rejects.toThrow('The state that servers share cannot be reached');
    expect(await world.identity.users.byName('told_by_seed')).toBeUndefined();
    expect((await seed(redis.url)).users).toMatchObject({ made: 1 });
    expect(await redis.command('KEYS *:generations')).toContain('broadside:');
  },
);

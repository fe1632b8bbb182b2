/**
 * Two servers and a worker of one platform, on real libSQL servers and Redis: clients see the whole interface on either server, while the
 * members of audiences and the index are the worker's.
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createClient } from '@broadside/client';
import { noRedis, RedisServer } from '@broadside/test-servers/redis';
import { type Sqld, sqldMissing, startSqld } from '@broadside/test-servers/sqld';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { ALL_RANGES, rangeCount } from '../../../apps/server/src/audience/ranges.ts';
import { type Listening, listening } from '../support/listening.ts';
import { hashed } from '../support/members.ts';
import { ownAddress, ServerProcess } from '../support/server-process.ts';

const missing = noRedis ?? sqldMissing();
if (missing !== undefined) console.warn(`tests of workers are left out: ${missing}`);

const PATIENCE = { timeout: 60_000, interval: 100 };
/** An audience that can be targeted has 100 people. */
const PEOPLE = 120;
const name = (person: number) => `person_${person}`;

describe.skipIf(missing !== undefined)('a platform with a worker', () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'broadside-workers-'));
  let settings: Readonly<Record<string, string>>;
  let redis: RedisServer;
  let stores: readonly Sqld[];
  let one: Listening;
  let two: Listening;
  let worker: ServerProcess;
  let second: ServerProcess | undefined;
  let audience: string;

  const clientOf = ({ credentials }: Listening) => createClient(credentials, { environment: 'sandbox', retry: false });
  const account = () => one.credentials.sandbox_account_id;
  const startWorkerIn = (place: string, more: Readonly<Record<string, string>> = {}) => {
    const role = { BROADSIDE_ROLE: 'worker', BROADSIDE_INTERNAL_ADDRESS: '127.0.0.1:0' };
    return ServerProcess.start(path.join(directory, place), { ...settings, ...role, ...more });
  };
  const startWorker = async (more?: Readonly<Record<string, string>>) => {
    worker = await startWorkerIn('worker', more);
  };
  const upload = (at: Listening, from: number, to: number, custom_audience_id = audience) => {
    const users = Array.from({ length: to - from }, (_, i) => ({ handle: [hashed(name(from + i))] }));
    const operations = [{ operation_type: 'Update' as const, params: { users } }];
    return clientOf(at).custom_audiences.users({ account_id: account(), custom_audience_id, operations });
  };
  const shown = (at: Listening) =>
    clientOf(at).custom_audiences.get({ account_id: account(), custom_audience_id: audience });
  const sizeOnBoth = (size: number) =>
    vi.waitFor(async () => {
      for (const at of [one, two]) {
        expect(await shown(at)).toMatchObject({ audience_size: size, targetable: true, reasons_not_targetable: [] });
      }
    }, PATIENCE);
  const estimate = (at: Listening) => {
    const criteria = [{ targeting_type: 'BROAD_KEYWORD', targeting_value: 'umbrellas' } as const];
    return clientOf(at).audience_estimate.create({ account_id: account(), targeting_criteria: criteria });
  };
  /** The exact number of people of the audience, as a server has it counted. */
  const counted = ({ server }: Listening, id = audience) => {
    const leaf = { kind: 'leaf', negate: false, set: { audience: `sandbox/${id}` } } as const;
    const scope = { audiences: new Map([[id, leaf]]), without: [] };
    return server.world.audience.count({ all: [[{ kind: 'custom_audience', id }]], none: [] }, scope);
  };
  const refused = (call: Promise<unknown>) => expect(call).rejects.toMatchObject({ status: 503 });

  beforeAll(async () => {
    redis = await RedisServer.start();
    const names = ['platform', 'production', 'sandbox'];
    stores = await Promise.all(names.map((store) => startSqld({ directory: path.join(directory, store) })));
    const [platform = '', production = '', sandbox = ''] = stores.map(({ url }) => url);
    settings = {
      BROADSIDE_DATABASE_URL: platform,
      BROADSIDE_ADS_DATABASE_URL: production,
      BROADSIDE_SANDBOX_DATABASE_URL: sandbox,
      BROADSIDE_SHARED_URL: redis.url,
      BROADSIDE_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
      BROADSIDE_MEDIA_SHARED_DIRECTORY: path.join(directory, 'media'),
      BROADSIDE_MODE: 'development',
    };
    one = await listening({ ...settings, BROADSIDE_ROLE: 'server' });
    two = await listening({ ...settings, BROADSIDE_ROLE: 'server' });
    const { users } = one.server.world.identity;
    const actor = { user_id: null, platform: 'SERVER' } as const;
    const create = (i: number) => users.create(actor, { screen_name: name(i), name: 'Person', password: null });
    // A few at a time: what waits together is one transaction, and those of the store have seconds.
    for (let i = 0; i < PEOPLE; i += 8) await Promise.all(Array.from({ length: 8 }, (_, j) => create(i + j)));
  });
  afterAll(async () => {
    await worker?.end('SIGKILL');
    await second?.end('SIGKILL');
    await one?.[Symbol.asyncDispose]();
    await two?.[Symbol.asyncDispose]();
    for (const store of stores ?? []) await store.close();
    await redis?.close();
    rmSync(directory, { recursive: true, force: true });
  });

  test('before a worker is started, what needs one is told to come again, and all else goes on', async () => {
    audience = (await clientOf(one).custom_audiences.create({ account_id: account(), name: 'Readers' })).id;
    await refused(upload(two, 0, 100));
    await refused(estimate(one));
    expect(await shown(two)).toMatchObject({ reasons_not_targetable: ['PROCESSING', 'TOO_SMALL'] });
  });

  test('what is uploaded to one server is counted by the worker, and both answer alike', async () => {
    await startWorker();
    await upload(two, 0, 100);
    await sizeOnBoth(100);
    // On a machine that stands still for long the lease of the worker ends, until it is renewed.
    await vi.waitFor(async () => expect([await counted(one), await counted(two)]).toEqual([100, 100]), PATIENCE);
    await vi.waitFor(async () => expect(await estimate(two)).toEqual(await estimate(one)), PATIENCE);
    // Neither has an index of its own.
    for (const { server } of [one, two]) expect(server.world.audience.age_ms).toBeUndefined();
  });

  test('keyword insights are the same on both', async () => {
    const { user_id } = one.credentials;
    const post = { author_id: user_id, text: 'Umbrellas sell when it rains', source: 'Test', lang: 'en' };
    await one.server.world.posts.create({ user_id: null, platform: 'SERVER' }, post);
    const start = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000 - 3_600_000);
    const search = (at: Listening) =>
      clientOf(at).keyword_insights.search({
        granularity: 'HOUR',
        keywords: ['umbrellas'],
        start_time: start,
        end_time: new Date(start.getTime() + 3 * 3_600_000),
      });
    const found = await vi.waitFor(() => search(two), PATIENCE);
    expect(found.post_volume.reduce((sum, volume) => sum + volume, 0)).toBe(1);
    expect(await search(one)).toEqual(found);
  });

  test('members that were acknowledged are there after the worker was killed, and meanwhile it is named', async () => {
    await upload(one, 100, PEOPLE);
    await worker.end('SIGKILL');
    const error: unknown = await upload(two, 0, 1).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ status: 503 });
    expect(String(error instanceof Error ? error.message : '')).toMatch(
      /worker of this platform at http:\/\/127\.0\.0\.1:\d+ does not answer/,
    );
    await refused(estimate(two));
    await startWorker();
    expect(await counted(two)).toBe(PEOPLE);
    await sizeOnBoth(PEOPLE);
  });

  test('a second worker takes half of the people, and after it was killed the first has them all again', async () => {
    const holders = async () =>
      ((await one.server.world.servers?.working?.workers.live()) ?? []).map(({ takes }) => takes);
    const estimated = await estimate(one);
    second = await startWorkerIn('second');
    await vi.waitFor(async () => {
      const [some = 0n, others = 0n, ...more] = await holders();
      expect([rangeCount(some), rangeCount(others), more]).toEqual([256, 256, []]);
      expect(some | others).toBe(ALL_RANGES);
    }, PATIENCE);
    expect([await counted(one), await counted(two)]).toEqual([PEOPLE, PEOPLE]);
    expect(await estimate(two)).toEqual(estimated);
    // Members go to the first one, whose job counts them with the second.
    await upload(two, 0, 10);
    await sizeOnBoth(PEOPLE);
    await second.end('SIGKILL');
    await refused(estimate(two));
    await vi.waitFor(async () => expect(await counted(two)).toBe(PEOPLE), PATIENCE);
    expect(await holders()).toEqual([ALL_RANGES]);
  });

  test('a second worker that keeps members is killed while it merges: only its audiences wait, and what was acknowledged is there once', async () => {
    second = await startWorkerIn('second', { BROADSIDE_KEEP_MEMBERS: '1' });
    const { id } = await clientOf(one).custom_audiences.create({ account_id: account(), name: 'Walkers' });
    expect(await one.server.world.servers?.working?.places.of(`sandbox/${id}`)).not.toBe('');
    const [killed, requests] = [second, Array.from({ length: PEOPLE / 5 }, (_, i) => i * 5)];
    const acknowledged: number[] = [];
    const refusedFrom: number[] = [];
    const send = async (from: number) => {
      try {
        await upload(from % 2 === 0 ? one : two, from, from + 5, id);
        // Merging has begun by then.
        if (acknowledged.push(from) === 8) await killed.end('SIGKILL');
      } catch (error) {
        expect(error).toMatchObject({ status: 503 });
        refusedFrom.push(from);
      }
    };
    for (let i = 0; i < requests.length; i += 4) await Promise.all(requests.slice(i, i + 4).map(send));
    expect([acknowledged.length >= 8, refusedFrom.length > 0]).toEqual([true, true]);
    await refused(upload(one, 0, 1, id));
    await upload(two, 0, 10);
    await sizeOnBoth(PEOPLE);
    // It is known as one that keeps members.
    second = await startWorkerIn('second');
    await vi.waitFor(
      async () => expect(await counted(one, id)).toBeGreaterThanOrEqual(acknowledged.length * 5),
      PATIENCE,
    );
    for (const from of refusedFrom) await upload(two, from, from + 5, id);
    const found = () => clientOf(two).custom_audiences.get({ account_id: account(), custom_audience_id: id });
    await vi.waitFor(
      async () => expect(await found()).toMatchObject({ audience_size: PEOPLE, targetable: true }),
      PATIENCE,
    );
    expect([await counted(one, id), await counted(two, id), await counted(one)]).toEqual([PEOPLE, PEOPLE, PEOPLE]);
  });

  test('a worker that is stopped cuts off a call that does not end', async () => {
    await worker.end('SIGTERM');
    // On an address of its own any port is free.
    const [host, port] = [ownAddress.BROADSIDE_HOST, 7600];
    await startWorker({
      BROADSIDE_INTERNAL_ADDRESS: `${host}:${port}`,
      BROADSIDE_STOP_SECONDS: '1',
      BROADSIDE_LOG_LEVEL: 'warn',
    });
    const socket = connect(port, host);
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => {});
    // Its head never ends.
    socket.write('POST /internal/1/count HTTP/1.1\r\n');
    await once(socket, 'connect');
    const { code, stdout } = await worker.end('SIGTERM');
    expect(code).toBe(0);
    expect(stdout).toMatch(/requests under way were cut off after 1 s/);
  });
});

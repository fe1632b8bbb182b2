/** Redis is away, stands still or has lost its memory: nothing is let through unchecked, and servers come back by themselves. */
import { noRedis, RedisServer } from '@broadside/test-servers/redis';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Actor } from '../db/change-log.ts';
import { RedisLink } from './redis-link.ts';
import { endScript } from './redis-scripts.ts';
import { SharedStateError } from './shared-state.ts';
import { Servers, type Signed } from './testing/servers.ts';

const ACTOR: Actor = { user_id: null, platform: 'SERVER' };
/** Longer than the deadline of a command, on a slow machine. */
const PATIENCE = { timeout: 60_000, interval: 50 };
const TARGET = '/12/accounts';

describe.skipIf(noRedis !== undefined)('servers whose Redis fails', () => {
  let servers: Servers;
  /** So far ahead are requests signed: behind what was reserved before the latest loss. */
  let ahead_s = 0;

  beforeAll(async () => {
    servers = await Servers.start(2, { rateLimits: 'off' });
  });
  afterAll(() => servers.close());

  beforeEach(async () => {
    servers.redis.thaw();
    if ((await servers.redis.command('PING').catch(() => '')) === '') await servers.redis.restart();
    await recovered();
  });

  /** Waits until both serve again, with timestamps that cannot have been used before. */
  async function recovered(): Promise<void> {
    for (const index of [0, 1]) {
      await vi.waitFor(async () => {
        const { status } = await servers.call(index, 'GET', TARGET, ahead_s);
        // Each request in vain may have been one of the timestamps that are lost.
        if (status !== 200) ahead_s += 1;
        expect(status).toBe(200);
      }, PATIENCE);
    }
  }

  async function accepted(): Promise<Signed> {
    const signed = await servers.sign('POST', TARGET, ahead_s);
    expect((await servers.at(0).send(signed)).status).toBe(200);
    return signed;
  }

  test('reads and writes answer 503 with retry-after while it is gone, and nothing is stored', async () => {
    const before = await servers.call(0, 'GET', `${TARGET}?count=200`, ahead_s);
    await servers.redis.kill();
    for (const [index, method] of [
      [0, 'POST'],
      [1, 'POST'],
      [0, 'GET'],
      [1, 'GET'],
    ] as const) {
      const answer = await servers.call(index, method, TARGET, ahead_s);
      expect([answer.status, answer.retryAfter]).toEqual([503, '5']);
      expect(answer.body).not.toContain('redis');
    }
    expect(servers.at(0).link?.problem).toMatch(/^The state that servers share cannot be reached at redis:.*\.$/);
    await servers.redis.restart();
    await recovered();
    expect(servers.at(0).link?.problem).toBeUndefined();
    const after = await servers.call(0, 'GET', `${TARGET}?count=200`, ahead_s);
    expect(JSON.parse(after.body).data).toEqual(JSON.parse(before.body).data);
  });

  test('requests are answered within the deadline while it stands still', async () => {
    servers.redis.freeze();
    const answers = await Promise.all([0, 1, 0, 1].map((index) => servers.call(index, 'POST', TARGET, ahead_s)));
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 503, 503]);
    servers.redis.thaw();
    await recovered();
  });

  test.each<[string, (redis: RedisServer) => Promise<unknown>]>([
    ['was started again', (redis) => redis.restart()],
    ['was started with what it had saved before', (redis) => redis.restart('saved')],
    ['was emptied', (redis) => redis.command('FLUSHALL')],
  ])('a request is not accepted a second time when Redis %s', async (_, lose) => {
    await servers.redis.command('SAVE');
    const signed = await accepted();
    expect((await servers.at(1).send(signed)).status).toBe(401);
    await lose(servers.redis);
    const answers = await vi.waitFor(async () => {
      const sent = await Promise.all([0, 1].map((index) => servers.at(index).send(signed)));
      expect(sent.every(({ body }) => body.includes('received before'))).toBe(true);
      return sent;
    }, PATIENCE);
    expect(answers.map(({ status }) => status)).toEqual([503, 503]);
    await recovered();
  });

  test('a write that outdates what others remember is not stored without word to them', async () => {
    const { tokens, signing } = servers.at(0).world.identity;
    const { access_token, consumer_key } = servers.credentials;
    await servers.redis.kill();
    await expect(tokens.revoke(ACTOR, access_token)).rejects.toThrow(SharedStateError);
    expect((await signing.find(consumer_key, access_token))?.token?.revoked).toBe(false);
  });

  test('a write that is stored, and that others cannot be told of, is not answered with 503', async () => {
    const { link } = servers.at(0);
    if (link === undefined) throw new TypeError('the servers share their state');
    const accounts = async (index: number) => {
      const { status, body } = await servers.call(index, 'GET', `${TARGET}?count=200`, ahead_s);
      expect(status).toBe(200);
      return JSON.parse(body).data.length;
    };
    const before = await accounts(1);
    const evaluate = link.evaluate.bind(link);
    const failing = vi.spyOn(link, 'evaluate').mockImplementation(async (script, ...rest) => {
      if (script === endScript) throw new SharedStateError('away');
      return evaluate(script, ...rest);
    });
    const { status, retryAfter } = await servers.call(0, 'POST', TARGET, ahead_s).finally(() => failing.mockRestore());
    expect([status, retryAfter]).toEqual([500, undefined]);
    expect([await accounts(0), await accounts(1)]).toEqual([before + 1, before + 1]);
  });

  test('nothing is remembered while a commit is under way that would outdate it, also if its server dies', async () => {
    const { shared, identity } = servers.at(1).world;
    const { consumer_key, access_token } = servers.credentials;
    const remembered = async () => {
      await servers.call(1, 'GET', TARGET, ahead_s);
      const first = await identity.signing.find(consumer_key, access_token);
      await shared?.freshen();
      return first === (await identity.signing.find(consumer_key, access_token));
    };
    expect(await remembered()).toBe(true);
    const end = await servers.at(0).world.shared?.guard('identities').begin();
    expect(await remembered()).toBe(false);
    expect(await remembered()).toBe(false);
    await end?.();
    expect(await remembered()).toBe(true);
  });

  test('all of a platform is under its own name', async () => {
    const keys = Array.from((await servers.redis.command('KEYS *')).matchAll(/^[^$*+\r\n].*$/gm), ([key]) =>
      key.trim(),
    );
    expect(keys.length).toBeGreaterThan(1);
    const [prefix] = keys.map((key) => /^broadside:\{\w{22}\}:/.exec(key)?.[0]);
    expect(keys.every((key) => prefix !== undefined && key.startsWith(prefix))).toBe(true);
  });
});

describe.skipIf(noRedis !== undefined)('a link', () => {
  test('is not made where Redis is away, which is said in one line without the password', async () => {
    const redis = await RedisServer.start();
    await redis.close();
    const opening = RedisLink.open({ url: redis.url.replace('//', '//:secret@') });
    await expect(opening).rejects.toThrow(
      /^The state that servers share cannot be reached at redis:\/\/127.*ECONNREFUSED[^\n]*$/,
    );
    await expect(opening).rejects.not.toThrow(/secret/);
  });

  test('is not made to a Redis that removes keys for want of memory', async () => {
    const redis = await RedisServer.start(['--maxmemory', '10mb', '--maxmemory-policy', 'allkeys-lru']);
    await expect(RedisLink.open({ url: redis.url })).rejects.toThrow('set maxmemory-policy noeviction');
    await redis.close();
  });
});

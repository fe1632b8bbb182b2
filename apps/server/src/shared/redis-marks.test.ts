/** What servers tell each other of commits in Redis, and what a server makes of its silence. */
import { noRedis, RedisServer } from '@broadside/test-servers/redis';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Written } from '../db/replicas.ts';
import { EVERYTHING } from '../db/touched-slots.ts';
import { RedisLink } from './redis-link.ts';
import { RedisMarks } from './redis-marks.ts';
import { settleScript } from './redis-scripts.ts';
import { Repeated } from './repeated.ts';
import { SharedStateError } from './shared-state.ts';

const STORE = 'sandbox';
/** More than one trip names. */
const MANY = 400;

describe.skipIf(noRedis !== undefined)('marks in Redis', () => {
  let redis: RedisServer;
  let link: RedisLink;
  let marks: RedisMarks;
  let known: Written | undefined;
  const replicas = {
    position: 10,
    follow: (written: Written | undefined) => {
      known = written;
    },
  };

  beforeAll(async () => {
    redis = await RedisServer.start();
    link = await RedisLink.open({ url: redis.url });
  });
  afterAll(async () => {
    link.close();
    await redis.close();
  });

  beforeEach(async () => {
    await redis.command('DEL epoch');
    await redis.command(`DEL "marks ${STORE}"`);
    await redis.command(`HSET epoch run ${link.runId} id first`);
    await link.evaluate(settleScript, ['epoch'], ['first', '0']);
    marks = new RedisMarks(link, (name) => name, new Repeated());
    replicas.position = 10;
    marks.follow(STORE, replicas);
    known = undefined;
  });

  function ask() {
    const asked = marks.ask();
    if (asked === undefined) throw new Error('nothing is followed');
    return asked;
  }

  const trip = () => marks.learn(ask());

  test('a trip names what was written after the mark of the replicas, and nothing else', async () => {
    await marks.announce(STORE, new Set(['a']), 10);
    await marks.announce(STORE, new Set(['b']), 11);
    await trip();
    expect([known?.memory, known?.after]).toEqual(['first', 10]);
    expect(['a', 'b', 'c'].map((scope) => known?.wrote(scope))).toEqual([false, true, false]);
  });

  test('a commit that is announced late does not take back a later one', async () => {
    await marks.announce(STORE, new Set(['a']), 12);
    await marks.announce(STORE, new Set(['a']), 9);
    await trip();
    expect(known?.wrote('a')).toBe(true);
  });

  test('a write of which no account is known counts for all', async () => {
    await marks.announce(STORE, new Set(['a', EVERYTHING]), 11);
    await trip();
    expect(known?.wrote('b')).toBe(true);
  });

  test('where more was written than a trip names, everything was', async () => {
    await marks.announce(STORE, new Set(Array.from({ length: MANY }, (_, i) => `written ${i}`)), 11);
    await trip();
    expect(Array.from({ length: MANY }, (_, i) => known?.wrote(`other ${i}`))).not.toContain(false);
  });

  test('nothing is known of a memory of another process, or of one that is not settled', async () => {
    await trip();
    expect(known).toBeDefined();
    await redis.command('HDEL epoch floor');
    await trip();
    expect(known).toBeUndefined();
    await redis.command('HSET epoch floor 0');
    await trip();
    expect(known).toBeDefined();
    await redis.command('HSET epoch run another');
    await trip();
    expect(known).toBeUndefined();
  });

  test('an answer that comes after that of a later trip is not taken', async () => {
    const early = ask();
    await early.reply;
    await marks.announce(STORE, new Set(['a']), 11);
    await marks.learn(ask());
    await marks.learn(early);
    expect(known?.wrote('a')).toBe(true);
  });

  test('a trip that Redis does not answer leaves nothing known', async () => {
    await trip();
    vi.spyOn(link, 'evaluate').mockRejectedValueOnce(new SharedStateError('away'));
    await trip();
    expect(known).toBeUndefined();
  });

  test('an announcement that fails is an error, and made again', async () => {
    vi.spyOn(link, 'evaluate').mockRejectedValueOnce(new SharedStateError('away'));
    await expect(marks.announce(STORE, new Set(['a']), 11)).rejects.toThrow('away');
    await vi.waitFor(
      async () => {
        await trip();
        expect(known?.wrote('a')).toBe(true);
      },
      { timeout: 60_000, interval: 20 },
    );
  });
});

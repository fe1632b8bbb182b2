/** Two servers that read a replica: what anybody was told of an account is never taken back by a read, whatever the replica does. */
import { noRedis } from '@broadside/test-servers/redis';
import { sqldMissing } from '@broadside/test-servers/sqld';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Actor } from '../db/change-log.ts';
import { Readiness } from '../readiness.ts';
import { Servers } from './testing/servers.ts';

const ACTOR: Actor = { user_id: null, platform: 'SERVER' };
const PATIENCE = { timeout: 60_000, interval: 20 };
const ROUNDS = 6;
/** By which replication is delayed, each way. */
const LAG_MS = 60;
const CUT_OFF_MS = 1_000_000;

const missing = noRedis ?? sqldMissing();
if (missing !== undefined) console.warn(`tests of reads of replicas are left out: ${missing}`);

describe.skipIf(missing !== undefined)('two servers that read a replica', () => {
  let servers: Servers;
  let account_id: string;
  let account: string;
  let campaign: string;
  /** Of the present time, by the clocks of clients. */
  let ahead_s = 0;

  beforeAll(async () => {
    servers = await Servers.start(2, { rateLimits: 'off', stores: 'sqld', replicas: 1 });
    account_id = servers.credentials.sandbox_account_id;
    account = `/12/accounts/${account_id}`;
    const funding = await made(0, `${account}/funding_instruments?currency=USD&type=CREDIT_CARD&start_time=2026-01-01`);
    const fields = `funding_instrument_id=${funding}&name=First&daily_budget_amount_local_micro=1000000`;
    campaign = `${account}/campaigns/${await made(0, `${account}/campaigns?${fields}`)}`;
  });
  afterAll(() => servers.close());

  async function made(index: number, target: string): Promise<string> {
    return (await data(index, 'POST', target)).id;
  }

  async function data(index: number, method: 'GET' | 'POST' | 'PUT', target: string) {
    const { status, body } = await servers.call(index, method, target, ahead_s);
    expect(status, body).toBe(200);
    return JSON.parse(body).data;
  }

  const answers = (index: number) => servers.at(index).world.replicas.all[0]?.replicas.answers;
  const answered = (answer: 'replica' | 'primary_away') =>
    [0, 1].reduce((sum, index) => sum + (answers(index)?.get(answer) ?? 0), 0);

  /** The mark of the latest commit that counts for all accounts. */
  async function markOfAll(): Promise<string> {
    const keys = await servers.redis.command('KEYS *:marks?sandbox');
    const key = /^broadside:.*$/m.exec(keys)?.[0].trim();
    const score = await servers.redis.command(`ZSCORE "${key}" *`);
    expect(score).toMatch(/\d{13}/);
    return score;
  }

  /** Reads until a replica has answered both. */
  async function untilRead(): Promise<void> {
    for (const index of [0, 1]) {
      const before = answers(index)?.get('replica') ?? 0;
      await vi.waitFor(async () => {
        await data(index, 'GET', campaign);
        expect(answers(index)?.get('replica') ?? 0).toBeGreaterThan(before);
      }, PATIENCE);
    }
  }

  /** Renames the campaign on one server after the other; each read after that, wherever it is, has the new name. */
  async function renames(prefix: string): Promise<void> {
    for (let round = 0; round < ROUNDS; round++) {
      const name = `${prefix} ${round}`;
      await data(round % 2, 'PUT', `${campaign}?name=${encodeURIComponent(name)}`);
      const both = await Promise.all([0, 1].map((index) => data(index, 'GET', campaign)));
      expect(both.map((one) => one.name)).toEqual([name, name]);
    }
  }

  test('it answers reads of an entity, of pages, and of nothing else', async () => {
    await untilRead();
    const before = answered('replica');
    const page = await data(0, 'GET', `${account}/campaigns`);
    expect(page.length).toBeGreaterThan(0);
    expect(answered('replica')).toBeGreaterThan(before);
  });

  test('a read after a write has it on both, while others read and write', async () => {
    const other = servers.at(1);
    let isDone = false;
    const load = async () => {
      while (!isDone) await data(1, 'GET', `${account}/line_items`);
    };
    const loads = [load(), load()];
    await renames('Under load');
    isDone = true;
    await Promise.all(loads);
    expect(other.world.replicas.states).toMatchObject([{ isAway: false }]);
  });

  test('while the replica lags, it answers reads of accounts that nobody has written', async () => {
    const { id } = await data(0, 'POST', '/12/accounts');
    const ofAll = await markOfAll();
    servers.replication?.delay(LAG_MS);
    let isDone = false;
    const reads = (async () => {
      while (!isDone) await data(1, 'GET', `/12/accounts/${id}/campaigns`);
    })();
    const before = answered('replica');
    await vi.waitFor(async () => {
      await renames('Lagging');
      expect(answered('replica')).toBeGreaterThan(before);
    }, PATIENCE);
    isDone = true;
    await reads;
    servers.replication?.delay(0);
    expect(await markOfAll()).toBe(ofAll);
  });

  test('a replica that is cut off from its primary is not read', async () => {
    await untilRead();
    servers.replication?.delay(CUT_OFF_MS);
    await renames('Cut off');
    await vi.waitFor(() => {
      const [state] = servers.at(0).world.replicas.states;
      expect(state?.behind).toBeGreaterThan(0);
    }, PATIENCE);
    await renames('Behind');
    servers.replication?.delay(0);
    servers.replication?.cut();
    await renames('Connected again');
    await untilRead();
  });

  test('a replica that is stopped fails no read, takes none back, and is read again by itself', async () => {
    const [replica] = servers.replicas;
    await untilRead();
    const before = answered('primary_away');
    await replica?.stop();
    await renames('Stopped');
    const readiness = new Readiness((work) => work(servers.at(0).world));
    await vi.waitFor(async () => {
      await data(0, 'GET', campaign);
      expect(answered('primary_away')).toBeGreaterThan(before);
      expect(await readiness.report()).toEqual({ status: 'ready', stores: ['sandbox replica'] });
    }, PATIENCE);
    replica?.resume();
    await renames('Resumed');
    await untilRead();
  });

  test('a replica that is killed, and comes back, likewise', async () => {
    const [replica] = servers.replicas;
    await replica?.kill();
    await renames('Killed');
    await replica?.start();
    await renames('Back');
    await untilRead();
  });

  test('what Redis has forgotten is not read from a replica that lacks it', async () => {
    await untilRead();
    servers.replication?.delay(CUT_OFF_MS);
    await renames('Before the loss');
    const { name } = await data(0, 'GET', campaign);
    await servers.redis.kill();
    await servers.redis.restart();
    for (const index of [0, 1]) {
      await vi.waitFor(async () => {
        const { status, body } = await servers.call(index, 'GET', campaign, ahead_s);
        // Timestamps of before the loss may have been used.
        if (status !== 200) ahead_s += 1;
        expect(status, body).toBe(200);
        expect(JSON.parse(body).data.name).toBe(name);
      }, PATIENCE);
      for (let round = 0; round < ROUNDS; round++) expect((await data(index, 'GET', campaign)).name).toBe(name);
    }
    servers.replication?.delay(0);
    servers.replication?.cut();
    await untilRead();
  });

  test('who loses an account is rejected at once, while the replica lags', async () => {
    const { user_id } = servers.credentials;
    const { sandbox } = servers.at(0).world.ads;
    await untilRead();
    await servers.replicas[0]?.stop();
    await sandbox.revoke(ACTOR, account_id, user_id);
    for (const index of [0, 1]) expect((await servers.call(index, 'GET', campaign, ahead_s)).status).toBe(403);
    await sandbox.grant(ACTOR, account_id, user_id, ['ACCOUNT_ADMIN']);
    for (const index of [0, 1]) await data(index, 'GET', campaign);
    servers.replicas[0]?.resume();
  });
});

describe.skipIf(missing !== undefined)('two servers that read a replica of a shard', () => {
  test('what is written to an account of the shard is read by both, also while the replica lags', async () => {
    const servers = await Servers.start(2, { rateLimits: 'off', stores: 'sqld', shards: ['east'], replicas: 1 });
    const ok = async (index: number, method: 'GET' | 'POST', target: string) => {
      const { status, body } = await servers.call(index, method, target);
      expect(status, body).toBe(200);
      return JSON.parse(body).data;
    };
    try {
      const { id } = await ok(0, 'POST', '/12/accounts');
      const list = `/12/accounts/${id}/funding_instruments`;
      const read = servers.at(1).world.replicas.all[0]?.replicas;
      servers.replication?.delay(LAG_MS);
      let made = 0;
      await vi.waitFor(async () => {
        const { id: funding } = await ok(
          made % 2,
          'POST',
          `${list}?currency=USD&type=CREDIT_CARD&start_time=2026-01-01`,
        );
        made += 1;
        for (const index of [0, 1]) expect((await ok(index, 'GET', `${list}/${funding}`)).id).toBe(funding);
        expect(read?.answers.get('primary_written')).toBeGreaterThan(0);
      }, PATIENCE);
      await vi.waitFor(async () => {
        expect(await ok(1, 'GET', list)).toHaveLength(made);
        expect(read?.answers.get('replica')).toBeGreaterThan(0);
      }, PATIENCE);
    } finally {
      await servers.close();
    }
  });
});

/** Requests of callers whom a server remembers: one trip to what servers share, in which they are counted, and one to the store. */
import { noRedis } from '@broadside/test-servers/redis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Actor } from '../db/change-log.ts';
import { Database } from '../db/database.ts';
import { openRemote } from '../db/remote/open-remote.ts';
import { type Method, Servers, type Signed } from './testing/servers.ts';

const ACTOR: Actor = { user_id: null, platform: 'SERVER' };
const LIMIT = 60;

describe.skipIf(noRedis !== undefined)('requests to servers that remember the caller', () => {
  let servers: Servers;
  let account: string;
  let account_id: string;
  let campaign: string;
  let requests: { readonly store: string; readonly texts: readonly string[] }[] = [];

  beforeAll(async () => {
    const rateLimits = { 'ads.core_read': { limit: LIMIT, window_ms: 86_400_000 } };
    const seen = (store: string, texts: readonly string[]) => {
      requests.push({ store, texts });
      return undefined;
    };
    servers = await Servers.start(2, { rateLimits, seen });
    account_id = servers.credentials.sandbox_account_id;
    account = `/12/accounts/${account_id}`;
    const funding = await made(`${account}/funding_instruments?currency=USD&type=CREDIT_CARD&start_time=2026-01-01`);
    const fields = `funding_instrument_id=${funding}&name=Warm&daily_budget_amount_local_micro=1000000`;
    campaign = `${account}/campaigns/${await made(`${account}/campaigns?${fields}`)}`;
    for (const index of [0, 1]) await ok(index, 'GET', campaign);
  });
  afterAll(() => servers.close());

  async function made(target: string): Promise<string> {
    return JSON.parse((await servers.call(0, 'POST', target)).body).data.id;
  }

  async function ok(index: number, method: Method, target: string): Promise<void> {
    const { status, body } = await servers.call(index, method, target);
    expect(status, body).toBe(200);
  }

  /** The trips of a request: to the store of the platform for who calls, to that of the account, and to Redis. */
  async function trips(work: () => Promise<unknown>) {
    const before = await scripts();
    requests = [];
    await work();
    const sent = requests;
    const identities = sent.filter((one) => one.texts.some((text) => text.includes('"access_tokens"')));
    const sandbox = sent.filter(({ store }) => store === 'sandbox');
    return { platform: identities.length, sandbox: sandbox.length, redis: (await scripts()) - before };
  }

  /** How many scripts Redis has run. */
  async function scripts(): Promise<number> {
    const stats = await servers.redis.command('INFO commandstats');
    return Number(/^cmdstat_evalsha:calls=(\d+)/m.exec(stats)?.[1] ?? 0);
  }

  /** Requests that were counted: of the user and of the account, for reads of one campaign. */
  async function counted() {
    const keys = (await servers.redis.command('KEYS *limit*campaigns.get*')).matchAll(/^broadside:.*$/gm);
    const counts = { user: 0, account: 0 };
    for (const [found] of keys) {
      const key = found.trim();
      const answer = await servers.redis.command(`HGET "${key}" count`);
      counts[/ a\w+$/.test(key) ? 'account' : 'user'] += Number(/^\d+/m.exec(answer.replace(/^\$.*$/m, ''))?.[0]);
    }
    return counts;
  }

  async function more(work: () => Promise<unknown>) {
    const before = await counted();
    await work();
    const after = await counted();
    return { user: after.user - before.user, account: after.account - before.account };
  }

  test('reading an entity or a page takes one trip to Redis and one to the store', async () => {
    const warm = { platform: 0, sandbox: 1, redis: 1 };
    expect(await trips(() => ok(0, 'GET', campaign))).toEqual(warm);
    await ok(0, 'GET', `${account}/campaigns`);
    expect(await trips(() => ok(0, 'GET', `${account}/campaigns`))).toEqual(warm);
    expect(await trips(() => ok(1, 'GET', '/12/accounts'))).toEqual(warm);
  });

  test('a write takes one trip to Redis', async () => {
    await ok(0, 'PUT', `${campaign}?name=Once`);
    expect(await trips(() => ok(0, 'PUT', `${campaign}?name=Twice`))).toMatchObject({ platform: 0, redis: 1 });
  });

  test('each is counted once, for the user and for the account', async () => {
    expect(await more(() => ok(0, 'GET', campaign))).toEqual({ user: 1, account: 1 });
  });

  test('a request that is sent again is not counted', async () => {
    const signed: Signed = await servers.sign('GET', campaign);
    const sent = () => Promise.all([0, 1, 0].map((index) => servers.at(index).send(signed)));
    let statuses: number[] = [];
    const counts = await more(async () => {
      statuses = (await sent()).map(({ status }) => status);
    });
    expect(statuses.toSorted()).toEqual([200, 401, 401]);
    expect(counts).toEqual({ user: 1, account: 1 });
  });

  test('invalid parameters count', async () => {
    const counts = await more(async () => {
      expect((await servers.call(0, 'GET', `${campaign}?with_deleted=maybe`)).status).toBe(400);
    });
    expect(counts).toEqual({ user: 1, account: 1 });
  });

  test('a caller who has lost the account on another server counts against the user alone', async () => {
    const { sandbox } = servers.at(1).world.ads;
    const { user_id } = servers.credentials;
    await ok(0, 'GET', campaign);
    await sandbox.revoke(ACTOR, account_id, user_id);
    const counts = await more(async () => {
      expect((await servers.call(0, 'GET', campaign)).status).toBe(403);
    });
    expect(counts).toEqual({ user: 1, account: 0 });
    await sandbox.grant(ACTOR, account_id, user_id, ['ACCOUNT_ADMIN']);
    expect(await more(() => ok(0, 'GET', campaign))).toEqual({ user: 1, account: 1 });
  });

  test('while access is about to change, or the server that changes it has died, a request is counted once', async () => {
    const end = await servers.at(1).world.shared?.guard('sandbox').begin();
    for (let i = 0; i < 2; i++) expect(await more(() => ok(0, 'GET', campaign))).toEqual({ user: 1, account: 1 });
    await end?.();
    await ok(0, 'GET', campaign);
    expect(await trips(() => ok(0, 'GET', campaign))).toMatchObject({ redis: 1 });
  });

  test('what a server has committed is known to the other also if it dies before it can say so', async () => {
    await ok(0, 'GET', campaign);
    // The server that dies: it marks, commits past all guards, and says nothing more.
    const end = await servers.at(1).world.shared?.guard('sandbox').begin();
    const store = new Database(await openRemote(servers.stores.sandbox.url, {}));
    const rows = await store.query('SELECT user_id FROM account_access WHERE account_id = ?', [account_id]);
    await store.write((tx) => tx.run('DELETE FROM account_access WHERE account_id = ?', [account_id]));
    await store.close();
    const counts = await more(async () => {
      expect((await servers.call(0, 'GET', campaign)).status).toBe(403);
    });
    expect(counts).toEqual({ user: 1, account: 0 });
    await end?.();
    const { sandbox } = servers.at(1).world.ads;
    for (const [user_id] of rows) await sandbox.grant(ACTOR, account_id, String(user_id), ['ACCOUNT_ADMIN']);
    await ok(0, 'GET', campaign);
  });

  test('racing requests to both are accepted as often as the limit says', async () => {
    const target = `${account}/line_items`;
    for (const index of [0, 1]) await ok(index, 'GET', target);
    const sent = Array.from({ length: 100 }, async (_, i) => (await servers.call(i % 2, 'GET', target)).status);
    const answers = await Promise.all(sent);
    expect(answers.filter((status) => status === 200)).toHaveLength(LIMIT - 2);
    expect(answers.filter((status) => status === 429)).toHaveLength(100 - LIMIT + 2);
  });
});

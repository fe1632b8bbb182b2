/** What requests about accounts on shards cost: trips to stores that wait for one another. Those to several stores at once count as one. */
import { noRedis } from '@broadside/test-servers/redis';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Actor } from '../../db/change-log.ts';
import { Servers } from '../../shared/testing/servers.ts';

const ACTOR: Actor = { user_id: null, platform: 'SERVER' };
const SHARD = 'shard-east';

interface Sent {
  readonly store: string;
  readonly texts: readonly string[];
}

/** Holds requests until others were sent. */
interface Hold {
  readonly held: (sent: Sent) => boolean;
  readonly until: Promise<void>;
}

describe.skipIf(noRedis !== undefined)('requests about an account on a shard', () => {
  let servers: Servers;
  let account_id: string;
  let account: string;
  let campaign: string;
  let funding: string;
  let requests: Sent[] = [];
  let holds: Hold[] = [];
  let waiting: { readonly sent: (sent: Sent) => boolean; readonly resolve: () => void }[] = [];

  beforeAll(async () => {
    servers = await Servers.start(3, {
      rateLimits: 'off',
      shards: ['east'],
      seen: (store, texts) => {
        const sent = { store, texts };
        requests.push(sent);
        for (const one of waiting) if (one.sent(sent)) one.resolve();
        return holds.find(({ held }) => held(sent))?.until;
      },
    });
    account_id = await made('/12/accounts');
    account = `/12/accounts/${account_id}`;
    funding = await made(`${account}/funding_instruments?currency=USD&type=CREDIT_CARD&start_time=2026-01-01`);
    campaign = `${account}/campaigns/${await made(campaignOf('first'))}`;
  });
  afterAll(() => servers.close());
  beforeEach(() => {
    holds = [];
    waiting = [];
  });

  function campaignOf(name: string): string {
    return `${account}/campaigns?funding_instrument_id=${funding}&name=${name}&daily_budget_amount_local_micro=1000000`;
  }

  async function made(target: string): Promise<string> {
    const { status, body } = await servers.call(0, 'POST', target);
    expect(status, body).toBe(200);
    return JSON.parse(body).data.id;
  }

  async function get(index: number, target = campaign): Promise<void> {
    const { status, body } = await servers.call(index, 'GET', target);
    expect(status, body).toBe(200);
  }

  /** Answers no request of one kind before one of another kind was sent: whoever waits for the first to send the second waits for ever. */
  function holdUntil(held: (sent: Sent) => boolean, sent: (sent: Sent) => boolean): void {
    holds.push({ held, until: new Promise((resolve) => waiting.push({ sent, resolve })) });
  }

  /** Requests about accounts by store. */
  async function trips(work: () => Promise<unknown>) {
    requests = [];
    await work();
    const count = (isOne: (sent: Sent) => boolean) => requests.filter(isOne).length;
    return { platform: count(identity), place: count(place), access: count(access), shard: count(onShard) };
  }

  const names = (table: string) => (text: string) => text.includes(`"${table}"`);
  const identity = ({ store, texts }: Sent) => store === 'platform' && texts.some(names('access_tokens'));
  const access = ({ store, texts }: Sent) => store === 'sandbox' && texts.some(names('account_access'));
  const place = (sent: Sent) => sent.store === 'sandbox' && !access(sent) && sent.texts.some(names('account_shards'));
  const onShard = ({ store, texts }: Sent) => store === SHARD && texts.some(names('campaigns'));

  test('on a server that remembers nothing, an entity takes two: who calls, and where; then access, and the rows', async () => {
    await servers.at(1).world.shared?.freshen();
    holdUntil(identity, place);
    holdUntil(access, onShard);
    expect(await trips(() => get(1))).toEqual({ platform: 1, place: 1, access: 1, shard: 1 });
  });

  test('a page likewise', async () => {
    await servers.at(2).world.shared?.freshen();
    holdUntil(identity, place);
    holdUntil(access, onShard);
    const page = `${account}/campaigns`;
    expect(await trips(() => get(2, page))).toEqual({ platform: 1, place: 1, access: 1, shard: 1 });
  });

  test('on one that remembers the caller, it takes one', async () => {
    await get(1);
    const warm = { platform: 0, place: 0, access: 0, shard: 1 };
    expect(await trips(() => get(1))).toEqual(warm);
    expect(await trips(() => get(1, `${account}/campaigns`))).toEqual(warm);
  });

  test('an entity is created with two under the lock of its shard', async () => {
    const locked = () => {
      const begun = requests.findIndex(({ store, texts }) => store === SHARD && texts.includes('BEGIN IMMEDIATE'));
      const ended = requests.findIndex(({ store, texts }) => store === SHARD && texts.includes('COMMIT'));
      return requests.slice(begun, ended + 1).filter(({ store }) => store === SHARD).length;
    };
    await made(campaignOf('before'));
    await trips(() => made(campaignOf('another')));
    expect(locked()).toBe(2);
  });

  test('whoever has no part in it does not wait for the shard', async () => {
    const { sandbox } = servers.at(0).world.ads;
    const { user_id } = servers.credentials;
    await sandbox.revoke(ACTOR, account_id, user_id);
    const { promise: until, resolve } = Promise.withResolvers<void>();
    holds = [{ held: ({ store }) => store === SHARD, until }];
    const { status, body } = await servers.call(0, 'GET', campaign);
    resolve();
    expect(status).toBe(403);
    const missing = await servers.call(0, 'GET', campaign.replace(account_id, '18ce0000000'));
    expect(missing.body).toBe(body.replaceAll(account_id, '18ce0000000'));
    await sandbox.grant(ACTOR, account_id, user_id, ['ACCOUNT_ADMIN']);
    await get(0);
  });

  test('an account in the store of the directory is read only with access to it', async () => {
    const { sandbox } = servers.at(0).world.ads;
    const { user_id } = servers.credentials;
    const terms = { name: 'A', business_name: null, timezone: 'UTC', user_id, features: [], shard: '' };
    const { id } = await sandbox.createAccount(ACTOR, terms);
    const page = `/12/accounts/${id}/campaigns`;
    await get(0, page);
    await sandbox.revoke(ACTOR, id, user_id);
    requests = [];
    expect((await servers.call(0, 'GET', page)).status).toBe(403);
    const read = requests.find(({ store, texts }) => store === 'sandbox' && texts.some(names('campaigns')));
    expect(read?.texts).toEqual(expect.arrayContaining([expect.stringContaining('iif(EXISTS (select')]));
  });
});

/** What a request costs in round trips to the servers of its stores, counted at proxies in front of them. */
import { createHmac, randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseJson } from '@broadside/core';
import { signRequest } from '@broadside/core/auth';
import { type ProxyServer, startProxy } from '@broadside/test-servers/proxy';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp } from '../app.ts';
import { createServices } from '../create-services.ts';
import type { Actor } from '../db/change-log.ts';
import { startSqlServer } from '../db/testing/sql-server.ts';
import type { Credentials } from '../demo/credentials.ts';
import { ensureDemo } from '../demo/demo.ts';
import { World } from '../open-world.ts';
import { campaign as campaigns } from '../resources/campaigns/find.ts';

const BASE = 'http://ads.test';
const directory = mkdtempSync(path.join(tmpdir(), 'broadside-round-trips-'));
const closers: (() => Promise<void>)[] = [];
let sandbox: ProxyServer;
let world: World;
let answer: (
  method: 'GET' | 'POST' | 'PUT',
  target: string,
  json?: unknown,
) => Promise<{ statusCode: number; body: string; retryAfter: unknown }>;
const ACTOR: Actor = { user_id: null, platform: 'SERVER' };
/** Who calls, from the platform; then the account with the caller's part in it, the entities, and what they refer to, all at once. */
const GET_ONE = { platform: 1, sandbox: 1, locked: 0 };
/** The account with what the parameters name and refer to, and the transaction. */
const PUT = { platform: 1, sandbox: 3, locked: 2 };
/** Likewise, and the number of active campaigns, which is counted once there is a campaign. */
const POST = { ...PUT, sandbox: 4 };

/** The statements of each request to the store of the sandbox. */
let requests: (readonly string[])[] = [];
/** Requests to the platform store for who calls; it is also asked for jobs now and then. */
let identified = 0;
let account: string;
let funding: string;
let campaign: string;

async function proxied(name: string): Promise<{ proxy: ProxyServer; url: string }> {
  const server = await startSqlServer({
    path: path.join(directory, `${name}.db`),
    fault: (texts) => {
      if (name === 'sandbox') requests.push(texts);
      if (name === 'platform' && texts.some((text) => text.includes('"access_tokens"'))) identified += 1;
      return undefined;
    },
  });
  const proxy = await startProxy(Number(new URL(server.url).port));
  closers.push(async () => {
    proxy.cut();
    await server.close();
  });
  return { proxy, url: `http://127.0.0.1:${proxy.port}` };
}

beforeAll(async () => {
  const stores = {
    platform: await proxied('platform'),
    production: await proxied('production'),
    sandbox: await proxied('sandbox'),
  };
  sandbox = stores.sandbox.proxy;
  const dataDirectory = path.join(directory, 'data');
  world = await World.open({
    dataDirectory,
    stores: {
      platform: { url: stores.platform.url },
      production: { url: stores.production.url },
      sandbox: { url: stores.sandbox.url },
    },
  });
  const services = createServices(world, { rateLimits: 'off', operatorToken: undefined });
  const app = createApp({ services, listener: 'sandbox', baseUrl: BASE, logger: pino({ level: 'silent' }) });
  closers.push(async () => {
    await app.close();
    await world.close();
  });
  await ensureDemo(world, { api: BASE, ads: BASE, sandbox: BASE });
  const credentials: Credentials = JSON.parse(readFileSync(path.join(dataDirectory, 'credentials.json'), 'utf8'));
  answer = async (method, target, json) => {
    const { authorization } = await signRequest({
      method,
      url: BASE + target,
      credentials: {
        consumerKey: credentials.consumer_key,
        consumerSecret: credentials.consumer_secret,
        token: credentials.access_token,
        tokenSecret: credentials.access_token_secret,
      },
      nonce: randomUUID(),
      timestamp: Math.floor(Date.now() / 1000),
      hmac: (algorithm, key, text) => createHmac(algorithm, key).update(text).digest('base64'),
    });
    const { statusCode, body, headers } = await app.inject({
      method,
      url: target,
      headers: { authorization, ...(json === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(json === undefined ? {} : { payload: JSON.stringify(json) }),
    });
    return { statusCode, body, retryAfter: headers['retry-after'] };
  };
  const { id } = await call('POST', '/12/accounts');
  account = `/12/accounts/${id}`;
  const instrument = `${account}/funding_instruments?currency=USD&type=CREDIT_CARD&start_time=2026-01-01`;
  funding = String((await call('POST', instrument))['id']);
  campaign = String((await call('POST', campaignOf('first')))['id']);
});

afterAll(async () => {
  for (const close of closers.reverse()) await close();
  rmSync(directory, { recursive: true, force: true });
});

async function call(method: 'GET' | 'POST' | 'PUT', target: string, json?: unknown): Promise<Record<string, unknown>> {
  const { statusCode, body } = await answer(method, target, json);
  expect(statusCode, body).toBeLessThan(300);
  const parsed = parseJson(body);
  return typeof parsed === 'object' && parsed !== null && 'data' in parsed ? Object(parsed.data) : {};
}

function campaignOf(name: string): string {
  return `${account}/campaigns?funding_instrument_id=${funding}&name=${name}&daily_budget_amount_local_micro=1000000`;
}

interface Cost {
  /** Of the platform store, for who calls. */
  readonly platform: number;
  readonly sandbox: number;
  /** Of the sandbox, those from BEGIN to COMMIT. */
  readonly locked: number;
}

/** @param table that is written */
async function cost(work: () => Promise<unknown>, table = 'campaigns'): Promise<Cost> {
  const before = sandbox.roundTrips;
  requests = [];
  identified = 0;
  await work();
  // Numbers of entities may be taken meanwhile, in a transaction of their own.
  const begun = requests.findIndex(
    (texts) => texts.includes('BEGIN IMMEDIATE') && texts.some((text) => text.includes(`"${table}"`)),
  );
  const committed = requests.findIndex((texts, place) => place > begun && texts.includes('COMMIT'));
  return {
    platform: identified,
    sandbox: sandbox.roundTrips - before,
    locked: begun < 0 ? 0 : committed - begun + 1,
  };
}

const operations = (operation_type: string, items: readonly object[]) =>
  call(
    'POST',
    `${account.replace('/12/', '/12/batch/')}/campaigns`,
    items.map((params) => ({ operation_type, params })),
  );

const batch = (name: string) =>
  operations(
    'Create',
    Array.from({ length: 40 }, (_, i) => ({
      funding_instrument_id: funding,
      name: `${name}${i}`,
      daily_budget_amount_local_micro: 1_000_000,
    })),
  );

test('one entity is read with its account and what it shows', async () => {
  expect(await cost(() => call('GET', `${account}/campaigns/${campaign}`))).toEqual(GET_ONE);
});

test('a list likewise', async () => {
  expect(await cost(() => call('GET', `${account}/campaigns`))).toEqual(GET_ONE);
});

test('so is a list whose handler checks something first', async () => {
  const line_item = `${account}/line_items?campaign_id=${campaign}&name=l&objective=FOLLOWERS&product_type=PROMOTED_ACCOUNT&placements=ALL_ON_PLATFORM&bid_amount_local_micro=1000000&total_budget_amount_local_micro=9000000&start_time=2030-01-01T00:00:00Z&end_time=2030-02-01T00:00:00Z&entity_status=DRAFT`;
  const { id } = await call('POST', line_item);
  expect(await cost(() => call('GET', `${account}/promoted_accounts?line_item_ids=${String(id)}`))).toEqual(GET_ONE);
  expect(await cost(() => call('GET', `${account}/promoted_accounts`))).toEqual(GET_ONE);
  expect(await cost(() => call('GET', `${account}/cards`))).toEqual(GET_ONE);
});

test('what others have is not looked into in advance, and its absence looks the same', async () => {
  const { ads } = world;
  const id = account.slice('/12/accounts/'.length);
  const user_id = String((await ads.sandbox.members(id))[0]?.user_id);
  const others = `${account}/campaigns/${campaign}`;
  const missing = others.replace(account, '/12/accounts/18ce0000000');
  await ads.sandbox.revoke(ACTOR, id, user_id);
  requests = [];
  const [refused, absent] = [await answer('GET', others), await answer('GET', missing)];
  const changing = requests.length;
  expect((await answer('PUT', `${others}?name=mine`)).statusCode).toBe(403);
  await ads.sandbox.grant(ACTOR, id, user_id, ['ACCOUNT_ADMIN']);
  for (const first of [requests[0], requests[changing]]) {
    expect(first).toEqual(expect.arrayContaining([expect.stringContaining('iif(EXISTS (select')]));
  }
  expect(refused.statusCode).toBe(403);
  expect(refused.body.replaceAll(id, '18ce0000000')).toBe(absent.body);
});

test('an entity is created with two round trips under the lock', async () => {
  expect(await cost(() => call('POST', campaignOf('another')))).toEqual(POST);
});

test('and changed', async () => {
  expect(await cost(() => call('PUT', `${account}/campaigns/${campaign}?name=renamed`))).toEqual(PUT);
});

test('what was begun serves the draft of the first write only: the second one reads what that has changed', async () => {
  const { sandbox: ads } = world.ads;
  const id = account.slice('/12/accounts/'.length);
  const reads = ads.ahead(id, String((await ads.members(id))[0]?.user_id), true);
  if (reads === undefined) throw new TypeError('the store is on a server');
  reads.begin((reader) => campaigns.queries.get(reader, id, campaign));
  const handle = ads.account(id).drafting(reads);
  const rename = (name: string) =>
    handle.write(ACTOR, async (writer) => {
      const row = await writer.of(campaigns).get(campaign);
      return row && writer.of(campaigns).update(row, { name });
    });
  await rename('once');
  expect(await cost(() => rename('twice'))).toEqual({ platform: 0, sandbox: 4, locked: 2 });
});

test('a batch of forty holds the lock no longer', async () => {
  expect(await cost(() => batch('first'))).toEqual(POST);
  // Numbers of entities are taken in advance again, beside it.
  for (let i = 0; i < 3; i += 1) expect(await cost(() => batch(`more${i}-`))).toMatchObject({ platform: 1, locked: 2 });
  const stored = await call('GET', `${account}/campaigns?count=1000`);
  expect(Object.keys(stored)).toHaveLength(162);
});

test('so does one that changes forty', async () => {
  const stored = Object.values(await call('GET', `${account}/campaigns?count=40`)).map((row) => String(Object(row).id));
  const changes = stored.map((campaign_id, i) => ({ campaign_id, name: `changed ${i}` }));
  expect(await cost(() => operations('Update', changes))).toEqual(PUT);
});

test('a line item is created with three round trips under the lock, for its campaign shows how many it has', async () => {
  const fields =
    'objective=FOLLOWERS&product_type=PROMOTED_ACCOUNT&placements=ALL_ON_PLATFORM&bid_amount_local_micro=1000000';
  const times = 'start_time=2030-01-01T00:00:00Z&end_time=2030-02-01T00:00:00Z';
  const made = `${account}/line_items?campaign_id=${campaign}&${fields}&total_budget_amount_local_micro=9000000&${times}&name=l`;
  expect(await cost(() => call('POST', made), 'line_items')).toEqual({ platform: 1, sandbox: 8, locked: 3 });
  expect(await call('GET', `${account}/campaigns/${campaign}`)).toMatchObject({
    reasons_not_servable: ['STARTS_IN_FUTURE'],
  });
});

test('a line item is changed after two reads of its campaign', async () => {
  const [line_item] = Object.values(await call('GET', `${account}/line_items?with_draft=true`));
  const path = `${account}/line_items/${String(Object(line_item).id)}`;
  expect(await cost(() => call('PUT', `${path}?name=renamed`), 'line_items')).toEqual({ ...PUT, sandbox: 5 });
});

test('while the server of a store is away, clients get 503 and may try again', async () => {
  await sandbox.close();
  for (const away of [
    await answer('GET', `${account}/campaigns/${campaign}`),
    await answer('POST', campaignOf('lost')),
  ]) {
    expect(away.statusCode, away.body).toBe(503);
    expect(away.retryAfter).toBe('5');
  }
});

/** The same server with every store on a libSQL server: no schema, handler or guarantee differs from files. */
import { createHmac, randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseJson } from '@broadside/core';
import { signRequest } from '@broadside/core/auth';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp } from '../app.ts';
import { createServices } from '../create-services.ts';
import { startSqlServer } from '../db/testing/sql-server.ts';
import type { Credentials } from '../demo/credentials.ts';
import { ensureDemo } from '../demo/demo.ts';
import { World } from '../open-world.ts';

const BASE = 'http://ads.test';
const directory = mkdtempSync(path.join(tmpdir(), 'broadside-remote-'));
const closers: (() => Promise<void>)[] = [];
let credentials: Credentials;
let first: Server;
let second: Server;

interface Answer {
  readonly status: number;
  readonly data: Record<string, unknown>;
  readonly code: string | undefined;
}

type Server = Awaited<ReturnType<typeof open>>;

/** A server with a data directory of its own on the shared stores. */
async function open(name: string, urls: { platform: string; production: string; sandbox: string }) {
  const world = await World.open({
    dataDirectory: path.join(directory, name),
    secretKeys: [new Uint8Array(32).fill(7)],
    media: { directory: path.join(directory, 'media'), isShared: true },
    stores: {
      platform: { url: urls.platform },
      production: { url: urls.production },
      sandbox: { url: urls.sandbox },
    },
  });
  const services = createServices(world, { rateLimits: 'off', operatorToken: undefined });
  const app = createApp({ services, listener: 'sandbox', baseUrl: BASE, logger: pino({ level: 'silent' }) });
  closers.push(async () => {
    await app.close();
    await world.close();
  });
  async function call(method: 'GET' | 'POST' | 'PUT' | 'DELETE', target: string, json?: unknown): Promise<Answer> {
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
    const answer = await app.inject({
      method,
      url: target,
      headers: { authorization, ...(json === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(json === undefined ? {} : { payload: JSON.stringify(json) }),
    });
    const body = parseJson(answer.body);
    if (typeof body !== 'object' || body === null) throw new TypeError('an answer is an object');
    const errors: unknown = 'errors' in body ? body.errors : [];
    const [error] = Array.isArray(errors) ? (errors as readonly { code: string }[]) : [];
    return { status: answer.statusCode, data: 'data' in body ? Object(body.data) : {}, code: error?.code };
  }
  return { world, call };
}

beforeAll(async () => {
  const start = async (name: string) => {
    const server = await startSqlServer({ path: path.join(directory, `${name}.db`) });
    closers.push(() => server.close());
    return server.url;
  };
  const urls = {
    platform: await start('platform'),
    production: await start('production'),
    sandbox: await start('sandbox'),
  };
  first = await open('first', urls);
  await ensureDemo(first.world, { api: BASE, ads: BASE, sandbox: BASE });
  credentials = JSON.parse(readFileSync(path.join(directory, 'first', 'credentials.json'), 'utf8'));
  second = await open('second', urls);
});

afterAll(async () => {
  for (const close of closers.reverse()) await close();
  rmSync(directory, { recursive: true, force: true });
});

async function newAccount(active?: number): Promise<{ path: string; funding: string }> {
  const id = String((await first.call('POST', '/12/accounts')).data['id']);
  const funding = await first.call(
    'POST',
    `/12/accounts/${id}/funding_instruments?currency=USD&type=CREDIT_CARD&start_time=2026-01-01`,
  );
  if (active !== undefined) {
    const actor = { user_id: null, platform: 'SERVER' } as const;
    await first.world.ads.sandbox.updateAccount(actor, id, () => ({ active_campaign_limit: active }));
  }
  return { path: `/12/accounts/${id}`, funding: String(funding.data['id']) };
}

describe('stores on a libSQL server', () => {
  test('a campaign that one server creates is there on another, with its money exact', async () => {
    const { path: account, funding } = await newAccount();
    const created = await first.call(
      'POST',
      `${account}/campaigns?funding_instrument_id=${funding}&name=Far&daily_budget_amount_local_micro=9007199254740993`,
    );
    expect(created.status).toBe(200);
    const read = await second.call('GET', `${account}/campaigns/${created.data['id']}`);
    expect(read.data).toEqual(created.data);
    expect(read.data['daily_budget_amount_local_micro']).toBe(9007199254740993n);
  });

  test('a batch with one invalid item writes nothing', async () => {
    const { path: account, funding } = await newAccount();
    const item = (name: string, daily: number) => ({
      operation_type: 'Create',
      params: {
        funding_instrument_id: funding,
        name,
        daily_budget_amount_local_micro: daily,
        total_budget_amount_local_micro: 10,
      },
    });
    const batch = await first.call('POST', `${account.replace('/12/', '/12/batch/')}/campaigns`, [
      item('a', 1),
      item('b', 11),
    ]);
    expect(batch.status).toBe(400);
    expect((await second.call('GET', `${account}/campaigns?with_deleted=true&with_draft=true`)).data).toEqual([]);
  });

  test('two servers that race for the last places create exactly as many campaigns as the limit allows', async () => {
    const { path: account, funding } = await newAccount(5);
    const target = `${account}/campaigns?funding_instrument_id=${funding}&name=Race&daily_budget_amount_local_micro=1`;
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) => (i % 2 ? first : second).call('POST', target)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(answers.filter(({ code }) => code === 'TOO_MANY_CAMPAIGNS')).toHaveLength(7);
  });

  test('a token that one server revokes is rejected by the other at once', async () => {
    expect((await second.call('GET', '/12/accounts')).status).toBe(200);
    await first.world.identity.tokens.revoke({ user_id: null, platform: 'SERVER' }, credentials.access_token);
    expect((await second.call('GET', '/12/accounts')).status).toBe(401);
    expect((await first.call('GET', '/12/accounts')).status).toBe(401);
  });
});

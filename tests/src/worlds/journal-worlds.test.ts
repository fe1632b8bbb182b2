/** Which calls are in the journal of which world, and how many. */
import { createHmac, randomUUID } from 'node:crypto';
import { createConnection } from 'node:net';
import { text } from 'node:stream/consumers';
import { signRequest } from '@broadside/core/auth';
import type { Credentials } from '@broadside/server';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { about } from '../support/scenario.ts';
import { ServedWorlds } from './served-worlds.ts';

const served = new ServedWorlds();
/** A world beside the default one. */
let world: { readonly id: string; readonly credentials: Credentials };
let own: Credentials;

beforeAll(async () => {
  await served.start();
  world = (await served.control('POST', '/worlds', { from: { demo: true } })).body.data;
  own = (await served.control('GET', '/worlds/default')).body.data.credentials;
}, 120_000);
afterAll(() => served[Symbol.asyncDispose]());
beforeEach(async () => {
  for (const id of ['default', world.id]) await served.control('DELETE', `/worlds/${id}/journal`);
});

async function calls(id: string, on = served) {
  return (await on.control('GET', `/worlds/${id}/journal?count=200`)).body.data;
}

/** Calls as path and status, the earliest first. */
async function shortOf(id: string): Promise<string[]> {
  const all: readonly { readonly path: string; readonly status: number }[] = await calls(id);
  return all.map(({ path, status }) => `${path} ${status}`).reverse();
}

/** Sends a request, signed with credentials. */
async function send(as: Partial<Credentials>, target: string): Promise<number> {
  const url = `${served.server.urls.sandbox}${target}`;
  const { authorization } = await signRequest({
    method: 'GET',
    url,
    credentials: {
      consumerKey: as.consumer_key ?? '',
      consumerSecret: as.consumer_secret ?? '',
      token: as.access_token,
      tokenSecret: as.access_token_secret,
    },
    nonce: randomUUID(),
    timestamp: Math.floor(Date.now() / 1000),
    hmac: (algorithm, key, base) => createHmac(algorithm, key).update(base).digest('base64'),
  });
  return (await fetch(url, { headers: { authorization } })).status;
}

test(about('J-OWN-CALLS'), async () => {
  const { consumer_key, consumer_secret } = world.credentials;
  expect(await send(world.credentials, '/12/accounts')).toBe(200);
  expect(await send({ ...world.credentials, access_token_secret: 'wrong' }, '/12/accounts?a=1')).toBe(401);
  // The key of this world, with the token of another one.
  expect(await send({ ...own, consumer_key, consumer_secret }, '/12/accounts?count=1')).toBe(401);
  expect(await send(world.credentials, `/12/accounts/${own.sandbox_account_id}/nothing`)).toBe(404);
  expect(await send(own, '/12/accounts')).toBe(200);
  const basic = Buffer.from(`${consumer_key}:wrong`).toString('base64');
  const body = new URLSearchParams({ grant_type: 'client_credentials' });
  await fetch(`${served.server.urls.api}/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}` },
    body,
  });
  expect(await shortOf(world.id)).toEqual([
    '/12/accounts 200',
    '/12/accounts 401',
    '/12/accounts 401',
    `/12/accounts/${own.sandbox_account_id}/nothing 404`,
    '/oauth2/token 403',
  ]);
  expect(await shortOf('default')).toEqual(['/12/accounts 200']);
  const [, , , strange] = await calls(world.id);
  expect(strange).toMatchObject({ consumer_key, caller: null });
});

test(about('J-OWN-PATHS'), async () => {
  const { sandbox, api } = served.server.urls;
  await fetch(`${api}/~${world.id}/media/nothing.png`);
  await fetch(`${sandbox}/~${world.id}/nowhere`);
  expect(await send(world.credentials, '/nowhere')).toBe(404);
  await fetch(`${api}/2/nowhere/at-all`, { headers: { authorization: `Bearer ${world.credentials.bearer_token}` } });
  await fetch(`${api}/~${world.id}/sign-in`, { method: 'POST', body: new URLSearchParams({ username: 'nobody' }) });
  const all = await shortOf(world.id);
  expect(all.map((one) => one.replace(/ \d+$/, ''))).toEqual([
    `/~${world.id}/media/nothing.png`,
    `/~${world.id}/nowhere`,
    '/nowhere',
    '/2/nowhere/at-all',
    `/~${world.id}/sign-in`,
  ]);
  expect(await shortOf('default')).toEqual([]);
});

test(about('J-NO-WORLD'), async () => {
  const { sandbox, api } = served.server.urls;
  await fetch(`${sandbox}/~wnowhere/12/accounts`);
  await fetch(`${sandbox}/12/accounts`, { headers: { authorization: 'Bearer wnowhere0123456789' } });
  await fetch(`${sandbox}/nowhere`, { headers: { 'broadside-world': 'wnowhere' } });
  await fetch(`${api}/%zz`);
  const socket = createConnection({ port: Number(new URL(sandbox).port), host: '127.0.0.1' });
  socket.end('this is no request\r\n\r\n');
  expect(await text(socket)).toContain('400');
  expect(await shortOf('default')).toEqual([
    '/~wnowhere/12/accounts 404',
    '/12/accounts 401',
    '/nowhere 404',
    '/%zz 400',
  ]);
  expect(await shortOf(world.id)).toEqual([]);
});

/** A server with a setting of the journal, and the credentials of its demo. */
async function other(env: Readonly<Record<string, string>>): Promise<readonly [ServedWorlds, Credentials]> {
  const one = await new ServedWorlds().start(1, env);
  onTestFinished(() => one[Symbol.asyncDispose]());
  return [one, (await one.control('GET', '/worlds/default')).body.data.credentials];
}

test(about('J-BOUND-CALLS'), async () => {
  const [one, credentials] = await other({ BROADSIDE_JOURNAL: 'calls=3' });
  const client = one.client(credentials);
  for (let round = 1; round <= 5; round++) await client.accounts.list({ count: round });
  const counts = (await calls('default', one)).map(({ params }: { params: { count: string } }) => params.count);
  expect(counts).toEqual(['5', '4', '3']);
  const { body } = await one.control('POST', '/worlds/default/journal/verify', {
    expectations: [{ operation: 'accounts.list', at_least: 3 }],
  });
  expect(body.data).toMatchObject({ passed: true, calls: 3, forgotten: 2 });
});

test(about('J-BOUND-BYTES'), async () => {
  const [one, credentials] = await other({ BROADSIDE_JOURNAL: 'megabytes=1,body_kb=2' });
  const client = one.client(credentials);
  const account_id = credentials.sandbox_account_id;
  await client.accounts.list();
  const { data } = await client.funding_instruments.list({ account_id });
  const funding_instrument_id = data[0]?.id ?? '';
  const many = Array.from({ length: 40 }, (_, at) => ({
    operation_type: 'Create' as const,
    params: {
      name: `${at} ${'x'.repeat(200)}`,
      funding_instrument_id,
      daily_budget_amount_local_micro: 1_000_000n,
      entity_status: 'PAUSED' as const,
    },
  }));
  await client.campaigns.batch({ account_id, operations: many });
  const [batch, , first] = await calls('default', one);
  expect(first.operation).toBe('accounts.list');
  expect(batch).toMatchObject({ operation: 'campaigns.batch', status: 200, params: {} });
  expect(batch.body).toHaveLength(2048);
  expect(batch.left_out_bytes).toBeGreaterThan(8000);
  expect(batch.answer.body).toHaveLength(2048);
  expect(batch.changes.length + batch.changes_left_out).toBe(40);
  // Of what is not kept, no code is made that would do something else.
  const code = (language: string) =>
    one.control('GET', `/worlds/default/journal/calls/${batch.id}/code?language=${language}`);
  expect((await code('TYPESCRIPT')).body.errors[0].message).toContain('too long to be kept');
  expect((await code('CURL')).body.data.text).toContain('--data-binary @body.bin');
});

test(about('J-PRODUCTION'), async () => {
  const production = { BROADSIDE_MODE: 'production', BROADSIDE_CONTROL: '1' };
  const [one] = await other(production);
  expect((await one.control('GET', '/worlds/default/journal')).body.errors).toMatchObject([{ code: 'JOURNAL_CLOSED' }]);
  await one.start(1, { ...production, BROADSIDE_JOURNAL: 'on' });
  expect((await one.control('GET', '/worlds/default/journal')).status).toBe(200);
});

/** Calls written as code, which is run. */
import { execFile } from 'node:child_process';
import { createHmac, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { type Client, createClient } from '@broadside/client';
import { formEncode, type Pair, signRequest } from '@broadside/core/auth';
import type { Credentials } from '@broadside/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { about } from '../support/scenario.ts';
import { ServedWorlds } from './served-worlds.ts';

const execute = promisify(execFile);
const served = new ServedWorlds();
const directory = mkdtempSync(path.join(tmpdir(), 'broadside-journal-code-'));
const dialect = path.join(directory, 'words.yaml');
let credentials: Credentials;
let funding_instrument_id: string;
/** A picture of one pixel. */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

beforeAll(async () => {
  writeFileSync(dialect, 'name: words\ndescription: Some other words.\nprefix: /words\nnames:\n  designation: name\n');
  writeFileSync(path.join(directory, 'photo.png'), pixel);
  await served.start(1, { BROADSIDE_DIALECTS: dialect });
  credentials = (await served.control('GET', '/worlds/default')).body.data.credentials;
  const { data } = await client().funding_instruments.list({ account_id: credentials.sandbox_account_id });
  funding_instrument_id = data[0]?.id ?? '';
}, 120_000);
afterAll(async () => {
  await served[Symbol.asyncDispose]();
  rmSync(directory, { recursive: true, force: true });
});

/** @param prefix of the addresses that it calls */
function client(prefix = ''): Client {
  const ads_sandbox_base_url = `${served.server.urls.sandbox}${prefix}`;
  return createClient({ ...credentials, ads_sandbox_base_url }, { environment: 'sandbox', retry: false });
}

interface Told {
  readonly id: string;
  readonly [member: string]: unknown;
}

async function lastCall(): Promise<Told> {
  return (await served.control('GET', '/worlds/default/journal?count=1')).body.data[0];
}

async function codeOf({ id }: Told, query: string): Promise<string> {
  return (await served.control('GET', `/worlds/default/journal/calls/${id}/code?${query}`)).body.data.text;
}

/** What a call and its repetition have in common. */
function sameOf({ operation, method, path: target, query, status, params, body }: Told) {
  const text = String(body);
  const sent = text.startsWith('[') ? JSON.parse(text) : pairsOf(body ?? '');
  return { operation, method, target, status, params, query: pairsOf(query), sent };
}

/** The pairs of a query or form, without those of a signature. */
function pairsOf(form: unknown): Pair[] {
  return [...new URLSearchParams(String(form))].filter(([name]) => !name.startsWith('oauth_'));
}

/** Makes a call that is signed in its query or its form, where tools sign that set no headers. */
async function callSigned(place: 'query' | 'form', method: string, target: string, given: readonly Pair[]) {
  const url = `${served.server.urls.sandbox}${target}`;
  const isForm = method === 'POST';
  const { parameters } = await signRequest({
    method,
    url: isForm ? url : `${url}?${formEncode(given)}`,
    form: isForm ? given : [],
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
  const query = [...(isForm ? [] : given), ...(place === 'query' ? parameters : [])];
  const form = [...(isForm ? given : []), ...(place === 'form' ? parameters : [])];
  const answer = await fetch(query.length === 0 ? url : `${url}?${formEncode(query)}`, {
    method,
    ...(isForm ? { body: new URLSearchParams(form.map(([name, value]): [string, string] => [name, value])) } : {}),
  });
  expect(answer.status).toBe(200);
}

const QUOTES = `It's "quoted" \\ & 100 % $HOME \`id\` ; <a>\n@b = c, ü 秋 🍂`;

/** Calls by what is special about them. Each uses the client, and succeeds unless it is named otherwise. */
const calls: Readonly<Record<string, () => Promise<unknown>>> = {
  'a GET': () => at(client().campaigns.list({ account_id: account(), count: 2, sort_by: ['name-asc'] })),
  'a GET with quotes': () => at(client().campaigns.list({ account_id: account(), q: QUOTES.slice(0, 40) })),
  'a POST of a form': () => client().campaigns.create({ ...campaign(), name: QUOTES }),
  'a value that begins with @': () => client().campaigns.create({ ...campaign(), name: '@/etc/hostname' }),
  'a batch in JSON': () => {
    const { account_id, ...params } = campaign();
    const operations = [{ operation_type: 'Create' as const, params: { ...params, name: QUOTES } }];
    return client().campaigns.batch({ account_id, operations });
  },
  'a GET that is signed in its query': () => callSigned('query', 'GET', campaignsPath(), [['count', '2']]),
  'a POST that is signed in its query': () => callSigned('query', 'POST', campaignsPath(), campaignForm()),
  'a POST that is signed in its form': () => callSigned('form', 'POST', campaignsPath(), campaignForm()),
  'an upload': () => client().media.upload({ media: pixel, media_category: 'post_image' }),
  'a path with special characters': () =>
    client()
      .campaigns.get({ account_id: account(), campaign_id: "a'b{c}[d]/../é" })
      .catch(() => {}),
  // The client does not know the words in which it is answered.
  'a dialect': () =>
    client('/words')
      .campaigns.create({ ...campaign(), name: 'In other words' })
      .catch(() => {}),
};

function at(list: PromiseLike<unknown>): Promise<unknown> {
  return Promise.resolve(list);
}

function account(): string {
  return credentials.sandbox_account_id;
}

function campaignsPath(): string {
  return `/12/accounts/${account()}/campaigns`;
}

/** A campaign as the form of its creation. */
function campaignForm(): Pair[] {
  const { account_id: _, ...params } = campaign();
  return Object.entries({ ...params, name: QUOTES }).map(([name, value]): Pair => [name, String(value)]);
}

function campaign() {
  return { account_id: account(), funding_instrument_id, daily_budget_amount_local_micro: 1_000_000n };
}

describe(about('J-CODE-CURL'), () => {
  test.each(Object.keys(calls))('%s', async (name) => {
    await calls[name]?.();
    const call = await lastCall();
    const command = await codeOf(call, 'sign=true');
    expect(command).not.toContain('...');
    // Not in the home of anybody.
    await execute('sh', ['-c', command.replace('curl ', 'curl -q -sS --noproxy "*" ')], { cwd: directory });
    const again = await lastCall();
    expect(again.id).not.toBe(call.id);
    expect(sameOf(again)).toEqual(sameOf(call));
  });
});

describe(about('J-CODE-CLIENT'), () => {
  const Code = Object.getPrototypeOf(async () => {}).constructor;

  test.each(Object.keys(calls))('%s', async (name) => {
    await calls[name]?.();
    const call = await lastCall();
    const code = await codeOf(call, 'language=TYPESCRIPT');
    expect(code).toMatch(/^await client\./);
    const run = new Code('client', 'bytes', code);
    await run(client(name === 'a dialect' ? '/words' : ''), pixel).catch((error: unknown) => {
      if (Number(call['status']) < 400 && name !== 'a dialect') throw error;
    });
    const again = await lastCall();
    expect(again.id).not.toBe(call.id);
    expect(sameOf(again)).toEqual(sameOf(call));
  });
});

describe('a body that is no JSON, although it says so', () => {
  test('is repeated as it is', async () => {
    const url = `${served.server.urls.sandbox}/12/batch/accounts/${account()}/campaigns`;
    const { authorization } = await signRequest({
      method: 'POST',
      url,
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
    const headers = { authorization, 'content-type': 'application/json' };
    const sent = `@[{"name": ${QUOTES}`;
    expect((await fetch(url, { method: 'POST', headers, body: sent })).status).toBe(400);
    const call = await lastCall();
    const command = await codeOf(call, 'sign=true');
    await execute('sh', ['-c', command.replace('curl ', 'curl -q -sS --noproxy "*" ')], { cwd: directory });
    const again = await lastCall();
    expect(again.id).not.toBe(call.id);
    for (const member of ['operation', 'method', 'path', 'status', 'body', 'content_type'] as const) {
      expect(again[member], member).toEqual(call[member]);
    }
    expect(await codeOf(call, 'language=PYTHON')).toContain(`data=${JSON.stringify(sent)}.encode()`);
    const inClient = `/worlds/default/journal/calls/${call.id}/code?language=TYPESCRIPT`;
    expect((await served.control('GET', inClient)).status).toBe(400);
  });
});

test('a form that was too long to be kept is not signed, since the signature would be wrong', async () => {
  await client()
    .campaigns.create({ ...campaign(), name: 'a'.repeat(10_000) })
    .catch(() => {});
  const { id } = await lastCall();
  const { status, body } = await served.control('GET', `/worlds/default/journal/calls/${id}/code?sign=true`);
  expect(status).toBe(400);
  expect(body.errors).toMatchObject([{ parameter: 'sign', message: expect.stringContaining('covers the form') }]);
  expect(await codeOf({ id }, 'language=CURL')).toContain('--data-binary @body.bin');
});

test('a call with a bearer token that failed before its app was known has one as code too', async () => {
  const rule = { match: { path: '/2/*' }, effect: { status: 500 }, times: 1 };
  expect((await served.control('POST', '/worlds/default/faults', rule)).status).toBe(200);
  const headers = { authorization: `Bearer ${credentials.bearer_token}` };
  expect((await fetch(`${served.server.urls.api}/2/posts?ids=1`, { headers })).status).toBe(500);
  const call = await lastCall();
  expect(call['caller']).toBeNull();
  expect(await codeOf(call, 'language=CURL')).toContain('Authorization: Bearer $BEARER_TOKEN');
});

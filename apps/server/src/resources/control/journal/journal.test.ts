/** The journal of a world, as the operator asks for it on a running server. */
import { createHmac, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { signRequest } from '@broadside/core/auth';
import { beforeEach, describe, expect, test } from 'vitest';
import { type WorldsServer, worldsServer } from '../../../worlds/testing/worlds-server.ts';

let worlds: WorldsServer;
let account: string;

beforeEach(async () => {
  worlds = await worldsServer();
  account = credentials().sandbox_account_id ?? '';
});

function credentials(): Readonly<Record<string, string>> {
  return JSON.parse(readFileSync(path.join(worlds.directory, 'credentials.json'), 'utf8'));
}

/** Calls the sandbox as the user of the demo. */
async function call(
  method: string,
  target: string,
  form: Readonly<Record<string, string>> = {},
  { sign = true, signal }: { readonly sign?: boolean; readonly signal?: AbortSignal } = {},
) {
  const held = credentials();
  const url = `${worlds.server.urls.sandbox}${target}`;
  const pairs = Object.entries(form);
  const { authorization } = await signRequest({
    method,
    url,
    form: pairs,
    credentials: {
      consumerKey: held['consumer_key'] ?? '',
      consumerSecret: held['consumer_secret'] ?? '',
      token: held['access_token'],
      tokenSecret: sign ? held['access_token_secret'] : 'wrong',
    },
    nonce: randomUUID(),
    timestamp: Math.floor(Date.now() / 1000),
    hmac: (algorithm, key, text) => createHmac(algorithm, key).update(text).digest('base64'),
  });
  const body = pairs.length > 0 ? { body: new URLSearchParams(form) } : {};
  return fetch(url, { method, headers: { authorization }, ...body, ...(signal ? { signal } : {}) });
}

const journal = (target = '', method = 'GET', body?: unknown) =>
  worlds.control(method, `/worlds/default/journal${target}`, body);

/** Calls as method, operation and status. */
const shortOf = ({ method, operation, status }: Readonly<Record<string, unknown>>) =>
  `${method} ${operation} ${status}`;

async function createCampaign(name: string, signal?: AbortSignal): Promise<Response> {
  const answer = await call('GET', `/12/accounts/${account}/funding_instruments`);
  const { data } = JSON.parse(await answer.text());
  return call(
    'POST',
    `/12/accounts/${account}/campaigns`,
    {
      name,
      funding_instrument_id: data[0].id,
      daily_budget_amount_local_micro: '1000000',
    },
    signal ? { signal } : {},
  );
}

describe('the journal of a world', () => {
  test('lists its calls, the newest first, page by page, and without what controls it', async () => {
    await createCampaign('Autumn');
    await call('GET', '/nowhere');
    const { body } = await journal('?count=2');
    expect(body.data.map(shortOf)).toEqual(['GET null 404', 'POST campaigns.create 200']);
    const { body: rest } = await journal(`?count=2&cursor=${body.next_cursor}`);
    expect(rest.data.map(shortOf)).toEqual(['GET funding_instruments.list 200']);
    expect(rest.next_cursor).toBeNull();
    const [, created] = body.data;
    expect(created).toMatchObject({
      listener: 'sandbox',
      writes: true,
      account_id: account,
      caller: { kind: 'USER', screen_name: credentials()['screen_name'] },
      params: { name: 'Autumn' },
      delivery: 'SENT',
      changes: [{ entity: 'CAMPAIGN', change_type: 'CREATE', fields: { name: { after: 'Autumn' } } }],
    });
    expect((await journal(`/calls/${created.id}`)).body.data).toEqual(created);
  });

  test('has no secret in it, and says what is wrong with a signature', async () => {
    const held = credentials();
    await call('GET', `/12/accounts/${account}/campaigns`, {}, { sign: false });
    const api = worlds.server.urls.api;
    const basic = Buffer.from(`${held['consumer_key']}:${held['consumer_secret']}`).toString('base64');
    await fetch(`${api}/oauth2/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${basic}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    await fetch(`${api}/sign-in`, {
      method: 'POST',
      body: new URLSearchParams({ username: held['screen_name'] ?? '', password: held['password'] ?? '' }),
    });
    await fetch(`${worlds.server.urls.sandbox}/nowhere?oauth_token=${held['access_token']}&a=1`);
    const { body } = await journal();
    expect(body.data.map(shortOf)).toContain('GET campaigns.list 401');
    expect(body.data.map(shortOf)).toContain('POST oauth2.token 200');
    const rejected = body.data.find((one: { readonly status: number }) => one.status === 401);
    expect(rejected).toMatchObject({ consumer_key: held['consumer_key'], diagnosis: expect.any(Object) });
    const text = JSON.stringify(body);
    for (const name of ['consumer_secret', 'access_token', 'access_token_secret', 'bearer_token', 'password']) {
      expect(text, name).not.toContain(held[name]);
    }
  });

  test.each([
    ['operation=campaigns.*', ['POST campaigns.create 200', 'GET campaigns.list 200']],
    ['writes=true', ['POST campaigns.create 200']],
    ['failed=true', ['GET null 404']],
    ['status=404', ['GET null 404']],
    ['text=Zinnia', ['POST campaigns.create 200']],
    ['operation=campaigns.get', []],
  ])('chooses by %s', async (query, expected) => {
    await call('GET', `/12/accounts/${account}/campaigns`);
    await createCampaign('Zinnia');
    await call('GET', '/nowhere');
    expect((await journal(`?${query}`)).body.data.map(shortOf)).toEqual(expected);
  });

  test('is followed from a position on, also by a request that waits', async () => {
    await call('GET', `/12/accounts/${account}/campaigns`);
    const { body } = await journal('/follow?position=0');
    expect(body.data.calls.map(shortOf)).toEqual(['GET campaigns.list 200']);
    const waiting = journal(`/follow?position=${body.data.position}`);
    await createCampaign('Autumn');
    const [first] = (await waiting).body.data.calls;
    expect(shortOf(first)).toBe('GET funding_instruments.list 200');
  });

  test('verifies what a test expects of its client; what does not hold is a result', async () => {
    await createCampaign('Autum');
    const expectations = [
      { name: 'one campaign', operation: 'campaigns.create', params: { name: 'Autumn' }, times: 1 },
      'no write was rejected',
    ];
    const { status, body } = await journal('/verify', 'POST', { expectations });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ passed: false, calls: 2, forgotten: 0 });
    expect(body.data.expectations.map(({ passed }: { readonly passed: boolean }) => passed)).toEqual([false, true]);
    expect(body.data.expectations[0].nearest[0].differs).toEqual([
      { of: 'params.name', expected: '"Autumn"', sent: '"Autum"' },
    ]);
    const wrong = await journal('/verify', 'POST', { expectations: [{ operation: 'campaigns.create', time: 1 }] });
    expect(wrong.status).toBe(400);
    expect(wrong.body.errors[0].parameter).toBe('expectations');
    expect(wrong.body.errors[0].message).toBe('"time" is no member of expectations[0]; did you mean "times"?');
  });

  test('finds a write that was sent again before the one that its client has given up was answered', async () => {
    const fault = { match: { operation: ['campaigns.create'] }, effect: { latency: 2_000 }, times: 1 };
    await worlds.control('POST', '/worlds/default/faults', fault);
    const givenUp = new AbortController();
    const first = createCampaign('Autumn', givenUp.signal).catch(() => 'given up');
    const firedOf = async () => (await worlds.control('GET', '/worlds/default/faults')).body.data[0].fired;
    await expect.poll(firedOf).toBe(1);
    givenUp.abort();
    expect(await first).toBe('given up');
    expect((await createCampaign('Autumn')).status).toBe(200);
    const deliveriesOf = async () =>
      (await journal('?operation=campaigns.create')).body.data.map(
        ({ delivery }: { readonly delivery: string }) => delivery,
      );
    await expect.poll(deliveriesOf, { timeout: 20_000 }).toEqual(['LOST', 'SENT']);
    const rule = 'nothing was retried after a lost answer without looking first';
    const { body } = await journal('/verify', 'POST', { expectations: [rule] });
    expect(body.data.expectations[0]).toMatchObject({
      passed: false,
      message: expect.stringContaining('was called again as'),
    });
  });

  test('writes calls as code; the signed command repeats the call', async () => {
    await createCampaign('Autumn');
    const { body } = await journal('?writes=true');
    const [{ id, params }] = body.data;
    const textOf = async (query: string) => (await journal(`/calls/${id}/code${query}`)).body.data.text;
    expect(await textOf('')).toContain("-H 'Authorization: OAuth ...'");
    expect(await textOf('?language=TYPESCRIPT')).toContain(`await client.campaigns.create({`);
    expect(await textOf('?language=PYTHON')).toContain('session.post(');
    const signed: string = await textOf('?sign=true');
    const authorization = /'Authorization: ([^']+)'/.exec(signed)?.[1] ?? '';
    const again = await fetch(`${worlds.server.urls.sandbox}/12/accounts/${account}/campaigns`, {
      method: 'POST',
      headers: { authorization },
      body: new URLSearchParams(
        Object.entries(params as Record<string, string>).filter(([name]) => name !== 'account_id'),
      ),
    });
    expect(again.status).toBe(200);
    expect((await journal('/calls/nobody')).body.errors[0].code).toBe('CALL_NOT_FOUND');
  });

  test('forgets what it is told to', async () => {
    await call('GET', `/12/accounts/${account}/campaigns`);
    expect((await journal('', 'DELETE')).body.data).toEqual({ requests: 1 });
    expect((await journal()).body.data).toEqual([]);
  });
});

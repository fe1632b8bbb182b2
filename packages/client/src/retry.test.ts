import { expect, test } from 'vitest';
import { type ClientOptions, createClient } from './client.ts';
import { ApiResponseError, BroadsideError, CallError, NetworkError, RateLimitError, TimeoutError } from './errors.ts';
import { answer, campaign, refusal } from './testing/campaign.ts';
import {
  credentials,
  type FakeAnswer,
  fakeServer,
  networkFailure,
  rejection,
  type Step,
} from './testing/fake-server.ts';

const NOW = 1_800_000_000_000;
const target = { account_id: 'abc1', campaign_id: '8wku2' };
const ok = answer(campaign());

/** Creates a client whose clock moves only while it waits, and whose random numbers are constant. */
function setUp(script: readonly Step[], options: ClientOptions & { chance?: number } = {}) {
  const { fetch, sent } = fakeServer(...script);
  const waits: number[] = [];
  let now = NOW;
  let nonces = 0;
  const client = createClient(credentials, {
    fetch,
    now: () => now,
    random: (length) =>
      length === 4
        ? Uint8Array.of(Math.floor((options.chance ?? 0) * 256), 0, 0, 0)
        : new Uint8Array(length).fill(++nonces),
    sleep: async (ms) => {
      waits.push(ms);
      now += ms;
    },
    ...options,
  });
  return { client, sent, waits };
}

function limited(resetInSeconds: number, more: Readonly<Record<string, string>> = {}): FakeAnswer {
  const reset = `${NOW / 1000 + resetInSeconds}`;
  const headers = { 'x-rate-limit-limit': '450', 'x-rate-limit-remaining': '0', 'x-rate-limit-reset': reset, ...more };
  return refusal(429, 'TOO_MANY_REQUESTS', headers);
}

function accountLimit(remaining: number, resetInSeconds: number) {
  return {
    'x-account-rate-limit-limit': '10000',
    'x-account-rate-limit-remaining': `${remaining}`,
    'x-account-rate-limit-reset': `${NOW / 1000 + resetInSeconds}`,
  };
}

test('a failed read is retried with exponential backoff', async () => {
  const { client, sent, waits } = setUp([networkFailure('ECONNRESET'), refusal(500, 'INTERNAL_ERROR'), ok]);
  await client.campaigns.get(target);
  expect(sent).toHaveLength(3);
  expect(waits).toEqual([125, 250]);
});

test('half of a pause is jitter, and it is capped', async () => {
  const failures = Array.from({ length: 8 }, () => networkFailure('ECONNRESET'));
  const { client, waits } = setUp([...failures, ok], { chance: 0.5, retry: { attempts: 9 } });
  await client.campaigns.get(target);
  expect(waits).toEqual([188, 375, 750, 1500, 3000, 6000, 6000, 6000]);
});

test('an exhausted limit is waited for until its reset, with jitter', async () => {
  const { client, waits } = setUp([limited(40), ok], { chance: 0.5 });
  await client.campaigns.get(target);
  expect(waits).toEqual([40_250]);
});

test.each([
  ['the limit of the account is exhausted', limited(40, accountLimit(0, 50)), 50_000],
  ['only the limit of the user is exhausted', limited(40, accountLimit(7, 50)), 40_000],
  ['retry-after is later', limited(40, { 'retry-after': '60' }), 60_000],
  ['retry-after is an HTTP date', limited(1, { 'retry-after': new Date(NOW + 30_000).toUTCString() }), 30_000],
  ['the reset has passed', limited(-5), 125],
  ['a proxy does not report a reset', { status: 429, body: 'slow down' }, 125],
])('which reset counts: %s', async (_, rejected, wait) => {
  const { client, waits } = setUp([rejected, ok]);
  await client.campaigns.get(target);
  expect(waits).toEqual([wait]);
});

test('a reset beyond maxWaitMs fails at once and reports when it will work', async () => {
  const { client, sent, waits } = setUp([limited(900)]);
  const error = await rejection(RateLimitError, client.campaigns.get(target));
  expect(error.retry_at).toEqual(new Date(NOW + 900_000));
  expect(error.message).toContain('try again at 2027-01-15T08:15:00.000Z');
  expect(error.rateLimits.user).toEqual({ limit: 450, remaining: 0, reset_at: new Date(NOW + 900_000) });
  expect([sent.length, waits]).toEqual([1, []]);
});

test('maxWaitMs bounds the waits of a call together', async () => {
  const { client, waits } = setUp([limited(40), limited(80)]);
  await rejection(RateLimitError, client.campaigns.get(target));
  expect(waits).toEqual([40_000]);
});

test('after the last attempt the last failure is reported', async () => {
  const { client, sent } = setUp([networkFailure('ECONNRESET'), networkFailure('ECONNRESET'), networkFailure('EPIPE')]);
  const error = await rejection(NetworkError, client.campaigns.get(target));
  expect(error.message).toBe('campaigns.get got no answer from http://ads.test: connect EPIPE');
  expect(sent).toHaveLength(3);
});

test('every attempt has a signature of its own', async () => {
  const { client, sent } = setUp([limited(40), ok]);
  await client.campaigns.get(target);
  const [first, second] = sent.map(({ headers }) => headers.get('authorization') ?? '');
  expect(first).toContain(`oauth_nonce="${'01'.repeat(16)}"`);
  expect(first).toContain('oauth_timestamp="1800000000"');
  expect(second).toContain(`oauth_nonce="${'02'.repeat(16)}"`);
  expect(second).toContain('oauth_timestamp="1800000040"');
});

type Write = (client: ReturnType<typeof setUp>['client']) => Promise<unknown>;
const writes: [string, Write][] = [
  ['POST', (c) => c.campaigns.create({ account_id: 'abc1', funding_instrument_id: 'f', name: 'n' })],
  ['POST of a batch', (c) => c.campaigns.batch({ account_id: 'abc1', operations: [] })],
  ['PUT', (c) => c.campaigns.update({ ...target, name: 'n' })],
  ['DELETE', (c) => c.campaigns.delete(target)],
  ['raw POST', (c) => c.request({ method: 'post', path: '/12/accounts', form: { a: 'b' } }).then(failOnStatus)],
];

function failOnStatus({ status }: { readonly status: number }) {
  if (status >= 400) throw new BroadsideError(`${status}`);
}

const unsafe: [string, Step][] = [
  ['the connection was reset', networkFailure('ECONNRESET')],
  ['the socket closed', networkFailure('UND_ERR_SOCKET')],
  ['the connection timed out at an unknown point', networkFailure('ETIMEDOUT')],
  ['the browser reports nothing but the failure', new TypeError('Failed to fetch')],
  ['the response timed out', 'hang'],
  ['the server failed', refusal(500, 'INTERNAL_ERROR')],
  ['a proxy got no response', { status: 502, body: '<html>' }],
  ['a proxy timed out', { status: 504, body: '<html>' }],
  ['a 503 has no retry time', refusal(503, 'SERVICE_UNAVAILABLE')],
];

test.each(writes.flatMap(([method, write]) => unsafe.map(([why, step]) => [method, why, write, step] as const)))(
  '%s is not retried when %s',
  async (_method, _why, write, step) => {
    const { client, sent } = setUp([step], { timeoutMs: 20 });
    await rejection(BroadsideError, write(client));
    expect(sent).toHaveLength(1);
  },
);

const refusedConnection = Object.assign(new AggregateError([networkFailure('ECONNREFUSED')]), { code: 'ECONNREFUSED' });
const certain: [string, Step][] = [
  ['the limit was exhausted', limited(10)],
  ['a 503 has a retry time', refusal(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '2' })],
  ['the connection was refused', networkFailure('ECONNREFUSED')],
  ['the connection was refused on every address', new TypeError('fetch failed', { cause: refusedConnection })],
  ['the name is unknown', networkFailure('ENOTFOUND')],
];

test.each(writes.flatMap(([method, write]) => certain.map(([why, step]) => [method, why, write, step] as const)))(
  '%s is retried when it cannot have had an effect: %s',
  async (_method, _why, write, step) => {
    // The second response is final for every method.
    const { client, sent } = setUp([step, refusal(404, 'NOT_FOUND')]);
    await rejection(BroadsideError, write(client));
    expect(sent).toHaveLength(2);
    expect([sent[1]?.url, sent[1]?.body]).toEqual([sent[0]?.url, sent[0]?.body]);
  },
);

test('a failed write reports whether it may have had an effect', async () => {
  const write = (step: Error) =>
    rejection(NetworkError, setUp([step], { retry: false }).client.campaigns.delete(target));
  expect((await write(networkFailure('ECONNRESET'))).mayHaveHappened).toBe(true);
  expect((await write(networkFailure('ECONNREFUSED'))).mayHaveHappened).toBe(false);
});

test.each([400, 401, 403, 404, 409])('a response with status %i is final', async (status) => {
  const { client, sent } = setUp([refusal(status, 'INVALID_PARAMETER')]);
  await rejection(ApiResponseError, client.campaigns.get(target));
  expect(sent).toHaveLength(1);
});

test('retries can be turned off for a client and for a call', async () => {
  const off = setUp([networkFailure('ECONNRESET')], { retry: false });
  await rejection(NetworkError, off.client.campaigns.get(target));
  const on = setUp([networkFailure('ECONNRESET')]);
  await rejection(NetworkError, on.client.campaigns.get(target, { retry: { attempts: 1 } }));
  expect([off.sent.length, on.sent.length]).toEqual([1, 1]);
});

test('a read that times out is retried, then reported', async () => {
  const { client, sent } = setUp(['hang', 'hang', 'hang'], { timeoutMs: 5 });
  const error = await rejection(TimeoutError, client.campaigns.get(target));
  expect(error.message).toBe('campaigns.get was not answered within 5 ms');
  expect(sent).toHaveLength(3);
});

test('a signal aborts a call that waits for a response, with its reason', async () => {
  const { client } = setUp(['hang']);
  const reason = new Error('no longer needed');
  const controller = new AbortController();
  const call = client.campaigns.get(target, { signal: controller.signal });
  controller.abort(reason);
  await expect(call).rejects.toBe(reason);
});

test.each(['client', 'call'] as const)('the signal of the %s ends a pause', async (whose) => {
  const controller = new AbortController();
  const mine = { signal: controller.signal };
  const { fetch, sent } = fakeServer(networkFailure('ECONNRESET'), ok);
  const client = createClient(credentials, {
    fetch: (url, init) => {
      // The pause that follows is 125 ms.
      setTimeout(() => controller.abort(), 20);
      return fetch(url, init);
    },
    ...(whose === 'client' ? mine : {}),
    retry: { attempts: 2 },
    random: (length) => new Uint8Array(length),
  });
  const call = client.campaigns.get(target, whose === 'call' ? mine : { signal: new AbortController().signal });
  await expect(call).rejects.toMatchObject({ name: 'AbortError' });
  expect(sent).toHaveLength(1);
});

test('invalid options are rejected where they are given', () => {
  for (const options of [
    { retry: { attempts: 0 } },
    { retry: { maxWaitMs: -1 } },
    { timeoutMs: 0 },
    { timeoutMs: Number.NaN },
  ]) {
    expect(() => createClient(credentials, options)).toThrow(CallError);
  }
});

test('every response is reported with its limits and the pause after it', async () => {
  const seen: unknown[] = [];
  const { client } = setUp([limited(40), { ...ok, headers: accountLimit(7, 60) }], {
    onResponse: ({ operation, method, path, status, attempt, retryInMs, rateLimits }) =>
      seen.push({ operation, method, path, status, attempt, retryInMs, remaining: rateLimits.account?.remaining }),
  });
  await client.campaigns.get(target);
  const same = { operation: 'campaigns.get', method: 'GET', path: '/12/accounts/abc1/campaigns/8wku2' };
  expect(seen).toEqual([
    { ...same, status: 429, attempt: 1, retryInMs: 40_000, remaining: undefined },
    { ...same, status: 200, attempt: 2, retryInMs: undefined, remaining: 7 },
  ]);
  expect(client.rateLimits).toEqual({ account: { limit: 10_000, remaining: 7, reset_at: new Date(NOW + 60_000) } });
});

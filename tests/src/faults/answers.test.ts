/** Faults as the control interface makes them and clients of worlds meet them over HTTP. */
import type { FaultRule } from '@broadside/core/resources/control/faults';
import type { Credentials } from '@broadside/server';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { about } from '../support/scenario.ts';
import { ServedWorlds } from '../worlds/served-worlds.ts';

const served = new ServedWorlds();
let world: string;
let credentials: Credentials;
let funding_instrument_id: string;

beforeAll(async () => {
  await served.start();
  ({ id: world, credentials } = (await served.control('POST', '/worlds', { from: { demo: true } })).body.data);
  const { data } = await served.client(credentials).funding_instruments.list({ account_id: account() });
  funding_instrument_id = data[0]?.id ?? '';
});
afterAll(() => served[Symbol.asyncDispose]());
afterEach(async () => {
  for (const { id } of await rules()) await served.control('DELETE', `/worlds/${world}/faults/${id}`);
});

const account = () => credentials.sandbox_account_id;

interface CountedRule {
  readonly id: string;
  readonly matched: number;
  readonly fired: number;
}

/** The rules of a world with their counts. */
async function rules(of = world): Promise<readonly CountedRule[]> {
  return (await served.control('GET', `/worlds/${of}/faults`)).body.data;
}

async function inject(rule: FaultRule): Promise<string> {
  const { status, body } = await served.control('POST', `/worlds/${world}/faults`, rule);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data.id;
}

async function counted(id: string): Promise<CountedRule | undefined> {
  return (await rules()).find((rule) => rule.id === id);
}

/** What a client was sent. */
interface Sent {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Makes a call of a client. @returns the answer as it came */
async function answerTo(
  call: (client: ReturnType<ServedWorlds['client']>) => PromiseLike<unknown>,
  of = credentials,
): Promise<Sent> {
  let sent: Sent | undefined;
  const client = served.client(of, async (input, init) => {
    const response = await fetch(input, init);
    const text = await response.clone().text();
    sent = { status: response.status, headers: response.headers, text };
    return response;
  });
  try {
    await call(client);
  } catch {
    // The answer says what was wrong.
  }
  if (!sent) throw new TypeError('the client sent no request');
  return sent;
}

const list = (of = credentials) =>
  answerTo((client) => client.campaigns.list({ account_id: of.sandbox_account_id, count: 1000 }), of);
const create = (name: string) =>
  answerTo((client) =>
    client.campaigns.create({
      account_id: account(),
      funding_instrument_id,
      name,
      daily_budget_amount_local_micro: 1_000_000n,
    }),
  );

/** The names of the campaigns that there are. */
async function names(): Promise<readonly string[]> {
  const { data } = await served.client(credentials).campaigns.list({ account_id: account(), count: 1000 });
  return data.map(({ name }) => name);
}

const errorsOf = ({ text }: Sent): readonly { readonly code: string }[] => JSON.parse(text).errors;

test(about('F-MATCH'), async () => {
  const { user_id } = credentials;
  const { data: publishers } = await served.client(credentials).publishers.list();
  const other = publishers.find((publisher) => publisher.user_id !== user_id);
  const cases: readonly [NonNullable<FaultRule['match']>, read: number, write: number][] = [
    [{}, 500, 500],
    [{ operation: ['campaigns.list'] }, 500, 200],
    [{ operation: ['campaigns.*'] }, 500, 500],
    [{ operation: ['line_items.*'] }, 200, 200],
    [{ kind: 'write' }, 200, 500],
    [{ path: '/12/accounts/:account_id/campaigns' }, 500, 500],
    [{ path: '/12/accounts/:account_id/line_items' }, 200, 200],
    [{ environment: 'sandbox' }, 500, 500],
    [{ environment: 'production' }, 200, 200],
    [{ account: account(), user: user_id }, 500, 500],
    [{ account: account(), user: other?.user_id ?? '' }, 200, 200],
  ];
  for (const [match, read, write] of cases) {
    const rule = await inject({ match, effect: { status: 500 } });
    const statuses = [(await list()).status, (await create('some call')).status];
    expect.soft(statuses, JSON.stringify(match)).toEqual([read, write]);
    await served.control('DELETE', `/worlds/${world}/faults/${rule}`);
  }
});

test(about('F-COUNT'), async () => {
  const cases: readonly [Omit<FaultRule, 'effect'>, statuses: readonly number[], matched: number, fired: number][] = [
    [{ times: 2 }, [500, 500, 200], 2, 2],
    [{ match: { every: 2 } }, [200, 500, 200, 500], 4, 2],
    [{ match: { first: 1 } }, [500, 200], 1, 1],
    [{ match: { after: 1 }, times: 1 }, [200, 500, 200], 2, 1],
  ];
  for (const [limits, statuses, matched, fired] of cases) {
    const rule = await inject({ ...limits, effect: { status: 500 } });
    const seen: number[] = [];
    for (const _status of statuses) seen.push((await list()).status);
    expect.soft(seen, JSON.stringify(limits)).toEqual(statuses);
    const counts = await counted(rule);
    expect.soft(counts, JSON.stringify(limits)).toMatchObject({ fired });
    expect.soft(counts?.matched, JSON.stringify(limits)).toBeGreaterThanOrEqual(matched);
    await served.control('DELETE', `/worlds/${world}/faults/${rule}`);
  }
});

test(about('F-STATUS'), async () => {
  for (const status of [500, 502, 503] as const) {
    await inject({ match: { operation: ['campaigns.create'] }, effect: { status, retry_after: 7 }, times: 1 });
    const answer = await create(`replaced by ${status}`);
    expect.soft(answer.status).toBe(status);
    expect.soft(answer.headers.get('retry-after'), `${status}`).toBe('7');
    const type = answer.headers.get('content-type');
    if (status === 502) expect.soft(type).toBe('text/html');
    else expect.soft(errorsOf(answer)).toHaveLength(1);
    expect.soft(await names()).not.toContain(`replaced by ${status}`);
  }
});

test(about('F-ERROR'), async () => {
  const real = await answerTo((client) => client.campaigns.get({ account_id: account(), campaign_id: 'nothere' }));
  const campaign_id = JSON.parse((await create('there')).text).data.id;
  await inject({ match: { operation: ['campaigns.get'] }, effect: { error: 'CAMPAIGN_NOT_FOUND' }, times: 1 });
  const injected = await answerTo((client) => client.campaigns.get({ account_id: account(), campaign_id }));
  expect(injected.status).toBe(real.status);
  expect(injected.headers.get('content-type')).toBe(real.headers.get('content-type'));
  const shape = (answer: Sent) => Object.keys(JSON.parse(answer.text)).sort();
  expect(shape(injected)).toEqual(shape(real));
  expect(errorsOf(injected)).toMatchObject([{ code: 'CAMPAIGN_NOT_FOUND' }]);
  expect(errorsOf(real)).toMatchObject([{ code: 'CAMPAIGN_NOT_FOUND' }]);
  await inject({ match: { operation: ['campaigns.create'] }, effect: { error: 'TOO_MANY_CAMPAIGNS' }, times: 1 });
  expect(errorsOf(await create('one too many'))).toMatchObject([{ code: 'TOO_MANY_CAMPAIGNS' }]);
  expect(await names()).not.toContain('one too many');
});

test(about('F-ERROR-FOREIGN'), async () => {
  const rule = { match: { operation: 'campaigns.list' }, effect: { error: 'CARD_NOT_FOUND' } };
  const { status, body } = await served.control('POST', `/worlds/${world}/faults`, rule);
  expect(status).toBe(400);
  const [{ parameter, message }] = body.errors;
  expect(parameter).toMatch(/^effect/);
  expect(message).toContain('ACCOUNT_NOT_FOUND');
  expect(await rules()).toEqual([]);
});

test(about('F-LIMIT'), async () => {
  const ends_s = Math.ceil(Date.now() / 1000) + 3600;
  const until = new Date(ends_s * 1000).toISOString();
  await inject({ match: { operation: ['campaigns.list'] }, effect: { rate_limit: { until } } });
  const answer = await list();
  expect(answer.status).toBe(429);
  expect(answer.headers.get('x-rate-limit-remaining')).toBe('0');
  expect(answer.headers.get('x-rate-limit-reset')).toBe(`${ends_s}`);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
});

test(about('F-BODY'), async () => {
  for (const body of ['cut', 'not_json'] as const) {
    await inject({ match: { operation: ['campaigns.create'] }, effect: { body }, times: 1 });
    const answer = await create(`with a body that is ${body}`);
    expect.soft(answer.status).toBe(200);
    expect.soft(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect.soft(() => JSON.parse(answer.text)).toThrow(SyntaxError);
    expect.soft(await names()).toContain(`with a body that is ${body}`);
  }
});

test(about('F-WORLD'), async () => {
  const rule = await inject({ match: { operation: ['campaigns.list'] }, effect: { status: 500 }, times: 2 });
  expect((await list()).status).toBe(500);
  const fork = (await served.control('POST', `/worlds/${world}/fork`, {})).body.data;
  const other = (await served.control('POST', '/worlds', { from: { demo: true } })).body.data;
  expect((await list(other.credentials)).status).toBe(200);
  expect(await rules(other.id)).toEqual([]);
  expect(await rules(fork.id)).toMatchObject([{ id: rule, fired: 1 }]);
  expect((await list(fork.credentials)).status).toBe(500);
  expect((await list(fork.credentials)).status).toBe(200);
  expect(await rules(fork.id)).toMatchObject([{ id: rule, fired: 2 }]);
  expect(await rules()).toMatchObject([{ id: rule, fired: 1 }]);
  for (const { id } of [fork, other]) await served.control('DELETE', `/worlds/${id}`);
});

test(about('F-RESTART'), async () => {
  const rule = await inject({ match: { operation: ['campaigns.list'] }, effect: { status: 500 }, times: 2 });
  expect((await list()).status).toBe(500);
  await served.start();
  expect(await counted(rule)).toMatchObject({ fired: 1 });
  expect([(await list()).status, (await list()).status]).toEqual([500, 200]);
  expect(await counted(rule)).toMatchObject({ fired: 2 });
});

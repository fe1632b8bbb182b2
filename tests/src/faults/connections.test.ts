/** Faults of connections and answers over real sockets, as real clients see them, with one thread and with several. */
import { execFile } from 'node:child_process';
import { createHmac, randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { createClient, NetworkError } from '@broadside/client';
import { signRequest } from '@broadside/core/auth';
import type { FaultRule } from '@broadside/core/resources/control/faults';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Listening, listening } from '../support/listening.ts';
import { about } from '../support/scenario.ts';

const run = promisify(execFile);
const python = '/usr/bin/python3';
const hasRequests = await run(python, ['-c', 'import requests']).then(
  () => true,
  () => false,
);

describe.each([1, 2])('with %i thread(s)', (workers) => {
  let stage: Listening;
  let funding_instrument_id = '';

  beforeAll(async () => {
    stage = await listening({ BROADSIDE_WORKERS: `${workers}` });
    await stage.server.readers?.ready();
    const [first] = (await client().funding_instruments.list({ account_id: account() })).data;
    funding_instrument_id = first?.id ?? '';
  });
  afterAll(() => stage[Symbol.asyncDispose]());
  afterEach(() => stage.server.world.faults.clear());

  const account = () => stage.credentials.account_id;
  const inject = (rule: FaultRule) => stage.server.world.faults.create(rule);
  const client = () => createClient(stage.credentials, { retry: { maxWaitMs: 60_000 } });
  const campaigns = () => `${stage.server.urls.ads}/12/accounts/${account()}/campaigns`;
  const creation = (name: string) =>
    `${campaigns()}?${new URLSearchParams({ name, funding_instrument_id, daily_budget_amount_local_micro: '5000000' })}`;

  const create = (name: string) => {
    const daily_budget_amount_local_micro = 5_000_000;
    return client().campaigns.create({
      account_id: account(),
      funding_instrument_id,
      name,
      daily_budget_amount_local_micro,
    });
  };

  async function named(name: string): Promise<number> {
    const { data } = await client().campaigns.list({ account_id: account(), count: 1000 });
    return data.filter((campaign) => campaign.name === name).length;
  }

  async function signed(method: string, url: string): Promise<string> {
    const { consumer_key, consumer_secret, access_token, access_token_secret } = stage.credentials;
    const { authorization } = await signRequest({
      method,
      url,
      form: [],
      credentials: {
        consumerKey: consumer_key,
        consumerSecret: consumer_secret,
        token: access_token,
        tokenSecret: access_token_secret,
      },
      nonce: randomUUID(),
      timestamp: Math.floor(Date.now() / 1000),
      hmac: (algorithm, key, text) => createHmac(algorithm, key).update(text).digest('base64'),
    });
    return authorization;
  }

  /** The code with which `fetch` fails. */
  async function failureOf(method: string, url: string): Promise<unknown> {
    try {
      const response = await fetch(url, { method, headers: { authorization: await signed(method, url) } });
      await response.text();
      return response.status;
    } catch (error) {
      const { cause } = error as { readonly cause?: { readonly code?: string } };
      return cause?.code ?? error;
    }
  }

  /** The exit code of curl: 52 is an empty answer, 56 a connection that was reset, 18 a part of a file. */
  async function curl(method: string, url: string): Promise<number> {
    const authorization = await signed(method, url);
    try {
      await run('curl', ['-s', '-X', method, '-H', `Authorization: ${authorization}`, url]);
      return 0;
    } catch (error) {
      return (error as { readonly code: number }).code;
    }
  }

  async function requests(method: string, url: string): Promise<string> {
    const code = [
      'import sys, requests',
      'try:',
      '    r = requests.request(sys.argv[1], sys.argv[2], headers={"Authorization": sys.argv[3]}, timeout=60)',
      '    print(r.status_code, len(r.json()))',
      '# Former versions do not compare the length, and fail to read the text.',
      'except (requests.exceptions.RequestException, ValueError) as e:',
      '    print(type(e).__name__, e)',
    ].join('\n');
    const { stdout } = await run(python, ['-c', code, method, url, await signed(method, url)]);
    return stdout.trim();
  }

  test(about('F-DROP-BEFORE'), async () => {
    const rule = await inject({ match: { kind: 'write' }, effect: { drop: 'before_work' } });
    expect(await failureOf('POST', creation('never'))).toBe('ECONNRESET');
    expect([52, 56]).toContain(await curl('POST', creation('never')));
    if (hasRequests) expect(await requests('POST', creation('never'))).toMatch(/^ConnectionError.*reset by peer/);
    expect(await named('never')).toBe(0);
    expect(rule.fired).toBe(hasRequests ? 3 : 2);
  });

  test('a read is dropped too, and the client repeats it', async () => {
    const rule = await inject({ match: { operation: ['campaigns.list'] }, effect: { drop: 'before_work' }, times: 2 });
    await expect(client().campaigns.list({ account_id: account() })).resolves.toBeDefined();
    expect(rule.fired).toBe(2);
  });

  test(about('F-DROP-AFTER'), async () => {
    await inject({ match: { operation: ['campaigns.create'] }, effect: { drop: 'after_commit' }, times: 3 });
    expect(await failureOf('POST', creation('lost to fetch'))).toBe('ECONNRESET');
    expect(await named('lost to fetch')).toBe(1);
    expect([52, 56]).toContain(await curl('POST', creation('lost to curl')));
    expect(await named('lost to curl')).toBe(1);
    const lost = create('lost to the client');
    const error = await lost.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toMatchObject({ mayHaveHappened: true });
    expect(await named('lost to the client')).toBe(1);
    if (!hasRequests) return;
    await inject({ match: { operation: ['campaigns.create'] }, effect: { drop: 'after_commit' }, times: 1 });
    expect(await requests('POST', creation('lost to requests'))).toMatch(/^ConnectionError.*reset by peer/);
    expect(await named('lost to requests')).toBe(1);
  });

  test(about('F-DROP-MIDDLE'), async () => {
    await inject({ match: { operation: ['campaigns.*'] }, effect: { drop: 'mid_body' }, times: 3 });
    expect(await failureOf('POST', creation('half an answer'))).toBe('UND_ERR_SOCKET');
    expect(await curl('GET', campaigns())).toBe(18);
    if (hasRequests) expect(await requests('GET', campaigns())).toMatch(/IncompleteRead|JSONDecodeError/);
    await stage.server.world.faults.clear();
    expect(await named('half an answer')).toBe(1);
  });

  test(about('F-RETRY'), async () => {
    const rule = await inject({
      match: { operation: ['campaigns.create'] },
      effect: { status: 503, retry_after: 1 },
      times: 1,
    });
    const began = performance.now();
    await create('at the second try');
    expect(performance.now() - began).toBeGreaterThan(900);
    expect(await named('at the second try')).toBe(1);
    expect(rule.fired).toBe(1);
  });

  test(about('F-LATENCY'), async () => {
    await inject({ match: { kind: 'read' }, effect: { latency: { ms: 300 } } });
    const began = performance.now();
    await client().campaigns.list({ account_id: account() });
    expect(performance.now() - began).toBeGreaterThan(295);
  });

  test(about('F-THREADS'), async () => {
    for (let round = 0; round < 20; round++) {
      const rule = await inject({ match: { operation: ['campaigns.list'] }, effect: { status: 500 } });
      expect(await failureOf('GET', campaigns())).toBe(500);
      await stage.server.world.faults.delete(rule.id);
      expect(await failureOf('GET', campaigns())).toBe(200);
    }
  });

  test(about('F-DROP-TRPC'), async () => {
    await inject({ match: { operation: ['campaigns.list'] }, effect: { drop: 'before_work' }, times: 1 });
    const input = encodeURIComponent(JSON.stringify({ json: { account_id: account() } }));
    expect(await failureOf('GET', `${stage.server.urls.ads}/trpc/campaigns.list?input=${input}`)).toBe('ECONNRESET');
  });
});

/** A server of three threads over real sockets. */
import { randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { allDataOperations, isRead, stringifyJson } from '@broadside/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operationsOf } from '../adapters/rest/routes.ts';
import {
  type Answer,
  type Connection,
  createCampaign,
  dataOf,
  type ThreadedServer,
  threadedServer,
  threadsIn,
} from './testing/threaded-server.ts';

const OPERATOR = { user_id: null, platform: 'OPERATOR' } as const;

/** By how much the rounds of races are more in a long run. */
const TIMES = process.env['BROADSIDE_TEST_LONG'] === undefined ? 1 : 4;

let running: ThreadedServer;
let all: readonly Connection[];

beforeAll(async () => {
  running = await threadedServer();
  all = running.connections;
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

function connection(index: number): Connection {
  const found = all[index % all.length];
  if (!found) throw new Error('no connections');
  return found;
}

const everywhere = (send: (connection: Connection) => Promise<Answer>) => Promise.all(all.map(send));
const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status);

function fill(path: string, params: Readonly<Record<string, string>>): string {
  return path.replace(/:(\w+)/g, (_, name) => params[name] ?? '1');
}

const create = (name: string) => createCampaign(connection(1), running.account, name);

test('all threads serve, and each request has a line with an id of its own', async () => {
  for (let round = 0; round < 3; round++) {
    expect(new Set(statuses(await everywhere((one) => one.send(`${running.account}/campaigns`))))).toEqual(
      new Set([200]),
    );
  }
  const log = await running.log();
  expect(threadsIn(log)).toEqual(new Set([0, 1, 2]));
  const ids = log.filter(({ msg }) => msg === 'request').map(({ listener, request }) => `${listener} ${request}`);
  expect(new Set(ids).size).toBe(ids.length);
});

test('an unknown expectation is rejected by all threads in the form of its path', async () => {
  const { base_url } = running.credentials;
  const answers = await Promise.all(all.map((one) => one.raw(`${base_url}/2/posts`, { headers: { expect: 'foo' } })));
  for (const answer of answers) {
    expect(answer.statusCode).toBe(417);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/problem+json; charset=utf-8',
      'referrer-policy': 'no-referrer',
      'x-request-id': expect.any(String),
    });
    expect(await text(answer)).toContain('"title":"Invalid Request"');
  }
  const known = await connection(0).send(`${base_url}/2/posts?ids=1`, { headers: { expect: '100-continue' } });
  expect(known.status).toBe(200);
});

describe('after a write was acknowledged', () => {
  test('every thread reads it, one entity, lists and counts alike, over hundreds of races', async () => {
    const id = await create('before');
    const url = `${running.account}/campaigns`;
    let racing = true;
    // Readers that fill what threads keep, at every instant of a write.
    const readers = all.slice(6, 10).map(async (reader, i) => {
      while (racing) await reader.send(i % 2 === 0 ? `${url}/${id}` : `${url}?campaign_ids=${id}`);
    });
    let reads = 0;
    for (let round = 0; round < 70 * TIMES; round++) {
      const form = { name: `name ${round}` };
      const put = await connection(round % 6).send(`${url}/${id}`, { method: 'PUT', form });
      expect(put.status, JSON.stringify(put.body)).toBe(200);
      const answers = await Promise.all([
        ...all.slice(0, 6).map((one) => one.send(`${url}/${id}`)),
        ...all.slice(0, 3).map((one) => one.send(`${url}?q=name%20${round}&campaign_ids=${id}`)),
      ]);
      for (const [i, answer] of answers.entries()) {
        const data = dataOf(answer);
        expect(i < 6 ? data : data['0'], `read ${i} after write ${round}`).toMatchObject({ name: `name ${round}` });
      }
      reads += answers.length;
    }
    racing = false;
    await Promise.all(readers);
    expect(reads).toBe(630 * TIMES);
  });

  test('a revoked token, a suspended app and a lost permission are rejected by every thread with the next request', async () => {
    const { world } = running.server;
    const { credentials, as, account } = running;
    const signing = await world.identity.signing.find(credentials.consumer_key, undefined);
    const app = await world.identity.apps.get(signing?.app_id ?? '');
    const user = await world.identity.users.get(credentials.user_id);
    if (!app || !user) throw new Error('the demo has an app and a person');
    const url = `${account}/campaigns`;
    for (let round = 0; round < 20; round++) {
      const issued = await world.identity.tokens.issue(OPERATOR, app, user, 'write');
      const other = { ...as, token: issued.access_token, tokenSecret: issued.access_token_secret };
      expect(new Set(statuses(await everywhere((one) => one.send(url, { as: other }))))).toEqual(new Set([200]));
      let racing = true;
      const readers = all.slice(8, 12).map(async (one) => {
        while (racing) await one.send(url, { as: other });
      });
      await world.identity.tokens.revoke(OPERATOR, issued.access_token);
      const after = await Promise.all(all.slice(0, 8).map((one) => one.send(url, { as: other })));
      racing = false;
      await Promise.all(readers);
      expect(new Set(statuses(after))).toEqual(new Set([401]));
    }
    for (let round = 0; round < 20; round++) {
      const permission = round % 2 === 0 ? ('AD_MANAGER' as const) : undefined;
      const { user_id, sandbox_account_id } = credentials;
      if (permission) await world.ads.sandbox.grant(OPERATOR, sandbox_account_id, user_id, [permission]);
      else await world.ads.sandbox.revoke(OPERATOR, sandbox_account_id, user_id);
      const after = await everywhere((one) => one.send(url));
      expect(new Set(statuses(after))).toEqual(new Set([permission ? 200 : 403]));
    }
    await world.ads.sandbox.grant(OPERATOR, credentials.sandbox_account_id, credentials.user_id, ['ACCOUNT_ADMIN']);
    const bearer = { authorization: `Bearer ${credentials.bearer_token}` };
    const posts = `${credentials.base_url}/2/posts?ids=${credentials.post_ids[0]}`;
    for (let round = 0; round < 30; round++) {
      const suspended = round % 2 === 0;
      await world.identity.apps.update(OPERATOR, app.id, { suspended });
      const signed = await everywhere((one) => one.send(url));
      expect(new Set(statuses(signed))).toEqual(new Set([suspended ? 403 : 200]));
      const read = await Promise.all(all.map((one) => one.raw(posts, { headers: bearer })));
      await Promise.all(read.map((answer) => text(answer)));
      expect(new Set(read.map(({ statusCode }) => statusCode))).toEqual(new Set([suspended ? 403 : 200]));
    }
  });
});

test('of a request that is sent to all threads at once, exactly one copy is served, over thousands of tries', async () => {
  let tries = 0;
  for (let round = 0; round < 105 * TIMES; round++) {
    const timestamp = Math.floor(Date.now() / 1000) - (round % 200) + 10;
    const nonce = `round-${round}`;
    const answers = await everywhere((one) => one.send(`${running.account}/campaigns`, { nonce, timestamp }));
    tries += answers.length;
    const served = answers.filter(({ status }) => status === 200);
    expect(served).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(all.length - 1);
  }
  expect(tries).toBeGreaterThan(2500 * TIMES);
});

test('every read of the contract is answered alike by every thread', async () => {
  const { credentials } = running;
  const { account_id, sandbox_account_id, ads_sandbox_base_url, base_url, post_ids, screen_name } = credentials;
  const known: Record<string, string> = {
    account_id: sandbox_account_id,
    id: post_ids[0] ?? '',
    username: screen_name,
  };
  const served = new Set<string>();
  const operations = [...operationsOf('sandbox'), ...allDataOperations].filter((operation) => isRead(operation));
  for (const { id, http, example, kind } of operations) {
    const base = kind === 'data' ? base_url : ads_sandbox_base_url;
    const query = new URLSearchParams();
    const given: Record<string, unknown> = { ...example.params };
    if (id === 'posts.lookup') given['ids'] = post_ids.join(',');
    const lookup = http.path.replace(/\/:[^/]*$/, '');
    for (const [name, value] of Object.entries(given)) {
      if (!http.path.includes(`:${name}`)) query.set(name, Array.isArray(value) ? value.join(',') : String(value));
    }
    const names = [...http.path.matchAll(/:(\w+)/g)].flatMap(([, name]) => name ?? []);
    const own = names.find((name) => !(name in known));
    const path: Record<string, string> = { ...known };
    if (own !== undefined) path[own] = String(given[own] ?? '1');
    if (own !== undefined && kind === 'ads') {
      const list = await connection(0).send(base + fill(lookup, path));
      const first = Object.values(list.status === 200 ? dataOf(list) : {})[0];
      if (typeof first === 'object' && first !== null && 'id' in first) path[own] = String(first.id);
    }
    const url = `${base}${fill(http.path, path)}?${query}`
      .replaceAll('+', '%20')
      .replace(account_id, sandbox_account_id);
    const answers = await everywhere((one) => one.send(url));
    const [first] = answers;
    for (const answer of answers) expect([answer.status, answer.body], url).toEqual([first?.status, first?.body]);
    expect(first?.status, `${url} ${stringifyJson(first?.body)}`).toBeLessThan(500);
    if (first?.status === 200) served.add(id);
  }
  const failed = (await running.log()).filter(({ level }) => Number(level) >= 50);
  expect(failed).toEqual([]);
  expect(served.size).toBeGreaterThan(operations.length / 2);
});

test('a body of 5 MB and HEAD pass to the main thread', async () => {
  const answers: Answer[] = [];
  // One after the other: together they would be more than one address may send at a time.
  for (const one of all.slice(0, 8)) {
    const body = Buffer.alloc(4_900_000, ' ');
    const headers = { 'content-type': 'application/json', 'content-length': body.length };
    const answer = await one.raw(`${running.account}/campaigns`, { method: 'POST', headers }, body);
    answers.push({ status: answer.statusCode ?? 0, headers: answer.headers, body: await text(answer) });
  }
  // Read whole, and then rejected: it is not signed.
  expect(new Set(statuses(answers))).toEqual(new Set([401]));
  const heads = await everywhere(async (one) => {
    const answer = await one.raw(`${running.account}/campaigns`, { method: 'HEAD' });
    return { status: answer.statusCode ?? 0, headers: answer.headers, body: await text(answer) };
  });
  expect(new Set(statuses(heads))).toEqual(new Set([401]));
});

test('rate limits are exact at their boundary, whichever threads count', async () => {
  await using limited = await threadedServer({ BROADSIDE_RATE_LIMITS: 'ads.core_read=300/900' });
  const answers = await Promise.all(
    limited.connections.flatMap((one) => Array.from({ length: 15 }, () => one.send(`${limited.account}/campaigns`))),
  );
  expect(answers).toHaveLength(360);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(300);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(60);
  const served = answers.filter(({ status }) => status === 200);
  const remaining = served.map(({ headers }) => Number(headers['x-rate-limit-remaining'])).toSorted((a, b) => b - a);
  expect(remaining).toEqual(Array.from({ length: 300 }, (_, i) => 299 - i));
  expect(new Set(answers.map(({ headers }) => headers['x-rate-limit-reset'])).size).toBe(1);
  expect(threadsIn(await limited.log())).toEqual(new Set([0, 1, 2]));
});

test('a thread that ends is logged and replaced, and a nonce that it used stays used', async () => {
  await using server = await threadedServer({}, { connections: 30 });
  const nonce = randomBytes(8).toString('hex');
  const timestamp = Math.floor(Date.now() / 1000);
  const url = `${server.account}/campaigns`;
  const first = await Promise.all(server.connections.map((one) => one.send(url, { nonce, timestamp })));
  expect(first.filter(({ status }) => status === 200)).toHaveLength(1);
  await server.server.readers?.fail(1);
  await server.server.readers?.fail(2);
  await server.server.readers?.ready();
  const again = await Promise.all(
    server.connections.map((one) =>
      one.send(url, { nonce, timestamp }).catch(() => one.send(url, { nonce, timestamp })),
    ),
  );
  expect(new Set(statuses(again))).toEqual(new Set([401]));
  const replaced = async () =>
    (await server.logSoFar()).filter(({ msg }) => msg === 'a reader thread ended and is replaced');
  await expect.poll(replaced).toHaveLength(2);
});

/** `/metrics` of a server with several threads. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ThreadedServer, threadedServer, threadsIn } from '../threads/testing/threaded-server.ts';
import { readScrape, type Scrape } from './testing/prometheus-text.ts';

const REQUESTS = 'broadside_http_requests_total';

let running: ThreadedServer;

beforeAll(async () => {
  running = await threadedServer({
    BROADSIDE_METRICS_PORT: '0',
    BROADSIDE_CONTROL_PORT: '0',
    BROADSIDE_RATE_LIMITS: 'ads.write=3/600',
  });
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

async function scrape(): Promise<Scrape> {
  const answer = await fetch(`${running.server.metricsUrl}/metrics`);
  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect(answer.status).toBe(200);
  return readScrape(await answer.text());
}

/** Scrapes until a condition holds: a request is counted a moment after its answer has arrived. */
async function scrapeUntil(condition: (scraped: Scrape) => void): Promise<Scrape> {
  let last = await scrape();
  await expect
    .poll(async () => {
      last = await scrape();
      condition(last);
      return true;
    })
    .toBe(true);
  return last;
}

test('requests of all threads are counted once, by operation, method and status', async () => {
  const before = await scrape();
  for (const connection of running.connections) {
    await connection.send(`${running.account}/campaigns`);
    await connection.send(`${running.account}/campaigns?count=none`);
  }
  const sent = running.connections.length;
  const labels = { listener: 'sandbox', operation: 'campaigns.list', method: 'GET' };
  const of = (one: Scrape, status: string) => one.sum(REQUESTS, { ...labels, status });
  const after = await scrapeUntil((one) => {
    expect(of(one, '200') - of(before, '200')).toBe(sent);
    expect(of(one, '400') - of(before, '400')).toBe(sent);
  });
  expect(threadsIn(await running.log()).size).toBe(3);
  expect(after.sum('broadside_http_request_duration_seconds_count', labels)).toBe(after.sum(REQUESTS, labels));
  expect(after.sum('broadside_http_rejections_total', { code: 'INVALID_PARAMETER', status: '400' })).toBe(sent);
  expect(after.values('broadside_event_loop_active_seconds_total', 'thread')).toEqual(new Set(['0', '1', '2']));
});

test('paths and methods that clients make up are one label each', async () => {
  const [connection] = running.connections;
  for (let i = 0; i < 20; i++) await connection?.send(`${running.credentials.ads_base_url}/made/up/${i}`);
  for (const method of ['PROPFIND', 'LOCK', 'MKCOL']) {
    const answer = await connection?.raw(`${running.credentials.ads_base_url}/made/up`, { method });
    if (answer) await text(answer);
  }
  const after = await scrapeUntil((one) =>
    expect(one.sum(REQUESTS, { listener: 'ads', operation: 'none', method: 'other' })).toBe(3),
  );
  expect(after.sum(REQUESTS, { listener: 'ads', operation: 'none', method: 'GET', status: '404' })).toBe(20);
  for (const value of after.values(REQUESTS, 'operation')) expect(value).not.toContain('made');
});

test('calls over tRPC have the same operations; a request with several is one', async () => {
  const [connection] = running.connections;
  const url = `${running.credentials.ads_sandbox_base_url}/trpc`;
  const account_id = running.credentials.sandbox_account_id;
  const input = (value: unknown) => `input=${encodeURIComponent(JSON.stringify(value))}`;
  await connection?.send(`${url}/accounts.get?${input({ account_id })}`);
  await connection?.send(`${url}/accounts.get,accounts.list?batch=1&${input({ 0: { account_id } })}`);
  await scrapeUntil((one) => {
    expect(one.sum(REQUESTS, { listener: 'sandbox', operation: 'accounts.get', status: '200' })).toBe(1);
    expect(one.sum(REQUESTS, { listener: 'sandbox', operation: 'batch' })).toBe(1);
  });
});

test('rejected credentials are counted by the class of the reason', async () => {
  const [connection] = running.connections;
  const before = await scrape();
  const url = `${running.account}/campaigns`;
  await connection?.send(url, { as: { ...running.as, consumerSecret: 'wrong' } });
  // Of the same second: a nonce is used together with its timestamp.
  const twice = { nonce: 'the-same-nonce-twice', timestamp: Math.floor(Date.now() / 1000) };
  await connection?.send(url, twice);
  await connection?.send(url, twice);
  await connection?.send(url, { timestamp: 1_000_000_000 });
  const bearer = await connection?.raw(`${running.server.urls.api}/2/posts?ids=1`, {
    headers: { authorization: 'Bearer nobodys' },
  });
  if (bearer) await text(bearer);
  const unsigned = await connection?.raw(url);
  if (unsigned) await text(unsigned);
  const failures = (one: Scrape, reason: string) => one.sum('broadside_authentication_failures_total', { reason });
  const reasons = ['signature', 'used_nonce', 'timestamp', 'bearer_token', 'unsigned'];
  await scrapeUntil((one) =>
    expect(reasons.map((reason) => [reason, failures(one, reason) - failures(before, reason)])).toEqual(
      reasons.map((reason) => [reason, 1]),
    ),
  );
});

test('stores, commits and jobs are timed; the state of the server is told', async () => {
  const [connection] = running.connections;
  const before = await scrape();
  const written = await connection?.send(`${running.account}/features`, {
    method: 'POST',
    form: { feature_keys: 'AGE_TARGETING' },
  });
  expect(written?.status).toBe(200);
  const store = { store: 'sandbox' };
  const after = await scrapeUntil((one) => {
    for (const name of [
      'broadside_store_write_duration_seconds_count',
      'broadside_store_commit_duration_seconds_count',
      'broadside_store_commit_writes_count',
    ])
      expect([name, one.sum(name, store) - before.sum(name, store)]).toEqual([name, 1]);
  });
  expect(
    after.sum('broadside_store_commit_writes_sum', store) - before.sum('broadside_store_commit_writes_sum', store),
  ).toBe(1);
  expect(after.sum('broadside_store_read_duration_seconds_count', store)).toBeGreaterThan(0);
  expect(after.sum('broadside_worlds_open')).toBe(1);
  expect(after.sum('broadside_threads')).toBe(3);
  expect(after.sum('broadside_threads_missing')).toBe(0);
  expect(after.sum('broadside_store_writable')).toBe(3);
  expect(after.sum('broadside_log_lines_lost_total')).toBe(0);
  expect(after.sum('broadside_build_info')).toBe(1);
  expect(after.sum('process_resident_memory_bytes')).toBeGreaterThan(1e7);
  expect(after.sum('broadside_metrics_source_up')).toBe(after.samples('broadside_metrics_source_up').length);
});

test('what has not happened is counted as 0, where its labels are known', async () => {
  const one = await scrape();
  for (const [name, labels] of [
    ['broadside_authentication_failures_total', { reason: 'revoked_token' }],
    ['broadside_rate_limited_total', { bucket: 'media.chunked' }],
    ['broadside_http_closed_connections_total', { code: 'OVER_CAPACITY' }],
    ['broadside_jobs', { kind: 'moderation.settle' }],
    ['broadside_job_overdue_seconds', { kind: 'moderation.settle' }],
  ] as const) {
    expect(one.samples(name)).toContainEqual(expect.objectContaining({ labels, value: 0 }));
  }
});

test('calls beyond a rate limit are counted by its bucket', async () => {
  const [connection] = running.connections;
  for (let i = 0; i < 4; i++) await connection?.send(`${running.account}/campaigns`, { method: 'POST', form: {} });
  const after = await scrapeUntil((one) =>
    expect(one.sum('broadside_rate_limited_total', { bucket: 'ads.write' })).toBeGreaterThan(0),
  );
  expect(after.sum('broadside_rate_limited_total', { bucket: 'ads.write' })).toBe(
    after.sum(REQUESTS, { operation: 'campaigns.create', status: '429' }),
  );
});

test('what a thread has counted stays when it has ended', async () => {
  const ads = { listener: 'sandbox', operation: 'campaigns.list' };
  const before = await scrape();
  await running.server.readers?.fail(1);
  await running.server.readers?.fail(2);
  await expect.poll(() => running.server.readers?.missing).toBe(0);
  const after = await scrape();
  expect(after.sum(REQUESTS, ads)).toBe(before.sum(REQUESTS, ads));
  expect(before.sum(REQUESTS, ads)).toBeGreaterThan(0);
});

test('no answer with metrics, or about them, sends a referrer', async () => {
  const token = readFileSync(path.join(running.server.world.dataDirectory, 'operator.token'), 'utf8').trim();
  const authorization = `Bearer ${token}`;
  const { metricsUrl, controlUrl } = running.server;
  for (const [url, status, headers] of [
    [`${metricsUrl}/metrics`, 200, {}],
    [`${metricsUrl}/nothing`, 404, {}],
    [`${controlUrl}/metrics`, 200, { authorization }],
    [`${controlUrl}/metrics`, 401, {}],
    [`${controlUrl}/`, 302, {}],
  ] as const) {
    const answer = await fetch(url, { headers, redirect: 'manual' });
    expect([url, answer.status]).toEqual([url, status]);
    expect(answer.headers.get('referrer-policy'), url).toBe('no-referrer');
    await answer.text();
  }
});

test('the listener of metrics has nothing else, and takes no name of others', async () => {
  const url = `${running.server.metricsUrl}`;
  expect((await fetch(`${url}/ready`)).status).toBe(404);
  expect((await fetch(`${url}/metrics`, { method: 'POST' })).status).toBe(405);
  const [connection] = running.connections;
  const foreign = await connection?.raw(`${url}/metrics`, { headers: { host: 'rebound.example:80' } });
  expect(foreign?.statusCode).toBe(403);
  if (foreign) await text(foreign);
});

test('the public listeners have no metrics; the control has them for the token of the operator', async () => {
  const { api, ads, sandbox } = running.server.urls;
  const token = readFileSync(path.join(running.server.world.dataDirectory, 'operator.token'), 'utf8').trim();
  const authorization = `Bearer ${token}`;
  for (const url of [api, ads, sandbox])
    expect((await fetch(`${url}/metrics`, { headers: { authorization } })).status).toBe(404);
  const control = `${running.server.controlUrl}/metrics`;
  expect((await fetch(control)).status).toBe(401);
  expect((await fetch(control, { headers: { authorization: `${authorization}x` } })).status).toBe(401);
  const answer = await fetch(control, { headers: { authorization } });
  expect(answer.status).toBe(200);
  expect(readScrape(await answer.text()).sum('broadside_worlds_open')).toBe(1);
});

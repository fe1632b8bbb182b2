/** The archive of calls of all kinds, held against the format. */
import { readFileSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import type { Credentials } from '@broadside/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { about } from '../support/scenario.ts';
import { har } from './har-schema.ts';
import { ServedWorlds } from './served-worlds.ts';

const served = new ServedWorlds();
let credentials: Credentials;
beforeAll(async () => {
  await served.start(2);
  await served.server.readers?.ready();
  credentials = (await served.control('GET', '/worlds/default')).body.data.credentials;
}, 120_000);
afterAll(() => served[Symbol.asyncDispose]());

/** Sends what `fetch` would not. */
function send(url: string, path: string, headers: http.OutgoingHttpHeaders): Promise<number> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const request = http.request({ hostname, port, path, headers }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
    });
    request.on('error', reject).end();
  });
}

test(about('J-HAR'), async () => {
  const { api, sandbox } = served.server.urls;
  const client = served.client(credentials);
  const account_id = credentials.sandbox_account_id;
  const { data: instruments } = await client.funding_instruments.list({ account_id });
  const funding_instrument_id = instruments[0]?.id ?? '';
  const autumn = { account_id, funding_instrument_id, name: 'Herbst – 秋 🍂' };
  await client.campaigns.create({ ...autumn, daily_budget_amount_local_micro: 1_000_000n });
  await client.campaigns.create({ ...autumn, daily_budget_amount_local_micro: -1n }).catch(() => {});
  await client.campaigns.list({ account_id, q: 'Herbst – 秋' });
  const bytes = new Uint8Array(5000).map((_, at) => (at * 7) % 256);
  await client.media.upload({ media: bytes, media_category: 'post_image' }).catch(() => {});
  const { id } = await client.media.initialize({ total_bytes: bytes.length, media_type: 'image/png' });
  await client.media.append({ id, media: bytes, segment_index: 0 });
  await fetch(`${api}/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ screen_name: 'x' }),
  });
  await fetch(`${sandbox}/12/accounts`, { method: 'HEAD' });
  await send(sandbox, '/12/nowhere/|"<>[{}]`^?q=a%20b&q&=c&%F0=1|"', {});
  await send(sandbox, '/nowhere', { host: 'no host [at] all' });
  await send(sandbox, '//?q=1', { host: 'a b' });
  const drop = { match: { operation: ['campaigns.list'] }, effect: { drop: 'after_commit' }, times: 1 };
  await served.control('POST', '/worlds/default/faults', drop);
  await expect(client.campaigns.list({ account_id }).then(() => 'an answer')).rejects.toThrow();
  // By the other thread too, which serves some of the connections.
  const ids = new Set<boolean>();
  while (ids.size < 2) {
    const answer = await fetch(`${sandbox}/12/accounts`, { headers: { connection: 'close' } });
    ids.add(answer.headers.get('x-request-id')?.includes('-t') === true);
  }
  const { body } = await served.control('GET', '/worlds/default/journal/har');
  const archive = har.parse(body.data);
  const { entries } = archive.log;
  const times = entries.map(({ startedDateTime }) => Date.parse(startedDateTime));
  expect(times).toEqual(times.toSorted((one, other) => one - other));
  for (const { time, timings } of entries) expect(timings.send + timings.wait + timings.receive).toBe(time);
  const shown = new Map(
    entries.map((entry) => [`${entry.request.method} ${entry['_operation']} ${entry.response.status}`, entry]),
  );
  const keys = [...shown.keys()];
  expect(keys).toEqual(
    expect.arrayContaining([
      'POST campaigns.create 200',
      'POST campaigns.create 400',
      'GET campaigns.list 200',
      'POST media.append 200',
      'HEAD accounts.list 401',
      'GET null 404',
    ]),
  );
  const named = (key: string) => shown.get(key);
  expect(named('POST campaigns.create 200')?.request.postData).toMatchObject({
    mimeType: expect.stringContaining('application/x-www-form-urlencoded'),
    text: expect.stringContaining(encodeURIComponent('秋')),
  });
  const appended = named('POST media.append 200');
  expect(appended?.request.postData?.comment).toBe('5000 bytes are left out.');
  expect(entries.filter(({ comment }) => comment === 'The answer did not reach the client.')).toMatchObject([
    { _operation: 'campaigns.list', _delivery: 'LOST' },
  ]);
  // A target that no host goes with has one of its own.
  expect(entries.filter(({ request }) => request.url === 'http://host.invalid//?q=1')).toHaveLength(1);
  const searched = entries.find(({ request }) => request.queryString.some(({ value }) => value === 'Herbst – 秋'));
  expect(searched?.response.status).toBe(200);
  expect(searched?.response.content.text).toContain('秋 🍂');
  expect(Buffer.byteLength(searched?.response.content.text ?? '')).toBe(searched?.response.content.size);
});

test(about('J-HAR-BATCH'), async () => {
  const { sandbox } = served.server.urls;
  const token = readFileSync(join(served.directory, 'operator.token'), 'utf8').trim();
  const answer = await fetch(`${sandbox}/trpc/admin.users.list,admin.apps.list?batch=1&input=%7B%7D`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(answer.status).toBe(200);
  const entriesOf = async (operation: string) => {
    const { body } = await served.control('GET', `/worlds/default/journal/har?operation=${operation}`);
    return har.parse(body.data).log.entries.map((entry) => entry['_operation']);
  };
  expect(await entriesOf('admin.users.list')).toEqual(['admin.users.list']);
  expect(await entriesOf('admin.apps.list')).toEqual(['admin.apps.list']);
  expect(await entriesOf('admin.*.list')).toEqual(['admin.users.list']);
});

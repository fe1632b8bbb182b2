/** Bodies that are large in ways that no client needs: the error answer stays small, and the time grows with the size alone. */
import { costRatio } from '@broadside/cost-ratio';
import type { TestWorld } from '@broadside/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { member } from '../support/body.ts';
import { multipart, type Part } from '../support/uploads.ts';
import { type AccountFixture, createAccountFixture, openWorld } from '../support/world.ts';

let world: TestWorld;
let fixture: AccountFixture;
let batch: string;

beforeAll(async () => {
  world = await openWorld();
  fixture = await createAccountFixture(world);
  batch = `/12/batch/accounts/${fixture.account_id}/campaigns`;
});
afterAll(async () => {
  expect(world.failures).toEqual([]);
  await world.close();
});

const names = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`campaign_nam${i}`, i]));

const answerTo = (body: string) =>
  world.request({ method: 'POST', path: batch, headers: { 'content-type': 'application/json' }, body });

describe('the answer to many faults is bounded', () => {
  test('unknown parameters', async () => {
    const path = `/12/accounts/${fixture.account_id}/campaigns/${fixture.campaign_id}`;
    const { status, body, text } = await world.request({ method: 'PUT', path, json: names(9_000) });
    expect(status).toBe(400);
    expect(text.length).toBeLessThan(100_000);
    const errors = member(body, 'errors');
    expect(errors).toHaveLength(21);
    expect(errors).toContainEqual(
      expect.objectContaining({ message: '8980 more names are not parameters of this operation' }),
    );
  });

  test('unknown parameters of the items of a batch', async () => {
    const items = Array.from({ length: 40 }, () => ({ operation_type: 'Create', params: names(200) }));
    const { status, body, text } = await answerTo(JSON.stringify(items));
    expect(status).toBe(400);
    expect(text.length).toBeLessThan(200_000);
    expect(member(body, 'operation_errors')).toHaveLength(40);
  });

  test('wrong items of a large batch: three hundred errors, and one of each further item', async () => {
    const items = Array.from({ length: 200 }, () => ({ operation_type: 'Create', params: names(30) }));
    const path = `/12/batch/accounts/${fixture.account_id}/targeting_criteria`;
    const { status, body } = await world.request({ method: 'POST', path, json: items });
    expect(status).toBe(400);
    const errors = member(body, 'operation_errors');
    const counts = Array.isArray(errors) ? errors.map((of: unknown[]) => of.length) : [];
    expect(counts).toHaveLength(200);
    expect(Math.min(...counts)).toBe(1);
    // Thirteen items of 20 names, how many more there are and three that are missing, and the first error of each other one.
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(13 * 24 + 187);
  });

  test('a value of megabytes is repeated by its beginning', async () => {
    const path = `/12/accounts/${fixture.account_id}/campaigns/${fixture.campaign_id}`;
    const { status, text } = await world.request({ method: 'PUT', path, json: { name: 'x'.repeat(4_000_000) } });
    expect(status).toBe(400);
    expect(text.length).toBeLessThan(5_000);
  });
});

test.each([
  ['values', `[${Array(20_000).fill('1').join(',')}]`, 'too many values'],
  ['digits', `[${'1'.repeat(1_000_000)}]`, 'more than 100 characters'],
  ['empty objects', `[${'{},'.repeat(1_000_000)}{}]`, 'too many values'],
  ['open arrays', '['.repeat(1_000_000), 'too deep'],
  ['escapes', `["${'\\n'.repeat(1_000_001)}"]`, 'more than 1000000 escapes'],
] as const)('a body with a million %s is rejected with the reason', async (_what, text, reason) => {
  const { status, body } = await answerTo(text);
  expect(status).toBe(400);
  expect(JSON.stringify(body)).toContain(reason);
});

test.each([[1], [true], [null], [{}], [[]]])(
  'an operation_type of another type, such as %j, is not repeated in the request',
  async (operation_type) => {
    const { status, body } = await answerTo(JSON.stringify([{ operation_type, params: {} }]));
    expect(status).toBe(400);
    expect(member(body, 'request')).toEqual([{ params: { account_id: fixture.account_id }, operation_type: null }]);
  },
);

test('a form has up to 250,000 bytes, and JSON more', async () => {
  const path = `/12/accounts/${fixture.account_id}/campaigns/${fixture.campaign_id}`;
  const sent = async (more: object) => {
    const { status, body } = await world.request({ method: 'PUT', path, ...more });
    return { status, body };
  };
  const name = (bytes: number) => ({ name: 'x'.repeat(bytes) });
  expect(await sent({ form: name(251_000) })).toMatchObject({
    status: 413,
    body: { errors: [{ code: 'REQUEST_TOO_LARGE', message: 'The body may have up to 250000 bytes' }] },
  });
  expect(await sent({ form: name(240_000) })).toMatchObject({ status: 400 });
  expect(await sent({ json: name(251_000) })).toMatchObject({ status: 400 });
});

test.each(['GET', 'PUT'])('the target of a %s has up to 16,384 characters', async (method) => {
  const path = `/12/accounts/${fixture.account_id}/campaigns/${fixture.campaign_id}`;
  const { status, body } = await world.request({ method, path, query: { name: 'x'.repeat(17_000) } });
  expect({ status, body }).toMatchObject({ status: 413, body: { errors: [{ code: 'REQUEST_TOO_LARGE' }] } });
  const shorter = await world.request({ method, path, query: { name: 'x'.repeat(15_000) } });
  expect(shorter.status).toBe(400);
});

test('a problem says how long a target may be', async () => {
  const query = { ids: '1'.repeat(17_000) };
  const { status, body } = await world.request({ listener: 'api', method: 'GET', path: '/2/posts', query });
  expect({ status, body }).toMatchObject({
    status: 413,
    body: { title: 'Payload Too Large', detail: expect.stringContaining('may have up to 16384 characters') },
  });
});

test('of a long path that does not exist, an answer repeats the first thousand characters', async () => {
  const path = `/12/accounts/${'x'.repeat(15_000)}/campaing`;
  const { status, text } = await world.request({ listener: 'ads', method: 'GET', path });
  expect(status).toBe(404);
  expect(text).toContain(`There is no GET ${path.slice(0, 1000)}... here`);
  expect(text.length).toBeLessThan(1500);
});

describe('rejecting twice as much takes about twice the time', () => {
  const forms: Readonly<Record<string, (size: number) => string>> = {
    'a number': (size) => `[${'1'.repeat(size * 100)}]`,
    'open arrays': (size) => '['.repeat(size * 100),
    'empty objects': (size) => `[${'{},'.repeat(size * 30)}{}]`,
    'unknown names': (size) =>
      JSON.stringify(
        Array.from({ length: 10 }, () => ({ operation_type: 'Create', params: names(Math.floor(size / 25)) })),
      ),
    'a text': (size) => JSON.stringify([{ operation_type: 'Create', params: { name: 'a'.repeat(size * 100) } }]),
    'escaped characters': (size) => `[{"operation_type":"Create","params":{"name":"${'\\u0041'.repeat(size * 16)}"}}]`,
    'escaped quotes': (size) => `[{"operation_type":"Create","params":{"name":"${'\\"'.repeat(size * 50)}"}}]`,
    'combining characters': (size) =>
      JSON.stringify([{ operation_type: 'Create', params: { name: 'a\u0301'.repeat(size * 30) } }]),
    'a long name': (size) => `[{"operation_type":"Create","params":{"${'x'.repeat(size * 100)}":1}}]`,
    blanks: (size) => `${' '.repeat(size * 100)}[{"a":1}]`,
  };
  test.each(Object.entries(forms))('%s', async (_name, form) => {
    const [small, large] = [form(2_500), form(10_000)];
    const send = (text: string) => async () => expect((await answerTo(text)).status).toBe(400);
    await send(large)();
    expect(await costRatio(send(large), send(small), 10)).toBeLessThan(10);
  });

  const path = () => `/12/accounts/${fixture.account_id}/campaigns/${fixture.campaign_id}`;
  const signed: Readonly<Record<string, (size: number) => Request>> = {
    'quotes in a form': (size) => ({ method: 'PUT', path: path(), form: { name: "'".repeat(size * 6) } }),
    'blanks in a form': (size) => ({ method: 'PUT', path: path(), form: { name: ' '.repeat(size * 6) } }),
    'commas in a form': (size) => ({ method: 'PUT', path: path(), form: { name: 'a,'.repeat(size * 5) } }),
    'parameters of a form': (size) => ({
      method: 'PUT',
      path: path(),
      form: Object.fromEntries(Array.from({ length: size / 12 }, (_, i) => [`p${i}`, '%'.repeat(60)])),
    }),
    'commas in a query': (size) => ({
      path: batch.replace('/batch', ''),
      query: { campaign_ids: 'a,'.repeat(size / 4) },
    }),
  };
  test.each(Object.entries(signed))('%s', (_name, make) => growsAsItsSize(make));

  const uploading = (parts: readonly Part[]) => ({
    listener: 'api' as const,
    method: 'POST',
    path: '/1.1/media/upload.json',
    ...multipart(parts),
  });
  const bytes = (content: string, more: Partial<Part> = {}) => [{ name: 'media', file: 'f', content, ...more }];
  const uploads: Readonly<Record<string, (size: number) => readonly Part[]>> = {
    'bytes with beginnings of boundaries': (size) => bytes('\r\n--a-boundary-that-no-test-hold'.repeat(size)),
    'bytes that are ends of lines': (size) => bytes('\r\n'.repeat(size * 20)),
    'the head of a part': (size) => [{ name: `${'x="y"; '.repeat(size / 10)}`, content: '' }],
    'parts of a form': (size) => Array.from({ length: size / 10 }, (_, i) => ({ name: `n${i}`, content: '1' })),
    'a field of a part': (size) => [{ name: 'media_category', content: 'x'.repeat(size * 6) }],
    'base64 in short lines': (size) => bytes(`${'AAAA\r\n'.repeat(size * 10)}*`, { encoding: 'base64' }),
    'base64 of blanks': (size) => bytes(`${' '.repeat(size * 50)}*`, { encoding: 'base64' }),
    'base64 in a field': (size) => [{ name: 'media_data', content: `${'AAAA'.repeat(size * 4)}*` }],
  };
  // A body without bytes is answered with 403.
  test.each(Object.entries(uploads))('%s', (_name, parts) =>
    growsAsItsSize((size) => uploading(parts(size)), [400, 403]),
  );

  // In development, whose answers say which mistake a signature was made with.
  const mistaken: Readonly<Record<string, (size: number) => Request>> = {
    'the doctor over parameters of a query': (size) => ({
      path: batch.replace('/batch', ''),
      query: Object.fromEntries(Array.from({ length: size / 50 }, (_, i) => [`p${i}`, 'a b+c%20'])),
    }),
    'the doctor over a value of a query': (size) => ({
      path: batch.replace('/batch', ''),
      query: { q: '%2B +'.repeat(size / 10) },
    }),
    'the doctor over a form': (size) => ({ method: 'PUT', path: path(), form: { name: "a b'".repeat(size * 2) } }),
    'the doctor over parameters of a form': (size) => ({
      method: 'PUT',
      path: path(),
      form: Object.fromEntries(Array.from({ length: size / 12 }, (_, i) => [`p${i}`, '%'.repeat(20)])),
    }),
  };
  test.each(Object.entries(mistaken))('%s', (_name, make) =>
    growsAsItsSize((size) => ({ ...make(size), sign: { consumerSecret: 'wrong' } }), 401),
  );

  const headers: Readonly<Record<string, (size: number) => string>> = {
    'pairs of an Authorization header': (size) => 'oauth_nonce="x", '.repeat(size),
    'an escaped value of an Authorization header': (size) => `realm="${'\\"'.repeat(size * 10)}`,
    'encoded characters of an Authorization header': (size) => `oauth_token="${'%C3%A9'.repeat(size * 5)}"`,
    'commas of an Authorization header': (size) => `${','.repeat(size * 20)}oauth_token="x"`,
    'blanks of an Authorization header': (size) => `oauth_token${' '.repeat(size * 20)}"x"`,
    'a name of an Authorization header': (size) => 'a'.repeat(size * 20),
  };
  test.each(Object.entries(headers))('%s', (_name, written) =>
    growsAsItsSize(
      (size) => ({ path: path(), as: null, headers: { authorization: `OAuth ${written(size)}` } }),
      [400, 401],
    ),
  );
});

type Request = Parameters<TestWorld['request']>[0];

/** Sends requests of one form and of four times its size, each answered by a status of those expected. */
async function growsAsItsSize(
  make: (size: number) => Request,
  expected: number | readonly number[] = 400,
): Promise<void> {
  // To sign takes time of its own, which is not the server's.
  const sendAll = async (size: number) => {
    const sign = async () => ({ listener: make(size).listener ?? 'sandbox', request: await world.sign(make(size)) });
    const signed = await Promise.all(Array.from({ length: 60 }, sign));
    return async () => {
      const { listener, request } = signed.pop() ?? (await sign());
      expect([expected].flat()).toContain((await world.send(listener, request)).status);
    };
  };
  const [small, large] = [await sendAll(2_500), await sendAll(10_000)];
  await large();
  expect(await costRatio(large, small, 10)).toBeLessThan(10);
}

/**
 * Signed requests of any form: no response is a 5xx, every error is JSON with codes that the contract allows (the
 * world checks every response), and a rejected request has changed nothing.
 */

import { allOperations, type Operation } from '@broadside/core';
import { costRatio } from '@broadside/cost-ratio';
import type { TestRequest, TestWorld } from '@broadside/testkit';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { requestFor, texts, validParams } from '../support/call.ts';
import { type AccountFixture, createAccountFixture, lastChange, openWorld } from '../support/world.ts';

let world: TestWorld;
let fixture: AccountFixture;

beforeAll(async () => {
  world = await openWorld();
  fixture = await createAccountFixture(world);
});
afterAll(async () => {
  expect(world.failures).toEqual([]);
  expect((await world.request({ path: '/health', as: null })).status).toBe(200);
  await world.close();
});

/** Sends a request; unless it succeeded, nothing may have been written. @returns the status */
async function send(request: TestRequest): Promise<number> {
  const before = await lastChange(world);
  const { status } = await world.request(request);
  if (status !== 200) expect(await lastChange(world)).toBe(before);
  // A deleted parent would keep the following requests from reaching deeper checks.
  else if (request.method === 'DELETE') fixture = await createAccountFixture(world);
  return status;
}

// By id, so that a counterexample can be read.
const operationIds = fc.constantFrom(...allOperations.map(({ id }) => id));

function operationOf(id: string): Operation {
  const operation = allOperations.find((one) => one.id === id);
  if (!operation) throw new TypeError(`there is no ${id}`);
  return operation;
}

const strange = fc.constantFrom(
  '',
  ' ',
  '\0',
  '\u{10ffff}',
  '\ufeff',
  '﷽'.repeat(100),
  '../../../etc/passwd',
  "'; DROP TABLE campaigns; --",
  '%00',
  '%',
  '__proto__',
  'constructor',
  '-1',
  '0',
  '-0',
  '1e999',
  'NaN',
  'null',
  'undefined',
  '[object Object]',
  `${2n ** 63n}`,
  `-${2n ** 63n}`,
  '9'.repeat(10_000),
  'a'.repeat(10_000),
  ','.repeat(300),
  'true,false',
  '0000-00-00',
  '9999-12-31T23:59:59-23:59',
);
const text = fc.oneof({ weight: 2, arbitrary: strange }, { weight: 1, arbitrary: fc.string({ unit: 'binary' }) });
const nameOf = (id: string) =>
  fc.oneof(fc.constantFrom('account_id', ...Object.keys(operationOf(id).params.shape)), text);

const withParams = operationIds.chain((id) =>
  fc.record({
    id: fc.constant(id),
    place: fc.constantFrom('query' as const, 'form' as const),
    params: fc.array(fc.tuple(nameOf(id), text), { maxLength: 6 }),
    keep: fc.boolean(),
  }),
);

test('any parameters in query and form are answered', async () => {
  await fc.assert(
    fc.asyncProperty(withParams, async ({ id, place, params, keep }) => {
      const operation = operationOf(id);
      const valid = requestFor(operation, validParams(operation, fixture), place);
      const kept = place === 'query' ? valid.query : valid.form;
      const base = Array.isArray(kept) && keep ? kept : [];
      const isGet = operation.http.method === 'GET';
      const given = [...base, ...params] as const;
      await send({ ...valid, ...(place === 'form' && !isGet ? { form: given } : { query: given }) });
    }),
    { numRuns: 400 },
  );
});

const json = fc.jsonValue({ maxDepth: 4, noUnicodeString: false });
const object = (id: string) =>
  fc.dictionary(nameOf(id), fc.oneof(json, text, fc.bigInt(), fc.double()), { maxKeys: 8 });

const withJson = operationIds
  .filter((id) => operationOf(id).http.method !== 'GET')
  .chain((id) =>
    fc.tuple(fc.constant(id), fc.oneof(object(id), json, fc.array(batchItem(id), { maxLength: 5 })), fc.boolean()),
  );

function batchItem(id: string) {
  const params = fc.oneof(object(id), json);
  const kind = fc.oneof(fc.constantFrom('Create', 'Update', 'Delete'), json);
  return fc.oneof(fc.record({ operation_type: kind, params }, { requiredKeys: [] }), json);
}

test('any JSON body is answered', async () => {
  await fc.assert(
    fc.asyncProperty(withJson, async ([id, body, keep]) => {
      const operation = operationOf(id);
      const valid = requestFor(operation, validParams(operation, fixture), 'json');
      const merge = keep && typeof body === 'object' && body !== null && !Array.isArray(body) && !operation.batch;
      await send({ ...valid, json: merge ? Object.assign({}, valid.json, body) : body });
    }),
    { numRuns: 400 },
  );
});

const segment = fc.oneof(
  fc.constantFrom('12', 'accounts', 'campaigns', 'batch', '..', '.', '%2e%2e', '%2f', '%00', ''),
  fc.webPath(),
);

test('any path is answered', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD'),
      fc.array(segment, { maxLength: 6 }),
      async (method, parts) => {
        const path = `/${parts.join('/')}`.replace(/[^\x21-\x7e]|["<>\\^`{|}?#]/g, '-');
        await send({ method, path });
      },
    ),
    { numRuns: 300 },
  );
});

const type = fc.constantFrom(
  'application/json',
  'application/x-www-form-urlencoded',
  'text/plain',
  'application/json; charset=utf-16',
  ';',
  '/',
  'multipart/form-data',
);

test('any bytes under any content type are answered', async () => {
  const path = `/12/accounts/${fixture.account_id}/campaigns`;
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), type, fc.boolean(), async (bytes, contentType, batch) => {
      const request = { method: 'POST', path: batch ? path.replace('/12/', '/12/batch/') : path };
      const headers = { 'content-type': contentType };
      const status = await send({ ...request, body: Buffer.from(bytes), headers });
      expect(status).toBeGreaterThanOrEqual(400);
    }),
    { numRuns: 200 },
  );
});

const post = (more: Partial<TestRequest>): TestRequest => ({
  method: 'POST',
  path: `/12/accounts/${fixture.account_id}/campaigns`,
  ...more,
});
const asJson = { 'content-type': 'application/json' };

test.for([
  ['arrays nested 100,000 deep', `{"name":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
  ['objects nested 100,000 deep', `{"name":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`],
  ['nesting beside a long number', `{"x":12345678901234567890,"name":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
  ['a number beyond doubles', '{"daily_budget_amount_local_micro":1e999}'],
  ['a number of 100,000 digits', `{"daily_budget_amount_local_micro":${'9'.repeat(100_000)}}`],
  ['half a surrogate pair', '{"name":"\\ud800"}'],
  ['NUL in a name', '{"name":"a\\u0000b"}'],
  ['NUL in the name of a parameter', '{"\\u0000":1}'],
  ['__proto__ as a parameter', '{"__proto__":{"name":"x"}}'],
  ['a name twice', '{"name":"a","name":"b"}'],
  ['a name twice, escaped', '{"name":"a","n\\u0061me":"b"}'],
  ['a name twice in a nested object', '{"name":{"a":1,"a":2}}'],
  ['a byte order mark', '\ufeff{"name":"a"}'],
  ['JSON cut short', '{"name":"a"'],
  ['two values', '{}{}'],
  ['a comment', '{/**/}'],
  ['only white space', ' \n '],
] as const)('%s is a clear 400', async ([, body]) => {
  expect(await send(post({ body, headers: asJson }))).toBe(400);
});

test('bytes that are not UTF-8 are rejected, in JSON and in a form', async () => {
  const { funding_instrument_id } = fixture;
  for (const bytes of [[0xff], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xe2, 0x82]]) {
    const name = Buffer.from(bytes);
    const wrap = (before: string, after: string) => Buffer.concat([Buffer.from(before), name, Buffer.from(after)]);
    const start = `{"funding_instrument_id":"${funding_instrument_id}","name":"x`;
    expect(await send(post({ body: wrap(start, '"}'), headers: asJson }))).toBe(400);
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    expect(
      await send(post({ body: wrap(`funding_instrument_id=${funding_instrument_id}&name=x`, ''), headers: form })),
    ).toBe(400);
    const encoded = `name=x${[...bytes].map((byte) => `%${byte.toString(16)}`).join('')}`;
    expect(await send(post({ body: encoded, headers: form }))).toBe(400);
  }
});

test('a body of 5,000,001 bytes is rejected with 413, one of 5,000,000 is read', async () => {
  const body = (bytes: number) => `{"name":"${'a'.repeat(bytes - 11)}"}`;
  expect(await send(post({ body: body(5_000_001), headers: asJson }))).toBe(413);
  expect(await send(post({ body: body(5_000_000), headers: asJson }))).toBe(400);
});

test('a Host header that is not a host is a wrong signature, not a failure', async () => {
  const signed = await world.sign({ path: '/12/accounts' });
  for (const host of ['a b', 'a/b', '[', 'user@host', '[::1', 'host:port', '::1', '\t', 'a:1:2', 'ünï']) {
    const { status } = await world.send('sandbox', {
      ...signed,
      url: '/12/accounts',
      headers: { ...signed.headers, host },
    });
    expect(status, host).toBe(401);
  }
});

test('an Authorization header of any form is rejected', async () => {
  const header = fc.oneof(
    fc.string(),
    fc.string().map((rest) => `OAuth ${rest}`),
    fc
      .array(
        fc.tuple(
          fc.constantFrom(
            'oauth_consumer_key',
            'oauth_token',
            'oauth_nonce',
            'oauth_timestamp',
            'oauth_signature',
            'oauth_signature_method',
            'oauth_version',
            'realm',
          ),
          fc.string(),
        ),
        { maxLength: 12 },
      )
      .map((pairs) => `OAuth ${pairs.map(([name, value]) => `${name}="${value}"`).join(', ')}`),
  );
  await fc.assert(
    fc.asyncProperty(header, async (authorization) => {
      const visible = authorization.replace(/[^\x20-\x7e]/g, '');
      const status = await send({ path: '/12/accounts', as: null, headers: { authorization: visible } });
      expect([400, 401]).toContain(status);
    }),
    { numRuns: 300 },
  );
});

test('thousands of parameters are rejected, in time that grows with their number and not with its square', async () => {
  const rejecting = (count: number) => async () => {
    const many = Array.from({ length: count }, (_, i): [string, string] => [`p${i}`, 'x']);
    expect(await send(post({ form: many }))).toBe(400);
    expect(await send(post({ json: Object.fromEntries(many) }))).toBe(400);
  };
  await rejecting(1000)();
  expect(await costRatio(rejecting(16_000), rejecting(1000), 100)).toBeLessThan(100);
});

test('texts are taken as they are', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', minLength: 1, maxLength: 100 }), async (name) => {
      const request = { method: 'PUT', path: `/12/accounts/${fixture.account_id}/campaigns/${fixture.campaign_id}` };
      const legal = !name.includes('\0');
      for (const how of [{ query: texts({ name }) }, { form: { name } }, { json: { name } }]) {
        const { status, body } = await world.request({ ...request, ...how });
        expect(status).toBe(legal ? 200 : 400);
        if (legal) expect(body).toMatchObject({ request: { params: { name } }, data: { name } });
      }
    }),
    { numRuns: 60 },
  );
});

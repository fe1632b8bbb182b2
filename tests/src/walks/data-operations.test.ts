/** Every operation of data retrieval: rejected callers, rejected parameters, and its path. */
import { allDataOperations, type DataOperation, errorsOf, fieldsOf, isRead, wireTypeOf } from '@broadside/core';
import type { Answer, SignOverrides, TestRequest, TestWorld } from '@broadside/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { texts } from '../support/call.ts';
import { openWorld } from '../support/world.ts';

let world: TestWorld;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(async () => {
  expect(world.failures).toEqual([]);
  await world.close();
});

const bearer = () => ({ authorization: `Bearer ${world.credentials.bearer_token}` });

/** The example's call, made by an app unless it says otherwise. */
function send({ http, example }: DataOperation, more: Partial<TestRequest> = {}): Promise<Answer> {
  const query = texts(z.looseObject({}).parse(example.params));
  return world.request({ listener: 'api', path: http.path, query, as: null, headers: bearer(), ...more });
}

const unauthorized = { status: 401, body: { title: 'Unauthorized', type: 'about:blank', status: 401 } };
const another = (signature: string) => `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
const seconds = () => Math.floor(world.wallClock.now() / 1000);

const signatures: readonly (readonly [title: string, sign: () => SignOverrides])[] = [
  ['a wrong signature', () => ({ signature: another })],
  ['a wrong consumer secret', () => ({ consumerSecret: 'wrong' })],
  ['a wrong token secret', () => ({ tokenSecret: 'wrong' })],
  ['an unknown consumer key', () => ({ consumerKey: 'unknown' })],
  ['an unknown token', () => ({ token: 'unknown' })],
  ['no token', () => ({ token: null })],
  ['a timestamp 301 seconds old', () => ({ timestamp: seconds() - 301 })],
  ['a timestamp 301 seconds ahead', () => ({ timestamp: seconds() + 301 })],
];

describe.for(allDataOperations.map((operation) => [operation.id, operation] as const))('%s', ([, operation]) => {
  const { http, params } = operation;
  const lists = fieldsOf(params);

  test('reads, and says so', () => {
    expect([isRead(operation), http.method]).toEqual([true, 'GET']);
    expect(errorsOf(operation)).not.toContain('READONLY_CLIENT_APPLICATION');
  });

  test('takes lists only, each with what it may hold', () => {
    for (const [name, field] of lists) {
      const type = wireTypeOf(field);
      expect(type?.kind, name).toBe('list');
      expect(type?.json['maxItems'], name).toBeGreaterThan(0);
    }
  });

  test('accepts the bearer token of an app and the signature of a person, in any place', async () => {
    expect((await send(operation)).status).toBe(200);
    const signed = { as: world.user, headers: {} };
    for (const place of ['header', 'query'] as const) {
      expect((await send(operation, { ...signed, sign: { in: place } })).status, place).toBe(200);
    }
    const reader = await world.issueToken(world.user, 'read');
    expect((await send(operation, { ...signed, as: reader })).status).toBe(200);
  });

  test.for(signatures)('rejects %s', async ([, sign]) => {
    const rejected = await send(operation, { as: world.user, headers: {}, sign: sign() });
    expect(rejected, rejected.text).toMatchObject(unauthorized);
  });

  test('rejects unauthenticated calls, whatever the parameters are', async () => {
    expect(await send(operation, { headers: {} })).toMatchObject(unauthorized);
    expect(await send(operation, { headers: {}, query: { no_such: 'x' } })).toMatchObject(unauthorized);
    expect(await send(operation, { headers: { authorization: 'Bearer wrong' } })).toMatchObject(unauthorized);
  });

  test('rejects each parameter that is empty, malformed or too long by name', async () => {
    const given = z.looseObject({}).parse(operation.example.params);
    for (const [name, field] of lists) {
      const most = Number(wireTypeOf(field)?.json['maxItems']);
      const many = Array.from({ length: most + 1 }, () => wireTypeOf(field)?.values?.[0] ?? '1').join(',');
      for (const value of ['', ',', 'no such value', 'x\0', '1,', many]) {
        const answer = await send(operation, { query: texts({ ...given, [name]: value }) });
        expect(answer, `${name}=${value.slice(0, 20)}`).toMatchObject({
          status: 400,
          body: { title: 'Invalid Request' },
        });
        expect(answer.text).toContain(`The `);
        expect(answer.text).toMatch(new RegExp(`"parameters":\\{"${name.replace('.', '\\.')}":`));
      }
    }
  });

  test('rejects a parameter that it does not have, and one that comes twice', async () => {
    for (const name of ['no_such_parameter', '__proto__', 'constructor', 'IDS']) {
      const answer = await send(operation, {
        query: [
          ['ids', '1'],
          [name, 'x'],
        ],
      });
      expect(answer, name).toMatchObject({ status: 400, body: { title: 'Invalid Request' } });
      expect(answer.text).toContain(`The query parameter [${name}] is not one of [`);
    }
    for (const [name] of lists) {
      const query = [
        [name, '1'],
        [name, '1'],
      ] as const;
      expect(await send(operation, { query }), name).toMatchObject({ status: 400 });
    }
  });

  test('is nowhere else: not in other letters, below itself, or on the listeners of advertising', async () => {
    for (const path of [`${http.path}/`, `${http.path}/x`, http.path.toUpperCase(), `/1${http.path}`]) {
      expect((await send(operation, { path })).status, path).toBe(404);
    }
    for (const listener of ['ads', 'sandbox'] as const) {
      expect((await send(operation, { listener })).status, listener).toBe(404);
    }
  });
});

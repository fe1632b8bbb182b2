/**
 * A write has the same answer, byte by byte, and the same line in the log, in front of the framework and behind it. Two worlds
 * that began alike get the same writes, each on its way.
 */
import { connect } from 'node:net';
import { allOperations, type Operation } from '@broadside/core';
import type { TestRequest, TestWorld } from '@broadside/testkit';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Place, pathNames, requestFor, validParams } from '../support/call.ts';
import { malformedTexts, sentParameters } from '../support/malformed.ts';
import { type AccountFixture, createAccountFixture, openWorld } from '../support/world.ts';
import { changesOf, credentials } from './arbitraries.ts';
import { openWay, type Seen, type Way } from './ways.ts';

/** A world, and the way on which it is reached. */
interface Side {
  readonly world: TestWorld;
  readonly way: Way;
}

let sides: readonly [direct: Side, framework: Side];

beforeAll(async () => {
  const open = async (name: 'direct' | 'framework'): Promise<Side> => {
    const world = await openWorld({ seed: 'twins' });
    return { world, way: await openWay(world, name, 'sandbox') };
  };
  sides = [await open('direct'), await open('framework')];
});
afterAll(async () => {
  for (const { world, way } of sides) {
    await way.close();
    await world.close();
  }
});

/** Sends a request on both ways, and expects one answer. */
async function sendAlike(request: TestRequest): Promise<Seen> {
  const [direct, framework] = sides;
  const first = await direct.way.send(await direct.world.sign(request));
  const second = await framework.way.send(await framework.world.sign(request));
  expect(plain(second), `${request.method} ${request.path}`).toEqual(plain(first));
  return first;
}

/** Fixtures number some texts, also from one world to the other. */
function plain(seen: Seen): Seen {
  return { ...seen, body: seen.body.replaceAll(/reading \d+/g, 'reading') };
}

/** A fixture that is the same in both worlds. */
async function fixtureOf(operation?: Operation): Promise<AccountFixture> {
  const [direct, framework] = sides;
  const fixture = await createAccountFixture(direct.world, 'sandbox', operation);
  expect(await createAccountFixture(framework.world, 'sandbox', operation)).toEqual(fixture);
  return fixture;
}

const writes = allOperations.filter(({ http, batch }) => http.method !== 'GET' && batch?.users === undefined);
/** One operation of each form: the ways do not depend on what an operation does. */
const forms = new Map(
  writes.map((each) => [[each.http.method, each.envelope, each.body, each.batch?.max].join(' '), each]),
);
const places: readonly Place[] = ['query', 'form', 'json'];

describe.for([...forms.values()].map((operation) => [operation.id, operation] as const))('%s', ([, operation]) => {
  const parameters = sentParameters(operation);
  const malformed = [...new Set(parameters.flatMap(({ type }) => malformedTexts(type)))];
  const inPath = pathNames(operation);

  test('is answered alike on both ways', async () => {
    const valid = validParams(operation, await fixtureOf(operation));
    expect((await sendAlike(requestFor(operation, valid, 'form'))).status).toBeLessThan(300);
    const names = parameters.map(({ name }) => name).filter((name) => !inPath.includes(name));
    const place = fc.constantFrom(...places);
    await fc.assert(
      fc.asyncProperty(changesOf(names, malformed), place, credentials, async (changes, where, as) => {
        const params = { ...valid, ...Object.fromEntries(changes) };
        await sendAlike({ ...requestFor(operation, params, where), ...as });
      }),
      { numRuns: 15 },
    );
  });
});

test('every write but batches of users is answered in front of the framework', async () => {
  const [{ way, world }] = sides;
  for (const operation of writes) {
    const before = way.framed;
    const path = operation.http.path.replace(/:\w+/g, 'none');
    const { status } = await way.send(await world.sign({ method: operation.http.method, path, form: [], as: null }));
    expect([operation.id, status, way.framed]).toEqual([operation.id, 401, before]);
  }
});

describe('a body', () => {
  const campaigns = async () => `/12/accounts/${(await fixtureOf()).account_id}/campaigns`;
  const json = 'application/json';
  const form = 'application/x-www-form-urlencoded';
  const bodies: readonly (readonly [title: string, type: string, body: string | Buffer])[] = [
    ['an empty one', json, ''],
    ['no JSON', json, '{"name":'],
    ['a list', json, '[]'],
    ['null', json, 'null'],
    ['a member twice', json, '{"name":"a","name":"b"}'],
    ['many members', json, JSON.stringify(Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`x${i}`, i])))],
    ['deep', json, `${'['.repeat(100)}${']'.repeat(100)}`],
    ['a long number', json, `{"daily_budget_amount_local_micro":${'9'.repeat(200)}}`],
    ['a byte order mark', json, '\ufeff{}'],
    ['in upper case', 'APPLICATION/JSON; charset=UTF-8', '{"name":"é"}'],
    ['a form that cannot be decoded', form, 'name=%zz'],
    ['a form with a name twice', form, 'name=a&name=b'],
    ['the credentials too', form, 'oauth_nonce=a'],
    ['not UTF-8', json, Buffer.from([0x7b, 0xff, 0x7d])],
    ['a form that is not UTF-8', form, Buffer.from([0x61, 0x3d, 0xff])],
    ['of the most bytes', json, `{"name":"${'x'.repeat(16_384 - 11)}"}`],
    ['of a byte more', json, `{"name":"${'x'.repeat(16_384 - 10)}"}`],
    ['of another type', 'text/plain', 'name=a'],
    ['of no valid type', 'json', '{}'],
    ['for another character set', 'application/json; charset=latin1', '{}'],
  ];

  test.each(bodies)('%s', async (_title, type, body) => {
    const path = await campaigns();
    await sendAlike({ method: 'POST', path, headers: { 'content-type': type }, body });
    await sendAlike({ method: 'POST', path, headers: { 'content-type': type }, body, as: null });
  });

  test('without a type', async () => {
    await sendAlike({ method: 'POST', path: await campaigns() });
    await sendAlike({ method: 'DELETE', path: `${await campaigns()}/none` });
  });
});

test('a connection that ends before the body does is forgotten', async () => {
  const path = '/12/accounts/abc/campaigns';
  const head = `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 10\r\n\r\n{`;
  for (const { way } of sides) {
    const socket = connect(way.port, '127.0.0.1');
    await new Promise<void>((resolve) => socket.write(head, () => resolve()));
    await new Promise((resolve) => socket.on('close', resolve).destroy());
  }
  await sendAlike({ method: 'POST', path, form: [] });
});

/** A read has the same answer, byte by byte, and the same line in the log, on whichever way it is answered. */
import { allDataOperations, allOperations, type Operation, type OperationOfKind } from '@broadside/core';
import type { ListenerName } from '@broadside/server';
import type { TestRequest, TestWorld } from '@broadside/testkit';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requestFor, texts, validParams } from '../support/call.ts';
import { malformedTexts, parametersOf, sentParameters } from '../support/malformed.ts';
import { about } from '../support/scenario.ts';
import { openWorld, sharedFixtures } from '../support/world.ts';
import { changesOf, credentials } from './arbitraries.ts';
import { openWay, type Seen, type Way, type WayName, wayNames } from './ways.ts';

let world: TestWorld;
let bearer: string;
let posts: readonly string[];
const ways = new Map<string, Way>();

beforeAll(async () => {
  world = await openWorld();
  for (const listener of ['api', 'sandbox'] as const) {
    for (const name of wayNames) ways.set(`${name} ${listener}`, await openWay(world, name, listener));
  }
  const apps = await world.platform.identity.apps.list(1);
  bearer = await world.platform.bearerTokens.tokenOf({ user_id: null, platform: 'SERVER' }, apps[0]?.id ?? '');
  const rows = await world.platform.seeds.reader.query('SELECT CAST(id AS TEXT) FROM posts LIMIT 5');
  posts = rows.map(([id]) => String(id));
});
afterAll(async () => {
  for (const way of ways.values()) await way.close();
  await world.close();
});

/** Sends a request on all ways, signed anew for each, and expects one answer. */
async function sendAlike(request: TestRequest & { readonly listener: ListenerName }): Promise<Seen> {
  const seen: [WayName, Seen][] = [];
  for (const name of wayNames) {
    const way = ways.get(`${name} ${request.listener}`);
    if (!way) throw new TypeError(`no way ${name}`);
    seen.push([name, await way.send(await world.sign(request))]);
  }
  const [[, first], ...others] = seen as [[WayName, Seen], ...[WayName, Seen][]];
  for (const [name, other] of others) expect(other, `${name} ${JSON.stringify(request)}`).toEqual(first);
  return first;
}

type Reading = Operation & { readonly http: { readonly method: 'GET' } };
const reads = allOperations.filter((operation): operation is Reading => operation.http.method === 'GET');

const shared = sharedFixtures(() => world);

describe.for(reads.map((operation) => [operation.id, operation] as const))('%s', ([, operation]) => {
  const parameters = sentParameters(operation);
  const malformed = [...new Set(parameters.flatMap(({ type }) => malformedTexts(type)))];

  test('is answered alike on all ways', async () => {
    const valid = validParams(operation, await shared(operation));
    const plain = await sendAlike({ listener: 'sandbox', ...requestFor(operation, valid) });
    expect(plain.status).toBe(200);
    const names = parameters.map(({ name }) => name);
    await fc.assert(
      fc.asyncProperty(changesOf(names, malformed), credentials, async (changes, as) => {
        const params = { ...valid, ...Object.fromEntries(changes) };
        await sendAlike({ listener: 'sandbox', ...requestFor(operation, params), ...as });
      }),
      { numRuns: 12 },
    );
  });

  test(about('A-HEAD'), async () => {
    const request = {
      listener: 'sandbox',
      ...requestFor(operation, validParams(operation, await shared(operation))),
    } as const;
    // A limit of lookups can be used up.
    world.wallClock.advance(3_600_000);
    for (const as of [{}, { as: null }, { query: { no_such_parameter: 1 } }]) {
      const [get, head] = [
        await sendAlike({ ...request, ...as }),
        await sendAlike({ ...request, ...as, method: 'HEAD' }),
      ];
      expect(head).toMatchObject({ status: get.status, body: '', line: { ...get.line, method: 'HEAD' } });
      expect(uncounted(head.headers)).toEqual(uncounted(get.headers));
      expect(get.headers).toContain(String(Buffer.byteLength(get.body)));
      expect(remaining(head.headers)).toEqual(remaining(get.headers).map((left) => left - 1));
    }
  });

  test('is answered in front of the framework', async () => {
    const [direct, framework] = [ways.get('direct sandbox'), ways.get('framework sandbox')];
    const before = [direct?.framed, framework?.framed ?? 0];
    const request = {
      listener: 'sandbox',
      ...requestFor(operation, validParams(operation, await shared(operation))),
    } as const;
    await sendAlike(request);
    await sendAlike({ ...request, as: null });
    expect([direct?.framed, framework?.framed]).toEqual([before[0], (before[1] ?? 0) + 2]);
  });
});

/** Headers without the figures of what is left of limits. */
function uncounted(headers: readonly string[]): string[] {
  return headers.map((field, at) => (isRemaining(headers[at - 1]) ? '' : field));
}

function remaining(headers: readonly string[]): number[] {
  return headers.filter((_, at) => isRemaining(headers[at - 1])).map(Number);
}

const isRemaining = (name: string | undefined) => name?.endsWith('-remaining') === true;

type Lookup = OperationOfKind<'data'>;

describe.for(allDataOperations.map((operation) => [operation.id, operation] as const))('%s', ([, operation]) => {
  test('is answered alike on all ways', async () => {
    const names = parametersOf(operation.params).map(({ name }) => name);
    const own = names.includes('ids') ? { ids: posts } : { id: posts[0] };
    const request = (params: Readonly<Record<string, unknown>>): TestRequest => lookup(operation, params);
    const as = { as: null, headers: { authorization: `Bearer ${bearer}` } };
    await sendAlike({ listener: 'api', ...request(own), ...as });
    await fc.assert(
      fc.asyncProperty(changesOf(names, posts), fc.oneof(credentials, fc.constant(as)), async (changes, who) => {
        await sendAlike({ listener: 'api', ...request({ ...own, ...Object.fromEntries(changes) }), ...who });
      }),
      { numRuns: 30 },
    );
  });
});

function lookup({ http }: Lookup, params: Readonly<Record<string, unknown>>): TestRequest {
  const inPath = [...http.path.matchAll(/:(\w+)/g)].map(([, name]) => `${name}`);
  const path = http.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const rest = Object.fromEntries(Object.entries(params).filter(([name]) => !inPath.includes(name)));
  return { method: 'GET', path, query: texts(rest) };
}

test.each([
  '/12/accounts/',
  '/12//accounts',
  '/12/accounts?',
  '/12/accounts?count=1&count=2',
  '/12/accounts?a=%zz',
  '/12/accounts/%61bc/campaigns',
  '/12/accounts/abc;x/campaigns',
  '/12/accounts/a.b/campaigns',
  "/12/accounts/a'b/campaigns",
  '/12/nothing',
  '/12/accounts/abc/campaigns/',
  `/12/accounts/${'a'.repeat(490)}/campaigns`,
  '/12/batch/accounts/abc/campaigns',
  '/health',
  '/',
])('an unusual target is answered alike: %s', async (target) => {
  const seen: Seen[] = [];
  for (const name of wayNames) {
    const way = ways.get(`${name} sandbox`);
    if (way)
      seen.push(await way.send({ method: 'GET', url: `http://sandbox.test${target}`, headers: {}, body: undefined }));
  }
  const [first, ...others] = seen;
  expect(others).toEqual([first, first]);
});

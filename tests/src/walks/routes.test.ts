/** Paths and methods of each listener, and the responses to any others. */
import { allOperations, allOperatorOperations } from '@broadside/core';
import type { TestWorld } from '@broadside/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operationRows } from '../requirements.ts';
import { requestFor, validParams } from '../support/call.ts';
import { about } from '../support/scenario.ts';
import { type AccountFixture, createAccountFixture, lastChange, openWorld } from '../support/world.ts';

let world: TestWorld;
let production: AccountFixture;

beforeAll(async () => {
  world = await openWorld();
  production = await createAccountFixture(world, 'production');
});
afterAll(() => world.close());

const notFound = { status: 404, body: { errors: [{ code: 'ROUTE_NOT_FOUND' }] } };
const methods = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'] as const;
const byPath = Map.groupBy(allOperations, ({ http }) => http.path);

test(about('A-SANDBOX-ONLY'), () => {
  const marked = allOperations.filter(({ sandboxOnly }) => sandboxOnly).map(({ id }) => id);
  const rows = [...operationRows].filter(([, { sandboxOnly }]) => sandboxOnly).map(([id]) => id);
  expect(marked.sort()).toEqual(rows.sort());
});

describe.for(allOperations.map((operation) => [operation.id, operation] as const))('%s', ([, operation]) => {
  test(operation.sandboxOnly ? 'does not exist in production' : 'exists in production', async () => {
    const fixture = operation.sandboxOnly ? production : await createAccountFixture(world, 'production', operation);
    const request = { ...requestFor(operation, validParams(operation, fixture)), listener: 'ads' as const };
    const before = await lastChange(world);
    const answer = await world.request(request);
    if (!operation.sandboxOnly) {
      expect(answer.status, answer.text).toBe(200);
      return;
    }
    // A request to the wrong listener gets the right address.
    const says = { body: { errors: [{ message: expect.stringContaining('sandbox') }] } };
    expect(answer).toMatchObject(notFound);
    expect(answer).toMatchObject(says);
    expect(await lastChange(world)).toBe(before);
    expect(await world.request({ ...request, as: null })).toMatchObject(notFound);
  });

  test(about('A-PATH-VERSION'), async () => {
    const request = requestFor(operation, validParams(operation, production));
    expect((await world.request({ ...request, listener: 'api' })).status).toBe(404);
    const own = operation.http.path.split('/')[1] ?? '';
    for (const version of ['4', '5', '6', '11', '12', '13', `0${own}`, `${own}.0`, `v${own}`]) {
      if (version === own) continue;
      const path = request.path.replace(`/${own}/`, `/${version}/`);
      expect(await world.request({ ...request, path })).toMatchObject(notFound);
    }
  });

  test('does not exist in other letters or below itself', async () => {
    const request = requestFor(operation, validParams(operation, production));
    const inOtherLetters = request.path.replace(/^\/\d+\/\w/, (start) => start.toUpperCase());
    for (const path of [inOtherLetters, `${request.path}/x/y/z`, `/${request.path}`]) {
      expect(await world.request({ ...request, path }), path).toMatchObject(notFound);
    }
  });

  test('is not reached by a path whose last part is missing', async () => {
    const request = requestFor(operation, validParams(operation, production));
    const before = await lastChange(world);
    const path = request.path.replace(/[^/]+$/, '');
    expect(await world.request({ ...request, path })).toMatchObject(notFound);
    const emptied = operation.http.path.replace(/:\w+/g, '');
    if (emptied !== operation.http.path) {
      expect(await world.request({ ...request, path: emptied })).toMatchObject(notFound);
      expect(await world.request({ path: emptied, method: 'PATCH' })).toMatchObject(notFound);
    }
    expect(await lastChange(world)).toBe(before);
  });
});

describe.for(['ads', 'sandbox'] as const)('on %s', (listener) => {
  describe(about('A-ROUTE'), () => {
    test.for([...byPath.keys()])('%s rejects other methods and names the allowed ones', async (path) => {
      const here = (byPath.get(path) ?? []).filter(({ sandboxOnly }) => listener === 'sandbox' || !sandboxOnly);
      const known = here.map(({ http }) => http.method);
      const isRead = known.includes('GET');
      const sandboxOnly = (byPath.get(path) ?? [])
        .map(({ http }) => http.method)
        .filter((name) => !known.includes(name));
      const url = path.replace(/:\w+/g, 'abc');
      for (const method of methods) {
        if (known.some((name) => name === method)) continue;
        for (const as of [null, world.user]) {
          const answer = await world.request({ listener, method, path: url, as });
          if (known.length === 0 || sandboxOnly.some((name) => name === method)) {
            expect(answer, method).toMatchObject(notFound);
          } else {
            expect(answer, method).toMatchObject({ status: 405, body: { errors: [{ code: 'METHOD_NOT_ALLOWED' }] } });
            expect(answer.headers['allow']?.split(', ').sort()).toEqual([...known, ...(isRead ? ['HEAD'] : [])].sort());
          }
        }
      }
      const encoded = await world.request({ listener, method: 'PATCH', path: url.replace('abc', 'a%20%C3%A9') });
      expect(encoded.status).toBe(known.length === 0 ? 404 : 405);
      const head = await world.request({ listener, method: 'HEAD', path: url, as: null });
      expect(head.status).toBe(isRead ? 401 : known.length === 0 ? 404 : 405);
    });

    test.for([
      '/',
      '/12',
      '/12/',
      '/12/nothing',
      '/accounts',
      '/12/batch/accounts',
      '/12/accounts/a/b',
      '/favicon.ico',
    ])('there is no %s', async (path) => {
      for (const method of methods) expect(await world.request({ listener, method, path })).toMatchObject(notFound);
    });
  });

  test('no operator operation has a path', async () => {
    for (const { id } of allOperatorOperations) {
      const path = `/12/${id.replaceAll('.', '/')}`;
      expect(await world.request({ listener, method: 'POST', path })).toMatchObject(notFound);
    }
  });

  test('health and readiness need no credentials', async () => {
    for (const path of ['/health', '/ready']) {
      expect((await world.request({ listener, path, as: null })).status).toBe(200);
    }
  });
});

/**
 * Every endpoint of authentication: its parameters and their places, the errors for wrong credentials, and that each error which
 * it declares can occur. The world of these tests reports any other error.
 */
import { type AuthOperation, allAuthOperations, authContract, type ErrorName } from '@broadside/core';
import { isProtocolParameter } from '@broadside/core/openapi';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { malformedTexts, parametersOf } from '../../support/malformed.ts';
import {
  ACTOR,
  appOf,
  CALLBACK,
  type Call,
  callOf,
  close,
  inHeader,
  open,
  placesOf,
  rejectedAs,
  rejection,
  type Setting,
  send,
} from './setting.ts';
import { wrongCredentials } from './wrong-credentials.ts';

let setting: Setting;
beforeAll(async () => {
  setting = await open();
});
afterAll(() => close(setting));

/** Parameters that a call can leave out: a token that signs the call cannot be left out. */
function sentParameters({ params, access }: AuthOperation) {
  return parametersOf(params).filter(({ name }) => !(access.auth === 'request_token' && name === 'oauth_token'));
}

describe.for(allAuthOperations.map((operation) => [operation.id, operation] as const))('%s', ([, operation]) => {
  const { http, access } = operation;
  const places = placesOf(operation);
  const paths = [http.path, ...(http.aliases ?? [])];

  test.for(paths.flatMap((path) => places.map((place) => [path, place] as const)))(
    'answers on %s with its parameters in the %s',
    async ([path, place]) => {
      const answer = await send(setting, operation, await callOf(operation, setting), { place, path });
      expect(answer.status, answer.text).toBe(200);
      expect(answer.headers['x-content-type-options']).toBe('nosniff');
    },
  );

  testWhere(Object.keys(operation.params.shape).some(isProtocolParameter))(
    'takes its protocol parameters beside the signature in the header',
    async () => {
      const { params, ...proof } = await callOf(operation, setting);
      const request = await setting.world.sign({
        listener: 'api',
        method: http.method,
        path: http.path,
        query: params,
        ...proof,
      });
      const moved = Object.keys(params).filter((name) => isProtocolParameter(name));
      const answer = await setting.world.send('api', { ...request, ...inHeader(request, moved) });
      expect(answer.status, answer.text).toBe(200);
    },
  );

  test.for(wrongCredentials[access.auth].map((wrong) => [wrong.title, wrong] as const))(
    'rejects %s',
    async ([, wrong]) => {
      const call = await callOf(operation, setting);
      const { params, ...right } = call;
      const rejected = await send(setting, operation, { params, ...wrong.change(right, setting) });
      expect(rejected, rejected.text).toMatchObject(rejectedAs(operation, wrong.answer));
      // The rejected call has not used up anything.
      expect((await send(setting, operation, call)).status).toBe(200);
    },
  );

  test('rejects an app that is suspended, whatever its credentials', async () => {
    const given = await open();
    onTestFinished(() => given.world.close());
    const call = await callOf(operation, given);
    await given.world.platform.identity.apps.update(ACTOR, (await appOf(given)).id, { suspended: true });
    expect(await send(given, operation, call)).toMatchObject(rejectedAs(operation, 'APP_SUSPENDED'));
  });

  testWhere(access.auth !== 'basic')('rejects a request that it has received before', async () => {
    const { params, ...proof } = await callOf(operation, setting);
    const { world } = setting;
    const request = await world.sign({
      listener: 'api',
      method: http.method,
      path: http.path,
      query: params,
      ...proof,
    });
    expect((await world.send('api', request)).status).toBe(200);
    const again = await world.send('api', request);
    // The token that a request has revoked comes before the nonce.
    const revoked = operation.id === authContract.oauth.invalidate_token.id;
    expect(again).toMatchObject(rejectedAs(operation, revoked ? 'INVALID_TOKEN' : 'UNAUTHORIZED_ACCESS'));
  });

  test('rejects other methods and names the allowed one', async () => {
    for (const path of paths) {
      for (const method of ['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD']) {
        for (const as of [null, setting.owner]) {
          const answer = await setting.world.request({ listener: 'api', method, path, as });
          expect([answer.status, answer.headers['allow']], `${method} ${path}`).toEqual([405, http.method]);
          if (method !== 'HEAD') expect(answer).toMatchObject(rejection('METHOD_NOT_ALLOWED'));
        }
      }
    }
  });

  test('is nowhere else: not in other letters, below itself, or on the listeners of advertising', async () => {
    const { world } = setting;
    const call = { listener: 'api', method: http.method, as: null } as const;
    for (const path of paths) {
      for (const wrong of [`${path}/`, `${path}/x`, path.toUpperCase(), `/1.0${path}`]) {
        expect(await world.request({ ...call, path: wrong }), wrong).toMatchObject(rejection('ROUTE_NOT_FOUND'));
      }
      for (const listener of ['ads', 'sandbox'] as const) {
        expect(await world.request({ ...call, listener, path })).toMatchObject({ status: 404 });
      }
    }
  });

  test('ignores parameters that it does not know', async () => {
    for (const place of places) {
      const call = await callOf(operation, setting);
      const answer = await send(
        setting,
        operation,
        { ...call, params: { ...call.params, no_such_parameter: 'x' } },
        { place },
      );
      expect(answer.status, answer.text).toBe(200);
    }
  });

  test('reports each missing required parameter by name', async () => {
    const call = await callOf(operation, setting);
    for (const { name } of sentParameters(operation).filter(({ required }) => required)) {
      const { [name]: _, ...params } = call.params;
      const expected = rejectedAs(operation, 'MISSING_PARAMETER', { parameter: name });
      for (const place of places)
        expect(await send(setting, operation, { ...call, params }, { place })).toMatchObject(expected);
    }
    expect((await send(setting, operation, call)).status).toBe(200);
  });

  test('rejects malformed text for each parameter by name, and does not repeat a secret', async () => {
    const call = await callOf(operation, setting);
    for (const { name, type } of sentParameters(operation)) {
      for (const text of malformedTexts(type)) {
        for (const place of places) {
          const params = { ...call.params, [name]: text };
          const answer = await send(setting, operation, { ...call, params }, { place });
          const expected = rejectedAs(operation, 'INVALID_PARAMETER', { parameter: name });
          expect(answer, `${name}=${JSON.stringify(text.slice(0, 40))} in ${place}`).toMatchObject(expected);
          if (type.secret && text.length > 10) expect(answer.text).not.toContain(text);
        }
      }
    }
    expect((await send(setting, operation, call)).status).toBe(200);
  });

  test('rejects each parameter that is given twice, in one place or in two', async () => {
    const { params, ...proof } = await callOf(operation, setting);
    const base = { listener: 'api', method: http.method, path: http.path, ...proof } as const;
    for (const name of [...Object.keys(params), 'no_such_parameter']) {
      const pair = [name, params[name] ?? 'x'] as const;
      const all = Object.entries(params);
      for (const given of [
        { query: [...all, pair, pair] },
        { form: [...all, pair, pair] },
        { query: [...all, pair], form: [pair] },
      ]) {
        const answer = await setting.world.request({ ...base, ...given });
        expect(answer, `${name} ${Object.keys(given).join()}`).toMatchObject(
          rejectedAs(operation, 'INVALID_PARAMETER'),
        );
      }
      if (!places.includes('header') || !(name in params)) continue;
      const request = await setting.world.sign({ ...base, query: [...all, pair] });
      const answer = await setting.world.send('api', { ...request, ...inHeader(request, [name]) });
      expect(answer, `${name} in query and header`).toMatchObject(rejectedAs(operation, 'INVALID_PARAMETER'));
    }
    expect((await send(setting, operation, { params, ...proof })).status).toBe(200);
  });

  testWhere(access.auth !== 'basic')('rejects protocol parameters in two places, and unknown ones', async () => {
    const call = await callOf(operation, setting);
    const { world } = setting;
    for (const query of [{ oauth_nonce: 'again' }, { oauth_no_such: 'x' }, { oauth_token: 'another' }]) {
      // In a call that is not signed with a token, the one in the query is the only one.
      const alone = call.sign?.token === null && 'oauth_token' in query;
      const answer = await world.request({
        listener: 'api',
        method: http.method,
        path: http.path,
        ...call,
        query: { ...call.params, ...query },
      });
      const expected = rejectedAs(operation, alone ? 'BAD_AUTHENTICATION_DATA' : 'INVALID_PARAMETER');
      expect(answer, JSON.stringify(query)).toMatchObject(expected);
    }
  });

  test.for([
    ['plain text', 'text/plain', 'x', 'UNSUPPORTED_CONTENT_TYPE', false],
    ['no content type that is one', 'nonsense', 'x', 'UNSUPPORTED_CONTENT_TYPE', false],
    ['JSON that is none', 'application/json', '{', 'INVALID_PARAMETER', true],
    ['a JSON array', 'application/json', '[]', 'INVALID_PARAMETER', true],
    ['a body of more than 5 MB', 'application/json', ' '.repeat(5_000_001), 'REQUEST_TOO_LARGE', false],
  ] as const)('rejects %s as a body', async ([, type, body, name, isOwn]) => {
    const { params, ...proof } = await callOf(operation, setting);
    const headers = { ...proof.headers, 'content-type': type };
    const answer = await setting.world.request({
      ...proof,
      listener: 'api',
      method: http.method,
      path: http.path,
      query: params,
      body,
      headers,
    });
    expect(answer).toMatchObject(isOwn ? rejectedAs(operation, name) : rejection(name));
  });

  test('rejects calls above the rate limit, counted for each app', async () => {
    const limit = { limit: 2 };
    const given = await open({ rateLimits: { 'auth.token': limit, 'auth.bearer': limit } });
    onTestFinished(() => given.world.close());
    for (const left of ['1', '0']) {
      const answer = await send(given, operation, await callOf(operation, given));
      expect([answer.status, answer.headers['x-rate-limit-remaining']]).toEqual([200, left]);
    }
    const rejected = await send(given, operation, await callOf(operation, given));
    expect(rejected).toMatchObject(rejectedAs(operation, 'TOO_MANY_REQUESTS'));
    const { other } = given;
    if (access.auth !== 'app') return;
    const theirs = { as: other, sign: { token: null }, params: { oauth_callback: 'oob' } };
    expect((await send(given, operation, theirs)).status).toBe(200);
  });

  if (operation.errors.length === 0) return;
  describe('can return the errors that it declares:', () => {
    test.for(operation.errors.map((name) => [name] as const))('%s', async ([name]) => {
      const given = await open();
      onTestFinished(() => given.world.close());
      const provoke = provocations[name];
      if (!provoke) throw new TypeError(`add a provocation of ${name}`);
      const call = await callOf(operation, given);
      const answer = await send(given, operation, { ...call, ...(await provoke(given, operation, call)) });
      expect(answer).toMatchObject(rejection(name));
    });
  });
});

type Provoke = (given: Setting, operation: AuthOperation, call: Call) => Promise<Partial<Call>>;

/** Changes to a world or to a call that bring about an error. */
const provocations: Readonly<Partial<Record<ErrorName, Provoke>>> = {
  APP_SUSPENDED: async (given) => {
    await given.world.platform.identity.apps.update(ACTOR, (await appOf(given)).id, { suspended: true });
    return {};
  },
  CALLBACK_NOT_APPROVED: async () => ({ params: { oauth_callback: `${CALLBACK}/` } }),
  OOB_NOT_PERMITTED: async (given) => {
    await given.world.platform.identity.apps.update(ACTOR, (await appOf(given)).id, { oob_enabled: false });
    return { params: { oauth_callback: 'oob' } };
  },
  INVALID_TOKEN: async (given, operation, call) => {
    await send(given, operation, call);
    return {};
  },
};

/** Registers a test if it applies to the operation. */
function testWhere(applies: boolean): (title: string, body: () => Promise<void>) => void {
  return applies ? (title, body) => test(title, body) : () => {};
}

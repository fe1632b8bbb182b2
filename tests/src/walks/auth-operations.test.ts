/**
 * Every endpoint of authentication: what it takes and from where, who is refused and how, and that each error which it
 * declares can be met. That no other error is answered, the world of these tests sees to.
 */
import { createOAuth } from '@broadside/client';
import {
  type AuthOperation,
  allAuthOperations,
  allPages,
  authContract,
  type ErrorName,
  errorNumber,
  errorStatus,
} from '@broadside/core';
import { percentEncode } from '@broadside/core/auth';
import { isProtocolParameter, openapiDocument } from '@broadside/core/openapi';
import type { Answer, CreateWorldOptions, SignOverrides, TestRequest, TestUser, TestWorld } from '@broadside/testkit';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { malformedTexts, parametersOf } from '../support/malformed.ts';
import { openWorld } from '../support/world.ts';

const CALLBACK = 'https://owner.example.com/callback';
const ACTOR = { user_id: null, platform: 'SERVER' } as const;

/** A world with an app, its owner and somebody else who uses the app. */
interface Setting {
  readonly world: TestWorld;
  readonly owner: TestUser;
  readonly other: TestUser;
  readonly user: TestUser;
}

async function open(options: CreateWorldOptions = {}): Promise<Setting> {
  const world = await openWorld(options);
  const owner = await world.createUser('owner');
  const other = await world.createUser('other');
  const [app, person] = await Promise.all([
    world.platform.identity.apps.byKey(owner.consumer_key),
    world.platform.identity.users.get(other.user_id),
  ]);
  if (!app || !person) throw new TypeError('the app or the person is not of this world');
  const token = await world.platform.identity.tokens.issue(ACTOR, app, person, 'write');
  return { world, owner, other, user: { ...owner, ...token } };
}

let setting: Setting;
beforeAll(async () => {
  setting = await open();
});
afterAll(async () => {
  expect(setting.world.failures).toEqual([]);
  await setting.world.close();
});

async function appOf({ world, owner }: Setting) {
  const app = await world.platform.identity.apps.byKey(owner.consumer_key);
  if (!app) throw new TypeError('the app is gone');
  return app;
}

const basic = ({ consumer_key, consumer_secret }: TestUser) => ({
  authorization: `Basic ${Buffer.from(`${consumer_key}:${consumer_secret}`).toString('base64')}`,
});

type Proof = Pick<TestRequest, 'as' | 'sign' | 'headers'>;

/** What proves who calls, and the parameters, on a state in which the call is good. */
interface Call extends Proof {
  readonly params: Readonly<Record<string, string>>;
}

const calls: Readonly<Record<AuthOperation['id'], (setting: Setting) => Promise<Call>>> = {
  [authContract.oauth.request_token.id]: async ({ owner }) => ({
    as: owner,
    sign: { token: null },
    params: { oauth_callback: CALLBACK, platform_auth_access_type: 'read' },
  }),
  [authContract.oauth.access_token.id]: async (given) => {
    const { requestTokens } = given.world.platform;
    const issued = await requestTokens.issue((await appOf(given)).id, CALLBACK, 'write');
    const oauth_verifier = await requestTokens.approve(issued.oauth_token, given.other.user_id);
    return {
      as: { ...given.owner, access_token: issued.oauth_token, access_token_secret: issued.oauth_token_secret },
      params: { oauth_verifier: oauth_verifier ?? '' },
    };
  },
  [authContract.oauth.invalidate_token.id]: async ({ world, owner }) => ({
    as: await world.issueToken(owner, 'read'),
    params: {},
  }),
  [authContract.oauth2.token.id]: async ({ owner }) => ({
    as: null,
    headers: basic(owner),
    params: { grant_type: 'client_credentials' },
  }),
  [authContract.oauth2.invalidate_token.id]: async (given) => ({
    as: given.owner,
    params: { access_token: await given.world.platform.bearerTokens.tokenOf(ACTOR, (await appOf(given)).id) },
  }),
};

function callOf({ id }: AuthOperation, given = setting): Promise<Call> {
  const call = calls[id];
  if (!call) throw new TypeError(`say how ${id} is called`);
  return call(given);
}

type Place = 'query' | 'form';
const places: readonly Place[] = ['query', 'form'];

/** Sends a call, or one that differs from it. */
async function send(
  { http }: AuthOperation,
  { params, ...proof }: Call,
  { place = 'query', path = http.path, given = setting }: { place?: Place; path?: string; given?: Setting } = {},
): Promise<Answer> {
  const { world } = given;
  return world.request({ listener: 'api', method: http.method, path, ...proof, [place]: params });
}

const refusal = (name: ErrorName, more: object = {}) => ({
  status: errorStatus(name),
  body: { errors: expect.arrayContaining([expect.objectContaining({ code: errorNumber(name), ...more })]) },
});

/** How an operation refuses something: in its own way, if it has one. */
function refusedAs({ rejection: one }: AuthOperation, name: ErrorName, more: object = {}) {
  return one === undefined ? refusal(name, more) : refusal(one, { label: 'authenticity_token_error' });
}

const another = (signature: string) => `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
const seconds = () => Math.floor(setting.world.wallClock.now() / 1000);

interface Fault {
  readonly title: string;
  readonly answer: ErrorName;
  readonly change: (right: Proof) => Proof;
}

const signing = (title: string, answer: ErrorName, sign: () => SignOverrides): Fault => ({
  title,
  answer,
  change: (right) => ({ ...right, sign: { ...right.sign, ...sign() } }),
});

const signed: readonly Fault[] = [
  { title: 'no credentials', answer: 'BAD_AUTHENTICATION_DATA', change: () => ({ as: null }) },
  {
    title: 'a bearer token',
    answer: 'BAD_AUTHENTICATION_DATA',
    change: () => ({
      as: null,
      headers: { authorization: `Bearer ${setting.world.credentials.bearer_token}` },
    }),
  },
  signing('a wrong signature', 'UNAUTHORIZED_ACCESS', () => ({ signature: another })),
  signing('a signature that is no base64', 'UNAUTHORIZED_ACCESS', () => ({ signature: () => '*' })),
  signing('no signature', 'INVALID_PARAMETER', () => ({ signature: () => '' })),
  signing('a wrong consumer secret', 'UNAUTHORIZED_ACCESS', () => ({ consumerSecret: 'wrong' })),
  signing('an unknown consumer key', 'UNAUTHORIZED_ACCESS', () => ({ consumerKey: 'unknown' })),
  signing('a timestamp 301 seconds old', 'TIMESTAMP_OUT_OF_BOUNDS', () => ({ timestamp: seconds() - 301 })),
  signing('a timestamp 301 seconds ahead', 'TIMESTAMP_OUT_OF_BOUNDS', () => ({ timestamp: seconds() + 301 })),
];

const withToken: readonly Fault[] = [
  signing('a wrong token secret', 'UNAUTHORIZED_ACCESS', () => ({ tokenSecret: 'wrong' })),
  signing('an unknown token', 'UNAUTHORIZED_ACCESS', () => ({ token: 'unknown' })),
  signing('a token of another app, with its right secret', 'UNAUTHORIZED_ACCESS', () => ({
    token: setting.other.access_token,
    tokenSecret: setting.other.access_token_secret,
  })),
];

const basicFaults: readonly Fault[] = (
  [
    ['no credentials', () => undefined],
    ['a wrong secret', () => basic({ ...setting.owner, consumer_secret: 'wrong' }).authorization],
    ['an unknown key', () => basic({ ...setting.owner, consumer_key: 'unknown' }).authorization],
    [
      "another app's secret",
      () => basic({ ...setting.owner, consumer_secret: setting.other.consumer_secret }).authorization,
    ],
    ['what is no base64', () => 'Basic *'],
    ['no colon', () => `Basic ${Buffer.from(setting.owner.consumer_key).toString('base64')}`],
    ['a percent sign that encodes nothing', () => basic({ ...setting.owner, consumer_secret: '%zz' }).authorization],
    ['a bearer token', () => `Bearer ${setting.world.credentials.bearer_token}`],
  ] as const
).map(([title, authorization]) => ({
  title: `HTTP Basic with ${title}`,
  answer: 'UNVERIFIED_CREDENTIALS',
  change: () => {
    const header = authorization();
    return header === undefined ? { as: null } : { as: null, headers: { authorization: header } };
  },
}));

const faults: Readonly<Record<AuthOperation['access']['auth'], readonly Fault[]>> = {
  app: [
    ...signed,
    signing('a token beside the keys of the app', 'BAD_AUTHENTICATION_DATA', () => ({
      token: setting.owner.access_token,
      tokenSecret: setting.owner.access_token_secret,
    })),
  ],
  request_token: [
    ...signed,
    ...withToken,
    signing('no token', 'BAD_AUTHENTICATION_DATA', () => ({ token: null })),
    signing('an access token', 'UNAUTHORIZED_ACCESS', () => ({
      token: setting.owner.access_token,
      tokenSecret: setting.owner.access_token_secret,
    })),
  ],
  access_token: [...signed, ...withToken, signing('no token', 'UNAUTHORIZED_ACCESS', () => ({ token: null }))],
  basic: [
    ...basicFaults,
    {
      title: 'a signature in its place',
      answer: 'UNVERIFIED_CREDENTIALS',
      change: () => ({ as: setting.owner }),
    },
  ],
  owner: [
    ...signed,
    ...withToken,
    ...basicFaults,
    signing('no token', 'UNAUTHORIZED_ACCESS', () => ({ token: null })),
    { title: 'somebody else who uses the app', answer: 'UNVERIFIED_CREDENTIALS', change: () => ({ as: setting.user }) },
    {
      title: 'the owner of another app',
      answer: 'UNVERIFIED_CREDENTIALS',
      change: () => ({ as: setting.other }),
    },
  ],
};

/** What a request proves with its own signature is no parameter to leave out. */
function sentParameters({ params, access }: AuthOperation) {
  return parametersOf(params).filter(({ name }) => !(access.auth === 'request_token' && name === 'oauth_token'));
}

describe.for(allAuthOperations.map((operation) => [operation.id, operation] as const))('%s', ([, operation]) => {
  const { http, access } = operation;
  const paths = [http.path, ...(http.aliases ?? [])];

  test.for(paths.flatMap((path) => places.map((place) => [path, place] as const)))(
    'answers on %s with its parameters in the %s',
    async ([path, place]) => {
      const answer = await send(operation, await callOf(operation), { place, path });
      expect(answer.status, answer.text).toBe(200);
      expect(answer.headers['x-content-type-options']).toBe('nosniff');
    },
  );

  testWhere(Object.keys(operation.params.shape).some(isProtocolParameter))(
    'takes its protocol parameters beside the signature in the header',
    async () => {
      const { params, ...proof } = await callOf(operation);
      const request = await setting.world.sign({
        listener: 'api',
        method: http.method,
        path: http.path,
        query: params,
        ...proof,
      });
      // The signature covers a parameter wherever it stands, so that it can be moved.
      const url = new URL(request.url);
      const moved = Object.entries(params).filter(([name]) => isProtocolParameter(name));
      for (const [name] of moved) url.searchParams.delete(name);
      const pairs = moved.map(([name, value]) => `${name}="${percentEncode(value)}"`);
      const authorization = [request.headers['authorization'], ...pairs].join(', ');
      const answer = await setting.world.send('api', {
        ...request,
        url: url.href,
        headers: { ...request.headers, authorization },
      });
      expect(answer.status, answer.text).toBe(200);
    },
  );

  test.for(faults[access.auth].map((fault) => [fault.title, fault] as const))('refuses %s', async ([, fault]) => {
    const call = await callOf(operation);
    const { params, ...right } = call;
    const refused = await send(operation, { params, ...fault.change(right) });
    expect(refused, refused.text).toMatchObject(refusedAs(operation, fault.answer));
    // And nothing was used up by it.
    expect((await send(operation, call)).status).toBe(200);
  });

  test('refuses an app that is suspended, whatever it proves', async () => {
    const given = await open();
    onTestFinished(() => given.world.close());
    const call = await callOf(operation, given);
    await given.world.platform.identity.apps.update(ACTOR, (await appOf(given)).id, { suspended: true });
    expect(await send(operation, call, { given })).toMatchObject(refusedAs(operation, 'APP_SUSPENDED'));
  });

  testWhere(access.auth !== 'basic')('refuses a request that it has received before', async () => {
    const { params, ...proof } = await callOf(operation);
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
    expect(again).toMatchObject(refusedAs(operation, revoked ? 'INVALID_TOKEN' : 'UNAUTHORIZED_ACCESS'));
  });

  test('refuses other methods and says which there is', async () => {
    for (const path of paths) {
      for (const method of ['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD']) {
        for (const as of [null, setting.owner]) {
          const answer = await setting.world.request({ listener: 'api', method, path, as });
          expect([answer.status, answer.headers['allow']], `${method} ${path}`).toEqual([405, http.method]);
          if (method !== 'HEAD') expect(answer).toMatchObject(refusal('METHOD_NOT_ALLOWED'));
        }
      }
    }
  });

  test('is nowhere else: not in other letters, below itself, or on the listeners of advertising', async () => {
    const { world } = setting;
    const call = { listener: 'api', method: http.method, as: null } as const;
    for (const path of paths) {
      for (const wrong of [`${path}/`, `${path}/x`, path.toUpperCase(), `/1.0${path}`]) {
        expect(await world.request({ ...call, path: wrong }), wrong).toMatchObject(refusal('ROUTE_NOT_FOUND'));
      }
      for (const listener of ['ads', 'sandbox'] as const) {
        expect(await world.request({ ...call, listener, path })).toMatchObject({ status: 404 });
      }
    }
  });

  test('passes over what it does not know', async () => {
    for (const place of places) {
      const call = await callOf(operation);
      const answer = await send(operation, { ...call, params: { ...call.params, no_such_parameter: 'x' } }, { place });
      expect(answer.status, answer.text).toBe(200);
    }
  });

  test('misses each required parameter by name', async () => {
    const call = await callOf(operation);
    for (const { name } of sentParameters(operation).filter(({ required }) => required)) {
      const { [name]: _, ...params } = call.params;
      const expected = refusedAs(operation, 'MISSING_PARAMETER', { parameter: name });
      for (const place of places) expect(await send(operation, { ...call, params }, { place })).toMatchObject(expected);
    }
    expect((await send(operation, call)).status).toBe(200);
  });

  test('refuses malformed text for each parameter by name, and does not repeat a secret', async () => {
    const call = await callOf(operation);
    for (const { name, type } of sentParameters(operation)) {
      for (const text of malformedTexts(type)) {
        for (const place of places) {
          const params = { ...call.params, [name]: text };
          const answer = await send(operation, { ...call, params }, { place });
          const expected = refusedAs(operation, 'INVALID_PARAMETER', { parameter: name });
          expect(answer, `${name}=${JSON.stringify(text.slice(0, 40))} in ${place}`).toMatchObject(expected);
          if (type.secret && text.length > 10) expect(answer.text).not.toContain(text);
        }
      }
    }
    expect((await send(operation, call)).status).toBe(200);
  });

  test('refuses each parameter that is given twice, in one place or in two', async () => {
    const { params, ...proof } = await callOf(operation);
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
        expect(answer, `${name} ${Object.keys(given).join()}`).toMatchObject(refusedAs(operation, 'INVALID_PARAMETER'));
      }
    }
    expect((await send(operation, { params, ...proof })).status).toBe(200);
  });

  testWhere(access.auth !== 'basic')(
    'refuses protocol parameters in two places, and such as there are none',
    async () => {
      const call = await callOf(operation);
      const { world } = setting;
      for (const query of [{ oauth_nonce: 'again' }, { oauth_no_such: 'x' }, { oauth_token: 'another' }]) {
        // Where nothing else is signed with a token, one in the query is the only one.
        const alone = call.sign?.token === null && 'oauth_token' in query;
        const answer = await world.request({
          listener: 'api',
          method: http.method,
          path: http.path,
          ...call,
          query: { ...call.params, ...query },
        });
        const expected = refusedAs(operation, alone ? 'BAD_AUTHENTICATION_DATA' : 'INVALID_PARAMETER');
        expect(answer, JSON.stringify(query)).toMatchObject(expected);
      }
    },
  );

  test.for([
    ['plain text', 'text/plain', 'x', 'UNSUPPORTED_CONTENT_TYPE', false],
    ['no content type that is one', 'nonsense', 'x', 'UNSUPPORTED_CONTENT_TYPE', false],
    ['JSON that is none', 'application/json', '{', 'INVALID_PARAMETER', true],
    ['a JSON array', 'application/json', '[]', 'INVALID_PARAMETER', true],
    ['a body of more than 5 MB', 'application/json', ' '.repeat(5_000_001), 'REQUEST_TOO_LARGE', false],
  ] as const)('refuses %s as a body', async ([, type, body, name, isOwn]) => {
    const { params, ...proof } = await callOf(operation);
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
    expect(answer).toMatchObject(isOwn ? refusedAs(operation, name) : refusal(name));
  });

  test('refuses calls that come too often, counted for each app', async () => {
    const limit = { limit: 2 };
    const given = await open({ rateLimits: { 'auth.token': limit, 'auth.bearer': limit } });
    onTestFinished(() => given.world.close());
    for (const left of ['1', '0']) {
      const answer = await send(operation, await callOf(operation, given), { given });
      expect([answer.status, answer.headers['x-rate-limit-remaining']]).toEqual([200, left]);
    }
    const refused = await send(operation, await callOf(operation, given), { given });
    expect(refused).toMatchObject(refusedAs(operation, 'TOO_MANY_REQUESTS'));
    const { world, other } = given;
    if (access.auth !== 'app') return;
    const theirs = { as: other, sign: { token: null }, params: { oauth_callback: 'oob' } };
    expect((await send(operation, theirs, { given: { ...given, world } })).status).toBe(200);
  });

  if (operation.errors.length === 0) return;
  describe('can answer what it declares:', () => {
    test.for(operation.errors.map((name) => [name] as const))('%s', async ([name]) => {
      const given = await open();
      onTestFinished(() => given.world.close());
      const provoke = provocations[name];
      if (!provoke) throw new TypeError(`say what brings ${name} about`);
      const call = await callOf(operation, given);
      const answer = await send(operation, { ...call, ...(await provoke(given, operation, call)) }, { given });
      expect(answer).toMatchObject(refusal(name));
    });
  });
});

describe.for(allPages.map((page) => [page.id, page] as const))('%s', ([, page]) => {
  const { path, method } = page.http;
  const html = { headers: expect.objectContaining({ 'content-type': 'text/html; charset=utf-8' }) };

  const document = openapiDocument({ environment: undefined, serverUrl: '', version: '' });
  const declared = () => Object.keys(z.looseObject({}).parse(document.paths[path]?.['get']?.['responses']));

  test('answers with a page, and with the statuses that the document has', async () => {
    const { world, owner } = await open({ rateLimits: { 'auth.page': { limit: 3 } } });
    onTestFinished(() => world.close());
    const answered = await world.request({
      listener: 'api',
      method: 'POST',
      path: authContract.oauth.request_token.http.path,
      as: owner,
      sign: { token: null },
      query: { oauth_callback: CALLBACK },
    });
    const oauth_token = new URLSearchParams(answered.text).get('oauth_token') ?? '';
    const get = (query: Readonly<Record<string, string>>) =>
      world.request({ listener: 'api', method, path, query, as: null });
    for (const [query, status] of [
      [{ oauth_token }, 200],
      [{}, 400],
      [{ oauth_token: 'unknown' }, 403],
      [{ oauth_token }, 429],
    ] as const) {
      expect(await get(query)).toMatchObject({ status, ...html });
      expect(declared()).toContain(String(status));
    }
  });

  test('refuses malformed text for each parameter', async () => {
    for (const { name, type } of parametersOf(page.params)) {
      // A page passes over a parameter without a value.
      for (const text of malformedTexts(type).filter((one) => one !== '')) {
        const query = { oauth_token: 'unknown', [name]: text };
        const answer = await setting.world.request({ listener: 'api', method, path, query, as: null });
        expect(answer, `${name}=${JSON.stringify(text.slice(0, 40))}`).toMatchObject({ status: 400, ...html });
      }
    }
  });
});

test('the reference calls each function that the client has for authentication, and no other', async () => {
  const { text } = await setting.world.request({ listener: 'api', path: '/docs', as: null });
  const called = [...text.matchAll(/\boauth\.(\w+)\(/g)].map(([, name]) => name);
  const oauth = createOAuth(setting.world.credentialsOf(setting.owner), setting.world.clientOptions);
  expect([...new Set(called)].sort()).toEqual(Object.keys(oauth).sort());
});

type Provoke = (given: Setting, operation: AuthOperation, call: Call) => Promise<Partial<Call>>;

/** Brings about what makes an error. */
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
    await send(operation, call, { given });
    return {};
  },
};

/** A test of the cases that an operation has. */
function testWhere(applies: boolean): (title: string, body: () => Promise<void>) => void {
  return applies ? (title, body) => test(title, body) : () => {};
}

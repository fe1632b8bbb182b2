import { authContract, stringifyJson } from '@broadside/core';
import { coveredParameters, type Pair, parseRequest, signRequest, webCryptoHmac } from '@broadside/core/auth';
import { describe, expect, test } from 'vitest';
import { ApiResponseError, CredentialsError, NetworkError, RateLimitError, UnexpectedResponseError } from './errors.ts';
import { createOAuth, type OAuthOptions } from './oauth.ts';
import {
  credentials,
  type FakeAnswer,
  fakeServer,
  networkFailure,
  only,
  rejection,
  type Sent,
  type Step,
} from './testing/fake-server.ts';

const app = { base_url: 'http://api.test', consumer_key: 'ck_0123456789abcdef', consumer_secret: 'cs_secret/Value' };
const requestToken = { body: 'oauth_token=rt&oauth_token_secret=rts&oauth_callback_confirmed=true' };
const callback = { oauth_callback: 'https://app.example.com/callback?a=1' };

function setUp(script: readonly Step[], from = {}, options: OAuthOptions = {}) {
  const { fetch, sent } = fakeServer(...script);
  return { oauth: createOAuth({ ...app, ...from }, { fetch, sleep: async () => {}, ...options }), sent };
}

function json(body: unknown, status = 200): FakeAnswer {
  return { status, body: stringifyJson(body) };
}

function refused(status: number, code: number): FakeAnswer {
  return json({ errors: [{ code, message: `because of ${code}` }] }, status);
}

/** Returns the protocol parameters of a request whose signature matches these secrets. */
async function signedBy(sent: Sent, secrets: { app: string; token?: string }): Promise<Record<string, string>> {
  const { method, address, form, headers } = sent;
  const target = address.replace(/^https?:\/\/[^/]+/, '');
  const request = parseRequest({ method, target, authorization: headers.get('authorization') ?? '' });
  const { oauth } = request;
  if (!oauth) throw new TypeError(`not signed: ${JSON.stringify(request.problems)}`);
  const parameters = coveredParameters(request.covered);
  const extra = parameters.filter(([name]) => /^oauth_(callback|verifier)$/.test(name));
  const { signature } = await signRequest({
    method,
    url: address,
    form,
    credentials: {
      consumerKey: oauth.consumerKey,
      consumerSecret: secrets.app,
      token: oauth.token,
      tokenSecret: secrets.token,
    },
    nonce: oauth.nonce,
    timestamp: oauth.timestamp,
    hmac: webCryptoHmac,
    extra,
  });
  expect(signature).toBe(oauth.signature);
  return Object.fromEntries(parameters.filter(([name]) => name.startsWith('oauth_')));
}

describe('requestToken', () => {
  test('is signed by the app alone, the callback in the header, the rest in the query, without a body', async () => {
    const { oauth, sent } = setUp([requestToken], { access_token: 'at', access_token_secret: 'ats' });
    expect(await oauth.requestToken({ ...callback, platform_auth_access_type: 'read' })).toEqual({
      oauth_token: 'rt',
      oauth_token_secret: 'rts',
      oauth_callback_confirmed: true,
    });
    const request = only(sent);
    expect([request.method, request.address, request.body]).toEqual([
      'POST',
      'http://api.test/oauth/request_token?platform_auth_access_type=read',
      undefined,
    ]);
    const parameters = await signedBy(request, { app: app.consumer_secret });
    expect(parameters).toMatchObject(callback);
    expect(parameters).not.toHaveProperty('oauth_token');
  });

  test.each([415, 416, 417])('reports the number of a rejection: %d', async (code) => {
    const error = await rejection(ApiResponseError, setUp([refused(403, code)]).oauth.requestToken(callback));
    expect([error.status, error.errors[0]?.code, error.has(415), error.has(416)]).toEqual([
      403,
      code,
      code === 415,
      code === 416,
    ]);
    expect(error.message).toBe(`oauth.request_token was rejected with 403: because of ${code} (${code})`);
  });
});

describe('the pages', () => {
  test('are at the address of the platform, with the parameters encoded', () => {
    const { oauth } = setUp([], { base_url: 'https://example.com/platform/' });
    expect(oauth.authorizeUrl({ oauth_token: 'a+b&c' })).toBe(
      'https://example.com/platform/oauth/authorize?oauth_token=a%2Bb%26c',
    );
    expect(oauth.authenticateUrl({ oauth_token: 't', force_login: true, screen_name: 'ann' })).toBe(
      'https://example.com/platform/oauth/authenticate?oauth_token=t&force_login=true&screen_name=ann',
    );
  });
});

describe('accessToken', () => {
  const step3 = { oauth_token: 'rt', oauth_token_secret: 'rt&s', oauth_verifier: '0012345' };

  test('is signed with the request token, the verifier in the header', async () => {
    const body = 'oauth_token=15-x&oauth_token_secret=s%2Fs&user_id=9007199254740993&screen_name=ann&later=1';
    const { oauth, sent } = setUp([{ body }], { access_token: 'at', access_token_secret: 'ats' });
    expect(await oauth.accessToken(step3)).toEqual({
      oauth_token: '15-x',
      oauth_token_secret: 's/s',
      user_id: '9007199254740993',
      screen_name: 'ann',
      // A newer server may add members.
      later: '1',
    });
    const request = only(sent);
    expect([request.address, request.body]).toEqual(['http://api.test/oauth/access_token', undefined]);
    expect(await signedBy(request, { app: app.consumer_secret, token: 'rt&s' })).toMatchObject({
      oauth_token: 'rt',
      oauth_verifier: '0012345',
    });
  });

  test('is not retried when the response is lost: the token may already be consumed', async () => {
    const { oauth, sent } = setUp([networkFailure('ECONNRESET')]);
    expect((await rejection(NetworkError, oauth.accessToken(step3))).mayHaveHappened).toBe(true);
    expect(sent).toHaveLength(1);
  });

  test('is retried when nothing was sent', async () => {
    const body = 'oauth_token=15-x&oauth_token_secret=s&user_id=15&screen_name=ann';
    const { oauth, sent } = setUp([networkFailure('ECONNREFUSED'), { body }]);
    expect(await oauth.accessToken(step3)).toMatchObject({ screen_name: 'ann' });
    expect(sent).toHaveLength(2);
  });

  test.each([
    ['a page', '<p>oauth_token_secret=SECRET</p>', '"oauth_token" is missing'],
    ['half a response', 'oauth_token=15-x&oauth_token_secret=SECRET', '"user_id" is missing'],
    ['no form', '%zzSECRET', 'it is not form-encoded'],
  ])('%s is an unexpected response, and the error contains no secret from it', async (_, body, problem) => {
    const error = await rejection(UnexpectedResponseError, setUp([{ body }]).oauth.accessToken(step3));
    expect(error.message).toContain(problem);
    expect(stringifyJson({ ...error, message: error.message, stack: error.stack })).not.toContain('SECRET');
  });

  test('a rejection contains no secret of the request', async () => {
    const secret = { ...step3, oauth_token_secret: 'SECRET-ONE' };
    const { oauth } = setUp([refused(401, 89)], { consumer_secret: 'SECRET-TWO' });
    const error = await rejection(ApiResponseError, oauth.accessToken(secret));
    expect(error.has(89)).toBe(true);
    expect(stringifyJson({ ...error, message: error.message, stack: error.stack })).not.toContain('SECRET');
  });
});

describe('invalidateToken', () => {
  test('is signed with the token that it revokes', async () => {
    const { oauth, sent } = setUp([json({ access_token: 'at' })], credentials);
    expect(await oauth.invalidateToken()).toEqual({ access_token: 'at' });
    const request = only(sent);
    expect([request.address, request.body]).toEqual(['http://api.test/1.1/oauth/invalidate_token', undefined]);
    expect(await signedBy(request, { app: 'cs', token: 'ats' })).toMatchObject({ oauth_token: 'at' });
  });

  test('nothing is sent without a token', async () => {
    const { oauth, sent } = setUp([]);
    expect((await rejection(CredentialsError, oauth.invalidateToken())).parameter).toBe('access_token');
    expect(sent).toEqual([]);
  });
});

describe('the bearer token', () => {
  test('is requested with key and secret, percent-encoded before they are joined', async () => {
    const { oauth, sent } = setUp([json({ token_type: 'bearer', access_token: 'AAAA%2F' })]);
    expect(await oauth.bearerToken()).toEqual({ token_type: 'bearer', access_token: 'AAAA%2F' });
    const { method, address, headers, body } = only(sent);
    expect([method, address, body]).toEqual(['POST', 'http://api.test/oauth2/token', 'grant_type=client_credentials']);
    // The sample of the reference, auth section 5.
    expect(headers.get('authorization')).toBe('Basic Y2tfMDEyMzQ1Njc4OWFiY2RlZjpjc19zZWNyZXQlMkZWYWx1ZQ==');
    expect(headers.get('content-type')).toBe('application/x-www-form-urlencoded');
  });

  test('a key outside of ASCII is encoded as UTF-8', async () => {
    const { oauth, sent } = setUp([json({ token_type: 'bearer', access_token: 'A' })], {
      consumer_key: 'ü:',
      consumer_secret: '日',
    });
    await oauth.bearerToken();
    expect(only(sent).headers.get('authorization')).toBe(`Basic ${btoa('%C3%BC%3A:%E6%97%A5')}`);
  });

  test.each<[string, object, (sent: Sent) => Promise<unknown>, RegExp]>([
    [
      'the owner',
      { access_token: 'at', access_token_secret: 'ats' },
      (sent) => signedBy(sent, { app: app.consumer_secret, token: 'ats' }),
      /^OAuth /,
    ],
    ['the app, without an access token', {}, async () => {}, /^Basic /],
  ])('is invalidated by %s, and never appears in an address', async (_, from, proof, scheme) => {
    const { oauth, sent } = setUp([json({ access_token: 'AAAA' })], from);
    expect(await oauth.invalidateBearerToken({ access_token: 'AAAA' })).toEqual({ access_token: 'AAAA' });
    const request = only(sent);
    expect(request.address).toBe('http://api.test/oauth2/invalidate_token');
    expect(request.form).toEqual<Pair[]>([['access_token', 'AAAA']]);
    expect(request.headers.get('authorization')).toMatch(scheme);
    await proof(request);
  });

  test('requested too often is rejected with 99', async () => {
    const errors = [{ code: 99, label: 'authenticity_token_error', message: 'Unable to verify your credentials' }];
    const error = await rejection(ApiResponseError, setUp([json({ errors }, 403)]).oauth.bearerToken());
    expect([error.has(99), error.errors]).toEqual([true, errors]);
  });
});

test('an exhausted limit is waited for, and reported when it takes too long', async () => {
  const limit = (reset: number): FakeAnswer => ({
    ...refused(429, 88),
    headers: { 'x-rate-limit-limit': '1', 'x-rate-limit-remaining': '0', 'x-rate-limit-reset': `${reset}` },
  });
  const now = () => 1_700_000_000_000;
  const waited = setUp([limit(1_700_000_010), requestToken], {}, { now });
  expect(await waited.oauth.requestToken(callback)).toMatchObject({ oauth_token: 'rt' });
  const late = setUp([limit(1_700_000_900)], {}, { now });
  const error = await rejection(RateLimitError, late.oauth.requestToken(callback));
  expect(error.retry_at).toEqual(new Date(1_700_000_900_000));
});

test.each(['base_url', 'consumer_key', 'consumer_secret'] as const)('missing members are named: %s', async (member) => {
  const { oauth, sent } = setUp([], { [member]: undefined });
  expect((await rejection(CredentialsError, oauth.requestToken(callback))).parameter).toBe(member);
  expect(sent).toEqual([]);
});

test('the functions return the examples of the contract', async () => {
  const { request_token, access_token } = authContract.oauth;
  const form = (data: object) => ({
    body: new URLSearchParams(Object.entries(data).map(([k, v]) => [k, `${v}`])).toString(),
  });
  const { oauth } = setUp([form(request_token.example.data), form(access_token.example.data)]);
  expect(await oauth.requestToken(request_token.example.params)).toEqual(request_token.example.data);
  const step3 = { ...access_token.example.params, oauth_token_secret: 's' };
  expect(await oauth.accessToken(step3)).toEqual(access_token.example.data);
});

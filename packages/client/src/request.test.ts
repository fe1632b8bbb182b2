import { describe, expect, test } from 'vitest';
import { type ClientOptions, createClient } from './client.ts';
import { CallError } from './errors.ts';
import { credentials, fakeServer, only, rejection, type Step } from './testing/fake-server.ts';

const ok = { body: '{"data":[],"id":9007199254740993}' };

function setUp(options: ClientOptions = {}, script: readonly Step[] = [ok]) {
  const { fetch, sent } = fakeServer(...script);
  return { client: createClient(credentials, { fetch, retry: false, ...options }), sent };
}

describe('a raw request', () => {
  test('is signed and its response returned exactly', async () => {
    const { client, sent } = setUp();
    const response = await client.request({ method: 'get', path: '/12/accounts', query: { count: 2, q: 'a b' } });
    expect(response).toMatchObject({
      status: 200,
      ok: true,
      text: ok.body,
      body: { data: [], id: 9_007_199_254_740_993n },
    });
    const { method, url, headers } = only(sent);
    expect([method, url.href]).toEqual(['GET', 'http://ads.test/12/accounts?count=2&q=a%20b']);
    expect(headers.get('authorization')).toMatch(
      /^OAuth oauth_consumer_key="ck", oauth_nonce="[0-9a-f]{32}", .*oauth_signature="/,
    );
  });

  test('returns the response whatever its status', async () => {
    const { client } = setUp({}, [{ status: 404, body: '<p>no</p>' }]);
    expect(await client.request({ method: 'GET', path: '/nowhere' })).toMatchObject({
      status: 404,
      ok: false,
      body: undefined,
      text: '<p>no</p>',
    });
  });

  test.each([
    ['oauth', /^OAuth /],
    ['bearer', /^Bearer bt$/],
  ] as const)('with %s', async (auth, expected) => {
    const { client, sent } = setUp();
    await client.request({ method: 'GET', path: '/2/posts', auth, host: 'base' });
    expect(only(sent).url.origin).toBe('http://api.test');
    expect(only(sent).headers.get('authorization')).toMatch(expected);
  });

  test('without credentials has no authorization', async () => {
    const { client, sent } = setUp({ environment: 'sandbox' });
    await client.request({ method: 'GET', path: '/health', auth: 'none' });
    expect([only(sent).url.origin, only(sent).headers.get('authorization')]).toEqual(['http://sandbox.test', null]);
  });

  test('keeps a query in the path beside the one given', async () => {
    const { client, sent } = setUp();
    await client.request({ method: 'GET', path: '/12/accounts?count=2', query: { q: 'x' } });
    expect(only(sent).url.search).toBe('?count=2&q=x');
  });

  test('omits a fragment, which is never sent', async () => {
    const { client, sent } = setUp();
    await client.request({ method: 'GET', path: '/a#b', query: { q: 'x' } });
    expect(only(sent).address).toBe('http://ads.test/a?q=x');
  });

  test('sends forms and JSON', async () => {
    const { client, sent } = setUp({}, [ok, ok]);
    await client.request({ method: 'POST', path: '/a', form: { list: ['a', 1, true], none: null, out: undefined } });
    await client.request({ method: 'POST', path: '/a', json: [{ id: 9_007_199_254_740_993n, at: new Date(0) }] });
    expect(sent[0]?.body).toBe('list=a%2C1%2Ctrue&none=');
    expect(sent[1]?.body).toBe('[{"id":9007199254740993,"at":"1970-01-01T00:00:00.000Z"}]');
  });

  test.each([
    ['a path of another host', { method: 'GET', path: 'http://elsewhere.test/' }],
    ['two bodies', { method: 'POST', path: '/a', form: {}, json: {} }],
    ['a GET with a body', { method: 'GET', path: '/a', form: { a: 'b' } }],
    ['a path that cannot be signed', { method: 'GET', path: '/a|b' }],
    ['a query that cannot be decoded', { method: 'GET', path: '/a?b=%zz' }],
  ])('rejects %s before sending', async (_, request) => {
    const { client, sent } = setUp();
    await rejection(CallError, client.request(request));
    expect(sent).toEqual([]);
  });

  test('stays on the host of the credentials', async () => {
    const { client, sent } = setUp({}, [ok, ok]);
    await client.request({ method: 'GET', path: '//elsewhere.test/x' });
    await client.request({ method: 'GET', path: '/@elsewhere.test' });
    expect(sent.map(({ url }) => url.host)).toEqual(['ads.test', 'ads.test']);
  });

  test('follows no redirect', async () => {
    let redirect: RequestInit['redirect'];
    const client = createClient(credentials, {
      fetch: async (_, init) => {
        redirect = init.redirect;
        return new Response('', { status: 302 });
      },
    });
    expect((await client.request({ method: 'GET', path: '/a' })).status).toBe(302);
    expect(redirect).toBe('manual');
  });
});

describe('every request', () => {
  test('carries the headers given, which cannot replace its own signature', async () => {
    const { client, sent } = setUp({
      userAgent: 'desk/1.0',
      headers: { Accept: 'text/plain', authorization: 'Basic x', 'x-a': '1' },
    });
    await client.request(
      { method: 'POST', path: '/a', json: {} },
      { headers: { 'X-A': '2', 'Content-Type': 'text/html' } },
    );
    const { headers } = only(sent);
    expect(headers.get('user-agent')).toBe('desk/1.0');
    expect([headers.get('accept'), headers.get('x-a')]).toEqual(['text/plain', '2']);
    expect(headers.get('authorization')).toMatch(/^OAuth /);
    expect(headers.get('content-type')).toBe('application/json');
  });

  test('is signed by the method that the client was created with', async () => {
    const { client, sent } = setUp({ signatureMethod: 'HMAC-SHA256' });
    await client.request({ method: 'GET', path: '/a' });
    expect(only(sent).headers.get('authorization')).toContain('oauth_signature_method="HMAC-SHA256"');
  });

  test('has a unique nonce', async () => {
    const { client, sent } = setUp(
      {},
      Array.from({ length: 50 }, () => ok),
    );
    for (let i = 0; i < 50; i++) await client.request({ method: 'GET', path: '/a' });
    const nonces = sent.map(({ headers }) => /oauth_nonce="(\w+)"/.exec(headers.get('authorization') ?? '')?.[1]);
    expect(new Set(nonces).size).toBe(50);
  });

  test('is sent below the path of an address behind a proxy', async () => {
    const { fetch, sent } = fakeServer(ok);
    const client = createClient({ ...credentials, ads_base_url: 'https://example.com/ads/' }, { fetch });
    await client.request({ method: 'GET', path: '/12/accounts' });
    expect(only(sent).url.href).toBe('https://example.com/ads/12/accounts');
  });
});

/** A signed request arrives exactly as it was signed, once, or is rejected (RFC 5849 sections 3.1, 3.2 and 3.4). */
import { createHmac } from 'node:crypto';
import { signRequest } from '@broadside/core/auth';
import type { TestRequest, WireRequest } from '@broadside/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CALLBACK, type KeyedApp, type Pair, Provider, rejected, signing } from './provider.ts';

let provider: Provider;
let app: KeyedApp;
let token: Pair;
/** A request token that is neither approved nor denied. */
let undecided: Pair;
let account_id: string;

beforeAll(async () => {
  provider = await Provider.open();
  app = await provider.app();
  token = await provider.issued(app, provider.world.user);
  undecided = await provider.requestToken(app);
  account_id = await provider.world.createAccount();
});
afterAll(() => provider[Symbol.asyncDispose]());

type Place = 'header' | 'query' | 'form';

/** The requests that are tampered with: to an endpoint of authentication and to the advertising interface. */
const requests = {
  request_token: (place: Place): TestRequest =>
    provider.request('/oauth/request_token', app, undefined, {
      query: { oauth_callback: CALLBACK, platform_auth_access_type: 'read' },
      form: { unknown: 'ignored' },
      sign: { in: place },
    }),
  access_token: (place: Place): TestRequest =>
    provider.request('/oauth/access_token', app, undecided, {
      query: { oauth_verifier: 'x' },
      form: { unknown: 'ignored' },
      sign: { in: place },
    }),
  invalidate_token: (place: Place): TestRequest =>
    provider.request('/1.1/oauth/invalidate_token', app, token, {
      query: { a: 'b' },
      form: { c: 'd' },
      sign: { in: place },
    }),
  advertising: (place: Place): TestRequest => ({
    listener: 'sandbox',
    method: 'PUT',
    path: `/12/accounts/${account_id}`,
    query: { name: 'Renamed' },
    form: { industry_type: 'RETAIL' },
    as: null,
    sign: { ...signing(app, token), in: place },
  }),
} as const;
const names = ['request_token', 'access_token', 'invalidate_token', 'advertising'] as const;

/** A request as pairs that can be changed one by one. */
interface Opened {
  readonly request: WireRequest;
  readonly header: (readonly [string, string])[];
  readonly query: (readonly [string, string])[];
  readonly form: (readonly [string, string])[];
}

const pairs = (text: string, separator: string | RegExp) =>
  text === ''
    ? []
    : text.split(separator).map((piece): [string, string] => {
        const equals = piece.indexOf('=');
        return [piece.slice(0, equals), piece.slice(equals + 1)];
      });

function open(request: WireRequest): Opened {
  const authorization = request.headers['authorization'] ?? '';
  const query = request.url.split('?')[1] ?? '';
  return {
    request,
    header: pairs(authorization.replace(/^OAuth /, ''), ', '),
    query: pairs(query, '&'),
    form: pairs(String(request.body ?? ''), '&'),
  };
}

function close({ request, header, query, form }: Opened): WireRequest {
  const text = (list: Opened['query'], joint: string) => list.map(([name, value]) => `${name}=${value}`).join(joint);
  const { authorization: _, ...headers } = request.headers;
  return {
    method: request.method,
    url: `${request.url.split('?')[0]}${query.length > 0 ? `?${text(query, '&')}` : ''}`,
    headers: header.length > 0 ? { ...headers, authorization: `OAuth ${text(header, ', ')}` } : headers,
    body: text(form, '&'),
  };
}

const places = ['header', 'query', 'form'] as const;

/** The request with one pair in one place changed by a rule. */
function* tampered(opened: Opened): Generator<readonly [string, Opened]> {
  for (const place of places) {
    const list = opened[place];
    for (const [index, [name, value]] of list.entries()) {
      const put = (...with_: (readonly [string, string])[]) => ({
        ...opened,
        [place]: list.toSpliced(index, 1, ...with_),
      });
      const quoted = value.startsWith('"');
      const extended = quoted ? `${value.slice(0, -1)}x"` : `${value}x`;
      yield [`${place} ${name} extended`, put([name, extended])];
      yield [`${place} ${name} emptied`, put([name, quoted ? '""' : ''])];
      yield [`${place} ${name} left out`, put()];
      yield [`${place} ${name} renamed`, put([`${name}x`, value])];
      const [other] = list.filter(([, candidate]) => candidate !== value);
      if (other) yield [`${place} ${name} with the value of ${other[0]}`, put([name, other[1]])];
    }
    const extra: readonly [string, string] = ['extra', place === 'header' ? '"1"' : '1'];
    if (place !== 'header' || list.length > 0)
      yield [`${place} with one more`, { ...opened, [place]: [...list, extra] }];
  }
}

describe.for(names)('%s', (name) => {
  const send = (request: WireRequest) => provider.world.send(name === 'advertising' ? 'sandbox' : 'api', request);

  test.for(places)(
    'no parameter can be changed, emptied, left out, renamed or added when signed in the %s',
    async (place) => {
      const base = open(await provider.world.sign(requests[name](place)));
      const before = provider.snapshot();
      let count = 0;
      for (const [title, changed] of tampered(base)) {
        const answer = await send(close(changed));
        expect([400, 401], `${title}: ${answer.status} ${answer.text}`).toContain(answer.status);
        count += 1;
      }
      expect(count).toBeGreaterThan(40);
      expect(provider.snapshot()).toEqual(before);
      // The same request without the change succeeds, so that it was rejected for the change.
      const { status, text } = await send(close(base));
      if (name === 'access_token') expect(text).toContain('oauth_verifier is not the one');
      else expect(status, text).toBe(200);
      if (name === 'invalidate_token') token = await provider.issued(app, provider.world.user);
    },
  );

  test('a signature for another method, path, host, port or scheme is rejected', async () => {
    const request = requests[name]('header');
    const sent = await provider.world.sign(request);
    const { url } = sent;
    const before = provider.snapshot();
    for (const [method, target] of [
      ['GET', url],
      ['DELETE', url],
      [sent.method, url.startsWith('https:') ? url.replace('https:', 'http:') : url.replace('http:', 'https:')],
      [sent.method, url.replace(/api|sandbox/, 'ads')],
      [sent.method, url.replace('.test', '.example')],
      [sent.method, url.replace('.test', '.test:8443')],
      [sent.method, url.replace('.test', '.test/prefix')],
      [sent.method, url.replace('?', '/?')],
      [sent.method, url.replace('.test/', '.test//')],
      [sent.method, url.replace(/token|accounts/, (word) => word.toUpperCase())],
    ] as const) {
      const authorization = await signedFor(request, method, target);
      const answer = await send({ ...sent, headers: { ...sent.headers, authorization } });
      expect([target, method, answer.status]).toEqual([target, method, 401]);
    }
    expect(provider.snapshot()).toEqual(before);
  });
});

test('a request that is sent to another host than it was signed for is rejected, where the request names the host', async () => {
  await using plain = await Provider.open({ mode: 'development' });
  const itsApp = await plain.app();
  const request = plain.request('/oauth/request_token', itsApp, undefined, { query: { oauth_callback: CALLBACK } });
  for (const host of ['evil.test', 'api.test:8080', 'api.test.evil.test', '127.0.0.1', '']) {
    const signed = await plain.world.sign(request);
    const url = signed.url.replace('http://api.test', '');
    expect(await plain.world.send('api', { ...signed, url, headers: { ...signed.headers, host } })).toMatchObject(
      rejected(401, 32),
    );
  }
});

/** The header of a request that was signed to be sent otherwise. */
async function signedFor({ form = {}, sign = {} }: TestRequest, method: string, url: string): Promise<string> {
  const { consumerKey = '', consumerSecret = '', token: name, tokenSecret } = sign;
  const signed = await signRequest({
    method,
    url,
    form: Object.entries(form).map(([key, value]): [string, string] => [key, String(value)]),
    credentials: { consumerKey, consumerSecret, ...(name ? { token: name, tokenSecret } : {}) },
    nonce: `elsewhere${++elsewheres}`,
    timestamp: Math.floor(provider.world.wallClock.now() / 1000),
    hmac: (algorithm, key, text) => createHmac(algorithm, key).update(text).digest('base64'),
  });
  return signed.authorization;
}
let elsewheres = 0;

describe('RFC 5849 section 3.2: a parameter of the protocol that comes twice is 400', () => {
  const opened = async (path: string, query: Record<string, string>) =>
    open(
      await provider.world.sign(
        provider.request(path, app, path.endsWith('access_token') ? undecided : undefined, { query, form: { a: 'b' } }),
      ),
    );
  const endpoints = [
    ['/oauth/request_token', { oauth_callback: CALLBACK }],
    ['/oauth/access_token', { oauth_verifier: 'x' }],
  ] as const;
  const send = (changed: Opened) => provider.world.send('api', close(changed));

  test.for(endpoints)('%s: in the header, or in two places', async ([path, query]) => {
    const base = await opened(path, query);
    const before = provider.snapshot();
    for (const pair of base.header) {
      const [name, value] = pair;
      const plain: readonly [string, string] = [name, value.slice(1, -1)];
      // The form may restate the token.
      const inForm = name === 'oauth_token' ? [] : [{ ...base, form: [...base.form, plain] }];
      for (const changed of [
        { ...base, header: [...base.header, pair] },
        { ...base, header: [...base.header, [name, '"another"'] as const] },
        { ...base, query: [...base.query, plain] },
        ...inForm,
      ]) {
        expect(await send(changed), name).toMatchObject(rejected(400, 215));
      }
    }
    expect(provider.snapshot()).toEqual(before);
  });

  test.for(endpoints)('%s: the parameter of its step, in any two places', async ([path, query]) => {
    const [[name = '', value = ''] = []] = Object.entries(query);
    for (const [inHeader, inQuery, inForm] of [
      [2, 0, 0],
      [0, 2, 0],
      [0, 0, 2],
      [1, 1, 0],
      [1, 0, 1],
      [0, 1, 1],
      [1, 1, 1],
    ] as const) {
      const quoted = Array<readonly [string, string]>(inHeader).fill([name, `"${encodeURIComponent(value)}"`]);
      const times = (count: number) => Array<readonly [string, string]>(count).fill([name, encodeURIComponent(value)]);
      const base = await opened(path, {});
      const changed = {
        ...base,
        header: [...base.header, ...quoted],
        query: times(inQuery),
        form: [...base.form, ...times(inForm)],
      };
      expect(await send(changed), `${name} ${inHeader} ${inQuery} ${inForm}`).toMatchObject(
        rejected(400, 215, { parameter: name }),
      );
    }
  });

  test('so is a plain parameter of an endpoint that comes twice, with a good signature', async () => {
    const twice: [string, string][] = [
      ['oauth_callback', CALLBACK],
      ['platform_auth_access_type', 'read'],
      ['platform_auth_access_type', 'write'],
    ];
    expect(await provider.call('/oauth/request_token', app, undefined, { query: twice })).toMatchObject(
      rejected(400, 215),
    );
    const inBoth = { query: twice.slice(0, 2), form: { platform_auth_access_type: 'write' } };
    expect(await provider.call('/oauth/request_token', app, undefined, inBoth)).toMatchObject(rejected(400, 215));
  });

  test.for([
    ['an unknown parameter of the protocol', { header: [['oauth_session_handle', '"x"']] }],
    ['another version', { replace: ['oauth_version', '"2.0"'] }],
    ['an unknown signature method', { replace: ['oauth_signature_method', '"PLAINTEXT"'] }],
    ['no signature', { drop: 'oauth_signature' }],
    ['no consumer key', { drop: 'oauth_consumer_key' }],
    ['no nonce', { drop: 'oauth_nonce' }],
    ['no timestamp', { drop: 'oauth_timestamp' }],
    ['no signature method', { drop: 'oauth_signature_method' }],
    ['a timestamp that is no number', { replace: ['oauth_timestamp', '"now"'] }],
    ['a value that is no percent encoding', { replace: ['oauth_nonce', '"%zz"'] }],
  ] as const)('%s is 400', async ([, change]) => {
    const base = await opened('/oauth/request_token', { oauth_callback: CALLBACK });
    const header = base.header
      .filter(([name]) => !('drop' in change && change.drop === name))
      .map((pair) => ('replace' in change && change.replace[0] === pair[0] ? change.replace : pair));
    const more = 'header' in change ? change.header : [];
    expect(await send({ ...base, header: [...header, ...more] })).toMatchObject(rejected(400, 215));
  });
});

describe('RFC 5849 section 3.2: what is put well and not believed is 401', () => {
  test.for([
    ['a wrong signature', { signature: (): string => 'AAAAAAAAAAAAAAAAAAAAAAAAAAA=' }, 32],
    ['a signature that is no base64', { signature: (): string => '***' }, 32],
    ['an unknown consumer key', { consumerKey: 'unknown' }, 32],
    ['a wrong consumer secret', { consumerSecret: 'wrong' }, 32],
    ['a timestamp too old', { timestamp: Date.UTC(2026, 0, 15, 8) / 1000 - 301 }, 135],
    ['a timestamp too new', { timestamp: Date.UTC(2026, 0, 15, 8) / 1000 + 301 }, 135],
    ['a nonce of impossible form', { nonce: 'a b' }, 32],
  ] as const)('%s', async ([, sign, code]) => {
    expect(await provider.askRequestToken(app, CALLBACK, { query: { oauth_callback: CALLBACK }, sign })).toMatchObject(
      rejected(401, code),
    );
  });
});

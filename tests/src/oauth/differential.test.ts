/**
 * Our half of RFC 5849 against two signers that nobody here wrote, on random requests: Debian's python3-oauthlib and npm
 * `oauth`. Each signs a request and hands over what it would send; we parse that as the server does, and must come to the
 * same base string and the same signature. Our own signer must make that signature too.
 *
 * Which signers are wrong, found by experiment and kept true by the tests at the end:
 *
 * - npm `oauth` 0.10.2 (behind passport-oauth1) is wrong on
 *   1. a name that comes twice in the query: it signs `a[0]=1&a[1]=2` for `?a=1&a=2`;
 *   2. a name that comes in query and form body: the query's value is signed, the body's is not;
 *   3. a host that is an IPv6 address: it signs `http://::1/` without the brackets;
 *   4. a form body that is given as text: its default content type is a form, and the body is not signed at all;
 *   5. names that an object has of itself: `__proto__` is left out, `hasOwnProperty` throws.
 *   1 to 3 come up in the random requests. There it must differ, and everywhere else it must agree.
 *   An apostrophe in a path is not wrong, only surprising: it sends and signs `%27`.
 * - npm `oauth-1.0a` 2.2.6 (the most used one; tried by hand, no dependency of ours) is wrong on more: names in the query
 *   are not decoded before they are encoded (`?a%20b=1` signs `a%2520b`), `+` in the query is signed as a plus, a value is
 *   cut at its second `=` (`?a=b=c` signs `a=b`), of `?a=&a=2` the first is lost, `?a=1&&b=2` signs an empty name, the host
 *   keeps its case and the default port stays. Its encoding of `!*'()` and its sorting after encoding are right.
 * - python3-oauthlib 3.2.2 decodes protocol parameters twice when they come in query or form body, so a `%` in a callback
 *   breaks it there; and a path that ends with a bare `;` loses it. These inputs are not generated.
 *
 * Set `BROADSIDE_ORACLES=optional` to skip without python3-oauthlib also where `CI` is set.
 */
import { spawnSync } from 'node:child_process';
import { createHash, createHmac } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import {
  baseStringUri,
  DIGESTS,
  formEncode,
  formPairs,
  type Hmac,
  isSigned,
  normalizeParameters,
  type Pair,
  parseRequest,
  type ReceivedRequest,
  type SignatureMethod,
  signatureBaseString,
  signingKey,
  signRequest,
} from '@broadside/core/auth';
import fc from 'fast-check';
import { OAuth } from 'oauth';
import { beforeAll, describe, expect, test } from 'vitest';

const FORM = 'application/x-www-form-urlencoded';
const SEED = 20_240_229;
const CASES = 12_000;

/** A request to sign. */
interface Case {
  readonly method: string;
  readonly origin: string;
  readonly path: string;
  /** The query as it is sent, with its `?`, or nothing. */
  readonly query: string;
  readonly body: string | null;
  readonly contentType: string | null;
  readonly place: 'header' | 'query' | 'form';
  readonly consumerKey: string;
  readonly consumerSecret: string;
  readonly token: string | null;
  readonly tokenSecret: string | null;
  readonly callback: string | null;
  readonly verifier: string | null;
  readonly nonce: string;
  readonly timestamp: string;
  readonly signatureMethod: SignatureMethod;
}

/** What a signer would send, and the base string that it signed. */
interface Signed {
  readonly sent: ReceivedRequest;
  readonly baseString: string;
}

// ---- random requests

const ATOMS = [
  ...'aZ09-._~ +%&=/?!*\'(),;:@$"<>\\[]{}|^`#',
  'é',
  'ß',
  '☃',
  '漢',
  '😀',
  '👩‍👧',
  '\u0301',
  '\n',
  '\0',
  '\uFFFD',
];
const text = fc.string({ unit: fc.constantFrom(...ATOMS), maxLength: 8 });
const name = fc.oneof(text, fc.constantFrom('a', 'a1', 'a-', 'A', 'b', 'name', 'é', 'filter[]'));

/** Ways in which clients write one and the same text in a query or form body. */
const SPELLINGS: readonly ((text: string) => string)[] = [
  (raw) => encodeURIComponent(raw),
  (raw) => encodeURIComponent(raw).replaceAll('%20', '+'),
  (raw) => encodeURIComponent(raw).replace(/%../g, (triplet) => triplet.toLowerCase()),
  (raw) => Buffer.from(raw).toString('hex').replace(/../g, '%$&'),
  (raw) => encodeURIComponent(raw).replace(/%(2C|2F|3A|3B|3F|40|24)/g, decodeURIComponent),
];

/** `name=value` as sent; in names and values that hold a raw `=`, `&`, `+` or `%` these are always encoded. */
const piece = fc
  .record({
    name,
    value: text,
    spelling: fc.constantFrom(...SPELLINGS),
    bare: fc.boolean(),
    rawEquals: fc.boolean(),
    gap: fc.constantFrom('&', '&', '&', '&', '&&'),
  })
  .map(({ name: key, value, spelling, bare, rawEquals, gap }) => {
    const spelled = rawEquals ? spelling(value).replace(/%3D/gi, '=') : spelling(value);
    // A key without "=" must not be empty, or there is no piece at all.
    return (bare && value === '' && key !== '' ? spelling(key) : `${spelling(key)}=${spelled}`) + gap;
  });
const pieces = (minLength: number) =>
  fc.array(piece, { minLength, maxLength: 5 }).map((list) => list.join('').replace(/&$/, ''));

const segment = fc.constantFrom(
  ...[
    '',
    '12',
    'accounts',
    'a%20b',
    '%7E',
    '%7e',
    '~',
    '%C3%A9',
    '%2F',
    'a+b',
    "it's",
    '(x)',
    'a;v=1',
    'a:b',
    '@',
    '..',
    '.',
  ],
  ...['!$&*,=', '%F0%9F%98%80', '1.1', 'x.json'],
);
const path = fc.oneof(
  { weight: 1, arbitrary: fc.constant('') },
  { weight: 12, arbitrary: fc.array(segment, { minLength: 1, maxLength: 4 }).map((list) => `/${list.join('/')}`) },
);
const origin = fc
  .record({
    scheme: fc.constantFrom('http', 'https', 'HTTPS'),
    host: fc.constantFrom(
      'example.com',
      'ADS-api.Example.COM',
      '127.0.0.1',
      'localhost',
      'xn--mnchen-3ya.de',
      '[::1]',
      '[2001:DB8::1]',
    ),
    port: fc.constantFrom('', '', ':80', ':443', ':8001'),
  })
  .map(({ scheme, host, port }) => `${scheme}://${host}${port}`);

const body = fc.oneof(
  { weight: 2, arbitrary: fc.constant({ kind: 'none' as const }) },
  { weight: 2, arbitrary: pieces(1).map((form) => ({ kind: 'form' as const, form })) },
  { weight: 1, arbitrary: fc.dictionary(text, text, { maxKeys: 3 }).map((json) => ({ kind: 'json' as const, json })) },
);

const filled = fc.string({ unit: fc.constantFrom(...ATOMS), minLength: 1, maxLength: 12 });
const visible = fc.string({ unit: fc.constantFrom(..."aZ09-._~+/=!*'(),;:@&%"), minLength: 1, maxLength: 24 });
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });

const requests: fc.Arbitrary<Case> = fc
  .record({
    bodyless: fc.constantFrom('GET', 'HEAD', 'DELETE', 'get', 'PATCH', 'OPTIONS'),
    bodied: fc.constantFrom('POST', 'PUT', 'POST', 'PUT'),
    origin,
    path,
    query: maybe(pieces(0)),
    body,
    place: fc.constantFrom('header' as const, 'header' as const, 'query' as const, 'form' as const),
    consumerKey: filled,
    consumerSecret: text,
    token: maybe(fc.record({ key: filled, secret: text })),
    callback: maybe(fc.oneof(filled, fc.constantFrom('oob', 'https://app.example.com/cb?x1=1&x2=a%20b', 'myapp://cb'))),
    verifier: maybe(filled),
    nonce: visible,
    timestamp: fc.integer({ min: 1, max: 4_000_000_000 }),
    signatureMethod: fc.constantFrom('HMAC-SHA1' as const, 'HMAC-SHA1' as const, 'HMAC-SHA256' as const),
  })
  .map(({ bodyless, bodied, query, body: content, token, place, ...rest }) => {
    const where = place === 'form' && content.kind !== 'form' ? 'query' : place;
    // oauthlib decodes twice outside the header.
    const protocol = (value: string) => (where === 'header' ? value : value.replaceAll('%', '_'));
    return {
      ...rest,
      method: content.kind === 'none' ? bodyless : bodied,
      query: query === null ? '' : `?${query}`,
      body: content.kind === 'form' ? content.form : content.kind === 'json' ? JSON.stringify(content.json) : null,
      contentType: content.kind === 'form' ? FORM : content.kind === 'json' ? 'application/json' : null,
      place: where,
      consumerKey: protocol(rest.consumerKey),
      token: token === null ? null : protocol(token.key),
      tokenSecret: token === null ? null : token.secret,
      callback: rest.callback === null ? null : protocol(rest.callback),
      verifier: rest.verifier === null ? null : protocol(rest.verifier),
      nonce: protocol(rest.nonce),
      timestamp: String(rest.timestamp),
    };
  });

// ---- the signers

/** The interpreter that has oauthlib: Debian's own first, since that is where apt installs it. */
function pythonWithOauthlib(): string | undefined {
  return ['/usr/bin/python3', 'python3'].find((python) => spawnSync(python, ['-c', 'import oauthlib']).status === 0);
}

/** The part of a URL that goes into the request line. */
function targetOf(url: string): string {
  const [, target = ''] = /^[a-z]+:\/\/[^/?]*(.*)$/i.exec(url) ?? [];
  return target.startsWith('/') ? target : `/${target}`;
}

interface OauthlibAnswer {
  readonly url: string;
  readonly authorization: string | null;
  readonly contentType: string | null;
  readonly body: string | null;
  readonly baseString: string;
}

/** Signs all cases with oauthlib, in one process. */
function signWithOauthlib(python: string, cases: readonly Case[]): Signed[] {
  const script = fileURLToPath(new URL('./oauthlib-oracle.py', import.meta.url));
  const input = cases.map((one) => JSON.stringify({ ...one, url: one.origin + one.path + one.query })).join('\n');
  const run = spawnSync(python, [script], { input, encoding: 'utf8', maxBuffer: 2 ** 28 });
  if (run.status !== 0) throw new Error(`oauthlib failed: ${run.stderr}`);
  const answers: OauthlibAnswer[] = run.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  return answers.map((answer, index) => ({
    sent: {
      method: cases[index]?.method ?? '',
      target: targetOf(answer.url),
      authorization: answer.authorization ?? undefined,
      contentType: answer.contentType ?? undefined,
      body: answer.body ?? undefined,
    },
    baseString: answer.baseString,
  }));
}

/** `oauth_body_hash`, which oauthlib adds to a body that is no form. */
function bodyHash(one: Case): Pair[] {
  if (one.body === null || one.contentType === FORM) return [];
  return [['oauth_body_hash', createHash('sha1').update(one.body).digest('base64')]];
}

/** The protocol parameters of a case that a signer does not add by itself. */
function extras(one: Case): Pair[] {
  const pairs = bodyHash(one);
  if (one.callback !== null) pairs.push(['oauth_callback', one.callback]);
  if (one.verifier !== null) pairs.push(['oauth_verifier', one.verifier]);
  return pairs;
}

function pairsOf(encoded: string): Pair[] {
  const pairs = formPairs(encoded, 1000);
  if (pairs === undefined || pairs === 'too many') throw new Error(`a case with a bad query or body: ${encoded}`);
  return pairs;
}

/** npm `oauth` with nonce, time and connection replaced; `watch` tells what it signed and would have sent. */
function npmOauth(one: Case): { oauth: OAuth; watch: { signed: Signed | undefined } } {
  const oauth = new OAuth(null, null, one.consumerKey, one.consumerSecret, '1.0', null, one.signatureMethod);
  const watch: { signed: Signed | undefined } = { signed: undefined };
  let baseString = '';
  const make = oauth._createSignatureBase.bind(oauth);
  oauth._createSignatureBase = (method, url, parameters) => {
    baseString = make(method, url, parameters);
    return baseString;
  };
  oauth._getNonce = () => one.nonce;
  oauth._getTimestamp = () => one.timestamp;
  oauth._createClient = (_port, _hostname, method, target, headers) => {
    const sent = { method, target, authorization: headers.Authorization, contentType: headers['Content-Type'] };
    watch.signed = { sent, baseString };
    return {
      on: () => {},
      write: (written) => {
        watch.signed = { sent: { ...sent, body: written }, baseString };
      },
      end: () => {},
    };
  };
  return { oauth, watch };
}

function signWithNpm(one: Case): Signed {
  const { oauth, watch } = npmOauth(one);
  const form = one.contentType === FORM && one.body !== null;
  const values = new Map<string, string[]>();
  for (const [key, value] of [...extras(one), ...(form ? pairsOf(one.body) : [])]) {
    values.set(key, [...(values.get(key) ?? []), value]);
  }
  const parameters = Object.fromEntries(values);
  const url = one.origin + one.path + one.query;
  oauth._performSecureRequest(
    one.token,
    one.tokenSecret ?? undefined,
    one.method,
    url,
    form || values.size > 0 ? parameters : null,
    form ? null : one.body,
    // A GET without a content type would be sent as a form, which is no concern here.
    one.contentType ?? 'text/plain',
  );
  if (watch.signed === undefined) throw new Error('npm oauth sent nothing');
  return watch.signed;
}

/** Classes 1 to 3 of the head of this file. */
function npmIsWrong(one: Case): boolean {
  const inQuery = pairsOf(one.query.slice(1)).map(([key]) => key);
  const inForm = one.contentType === FORM && one.body !== null ? pairsOf(one.body).map(([key]) => key) : [];
  const twice = new Set(inQuery).size < inQuery.length;
  return twice || inQuery.some((key) => inForm.includes(key)) || one.origin.includes('[');
}

// ---- our side

const hmac: Hmac = (algorithm, key, message) => createHmac(algorithm, key).update(message).digest('base64');

/** What the server makes of a request: the base string, and the signature that it must have and that it has. */
function receive(sent: ReceivedRequest, one: Case): { baseString: string; expected: string; given: string } {
  const request = parseRequest(sent);
  if (!isSigned(request)) throw new Error(`not taken: ${JSON.stringify([request.problems, sent])}`);
  const baseString = signatureBaseString(
    request.method,
    baseStringUri(one.origin, request.path),
    normalizeParameters(request.parameters),
  );
  const key = signingKey(one.consumerSecret, one.tokenSecret ?? undefined);
  const digest = DIGESTS[request.oauth.signatureMethod];
  const expected = createHmac(digest, key).update(baseString).digest('base64');
  return { baseString, expected, given: request.oauth.signature };
}

/** Compares without building a message unless it differs: there are tens of thousands. */
function same(actual: unknown, expected: unknown, one: Case): void {
  if (actual !== expected) expect({ value: actual, one }).toEqual({ value: expected, one });
}

const python = pythonWithOauthlib();
const required = Boolean(process.env.CI) && process.env.BROADSIDE_ORACLES !== 'optional';
const missing = 'python3-oauthlib is not on this machine (apt-get install python3-oauthlib)';
const cases = fc.sample(requests, { seed: SEED, numRuns: CASES });

test('python3-oauthlib is there to compare with', (context) => {
  if (python === undefined && !required) context.skip(missing);
  expect(python, `${missing}, and CI must compare with it`).toBeDefined();
});

test('the random requests have what makes signatures difficult', () => {
  const share = (has: (one: Case) => boolean) => cases.filter(has).length / CASES;
  const inQuery = (pattern: RegExp) => share((one) => pattern.test(one.query));
  expect(cases).toHaveLength(CASES);
  expect(inQuery(/\+/)).toBeGreaterThan(0.03);
  expect(inQuery(/%20/)).toBeGreaterThan(0.03);
  expect(inQuery(/%f0/i)).toBeGreaterThan(0.03);
  expect(inQuery(/%[0-9a-f][a-f]/)).toBeGreaterThan(0.05);
  expect(inQuery(/[!*'()]/)).toBeGreaterThan(0.05);
  expect(inQuery(/&&/)).toBeGreaterThan(0.05);
  expect(share((one) => one.token === null)).toBeGreaterThan(0.1);
  expect(share((one) => one.tokenSecret === '')).toBeGreaterThan(0.02);
  expect(share((one) => one.contentType === FORM)).toBeGreaterThan(0.2);
  expect(share((one) => one.contentType === 'application/json')).toBeGreaterThan(0.1);
  for (const place of ['header', 'query', 'form']) expect(share((one) => one.place === place)).toBeGreaterThan(0.05);
  expect(share((one) => one.path === '')).toBeGreaterThan(0.03);
  expect(share(npmIsWrong)).toBeGreaterThan(0.1);
  expect(share(npmIsWrong)).toBeLessThan(0.6);
});

describe.skipIf(python === undefined)(`${CASES} random requests`, () => {
  let byOauthlib: Signed[] = [];
  beforeAll(() => {
    byOauthlib = signWithOauthlib(python ?? '', cases);
    expect(byOauthlib).toHaveLength(CASES);
  });

  test('signed by oauthlib have our base string and our signature', () => {
    for (const [index, one] of cases.entries()) {
      const signed = byOauthlib[index];
      if (signed === undefined) throw new Error('oauthlib left a request out');
      const ours = receive(signed.sent, one);
      same(ours.baseString, signed.baseString, one);
      same(ours.given, ours.expected, one);
    }
  });

  test('signed by us have the signature of oauthlib', async () => {
    for (const [index, one] of cases.entries()) {
      const signed = byOauthlib[index];
      if (signed === undefined) throw new Error('oauthlib left a request out');
      const ours = await signRequest({
        method: one.method,
        url: one.origin + one.path + one.query,
        form: one.contentType === FORM && one.body !== null ? pairsOf(one.body) : undefined,
        credentials: {
          consumerKey: one.consumerKey,
          consumerSecret: one.consumerSecret,
          token: one.token ?? undefined,
          tokenSecret: one.tokenSecret ?? undefined,
        },
        nonce: one.nonce,
        timestamp: Number(one.timestamp),
        hmac,
        signatureMethod: one.signatureMethod,
        extra: extras(one),
      });
      same(ours.baseString, signed.baseString, one);
      const sent = { ...signed.sent, target: targetOf(one.origin + one.path + one.query), body: one.body ?? undefined };
      same(receive({ ...sent, authorization: ours.authorization }, one).expected, ours.signature, one);
      same(ours.signature, receive(signed.sent, one).given, one);
    }
  });

  test('signed by npm oauth agree with oauthlib and us, except where npm oauth is wrong', () => {
    let wrong = 0;
    for (const [index, one] of cases.entries()) {
      const signed = signWithNpm(one);
      const reference = byOauthlib[index]?.baseString;
      const ours = receive(signed.sent, one);
      if (npmIsWrong(one)) {
        wrong += 1;
        if (signed.baseString === reference) same('npm oauth is right', 'npm oauth is wrong', one);
        same(ours.given === ours.expected, false, one);
        continue;
      }
      same(ours.baseString, signed.baseString, one);
      same(ours.given, ours.expected, one);
      // It sends %27 for an apostrophe in the path, and signs what it sends.
      same(
        signed.baseString,
        reference?.replace(/&[^&]*&/, (uri) => uri.replaceAll('%27', '%2527')),
        one,
      );
    }
    expect(CASES - wrong, 'requests that were compared').toBeGreaterThan(CASES * 0.4);
  });
});

describe('where npm oauth is wrong', () => {
  const plain: Case = {
    method: 'POST',
    origin: 'https://ads.example.com',
    path: '/x',
    query: '',
    body: null,
    contentType: null,
    place: 'header',
    consumerKey: 'ck',
    consumerSecret: 'cs',
    token: 'tok',
    tokenSecret: 'ts',
    callback: null,
    verifier: null,
    nonce: 'n',
    timestamp: '1700000000',
    signatureMethod: 'HMAC-SHA1',
  };
  /** Without the protocol parameters, which are the same everywhere. */
  const uriAndParameters = (baseString: string) => {
    const [, uri = '', parameters = ''] = baseString.split('&').map(decodeURIComponent);
    return [
      uri,
      parameters
        .split('&')
        .filter((pair) => !pair.startsWith('oauth_'))
        .join('&'),
    ];
  };

  test.each<[string, Partial<Case>, string[], string[]]>([
    [
      'a name twice in the query',
      { query: '?a=1&a=2' },
      ['https://ads.example.com/x', 'a%5B0%5D=1&a%5B1%5D=2'],
      ['https://ads.example.com/x', 'a=1&a=2'],
    ],
    [
      'a name in query and form',
      { query: '?a=1', body: 'a=2', contentType: FORM },
      ['https://ads.example.com/x', 'a=1'],
      ['https://ads.example.com/x', 'a=1&a=2'],
    ],
    ['an IPv6 host', { origin: 'http://[::1]:8000' }, ['http://::1:8000/x', ''], ['http://[::1]:8000/x', '']],
    [
      'a parameter called __proto__',
      { query: '?__proto__=1&b=2' },
      ['https://ads.example.com/x', 'b=2'],
      ['https://ads.example.com/x', '__proto__=1&b=2'],
    ],
  ])('%s', (_, changes, theirs, right) => {
    const one = { ...plain, ...changes };
    const signed = signWithNpm(one);
    expect(uriAndParameters(signed.baseString)).toEqual(theirs);
    const ours = receive(signed.sent, one);
    expect(uriAndParameters(ours.baseString)).toEqual(right);
    expect(ours.given).not.toBe(ours.expected);
    if (python === undefined) return;
    const [reference] = signWithOauthlib(python, [one]);
    expect(reference && uriAndParameters(reference.baseString)).toEqual(right);
    const theirsByUs = reference && receive(reference.sent, one);
    expect(theirsByUs?.given).toBe(theirsByUs?.expected);
  });

  test('a form body given as text is sent as a form and not signed', () => {
    const { oauth, watch } = npmOauth(plain);
    oauth.post(`${plain.origin}${plain.path}`, 'tok', 'ts', formEncode([['a', '1']]));
    if (watch.signed === undefined) throw new Error('npm oauth sent nothing');
    expect(watch.signed.sent).toMatchObject({ contentType: FORM });
    expect(uriAndParameters(watch.signed.baseString)).toEqual(['https://ads.example.com/x', '']);
    const ours = receive({ ...watch.signed.sent, body: 'a=1' }, plain);
    expect(uriAndParameters(ours.baseString)).toEqual(['https://ads.example.com/x', 'a=1']);
    expect(ours.given).not.toBe(ours.expected);
  });

  test('a parameter called hasOwnProperty throws', () => {
    expect(() => signWithNpm({ ...plain, query: '?hasOwnProperty=1' })).toThrow(/hasOwnProperty/);
  });
});

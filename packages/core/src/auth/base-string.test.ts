import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  baseStringUri,
  canonicalBase,
  normalizeParameters,
  receivedBaseString,
  signatureBaseString,
  signingKey,
} from './base-string.ts';
import { coveredPairs } from './covered.ts';
import { formPairs, type Pair, percentEncode } from './percent.ts';
import { usualHeader } from './testing/requests.ts';

describe('baseStringUri', () => {
  test.each([
    // RFC 5849 section 3.4.1.2
    ['http://EXAMPLE.COM:80', '/r%20v/X', 'http://example.com/r%20v/X'],
    ['https://www.example.net:8080', '/', 'https://www.example.net:8080/'],
    ['HTTPS://Example.com:443', '/a', 'https://example.com/a'],
    ['http://example.com:443', '/a', 'http://example.com:443/a'],
    ['https://example.com:80', '/a', 'https://example.com:80/a'],
    ['https://example.com:', '/a', 'https://example.com/a'],
    ['http://example.com:0080', '/a', 'http://example.com/a'],
    ['http://user:secret@example.com:8000', '/a', 'http://example.com:8000/a'],
    ['http://127.0.0.1:8001', '', 'http://127.0.0.1:8001/'],
    ['http://[::1]:80', '/a', 'http://[::1]/a'],
    ['http://[2001:DB8::1]:8000', '/a', 'http://[2001:db8::1]:8000/a'],
    // A prefix that a reverse proxy strips is part of what the client signed.
    ['https://Example.com/Ads', '/12/accounts', 'https://example.com/Ads/12/accounts'],
    ['https://Example.com:443/Ads/v%31/', '/12', 'https://example.com/Ads/v%31/12'],
    ['https://example.com/', '/12', 'https://example.com/12'],
    // The path is signed as sent: nothing is decoded, encoded, folded or resolved.
    ['http://example.com', '/A/%7e/%7E/~//../x;y=1/', 'http://example.com/A/%7e/%7E/~//../x;y=1/'],
  ])('%s and %j give %s', (origin, path, uri) => {
    expect(baseStringUri(origin, path)).toBe(uri);
  });

  test.each([
    '',
    'example.com',
    'ftp://example.com',
    'http://',
    'http://a b',
    'http://a b/',
    'http://a\n',
    'http://a?b',
    'http://a/b?c',
    'http://a/b#c',
    'http://a:x',
    'http://a:123456',
    'http://[::1',
    'http://a"b',
  ])('%j is not a base URL: reported, and signing with it throws', (base) => {
    expect(canonicalBase(base)).toBeUndefined();
    expect(() => baseStringUri(base, '/')).toThrow(TypeError);
  });

  test('a canonical base stays as it is', () => {
    for (const base of ['http://EXAMPLE.COM:80', 'https://x:8443', 'http://[::1]:9', 'https://me:pw@X/Y/']) {
      const canonical = canonicalBase(base) ?? '';
      expect(canonical).not.toBe('');
      expect(canonicalBase(canonical)).toBe(canonical);
    }
  });
});

describe('normalizeParameters', () => {
  test('RFC 5849 section 3.4.1.3.2', () => {
    expect(
      normalizeParameters([
        ['b5', '=%3D'],
        ['a3', 'a'],
        ['c@', ''],
        ['a2', 'r b'],
        ['oauth_consumer_key', '9djdj82h48djs9d2'],
        ['oauth_token', 'kkk9d7dh3k39sjv7'],
        ['oauth_signature_method', 'HMAC-SHA1'],
        ['oauth_timestamp', '137131201'],
        ['oauth_nonce', '7d8f3e4a'],
        ['c2', ''],
        ['a3', '2 q'],
      ]),
    ).toBe(
      'a2=r%20b&a3=2%20q&a3=a&b5=%3D%253D&c%40=&c2=&oauth_consumer_key=9djdj82h48djs9d2&oauth_nonce=7d8f3e4a' +
        '&oauth_signature_method=HMAC-SHA1&oauth_timestamp=137131201&oauth_token=kkk9d7dh3k39sjv7',
    );
  });

  test.each<[string, Pair[], string]>([
    [
      'a name before a longer one, though "=" sorts after digits',
      [
        ['a1', ''],
        ['a', 'z'],
      ],
      'a=z&a1=',
    ],
    [
      'a name before one that continues with "-"',
      [
        ['a-', ''],
        ['a', 'z'],
      ],
      'a=z&a-=',
    ],
    [
      'by encoded text, not raw text: "%7B" before "z"',
      [
        ['z', ''],
        ['{', ''],
      ],
      '%7B=&z=',
    ],
    [
      'encoded values: "%C3%A9" before "f"',
      [
        ['a', 'f'],
        ['a', 'é'],
      ],
      'a=%C3%A9&a=f',
    ],
    [
      'astral before U+FFFD in UTF-16 but after it in UTF-8',
      [
        ['a', '😀'],
        ['a', '\uFFFD'],
      ],
      'a=%EF%BF%BD&a=%F0%9F%98%80',
    ],
    [
      'upper case before lower case, no locale',
      [
        ['b', ''],
        ['B', ''],
        ['a', ''],
        ['C', ''],
      ],
      'B=&C=&a=&b=',
    ],
    [
      'values as text: 10 before 9',
      [
        ['a', '9'],
        ['a', '10'],
      ],
      'a=10&a=9',
    ],
    [
      'equal pairs are kept twice',
      [
        ['a', '1'],
        ['a', '1'],
      ],
      'a=1&a=1',
    ],
    [
      'empty name and value',
      [
        ['a', ''],
        ['', ''],
      ],
      '=&a=',
    ],
    ['nothing', [], ''],
  ])('%s', (_, pairs, normalized) => {
    expect(normalizeParameters(pairs)).toBe(normalized);
  });

  test('keeps every pair, sorted by bytes of name and then value, whatever the order they come in', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'b', '1', '-', '~', '=', '&', '%', ' ', '+', 'é', '\uFFFD', '😀'),
      maxLength: 3,
    });
    const list = fc.array(fc.tuple(text, text), { maxLength: 12 });
    fc.assert(
      fc.property(list, (pairs) => {
        const normalized = normalizeParameters(pairs);
        expect(normalizeParameters([...pairs].reverse())).toBe(normalized);
        const pieces = normalized === '' ? [] : normalized.split('&').map((piece) => piece.split('='));
        expect(pieces).toHaveLength(pairs.length);
        // NUL sorts before everything, so joining by it turns "name, then value" into one plain comparison of bytes.
        const keys = pieces.map(([name, value]) => `${name}\0${value}`);
        const expected = pairs.map(([name, value]) => `${percentEncode(name)}\0${percentEncode(value)}`);
        expect(keys).toEqual(expected.sort());
      }),
      { seed: 3, numRuns: 2000 },
    );
  });
});

describe('signatureBaseString and signingKey', () => {
  test('the reference, vector 2', () => {
    const normalized = normalizeParameters([
      ['oauth_callback', 'https://app.example.com/cb?x1=1'],
      ['oauth_consumer_key', 'ck_0123456789abcdef'],
      ['oauth_nonce', 'n0nceABC124'],
      ['oauth_signature_method', 'HMAC-SHA1'],
      ['oauth_timestamp', '1700000001'],
      ['oauth_version', '1.0'],
    ]);
    const uri = baseStringUri('https://api.example.com', '/oauth/request_token');
    expect(signatureBaseString('post', uri, normalized)).toBe(
      'POST&https%3A%2F%2Fapi.example.com%2Foauth%2Frequest_token&oauth_callback%3Dhttps%253A%252F%252Fapp.example.com%252Fcb%253Fx1%253D1%26oauth_consumer_key%3Dck_0123456789abcdef%26oauth_nonce%3Dn0nceABC124%26oauth_signature_method%3DHMAC-SHA1%26oauth_timestamp%3D1700000001%26oauth_version%3D1.0',
    );
  });

  test('the key ends in & even without a token secret, and encodes both secrets', () => {
    expect(signingKey('cs_secret/Value')).toBe('cs_secret%2FValue&');
    expect(signingKey('cs_secret/Value', '')).toBe('cs_secret%2FValue&');
    expect(signingKey('cs_secret/Value', 'ts_secret&Value')).toBe('cs_secret%2FValue&ts_secret%26Value');
  });
});

test('the base string of a received request is the one that is put together from its parts', () => {
  const text = fc.string({
    unit: fc.constantFrom('a', 'B', '1', '-', '~', '=', '&', '%', ' ', '/', "'", 'é', '😀', '\uD800'),
  });
  const path = fc.oneof(
    fc.string({ unit: fc.constantFrom('a', 'Z', '0', '/', '.', '_') }),
    fc.string({ unit: fc.constantFrom('a', '/', '%7E', '%2f', ';', '=', '!', "'", '~', ':', '+') }),
  );
  const named = fc.constantFrom('oauth_token', 'oauth_nonce', 'a', 'a1', 'a-', 'count');
  const pairs = fc.array(fc.tuple(fc.oneof(named, text), text), { maxLength: 60, size: 'max' });
  const base = fc.constantFrom('http://example.com', 'https://[::1]:8000/a%20b', 'http://a.test:8001/x~y');
  fc.assert(
    fc.property(fc.constantFrom('GET', 'POST'), base, path, pairs, (method, origin, at, list) => {
      const parts = signatureBaseString(method, baseStringUri(origin, at), normalizeParameters(list));
      expect(receivedBaseString(method, percentEncode(origin), at, coveredPairs(list))).toBe(parts);
    }),
  );
});

test('so is one of which the parameters of the header are known', () => {
  const own = fc.oneof(
    fc.constantFrom('', 'a', 'B', 'count', 'oauth', 'oauth-', 'oauthA', 'oauth~', 'q', 'with_total_count', 'é'),
    fc.string({ unit: fc.constantFrom('a', 'o', 'z', '_', '%', ' ', '{'), maxLength: 3 }),
  );
  const value = fc.string({ unit: fc.constantFrom('a', '{', '"', '%', "'", ' ', 'é'), maxLength: 4 });
  const others = fc.oneof(
    fc.array(fc.tuple(own, value), { maxLength: 5 }),
    fc
      .uniqueArray(own, { maxLength: 5 })
      .chain((names) => fc.tuple(...names.sort().map((name) => fc.tuple(fc.constant(name), value)))),
  );
  const { header, pairs: inHeader } = usualHeader();
  fc.assert(
    fc.property(others, (list) => {
      const pairs = [...inHeader, ...list];
      const parts = signatureBaseString('GET', baseStringUri('http://example.com', '/a'), normalizeParameters(pairs));
      const covered = { header, pairs: list, query: undefined };
      expect(receivedBaseString('GET', percentEncode('http://example.com'), '/a', covered)).toBe(parts);
    }),
    { numRuns: 2000 },
  );
});

test('so is one of which the query is known as it was sent', () => {
  const named = fc.constantFrom('a', 'b', 'B', 'p', 'oauth', 'oauthz', '%61', '%7B', '');
  const triplet = fc
    .integer({ min: 0, max: 127 })
    .map((code) => `%${code.toString(16).toUpperCase().padStart(2, '0')}`);
  const piece = fc.oneof(fc.constantFrom('a', '-', '~', '+', "'", ':', '%7b', '%C3%A9', '=', ''), triplet);
  const pair = fc.tuple(named, fc.constantFrom('=', '=', '=', ''), fc.array(piece, { maxLength: 3 }));
  const query = fc
    .array(pair, { minLength: 1, maxLength: 3 })
    .map((all) => all.map((each) => each.flat().join('')).join('&'));
  const { header, pairs: inHeader } = usualHeader();
  fc.assert(
    fc.property(query, (sent) => {
      const list = formPairs(sent, 10);
      if (!Array.isArray(list)) return;
      const pairs = [...inHeader, ...list];
      const parts = signatureBaseString('GET', baseStringUri('http://example.com', '/a'), normalizeParameters(pairs));
      const covered = { header, pairs: list, query: sent };
      expect(receivedBaseString('GET', percentEncode('http://example.com'), '/a', covered)).toBe(parts);
    }),
    { numRuns: 5000 },
  );
});

test('so is one of which two lists follow each other, both in order or nearly', () => {
  const names = fc.uniqueArray(fc.constantFrom('', 'a', 'a1', 'B', 'count', 'oauth_nonce', 'oauth_token', 'q', 'z'));
  const lists = fc.tuple(names, names, fc.boolean()).map(([one, other, isSorted]) => {
    const both = isSorted ? [[...one].sort(), [...other].sort()] : [one, other];
    return both.flat().map((name, at) => [name, `${at % 3}`] as const);
  });
  fc.assert(
    fc.property(lists, (list) => {
      const parts = signatureBaseString('GET', baseStringUri('http://example.com', '/a'), normalizeParameters(list));
      expect(receivedBaseString('GET', percentEncode('http://example.com'), '/a', coveredPairs(list))).toBe(parts);
    }),
    { numRuns: 1000 },
  );
});

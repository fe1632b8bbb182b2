import { costRatio } from '@broadside/cost-ratio';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { receivedBaseString } from './base-string.ts';
import { coveredPairs, coveredParameters } from './covered.ts';
import { HeaderForms } from './header-forms.ts';
import { parseRequest, type ReceivedRequest } from './parse.ts';
import { percentEncode } from './percent.ts';
import { PARSE_LIMITS } from './places.ts';
import { FORM, PROTOCOL, protocol, USUAL_HEADER as USUAL } from './testing/requests.ts';

/** Headers that differ from the usual one in values have its form. */
const learned = (...headers: readonly string[]) => {
  const forms = new HeaderForms();
  for (const header of headers) for (let sent = 0; sent < 16; sent += 1) forms.learn(header);
  return forms;
};

test('a header is read by its form only once a header of that form was read', () => {
  expect(new HeaderForms().read(USUAL)).toBeUndefined();
  expect(learned(USUAL).read(USUAL.replace('n0nce', 'other'))?.oauth.nonce).toBe('other');
});

test('its parameters are known as a base string has them, whatever else the signature covers', () => {
  const sent = { method: 'GET', target: '/x', authorization: USUAL };
  for (let times = 0; times < 17; times += 1) parseRequest(sent);
  const read = parseRequest(sent);
  const { header } = read.covered;
  const whole = receivedBaseString('GET', 'base', '/x', coveredPairs(coveredParameters(read.covered)));
  expect(`GET&base%2Fx&${header?.encoded}`).toBe(whole);
  expect(read.covered).toEqual({ header, pairs: [], query: undefined });
  const others = [['a', '1']];
  expect(parseRequest({ ...sent, target: '/x?a=1' }).covered).toEqual({ header, pairs: others, query: 'a=1' });
  const posted = { ...sent, method: 'POST', contentType: FORM, body: 'a=1' };
  expect(parseRequest(posted).covered).toEqual({ header, pairs: others, query: undefined });
  // Not all of them are of the query.
  const { covered } = parseRequest({ ...posted, target: '/x?b=1' });
  expect(covered).toEqual({ header, pairs: [['b', '1'], ...others], query: undefined });
});

describe('not read by a form, and left to be read in full, is a header with', () => {
  test.each([
    ['another order', `OAuth ${USUAL.slice(6).split(', ').reverse().join(', ')}`],
    ['other punctuation', USUAL.replaceAll(', ', ',')],
    ['a realm', USUAL.replace('OAuth ', 'OAuth realm="x", ')],
    ['a parameter more', `${USUAL}, oauth_callback="oob"`],
    ['a parameter twice', `${USUAL}, oauth_token="12-tok"`],
    ['a parameter of its own', `${USUAL}, x_mode="a"`],
    ['an empty value', USUAL.replace('12-tok', '')],
    ['an encoded value', USUAL.replace('12-tok', '12%2Dtok')],
    ['a value that has to be encoded', USUAL.replace('12-tok', '12+tok')],
    ['a signature that is no text', USUAL.replace('%2B', '%ff')],
    ['another method', USUAL.replace('HMAC-SHA1', 'PLAINTEXT')],
    ['another version', USUAL.replace('"1.0"', '"1.1"')],
    ['a dot that stands for any character', USUAL.replace('"1.0"', '"1x0"')],
    ['milliseconds', USUAL.replace('1700000000', '1700000000000')],
    ['a nonce that is too long', USUAL.replace('n0nce', 'n'.repeat(257))],
    ['text after it', `${USUAL}\n`],
    ['more characters than are read', USUAL.replace('12-tok', 't'.repeat(PARSE_LIMITS.headerLength))],
  ])('%s', (_, header) => {
    expect(learned(USUAL).read(header)).toBeUndefined();
  });
});

test('forms used last are kept, and unusual headers take the place of none', () => {
  const spelled = Array.from({ length: 6 }, (_, spaces) => USUAL.replaceAll(', ', `,${' '.repeat(spaces)}`));
  const forms = learned(...spelled, `${USUAL}, oauth_callback="oob"`);
  expect(spelled.map((header) => forms.read(header) !== undefined)).toEqual([false, false, true, true, true, true]);
  expect(forms.read(spelled[2] ?? '')).toBeDefined();
  for (let sent = 0; sent < 16; sent += 1) forms.learn(spelled[0] ?? '');
  expect(forms.read(spelled[2] ?? ''), 'used before the others').toBeDefined();
  expect(forms.read(spelled[3] ?? '')).toBeUndefined();
});

describe('no form is made of a header with', () => {
  test.each([
    ['a name of other characters', USUAL.replace('OAuth ', 'OAuth X="1", ')],
    ['such a name at the end', `${USUAL}, x-1="1"`],
    ['a name that ends like one of the protocol', USUAL.replace('oauth_token', 'Xoauth_token')],
    ['an encoded name', USUAL.replace('oauth_token', 'oauth%5Ftoken')],
    ['a realm in upper case', USUAL.replace('OAuth ', 'OAuth REALM="x", ')],
    ['blanks before an equals sign', USUAL.replace('token=', 'token =')],
    ['another scheme', USUAL.replace('OAuth ', 'Other ')],
    ['text after it', `${USUAL} x`],
    ['a name that objects inherit', `${USUAL}, __proto__="o"`],
  ])('%s', (_, header) => {
    expect(learned(header).read(header)).toBeUndefined();
  });
});

test.each<[string, (length: number) => string]>([
  ['letters in a value', (length) => `${USUAL}, X="${'a'.repeat(length)}"`],
  ['letters before an equals sign', (length) => `${USUAL}, X="${'a'.repeat(length)}="`],
  ['a long name', (length) => `${USUAL}, ${'a'.repeat(length)}=""`],
  ['letters at the end', (length) => `${USUAL}, ${'a'.repeat(length)}`],
  ['percent signs', (length) => `${USUAL}, X="${'%25'.repeat(length / 3)}"`],
  ['escaped quotes', (length) => USUAL.replace('OAuth ', `OAuth realm="${'\\"'.repeat(length / 2)}", `)],
  ['backslashes', (length) => USUAL.replace('OAuth ', `OAuth realm="${'\\\\'.repeat(length / 2)}", `)],
  ['blanks', (length) => USUAL.replace('OAuth ', `OAuth ${' '.repeat(length)}`)],
  ['commas', (length) => USUAL.replaceAll(', ', `,${','.repeat(length / 6)}`)],
  ['commas and no end', (length) => `${USUAL}${','.repeat(length)};`],
])('reading a header with %s takes a time that grows with its length alone', async (_, headerOf) => {
  const reading = (length: number) => {
    // All of them differ, or they would be read by the form of the first one.
    const headers = Array.from({ length: 64 }, (_, less) => headerOf(length - less));
    return () => {
      for (const authorization of headers) parseRequest({ method: 'GET', target: '/', authorization });
    };
  };
  const [work, reference] = [reading(7_600), reading(1_900)];
  work();
  reference();
  expect(await costRatio(work, reference, 9)).toBeLessThan(9);
});

/** What a request is read as does not depend on what was read before. */
describe('whatever was read before, a request is read', () => {
  const value = fc.oneof(
    fc.stringMatching(/^[A-Za-z0-9\-._~]{1,12}$/),
    fc.constantFrom(
      'HMAC-SHA1',
      'HMAC-SHA256',
      '1700000000',
      '1.0',
      'a b',
      'é',
      '',
      '%',
      '"',
      '\\',
      'niD0xXlaij4+ykcR=',
    ),
  );
  const request = fc.record({
    changes: fc.dictionary(fc.constantFrom(...PROTOCOL.map(([name]) => name)), value, { maxKeys: 2 }),
    raw: fc.boolean(),
    query: fc.constantFrom('', '?count=2', '?name=1&name=0', '?oauth_token=12-tok', '?oauth_x=1&b=%zz'),
    body: fc.constantFrom(undefined, 'name=a+b', 'name=2&name=1', 'oauth_nonce=1'),
    version: fc.boolean(),
  });
  test('in full and by its form alike', () => {
    const before = readByForm;
    fc.assert(
      fc.property(request, ({ changes, raw, query, body, version }) => {
        const pairs = protocol({ oauth_nonce: 'n0nce', ...changes, ...(version ? {} : { oauth_version: undefined }) });
        const written = pairs.map(([name, text]) => `${name}="${raw ? text : percentEncode(text)}"`);
        const input = { method: 'POST', target: `/x${query}`, authorization: `OAuth ${written.join(', ')}`, body };
        learn(USUAL);
        expectReadAlike({ ...input, contentType: FORM });
      }),
      { seed: 3, numRuns: 1_000 },
    );
    // Otherwise what is compared would be the reading in full with itself.
    expect(readByForm - before).toBeGreaterThan(20);
  });

  /** Names of all kinds: of the protocol, spelled as it never is, such that they end like one of it, and any. */
  const name = fc.oneof(
    fc.constantFrom(...PROTOCOL.map(([own]) => own)),
    fc.constantFrom('oauth_callback', 'oauth_x', 'OAUTH_TOKEN', 'oauth%5Ftoken', '%6Fauth_nonce', 'realm', 'Realm'),
    fc
      .tuple(fc.constantFrom('X', '1', '-', 'a.', '%41', '~', 'x_'), fc.constantFrom(...PROTOCOL))
      .map(([before, [own]]) => `${before}${own}`),
    fc.stringMatching(/^[!#$&'*+\-.^_`|~0-9A-Za-z]{1,8}$/),
  );
  const text = fc.constantFrom('t', '1', '', '%20a', '%zz', 'a, oauth_token=', 'é', '\\"', '\\", oauth_token=\\"z');
  /** Mostly the usual choice, so that many headers are right. */
  const mostly = (usual: string, ...others: readonly string[]) =>
    fc.oneof({ weight: 8, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...others) });
  const usualPairs = PROTOCOL.map(([own, text]): [string, string] => [
    own,
    own === 'oauth_nonce' ? 'n0nce' : percentEncode(text),
  ]);
  const header = fc
    .record({
      more: fc.array(fc.tuple(name, text), { maxLength: 2 }),
      left: fc.subarray(usualPairs, { minLength: usualPairs.length - 1 }),
    })
    .chain(({ more, left }) => {
      const pairs = [...left, ...more];
      return fc.tuple(
        mostly('OAuth ', 'OAuth\t  ', 'oauth ', ' OAuth ', 'OAuth ,', 'OAuth', 'Other '),
        fc.shuffledSubarray(pairs, { minLength: pairs.length }),
        fc.array(fc.tuple(mostly(', ', ',', ' ,\t', ',,', ' ', '', ';'), mostly('="', ' ="', '= "', '=')), {
          minLength: pairs.length,
          maxLength: pairs.length,
        }),
        mostly('', ',', ' \t', ' x', '"'),
      );
    })
    .map(([scheme, pairs, punctuation, end]) => {
      const written = pairs.map(([own, text], at) => {
        const [gap, equals] = punctuation[at] ?? ['', ''];
        return `${at === 0 ? '' : gap}${own}${equals}${text}"`;
      });
      return `${scheme}${written.join('')}${end}`;
    });

  test.each([
    [`OAuth X="1", ${USUAL.slice('OAuth '.length)}`],
    [USUAL.replace('oauth_token', 'Xoauth_token')],
    [USUAL.replace(', oauth_timestamp', ', x-oauth_version="1.0", oauth_timestamp')],
  ])('alike after its own form was learned: %s', (authorization) => {
    learn(authorization);
    expectReadAlike({ method: 'GET', target: '/x', authorization });
  });

  test('alike after its own form was learned, whatever its names and its punctuation are', () => {
    const before = readByForm;
    fc.assert(
      fc.property(
        header,
        fc.constantFrom('/x', '/x?oauth_token=12-tok', '/x?a=1', '/x?a=%7B%22&b=', '/x?a=%7b', '/x?z=1&b'),
        (authorization, target) => {
          learn(authorization);
          for (const sent of [authorization, authorization.replaceAll('n0nce', 'another'), USUAL]) {
            expectReadAlike({ method: 'GET', target, authorization: sent });
          }
        },
      ),
      { numRuns: 1_000 },
    );
    expect(readByForm - before).toBeGreaterThan(100);
  });

  let readByForm = 0;

  /** Reads a header so often that its form is known, if it has one. */
  function learn(authorization: string): void {
    for (let times = 0; times < 17; times += 1) parseRequest({ method: 'GET', target: '/', authorization });
  }

  function expectReadAlike(sent: ReceivedRequest): void {
    // Limits that are equal, but others, are never those of forms.
    const full = parseRequest(sent, { ...PARSE_LIMITS });
    const whole = receivedBaseString('', '', '/', full.covered);
    for (const read of [parseRequest(sent), parseRequest(sent)]) {
      if (read.covered.header !== undefined) readByForm += 1;
      expect(coveredParameters(read.covered)).toEqual(coveredParameters(full.covered));
      expect({ ...read, covered: full.covered }).toEqual(full);
      expect(receivedBaseString('', '', '/', read.covered)).toBe(whole);
    }
  }
});

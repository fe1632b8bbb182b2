import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { receivedBaseString } from './base-string.ts';
import { HeaderForms } from './header-forms.ts';
import { parseRequest } from './parse.ts';
import { percentEncode } from './percent.ts';
import { PARSE_LIMITS } from './places.ts';
import { FORM, HEADER, PROTOCOL, protocol } from './testing/requests.ts';

/** Headers that differ from these in values have their form. */
const USUAL = HEADER.replace('n0nce%2B%2F%3D', 'n0nce');
const learned = (...headers: readonly string[]) => {
  const forms = new HeaderForms();
  for (const header of headers) for (let sent = 0; sent < 16; sent += 1) forms.learn(header);
  return forms;
};

test('a header is read by its form only once a header of that form was read', () => {
  expect(new HeaderForms().read(USUAL)).toBeUndefined();
  expect(learned(USUAL).read(USUAL.replace('n0nce', 'other'))?.oauth.nonce).toBe('other');
});

test('its parameters are known as a base string has them, unless the signature covers others', () => {
  const sent = { method: 'GET', target: '/x', authorization: USUAL };
  for (let times = 0; times < 17; times += 1) parseRequest(sent);
  const { encodedParameters, parameters } = parseRequest(sent);
  expect(`GET&base%2Fx&${encodedParameters}`).toBe(receivedBaseString('GET', 'base', '/x', parameters));
  expect(parseRequest({ ...sent, target: '/x?a=1' }).encodedParameters).toBeUndefined();
  const posted = { ...sent, method: 'POST', contentType: FORM, body: 'a=1' };
  expect(parseRequest(posted).encodedParameters).toBeUndefined();
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
    query: fc.constantFrom('', '?count=2', '?oauth_token=12-tok', '?oauth_x=1&b=%zz'),
    body: fc.constantFrom(undefined, 'name=a+b', 'oauth_nonce=1'),
    version: fc.boolean(),
  });
  test('in full and by its form alike', () => {
    fc.assert(
      fc.property(request, ({ changes, raw, query, body, version }) => {
        const pairs = protocol({ oauth_nonce: 'n0nce', ...changes, ...(version ? {} : { oauth_version: undefined }) });
        const written = pairs.map(([name, text]) => `${name}="${raw ? text : percentEncode(text)}"`);
        const input = { method: 'POST', target: `/x${query}`, authorization: `OAuth ${written.join(', ')}`, body };
        const sent = { ...input, contentType: FORM };
        // Limits that are equal, but others, are never those of forms.
        const full = parseRequest(sent, { ...PARSE_LIMITS });
        for (let times = 0; times < 17; times += 1) parseRequest({ ...sent, authorization: USUAL });
        for (const { encodedParameters, ...read } of [parseRequest(sent), parseRequest(sent)]) {
          expect(read).toEqual(full);
          if (encodedParameters === undefined) continue;
          expect(encodedParameters).toBe(receivedBaseString('', '', '/', full.parameters).slice('&%2F&'.length));
        }
      }),
    );
  });
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJson } from './json.ts';
import { findJsonFault } from './json-bounds.ts';
import { readPlainTexts } from './plain-texts.ts';

test.each(['{"account_id":"18ce54d4x5t","campaign_id":"8u94t"}', '{"q":"","name":"Große Fässer, 100 %: {[\u2028😀"}'])(
  'reads %s',
  (text) => {
    expect(readPlainTexts(text)).toEqual(JSON.parse(text));
  },
);

test.each([
  '',
  '{}',
  '{"a":"b"',
  '{"a":"b"}}',
  '{"a":"b",}',
  '{"a":"b" }',
  '{"a":1}',
  '{"a":"b","a":"c"}',
  '{"__proto__":"b"}',
  '{"_a":"b"}',
  '{"$":"b"}',
  '{"A":"b"}',
  '{"":"b"}',
  '{"a":"\\u0041"}',
  '{"a":"\u0001"}',
  '{"a":"b}',
  '{"a":"}',
  '{"a:"b"}',
  '["a"]',
  '"a"',
])('leaves %j to others', (text) => {
  expect(readPlainTexts(text)).toBeUndefined();
});

test('names are those of the caller where it has them', () => {
  const names = new Map([['account_id', 'known']]);
  expect(readPlainTexts('{"account_id":"a","other":"b"}', names)).toEqual({ known: 'a', other: 'b' });
  expect(readPlainTexts('{"account_id":"a","account_id":"b"}', names)).toBeUndefined();
});

test('what it reads is what JSON says, within the bounds', () => {
  const piece = fc.constantFrom(
    '{',
    '}',
    '"',
    ':',
    ',',
    '"a"',
    '"b":"c"',
    '"a":"',
    '\\',
    '\n',
    ' ',
    'é',
    '1',
    '[',
    ']',
  );
  const text = fc.array(piece, { maxLength: 10 }).map((pieces) => `{"a":"${pieces.join('')}}`);
  const object = fc.dictionary(fc.constantFrom('a', 'b', 'c_d', '$', 'E'), fc.string({ unit: 'binary', maxLength: 6 }));
  let read = 0;
  fc.assert(
    fc.property(
      fc.oneof(
        text,
        object.map((value) => JSON.stringify(value)),
      ),
      (json) => {
        const found = readPlainTexts(json);
        if (found === undefined) return;
        read += 1;
        expect(found).toEqual(parseJson(json));
        expect(findJsonFault(json)).toBeUndefined();
      },
    ),
    { seed: 6, numRuns: 3000 },
  );
  // Otherwise the property would be untested.
  expect(read).toBeGreaterThan(100);
});

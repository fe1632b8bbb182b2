import { costRatio } from '@broadside/cost-ratio';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseJson, stringifyJson } from './json.ts';
import {
  findJsonFault,
  MAX_JSON_DEPTH,
  MAX_JSON_ESCAPES,
  MAX_JSON_VALUES,
  MAX_NUMBER_LENGTH,
  readJson,
  readJsonInSteps,
} from './json-bounds.ts';

const list = (count: number) => `[${Array(count).fill('1').join(',')}]`;

describe('what is read', () => {
  test('whatever JSON.parse reads within the bounds is read the same way', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const text = stringifyJson(value);
        fc.pre(findJsonFault(text) === undefined);
        expect(readJson(text)).toEqual({ ok: true, value: parseJson(text) });
      }),
    );
  });

  test('any text gives a value or a fault, never an exception', () => {
    const piece = fc.constantFrom(
      '"',
      '\\',
      '{',
      '}',
      '[',
      ']',
      ':',
      ',',
      '1',
      '-',
      'e',
      ' ',
      '\n',
      'a',
      'true',
      '\\u0061',
      '\u{1f600}',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const text = pieces.join('');
        let parsed: unknown;
        try {
          parsed = { value: JSON.parse(text) };
        } catch {}
        const read = readJson(text);
        if (read.ok) expect({ value: read.value }).toEqual(parsed);
        else if (parsed !== undefined) expect(read.fault?.reason).toBe('duplicate name');
      }),
      { numRuns: 2000 },
    );
  });

  test('names are compared as they are read, also where blanks precede the colon', () => {
    expect(findJsonFault('{"a" \n:1,"\\u0061":2}')).toEqual({ reason: 'duplicate name', name: 'a' });
    expect(findJsonFault('{"a":"a","b":["a","a"],"c":{"a":"a"}}')).toBeUndefined();
    expect(findJsonFault('{"a\\\\":1,"a":2}')).toBeUndefined();
  });
});

test('strings end where JSON says, however many quotes and backslashes they have', () => {
  const text = fc.string({ unit: fc.constantFrom('"', '\\', '\u0001', 'a'), maxLength: 300 });
  fc.assert(
    fc.property(text, (value) => {
      const fault = findJsonFault(`{"first":${JSON.stringify(value)},"again":1,"again":2}`);
      expect(fault).toEqual({ reason: 'duplicate name', name: 'again' });
    }),
  );
});

test('a large text is read in steps, wherever its length is from', () => {
  const many = (unit: string, size: number) => unit.repeat(Math.floor(size / unit.length));
  const texts = [
    `["${many('\\u0041', 1_000_000)}"]`,
    `["${many('\\"', 1_000_000)}"]`,
    `["${many(`\\n${'x'.repeat(100)}`, 1_000_000)}"]`,
    `[${many('1,', 16_000)}1]`,
    `{"a":${many('[', 20)}${many('"",', 27_000)}""${many(']', 20)}}`,
  ];
  for (const text of texts) {
    const steps = readJsonInSteps(text);
    let count = 0;
    let result = steps.next();
    for (; !result.done; result = steps.next()) count += 1;
    expect(count, text.slice(0, 20)).toBeGreaterThanOrEqual(4);
    expect(result.value).toEqual({ ok: true, value: JSON.parse(text) });
  }
});

test('numbers are exact beside texts of digits', () => {
  const value = { id: '1461268670054410334', count: 1461268670054410335n, pages: [1, 2.5, -9223372036854775808n] };
  expect(readJson(stringifyJson(value))).toEqual({ ok: true, value });
  const texts = { id: '1461268670054410334', text: '\\1461268670054410334"', count: 1 };
  expect(readJson(JSON.stringify(texts))).toEqual({ ok: true, value: texts });
});

describe('bounds', () => {
  test('depth', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    expect(readJson(nested(MAX_JSON_DEPTH)).ok).toBe(true);
    expect(readJson(nested(MAX_JSON_DEPTH + 1))).toEqual({ ok: false, fault: { reason: 'too deep' } });
  });

  test('escapes, in all texts together', () => {
    const texts = (count: number) => `["a${'\\"'.repeat(count - 2)}","${'b'.repeat(100)}\\n${'b'.repeat(100)}\\u0041"]`;
    expect(readJson(texts(MAX_JSON_ESCAPES)).ok).toBe(true);
    expect(readJson(texts(MAX_JSON_ESCAPES + 1))).toEqual({ ok: false, fault: { reason: 'too many escapes' } });
    // Each character of the largest body may be written as an escape.
    expect(readJson(`"${'\\u0041'.repeat(833_000)}"`).ok).toBe(true);
  });

  test('signs that are no values', () => {
    for (const sign of [':', '"" ', ': ""']) {
      expect(findJsonFault(sign.repeat(6 * MAX_JSON_VALUES + 1))).toEqual({ reason: 'too many values' });
    }
  });

  test('members and elements, counted together', () => {
    expect(readJson(list(MAX_JSON_VALUES - 1)).ok).toBe(true);
    expect(readJson(list(MAX_JSON_VALUES + 2))).toEqual({ ok: false, fault: { reason: 'too many values' } });
    expect(readJson(list(100), 10)).toEqual({ ok: false, fault: { reason: 'too many values' } });
  });

  test('digits', () => {
    expect(readJson(`[${'1'.repeat(MAX_NUMBER_LENGTH)}]`).ok).toBe(true);
    for (const number of [
      `${'1'.repeat(MAX_NUMBER_LENGTH + 1)}`,
      `-0.${'0'.repeat(MAX_NUMBER_LENGTH)}`,
      `1e${'0'.repeat(200)}1`,
    ]) {
      expect(readJson(`{"a":${number}}`)).toEqual({ ok: false, fault: { reason: 'long number' } });
    }
  });
});

const forms: Readonly<Record<string, (bytes: number) => string>> = {
  'a number': (bytes) => '1'.repeat(bytes),
  'open arrays': (bytes) => '['.repeat(bytes),
  'empty objects': (bytes) => `[${'{},'.repeat(bytes / 3)}{}]`,
  names: (bytes) => `{${Array.from({ length: bytes / 10 }, (_, i) => `"k${i}":1`).join(',')}}`,
  'a text': (bytes) => `"${'a'.repeat(bytes)}"`,
  'escaped quotes': (bytes) => `"${'\\"'.repeat(bytes / 2)}"`,
  'an escape now and then': (bytes) => `"${`${'a'.repeat(98)}\\n`.repeat(bytes / 100)}"`,
  'texts without escapes, and one at the end': (bytes) => `[${`"${'a'.repeat(97)}",`.repeat(bytes / 100)}"\\n"]`,
  backslashes: (bytes) => `"${'\\\\'.repeat(bytes / 2)}"`,
  blanks: (bytes) => `${' '.repeat(bytes)}1`,
  'texts and blanks': (bytes) => '"" '.repeat(bytes / 3),
  colons: (bytes) => `{${':'.repeat(bytes)}}`,
  'no JSON after many lines': (bytes) => `{"a":"${'\\n'.repeat(bytes / 4)}",${'\n'.repeat(bytes / 2)}x`,
  'no JSON at all': (bytes) => 'x'.repeat(bytes),
};

describe('the time that verifying any text takes grows no faster than its length', () => {
  test.each(Object.entries(forms))('%s', async (_name, form) => {
    // Flat, as a body that was received.
    const flat = (bytes: number) => Buffer.from(form(bytes)).toString();
    const [small, large] = [flat(150_000), flat(600_000)];
    expect(
      await costRatio(
        () => readJson(large),
        () => readJson(small),
        10,
      ),
    ).toBeLessThan(10);
  });

  test('text of nothing but escaped quotes takes little more than JSON.parse needs for it', async () => {
    const text = Buffer.from(`["${'\\"'.repeat(300_000)}"]`).toString();
    expect(
      await costRatio(
        () => readJson(text),
        () => JSON.parse(text),
        4,
      ),
    ).toBeLessThan(4);
  });
});

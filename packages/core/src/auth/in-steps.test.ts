import { expect, test } from 'vitest';
import { receivedBaseString } from './base-string.ts';
import { coveredPairs } from './covered.ts';
import { formPairsInSteps, receivedBaseInSteps } from './in-steps.ts';
import { formPairs, type Pair } from './percent.ts';

const STEP = 65_536;

/** Runs a generator to its end. */
function run<Step, Result>(steps: Generator<Step, Result>): { made: Step[]; result: Result } {
  const made: Step[] = [];
  for (;;) {
    const { done, value } = steps.next();
    if (done) return { made, result: value };
    made.push(value);
  }
}

const filled = (unit: string, length: number) => unit.repeat(Math.ceil(length / unit.length)).slice(0, length);

/** Values longer than a step, with characters at every place around the ends of steps. */
const values: readonly (readonly [name: string, text: (shift: number) => string])[] = [
  ['plain text', (shift) => filled('abc', 2 * STEP + shift)],
  ['encoded characters of one byte', (shift) => `${'a'.repeat(shift)}${'%2B'.repeat(STEP)}`],
  ['encoded characters of two bytes', (shift) => `${'a'.repeat(shift)}${'%C3%A9'.repeat(STEP / 2)}`],
  ['encoded characters of four bytes', (shift) => `${'a'.repeat(shift)}${'%F0%9F%98%80'.repeat(STEP / 4)}`],
  ['characters beyond the basic plane', (shift) => `${'a'.repeat(shift)}${'😀'.repeat(STEP)}`],
  ['halves of them', (shift) => `${'a'.repeat(shift)}${'\ud83d'.repeat(2 * STEP)}`],
  ['blanks', (shift) => `${'a'.repeat(shift)}${'+'.repeat(2 * STEP)}`],
  ['percent signs that begin nothing', (shift) => `${'a'.repeat(STEP - 8 + shift)}%z${'a'.repeat(STEP)}`],
  ['bytes that are no character', (shift) => `${'a'.repeat(shift)}${'%9F'.repeat(STEP)}`],
  ['a character that lacks its end', (shift) => `${'a'.repeat(STEP - 8 + shift)}%F0%9F%98${'a'.repeat(STEP)}`],
];

test.each(values)('a form with %s is parsed as it is at once', (_, text) => {
  for (let shift = 0; shift < 14; shift++) {
    const form = `a=1&b=${text(shift)}&&c&=x&d=%20`;
    expect(run(formPairsInSteps(form, 10)).result).toEqual(formPairs(form, 10));
  }
});

test('names, many pairs, and limits are as they are at once', () => {
  const long = filled('n%20', 3 * STEP);
  const many = Array.from({ length: 30_000 }, (_, i) => `p${i}=${i}`).join('&');
  for (const form of ['', '&', 'a', `${long}=1`, `${long}`, many, `${many}&`, `a=1&${long}=${long}&b=2`]) {
    for (const limit of [1, 2, 3, 29_999, 30_000, 30_001]) {
      expect(run(formPairsInSteps(form, limit)).result).toEqual(formPairs(form, limit));
    }
  }
});

test('a base string in pieces is the one that is made at once', () => {
  const plain: Pair[] = [
    ['a', "it's *"],
    ['a', ''],
    ['😀', 'é'],
  ];
  for (const [name, text] of values) {
    for (const shift of [0, 1, 5]) {
      const pairs: Pair[] = [['media_data', text(shift)], ...plain, [text(shift + 1), name], ['media_data', text(2)]];
      const where = ['POST', 'https%3A%2F%2Fa.test', '/1.1/media/upload.json'] as const;
      const whole = receivedBaseString(...where, coveredPairs(pairs));
      expect(run(receivedBaseInSteps(...where, pairs)).made.join('') === whole, name).toBe(true);
    }
  }
});

test('a form that is longer takes more steps, none of them longer', () => {
  const steps = (length: number) => {
    const form = `media_data=${'%2F'.repeat(length / 4)}`;
    const { made, result } = run(formPairsInSteps(form, 10));
    const pairs = Array.isArray(result) ? result : [];
    const pieces = run(receivedBaseInSteps('POST', '', '/', pairs)).made;
    return { parsed: made.length, pieces: pieces.length, longest: Math.max(...pieces.map((piece) => piece.length)) };
  };
  const short = steps(10 * STEP);
  const long = steps(100 * STEP);
  expect(long.parsed).toBeGreaterThan(5 * short.parsed);
  expect(long.pieces).toBeGreaterThan(5 * short.pieces);
  expect(long.longest).toBe(short.longest);
});

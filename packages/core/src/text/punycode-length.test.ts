import fc from 'fast-check';
import { expect, test } from 'vitest';
import { punycodeLength } from './punycode-length.ts';

const letters = fc.array(fc.constantFrom(...'az09äñя漢字かな한글𠀡'), { minLength: 1, maxLength: 15 });

test('a label is as long as the one that the URL parser of the platform produces', () => {
  fc.assert(
    fc.property(letters, (label) => {
      const [ascii] = new URL(`http://x.${label.join('')}.com`).hostname.split('.').slice(1);
      expect(punycodeLength(label.join(''), 63)).toBe(ascii?.length);
    }),
    { numRuns: 1000 },
  );
});

test('a label that is too long has no length', () => {
  expect(punycodeLength('a'.repeat(63), 63)).toBe(63);
  expect(punycodeLength('a'.repeat(64), 63)).toBeUndefined();
  expect(punycodeLength('漢'.repeat(1_000_000), 63)).toBeUndefined();
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PackedTexts, textOf } from './packed-texts.ts';

test('texts of any length are what was packed, however many follow', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.string({ maxLength: 2_000, size: 'max' }),
    fc.integer({ min: 0, max: 100_000 }).map((length) => '€'.repeat(length)),
  );
  fc.assert(
    fc.property(fc.array(text, { maxLength: 60 }), (texts) => {
      const packing = new PackedTexts();
      const packed = texts.map((one) => packing.add(one));
      expect(packed.map(textOf)).toEqual(texts.map((one) => one.toWellFormed()));
    }),
  );
});

test('a thousand short texts are in few blocks', () => {
  const packing = new PackedTexts();
  const blocks = new Set(Array.from({ length: 1_000 }, (_, i) => packing.add(`${i} ${'x'.repeat(900)}`).block));
  expect(blocks.size).toBeLessThan(20);
});

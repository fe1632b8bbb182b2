import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PackedNumbers, PackedTexts } from './packed-texts.ts';

test('texts of any length are in the bytes that they were packed in, however many follow', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.string({ maxLength: 2_000, size: 'max' }),
    fc.integer({ min: 0, max: 100_000 }).map((length) => '€'.repeat(length)),
  );
  fc.assert(
    fc.property(fc.array(text, { maxLength: 60 }), (texts) => {
      const packed = new PackedTexts();
      const places = texts.map((one) => {
        const block = packed.add(one);
        return { block, at: packed.at, length: packed.length };
      });
      const found = places.map(({ block, at, length }) => block.toString('utf8', at, at + length));
      expect(found).toEqual(texts.map((one) => one.toWellFormed()));
    }),
  );
});

test('a thousand short texts are in few blocks', () => {
  const packed = new PackedTexts();
  const blocks = new Set(Array.from({ length: 1_000 }, (_, i) => packed.add(`${i} ${'x'.repeat(900)}`)));
  expect(blocks.size).toBeLessThan(20);
});

test('numbers keep their places', () => {
  const numbers = new PackedNumbers();
  const places = Array.from({ length: 2_000 }, (_, i) => {
    const block = numbers.take(6);
    const { at } = numbers;
    for (let place = 0; place < 6; place++) block[at + place] = i + place / 8;
    return { block, at };
  });
  for (const [i, { block, at }] of places.entries()) expect(block[at + 5]).toBe(i + 5 / 8);
  expect(new Set(places.map(({ block }) => block)).size).toBeLessThan(20);
});

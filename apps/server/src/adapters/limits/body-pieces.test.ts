import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BodyPieces } from './body-pieces.ts';

test('the bytes of pieces of any sizes are those of the body', () => {
  const piece = fc.uint8Array({ maxLength: 3_000, size: 'max' });
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const body = new BodyPieces();
      for (const each of pieces) body.add(Buffer.from(each));
      expect(body.whole().equals(Buffer.concat(pieces))).toBe(true);
      expect(body.size).toBe(pieces.reduce((sum, { length }) => sum + length, 0));
    }),
  );
});

test('a hundred thousand pieces of a byte are held in two blocks', () => {
  const body = new BodyPieces();
  for (let i = 0; i < 100_000; i++) body.add(Buffer.from([i & 255]));
  expect(body.parts).toBeLessThan(5);
  expect(body.whole()).toHaveLength(100_000);
});

test('a body of one piece is that piece', () => {
  const body = new BodyPieces();
  const piece = Buffer.from('{}');
  body.add(piece);
  expect(body.whole()).toBe(piece);
});

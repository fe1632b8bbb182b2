import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BodyPieces } from './body-pieces.ts';

test('the bytes of pieces of any sizes are those of the body', () => {
  const piece = fc.uint8Array({ maxLength: 3_000, size: 'max' });
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const body = new BodyPieces();
      for (const each of pieces) body.add(Buffer.from(each));
      expect(body.take().equals(Buffer.concat(pieces))).toBe(true);
      expect(body.size).toBe(pieces.reduce((sum, { length }) => sum + length, 0));
    }),
  );
});

test('what is taken in between is the beginning, and the rest follows', () => {
  const body = new BodyPieces();
  const taken: Buffer[] = [];
  for (let i = 0; i < 30_000; i++) {
    body.add(Buffer.from([i & 255]));
    if (i % 700 === 699) {
      expect(body.held).toBe(700);
      taken.push(body.take());
      expect([body.held, body.parts]).toEqual([0, 0]);
    }
  }
  const all = Buffer.concat([...taken, body.take()]);
  expect(all.equals(Buffer.from(Array.from({ length: 30_000 }, (_, i) => i & 255)))).toBe(true);
  expect(body.size).toBe(30_000);
});

test('a hundred thousand pieces of a byte are held in two blocks', () => {
  const body = new BodyPieces();
  for (let i = 0; i < 100_000; i++) body.add(Buffer.from([i & 255]));
  expect(body.parts).toBeLessThan(5);
  expect(body.take()).toHaveLength(100_000);
});

test('a body of one piece is that piece', () => {
  const body = new BodyPieces();
  const piece = Buffer.from('{}');
  body.add(piece);
  expect(body.take()).toBe(piece);
});

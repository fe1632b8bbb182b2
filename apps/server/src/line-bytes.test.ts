import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LineBytes } from './line-bytes.ts';

const USUAL = 1000;

test('lines are the bytes of UTF-8, however they are added, taken and given back', () => {
  const line = fc
    .string({ unit: fc.constantFrom('a', 'é', '€', '😀', '\uD800', '\uDC00', '\n'), maxLength: 3000 })
    .map((text) => `${text}\n`);
  const step = fc.oneof(
    fc.record({ add: line }),
    fc.record({ addBytes: line }),
    fc.record({ takes: fc.boolean(), gives: fc.boolean() }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const lines = new LineBytes(USUAL);
      let expected = '';
      for (const each of steps) {
        if ('takes' in each) {
          if (!each.takes) continue;
          const taken = lines.take();
          expect(taken.equals(Buffer.from(expected))).toBe(true);
          expected = '';
          if (each.gives) lines.giveBack(taken.subarray(taken.length >> 1));
        } else if ('add' in each) {
          lines.add(each.add);
          expected += each.add;
        } else {
          lines.addBytes(Buffer.from(each.addBytes));
          expected += each.addBytes;
        }
        expect(lines.length).toBeGreaterThanOrEqual(Math.min(1, expected.length));
      }
      expect(lines.take().toString()).toBe(Buffer.from(expected).toString());
      expect(lines.length).toBe(0);
    }),
  );
});

/** Takes a line, and gives it back. @returns the memory that it was in */
function memoryOf(lines: LineBytes, line: string): ArrayBufferLike {
  lines.add(line);
  const taken = lines.take();
  lines.giveBack(taken);
  return taken.buffer;
}

test('memory that was given back is used again, and none that was not', () => {
  const lines = new LineBytes(USUAL);
  const first = memoryOf(lines, 'a\n');
  lines.add('b\n');
  const second = lines.take();
  expect(second.buffer).toBe(first);
  lines.add('c\n');
  expect(lines.take().buffer).not.toBe(first);
  expect(second.toString()).toBe('b\n');
});

test('memory that had to be large is not kept', () => {
  const lines = new LineBytes(USUAL);
  const large = memoryOf(lines, `${'a'.repeat(100_000)}\n`);
  const next = memoryOf(lines, 'b\n');
  expect(next).not.toBe(large);
  expect(next.byteLength).toBeLessThan(large.byteLength);
  expect(memoryOf(lines, 'c\n'), 'nor does taking nothing lose what is kept').toBe(next);
  lines.giveBack(lines.take());
  expect(memoryOf(lines, 'd\n')).toBe(next);
});

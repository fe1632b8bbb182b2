import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Base64Error, decodeBase64 } from './base64.ts';

async function decoded(text: string, cuts: readonly number[] = []): Promise<Buffer> {
  const ends = [...cuts.map((cut) => cut % (text.length + 1)), text.length].sort((a, b) => a - b);
  let from = 0;
  const pieces = ends.map((end) => {
    const piece = Buffer.from(text.slice(from, end));
    from = end;
    return piece;
  });
  const parts: Buffer[] = [];
  for await (const part of decodeBase64(pieces)) parts.push(part);
  return Buffer.concat(parts);
}

test('decodes to the original bytes, wherever the text is split into chunks and lines', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ maxLength: 200 }),
      fc.array(fc.nat(), { maxLength: 8 }),
      fc.constantFrom('base64' as const, 'base64url' as const),
      fc.integer({ min: 3, max: 80 }),
      async (bytes, cuts, encoding, width) => {
        const text = Buffer.from(bytes)
          .toString(encoding)
          .replace(new RegExp(`.{${width}}`, 'g'), '$&\r\n');
        expect((await decoded(text, cuts)).equals(Buffer.from(bytes))).toBe(true);
      },
    ),
  );
});

test.for(['*AAA', 'AAAAA', 'AA=A', 'AA==AAAA', 'AAA=AA', '====', 'AAA\u00e9', 'A'])(
  '"%s" is not base64',
  async (text) => {
    await expect(decoded(text)).rejects.toThrow(Base64Error);
    await expect(decoded(text, [1, 2, 3, 4])).rejects.toThrow(Base64Error);
  },
);

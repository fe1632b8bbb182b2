import { expect, test } from 'vitest';
import { bytesSource, fileSource, SourceWindow } from './byte-source.ts';
import { MediaRejectedError } from './inspection.ts';

const bytes = Buffer.from(Array.from({ length: 400_000 }, (_, index) => (index * 7) % 253));

/** A file that returns a few bytes at a time, as network file systems may. */
function slowFile(content: Buffer) {
  return {
    async read(target: Buffer, offset: number, length: number, position: number) {
      return { bytesRead: content.copy(target, offset, position, position + Math.min(length, 1000)) };
    },
  };
}

test('a file with short reads is read completely', async () => {
  const source = fileSource(slowFile(bytes), bytes.length);
  expect(Buffer.compare(await source.read(10, 5000), bytes.subarray(10, 5010))).toBe(0);
  expect(Buffer.compare(await source.read(399_000, 5000), bytes.subarray(399_000))).toBe(0);
  expect(await source.read(400_000, 10)).toHaveLength(0);
});

test('a file that became shorter ends the read', async () => {
  const source = fileSource(slowFile(bytes.subarray(0, 2500)), 5000);
  expect(await source.read(0, 5000)).toHaveLength(2500);
  await expect(new SourceWindow(source).at(0, 5000)).rejects.toThrow(MediaRejectedError);
});

test('a window returns the same bytes from any earlier position, and reads adjacent bytes once', async () => {
  let reads = 0;
  const source = bytesSource(bytes);
  const window = new SourceWindow({
    size: source.size,
    read: (position, length) => {
      reads++;
      return source.read(position, length);
    },
  });
  for (const [position, length] of [
    [0, 8],
    [8, 100],
    [131_000, 72],
    [131_071, 10],
    [0, 8],
    [390_000, 10_000],
    [100, 300_000],
  ] as const) {
    expect(Buffer.compare(await window.at(position, length), bytes.subarray(position, position + length))).toBe(0);
  }
  expect(reads).toBe(5);
  await expect(window.at(399_999, 2)).rejects.toThrow('too early');
});

import { inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bytesSource } from '../byte-source.ts';
import { inspectMedia } from '../inspect.ts';
import { encodeMp4 } from '../testing/videos.ts';
import { firstFrame } from './first-frame.ts';
import { type Colour, encodePicture, type IndexedPicture } from './indexed-picture.ts';
import { poster } from './poster.ts';
import { makeStill } from './still.ts';

/** Compresses like GIF, with every code of its maximum length. */
function compress(pixels: Uint8Array, codeSize: number): Buffer {
  const clear = 1 << codeSize;
  const bytes: number[] = [];
  let held = 0;
  let count = 0;
  let size = codeSize + 1;
  let table = new Map<string, number>();
  let next = clear + 2;
  const put = (code: number) => {
    held |= code << count;
    for (count += size; count >= 8; count -= 8) {
      bytes.push(held & 0xff);
      held >>>= 8;
    }
  };
  const codeOf = (run: string) => table.get(run) ?? Number(run);
  put(clear);
  let run = '';
  for (const pixel of pixels) {
    const longer = run === '' ? `${pixel}` : `${run},${pixel}`;
    if (run === '' || table.has(longer)) {
      run = longer;
      continue;
    }
    put(codeOf(run));
    if (next < 4096) {
      table.set(longer, next);
      if (next === 1 << size) size++;
      next++;
    } else {
      put(clear);
      table = new Map();
      next = clear + 2;
      size = codeSize + 1;
    }
    run = `${pixel}`;
  }
  if (run !== '') put(codeOf(run));
  // The reader has one entry more by now.
  if (next === 1 << size && size < 12) size++;
  put(clear + 1);
  if (count > 0) bytes.push(held & 0xff);
  return Buffer.from(bytes);
}

interface Gif {
  readonly screen: readonly [width: number, height: number];
  readonly frame: readonly [left: number, top: number, width: number, height: number];
  readonly codeSize: number;
  readonly colours: number;
  readonly data: Uint8Array;
  readonly isInterlaced?: boolean;
  readonly hasOwnTable?: boolean;
  readonly transparent?: number;
}

/** Grey level that encodes the index of a colour. */
const colour = (index: number): Colour => [index, 255 - index, 7];

function gif({ screen, frame, codeSize, colours, data, isInterlaced, hasOwnTable, transparent }: Gif): Buffer {
  const bits = Math.log2(colours);
  const table = Buffer.from(Array.from({ length: colours }, (_, index) => colour(index)).flat());
  const head = Buffer.from([...Buffer.from('GIF89a'), 0, 0, 0, 0, hasOwnTable ? 0 : 0x80 | (bits - 1), 0, 0]);
  head.writeUInt16LE(screen[0], 6);
  head.writeUInt16LE(screen[1], 8);
  const control = Buffer.from([0x21, 0xf9, 4, transparent === undefined ? 0 : 1, 0, 0, transparent ?? 0, 0]);
  const descriptor = Buffer.alloc(10);
  descriptor.writeUInt8(0x2c, 0);
  for (const [index, value] of frame.entries()) descriptor.writeUInt16LE(value, 1 + 2 * index);
  descriptor.writeUInt8((hasOwnTable ? 0x80 | (bits - 1) : 0) | (isInterlaced ? 0x40 : 0), 9);
  const blocks: Uint8Array[] = [];
  for (let from = 0; from < data.length; from += 200) {
    const part = data.subarray(from, from + 200);
    blocks.push(Uint8Array.of(part.length), part);
  }
  const end = Uint8Array.of(0);
  const parts = hasOwnTable ? [head, control, descriptor, table] : [head, table, control, descriptor];
  return Buffer.concat([...parts, Uint8Array.of(codeSize), ...blocks, end, Uint8Array.of(0x3b)]);
}

/** Returns the rows of a frame in the order in which an interlaced GIF stores them. */
function interlaced(pixels: Uint8Array, width: number, height: number): Uint8Array {
  const rows = [
    [0, 8],
    [4, 8],
    [2, 4],
    [1, 2],
  ].flatMap(([first = 0, step = 1]) => {
    const some: number[] = [];
    for (let row = first; row < height; row += step) some.push(row);
    return some;
  });
  return Uint8Array.from(rows.flatMap((row) => [...pixels.subarray(row * width, (row + 1) * width)]));
}

const sizes = fc.integer({ min: 1, max: 40 });

describe('the first frame of a GIF', () => {
  test('is what was drawn, with any number of colours and any order of rows', () => {
    fc.assert(
      fc.property(
        sizes,
        sizes,
        fc.integer({ min: 2, max: 8 }),
        fc.boolean(),
        fc.boolean(),
        fc.infiniteStream(fc.nat({ max: 255 })),
        (width, height, codeSize, isInterlaced, hasOwnTable, values) => {
          const colours = 2 ** codeSize;
          const drawn = Uint8Array.from({ length: width * height }, () => values.next().value % colours);
          const data = compress(isInterlaced ? interlaced(drawn, width, height) : drawn, codeSize);
          const frame = [0, 0, width, height] as const;
          const picture = firstFrame(
            gif({ screen: [width, height], frame, codeSize, colours, data, isInterlaced, hasOwnTable }),
          );
          expect([...picture.pixels]).toEqual([...drawn]);
          expect(picture).toMatchObject({ width, height });
          expect(picture.palette.slice(0, colours)).toEqual(Array.from({ length: colours }, (_, i) => colour(i)));
        },
      ),
    );
  });

  test('is right when the code table is full, and when one pixel repeats forever', () => {
    const side = 300;
    const noise = Uint8Array.from({ length: side * side }, (_, i) => (Math.imul(i + 1, 0x9e3779b1) >>> 24) % 256);
    for (const drawn of [noise, new Uint8Array(side * side).fill(3)]) {
      const frame = [0, 0, side, side] as const;
      const made = gif({ screen: [side, side], frame, codeSize: 8, colours: 256, data: compress(drawn, 8) });
      const { pixels, transparent } = firstFrame(made);
      expect(Buffer.from(pixels).equals(Buffer.from(drawn))).toBe(true);
      // All colours are in use, and none is transparent.
      expect(transparent).toBeUndefined();
    }
  });

  test('covers its part of the screen; the rest is transparent', () => {
    const drawn = Uint8Array.of(1, 2, 3, 0);
    const facts = { screen: [4, 3], codeSize: 2, colours: 4, data: compress(drawn, 2) } as const;
    const apart = firstFrame(gif({ ...facts, frame: [1, 1, 2, 2] }));
    expect(apart.transparent).toBe(4);
    expect([...apart.pixels]).toEqual([4, 4, 4, 4, 4, 1, 2, 4, 4, 3, 0, 4]);
    const over = firstFrame(gif({ ...facts, frame: [3, 2, 2, 2], transparent: 2 }));
    expect(over.transparent).toBe(2);
    expect([...over.pixels]).toEqual([2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1]);
  });

  test('is a picture for any data', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 400 }),
        fc.integer({ min: 2, max: 8 }),
        fc.array(
          fc.nat({ max: 70_000 }).map((n) => n % 60),
          { minLength: 4, maxLength: 4 },
        ),
        fc.boolean(),
        (data, codeSize, [left = 0, top = 0, width = 1, height = 1], isInterlaced) => {
          const frame = [left, top, width + 1, height + 1] as const;
          const picture = firstFrame(gif({ screen: [32, 24], frame, codeSize, colours: 4, data, isInterlaced }));
          expect(picture.pixels).toHaveLength(32 * 24);
          for (const pixel of picture.pixels) expect(pixel).toBeLessThan(picture.palette.length);
        },
      ),
    );
  });
});

/** Reads a PNG of the simple form that is written here. */
function pixelsOf(png: Buffer, width: number): number[] {
  let position = 8;
  const data: Buffer[] = [];
  while (position < png.length) {
    const length = png.readUInt32BE(position);
    if (png.toString('latin1', position + 4, position + 8) === 'IDAT')
      data.push(png.subarray(position + 8, position + 8 + length));
    position += length + 12;
  }
  return [...inflateSync(Buffer.concat(data))].filter((_, index) => index % (width + 1) !== 0);
}

test('a picture encoded as PNG is valid and has its pixels', async () => {
  await fc.assert(
    fc.asyncProperty(
      sizes,
      sizes,
      fc.integer({ min: 1, max: 256 }),
      fc.boolean(),
      async (width, height, count, hides) => {
        const picture: IndexedPicture = {
          width,
          height,
          palette: Array.from({ length: count }, (_, index) => colour(index)),
          pixels: Uint8Array.from({ length: width * height }, (_, index) => index % count),
          ...(hides ? { transparent: count - 1 } : {}),
        };
        const png = encodePicture(picture);
        expect(await inspectMedia(png)).toMatchObject({ media_type: 'image/png', width, height });
        expect(pixelsOf(png, width)).toEqual([...picture.pixels]);
        expect(png.includes('tRNS')).toBe(hides);
      },
    ),
  );
});

test('the placeholder of a video is a small picture of its size', async () => {
  for (const [width, height] of [
    [1280, 1024],
    [32, 96],
    [33, 32],
    [1920, 1080],
  ] as const) {
    const { pixels } = poster(width, height);
    expect(new Set(pixels)).toEqual(new Set([0, 1]));
    const video = encodeMp4({ width, height });
    const facts = await inspectMedia(video);
    if ('reason' in facts) throw new Error(facts.message);
    const png = (await makeStill(facts, bytesSource(video))) ?? Buffer.alloc(0);
    expect(await inspectMedia(png)).toMatchObject({ media_type: 'image/png', kind: 'photo', width, height });
    expect(png.length).toBeLessThan(20_000);
  }
});

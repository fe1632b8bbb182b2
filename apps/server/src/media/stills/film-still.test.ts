import { readFile } from 'node:fs/promises';
import { inflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { packageFile } from '../../package-file.ts';
import { bytesSource } from '../byte-source.ts';
import { findKeyPictures } from '../formats/mp4-key-pictures.ts';
import type { Turn } from '../formats/mp4-track.ts';
import { decodePicture } from '../h264/decode-picture.ts';
import { inspectMedia } from '../inspect.ts';
import { encodeMp4 } from '../testing/videos.ts';
import { encodeFrame, isBlank } from './film-frame.ts';
import { filmStill } from './film-still.ts';
import { makeStill } from './still.ts';

const clips = [128, 144, 176];
const clip = (width: number) => readFile(packageFile(`clips/boat-${width}.mp4`));

async function factsOf(bytes: Buffer) {
  const facts = await inspectMedia(bytes);
  if ('reason' in facts) throw new Error(facts.message);
  return facts;
}

/** Reads the red, green and blue of a PNG, whichever filters its rows have. */
function coloursOf(png: Buffer): Buffer {
  const width = png.readUInt32BE(16);
  const data: Buffer[] = [];
  for (let at = 8; at < png.length; at += png.readUInt32BE(at) + 12) {
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      data.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  }
  const rows = inflateSync(Buffer.concat(data));
  const length = 3 * width;
  const out = Buffer.alloc((rows.length / (length + 1)) * length);
  for (let row = 0; row * (length + 1) < rows.length; row++) {
    const filter = rows[row * (length + 1)] ?? 0;
    for (let index = 0; index < length; index++) {
      const at = row * length + index;
      const left = index < 3 ? 0 : (out[at - 3] ?? 0);
      const up = row === 0 ? 0 : (out[at - length] ?? 0);
      const corner = index < 3 || row === 0 ? 0 : (out[at - length - 3] ?? 0);
      const [a, b, c] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
      const paeth = a <= b && a <= c ? left : b <= c ? up : corner;
      const predicted = [0, left, up, (left + up) >> 1, paeth][filter] ?? 0;
      out[at] = (rows[row * (length + 1) + 1 + index] ?? 0) + predicted;
    }
  }
  return out;
}

/** The mean difference of two pictures, in shades of 256. */
function difference(one: Buffer, other: Buffer): number {
  expect(one.length).toBe(other.length);
  return one.reduce((sum, value, index) => sum + Math.abs(value - (other[index] ?? 0)), 0) / one.length;
}

describe('the still of a film', () => {
  test.each(clips)(
    'resembles the first frame that the clip of a boat was made from (%i pixels wide)',
    async (width) => {
      const video = await clip(width);
      const facts = await factsOf(video);
      const still = (await makeStill(facts, bytesSource(video))) ?? Buffer.alloc(0);
      expect(await factsOf(still)).toMatchObject({ media_type: 'image/png', width, height: 96 });
      const drawn = await readFile(packageFile(`clips/boat-${width}.png`));
      expect(difference(coloursOf(still), coloursOf(drawn))).toBeLessThan(3);
    },
  );

  test('is turned as the film is, and has the size that it is shown in', async () => {
    const video = await clip(128);
    const found = await findKeyPictures(bytesSource(video), 1);
    const decoded = decodePicture(found?.pictures[0] ?? []);
    const straight = coloursOf(encodeFrame(decoded, { width: 128, height: 96, turn: 0 }));
    const pixel = (colours: Buffer, width: number, x: number, y: number) => [
      ...colours.subarray(3 * (y * width + x), 3 * (y * width + x) + 3),
    ];
    const turned = (turn: Turn) => {
      const [width, height] = turn % 180 === 90 ? [96, 128] : [128, 96];
      const colours = coloursOf(encodeFrame(decoded, { width, height, turn }));
      return (x: number, y: number) => pixel(colours, width, x, y);
    };
    // Where a pixel of the coded picture comes to lie.
    for (const [x, y] of [
      [3, 7],
      [120, 80],
      [20, 40],
    ] as const) {
      const expected = pixel(straight, 128, x, y);
      expect(turned(90)(95 - y, x)).toEqual(expected);
      expect(turned(180)(127 - x, 95 - y)).toEqual(expected);
      expect(turned(270)(y, 127 - x)).toEqual(expected);
    }
    const wide = coloursOf(encodeFrame(decoded, { width: 256, height: 96, turn: 0 }));
    expect(pixel(wide, 256, 100, 50)).toEqual(pixel(straight, 128, 50, 50));
  });

  test('is not blank while a later key picture shows something', async () => {
    const found = await findKeyPictures(bytesSource(await clip(128)), 1);
    const decoded = decodePicture(found?.pictures[0] ?? []);
    expect(isBlank(decoded)).toBe(false);
    decoded.picture.luma.samples.fill(18);
    expect(isBlank(decoded)).toBe(true);
  });
});

describe('a film that cannot be decoded keeps its neutral picture', () => {
  test('in another codec than H.264, or without real pictures', async () => {
    const video = encodeMp4({ width: 64, height: 48 });
    expect(await filmStill({ width: 64, height: 48 }, bytesSource(video))).toBeUndefined();
  });

  test('when it takes too long', async () => {
    const video = await clip(128);
    expect(await filmStill(await factsOf(video), bytesSource(video), { max_ms: 0 })).toBeUndefined();
  });

  test('when its key picture is damaged, while the upload goes on', async () => {
    const video = await clip(144);
    const facts = await factsOf(video);
    const at = video.indexOf('mdat', 0, 'latin1') + 4;
    const damaged = Buffer.from(video);
    damaged.fill(0xff, at + 8, at + 200);
    const still = (await makeStill(facts, bytesSource(damaged))) ?? Buffer.alloc(0);
    expect(await factsOf(still)).toMatchObject({ media_type: 'image/png', width: 144, height: 96 });
    const whole = (await makeStill(facts, bytesSource(video))) ?? Buffer.alloc(0);
    expect(still.equals(whole)).toBe(false);
  });

  test('when its index is damaged at any byte, it is a picture or none, and no error', async () => {
    const video = await clip(128);
    const end = video.indexOf('mdat', 0, 'latin1');
    for (let at = 32; at < end; at++) {
      const damaged = Buffer.from(video);
      damaged[at] = (damaged[at] ?? 0) ^ 0xa5;
      const found = await findKeyPictures(bytesSource(damaged), 3).catch((error: Error) => error.name);
      expect(typeof found === 'string' ? found : 'MediaRejectedError').toBe('MediaRejectedError');
    }
  });
});

test('the event loop is free while a film is decoded', async () => {
  const video = await clip(176);
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  await filmStill(await factsOf(video), bytesSource(video));
  clearInterval(timer);
  expect(turns).toBeGreaterThan(2);
});

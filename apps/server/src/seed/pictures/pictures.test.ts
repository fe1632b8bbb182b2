import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../../db/testing/temporary.ts';
import { inspectMedia } from '../../media/inspect.ts';
import { firstFrame } from '../../media/stills/first-frame.ts';
import { encodeAnimation } from './animation.ts';
import { drawBoat } from './drawing.ts';
import { drawPool } from './drawn-media.ts';
import { encodeFilm } from './film.ts';
import { plainZlib } from './plain-zlib.ts';

const boats = Array.from({ length: 8 }, (_, index) => drawBoat(160, 96, index / 7));

test('what is drawn is the same on every machine', async () => {
  const pool = await drawPool();
  const all = [...pool.photos, ...pool.videos, ...pool.gifs];
  const hash = createHash('sha256');
  for (const { bytes } of all) hash.update(bytes);
  // Whoever changes it changes every seeded world.
  expect(hash.digest('hex').slice(0, 32)).toBe('51f3c1bac5b7b5f9fb689a59b40af65e');
  expect(new Set(all.map(({ blob_key }) => blob_key)).size).toBe(all.length);
  expect(pool.photos.every(({ facts, still }) => facts.kind === 'photo' && still === null)).toBe(true);
  for (const { facts, still } of [...pool.videos, ...pool.gifs]) {
    const { width, height } = facts;
    expect(await inspectMedia(still?.bytes ?? Buffer.alloc(0))).toMatchObject({ kind: 'photo', width, height });
  }
  // Seeding keeps all of them in the store of a laptop.
  expect(all.reduce((sum, { bytes }) => sum + bytes.length, 0)).toBeLessThan(2_000_000);
});

test('an animation is sound, and begins with its first picture', async () => {
  const bytes = encodeAnimation(boats, 20);
  expect(await inspectMedia(bytes)).toMatchObject({ kind: 'animated_gif', frames: 8, duration_ms: 1600 });
  expect([...firstFrame(bytes).pixels]).toEqual([...(boats[0]?.pixels ?? [])]);
});

test('a film is a sound video of constrained baseline', async () => {
  expect(await inspectMedia(encodeFilm(boats, 125))).toMatchObject({
    media_type: 'video/mp4',
    kind: 'video',
    width: 160,
    height: 96,
    frames: 8,
    duration_ms: 1000,
    codecs: ['avc1.42c014'],
  });
});

/** The decoder. A name, so that it is not taken for a package that is missing. */
const program = 'ffmpeg';
const hasDecoder = spawnSync(program, ['-version']).status === 0;

test.skipIf(!hasDecoder)('a decoder finds in a film what was drawn, picture by picture', () => {
  const file = path.join(temporaryDirectory(), 'film.mp4');
  writeFileSync(file, encodeFilm(boats, 125));
  const { stdout, stderr } = spawnSync(
    program,
    ['-v', 'warning', '-i', file, '-f', 'rawvideo', '-pix_fmt', 'yuv420p', '-'],
    { maxBuffer: 10_000_000 },
  );
  expect(stderr.toString()).toBe('');
  const picture = 160 * 96 * 1.5;
  expect(stdout.length).toBe(boats.length * picture);
  for (const [index, { pixels, palette }] of boats.entries()) {
    const luma = stdout.subarray(index * picture, index * picture + 160 * 96);
    const wanted = palette.map(([r, g, b]) => Math.round(16 + (65.738 * r + 129.057 * g + 25.064 * b) / 256));
    expect(luma.equals(Buffer.from(pixels.map((pixel) => wanted[pixel] ?? 0)))).toBe(true);
  }
});

test('what is stored without compression is read as it was', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.integer({ min: 0, max: 1400 }), (part, times) => {
      const bytes = Buffer.concat(Array.from({ length: times }, () => part));
      expect(inflateSync(plainZlib(bytes)).equals(bytes)).toBe(true);
    }),
    { numRuns: 30 },
  );
});

import { createHash } from 'node:crypto';
import { inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inspectMedia } from '../../media/inspect.ts';
import { firstFrame } from '../../media/stills/first-frame.ts';
import { plainZlib } from './plain-zlib.ts';
import { stockClip, stockPool } from './stock-media.ts';

test('stock media are the same on every machine', async () => {
  const pool = await stockPool();
  const all = [...pool.photos, ...pool.videos, ...pool.gifs];
  const hash = createHash('sha256');
  for (const { bytes } of all) hash.update(bytes);
  // Changing it changes every seeded world.
  expect(hash.digest('hex').slice(0, 32)).toBe('abfcb780c7805237f3427eb22db2a8b3');
  expect(new Set(all.map(({ blob_key }) => blob_key)).size).toBe(all.length);
  expect(pool.photos.every(({ facts, still }) => facts.kind === 'photo' && still === null)).toBe(true);
  // Seeding stores all of them on a laptop.
  expect(all.reduce((sum, { bytes }) => sum + bytes.length, 0)).toBeLessThan(1_500_000);
});

test.each([
  ['video', 0, 128],
  ['video', 1, 144],
  ['video', 2, 176],
  ['animated_gif', 0, 128],
  ['animated_gif', 1, 144],
  ['animated_gif', 2, 160],
] as const)('clip %s %i is sound, and its still is its first frame', async (kind, number, width) => {
  const { facts, bytes, still } = await stockClip(kind, number);
  expect(facts).toMatchObject({ kind, width, height: 96, duration_ms: 2000, frames: kind === 'video' ? 16 : 4 });
  if (kind === 'video') expect(facts).toMatchObject({ media_type: 'video/mp4', codecs: ['avc1.42c014'] });
  else expect(firstFrame(bytes)).toMatchObject({ width, height: 96 });
  expect(await inspectMedia(still?.bytes ?? Buffer.alloc(0))).toMatchObject({ kind: 'photo', width, height: 96 });
});

test('uncompressed data is read back unchanged', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.integer({ min: 0, max: 1400 }), (part, times) => {
      const bytes = Buffer.concat(Array.from({ length: times }, () => part));
      expect(inflateSync(plainZlib(bytes)).equals(bytes)).toBe(true);
    }),
    { numRuns: 30 },
  );
});

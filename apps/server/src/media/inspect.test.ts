import { describe, expect, test } from 'vitest';
import { inspectMedia } from './inspect.ts';
import { encodeGif, encodeJpeg, exifSegment } from './testing/images.ts';
import { fixtures, swap } from './testing/media-files.ts';
import { box, encodeMp4, u32 } from './testing/videos.ts';

describe('facts', () => {
  const photo = { kind: 'photo' };
  const video = { kind: 'video', duration_ms: 1000, frames: 10, frame_rate: 10, width: 320, height: 180 };
  test.each([
    ['png', { ...photo, media_type: 'image/png', width: 20, height: 10 }],
    ['jpeg', { ...photo, media_type: 'image/jpeg', width: 40, height: 20 }],
    ['turned jpeg', { ...photo, media_type: 'image/jpeg', width: 20, height: 40 }],
    ['gif', { ...photo, media_type: 'image/gif', width: 9, height: 7, frames: 1 }],
    // 5 hundredths, 1 hundredth that browsers show for 10, and 20.
    [
      'animated gif',
      { kind: 'animated_gif', media_type: 'image/gif', width: 9, height: 7, frames: 3, duration_ms: 350 },
    ],
    ['lossless webp', { ...photo, media_type: 'image/webp', width: 33, height: 21 }],
    ['lossy webp', { ...photo, media_type: 'image/webp', width: 12, height: 14 }],
    ['animated webp', { ...photo, media_type: 'image/webp', width: 8, height: 9, frames: 2, duration_ms: 300 }],
    ['mp4 with its index at the end', { ...video, media_type: 'video/mp4', codecs: ['avc1.64001f'], has_audio: false }],
    [
      'mp4 with its index first',
      { ...video, media_type: 'video/mp4', width: 180, height: 320, codecs: ['avc1.64001f', 'mp4a'], has_audio: true },
    ],
    ['mp4 with data to the end', { ...video, media_type: 'video/mp4', codecs: ['avc1.64001f'], has_audio: false }],
    ['quicktime', { ...video, media_type: 'video/quicktime', codecs: ['avc1.64001f'], has_audio: false }],
    ['quicktime without brand', { ...video, media_type: 'video/quicktime', codecs: ['avc1.64001f'], has_audio: false }],
    [
      'mp4 in fragments',
      { ...video, duration_ms: 6000, frames: 60, media_type: 'video/mp4', codecs: ['avc1.64001f'], has_audio: false },
    ],
  ])('of a %s are read from its bytes', async (name, expected) => {
    const bytes = fixtures[name] ?? Buffer.alloc(0);
    const found = await inspectMedia(bytes);
    const isVideo = expected.kind === 'video';
    const bit_rate = Math.round((bytes.length * 8_000) / ('duration_ms' in expected ? expected.duration_ms : 1));
    expect(found).toEqual({ ...expected, size_bytes: bytes.length, ...(isVideo ? { bit_rate } : {}) });
  });

  test.each([
    [1, 40, 20],
    [2, 40, 20],
    [3, 40, 20],
    [4, 40, 20],
    [5, 20, 40],
    [6, 20, 40],
    [7, 20, 40],
    [8, 20, 40],
    [0, 40, 20],
    [9, 40, 20],
  ])('a JPEG of orientation %i is shown as %i by %i, in either byte order', async (orientation, width, height) => {
    for (const order of ['II', 'MM'] as const) {
      const bytes = encodeJpeg(40, 20, { before: exifSegment(orientation, order) });
      expect(await inspectMedia(bytes)).toMatchObject({ width, height });
    }
  });

  test.each([
    [0, 320, 180],
    [90, 180, 320],
    [180, 320, 180],
    [270, 180, 320],
  ] as const)('a video turned by %i degrees is shown as %i by %i', async (turn, width, height) => {
    expect(await inspectMedia(encodeMp4({ turn }))).toMatchObject({ width, height });
  });

  test('bytes that cameras write after a JPEG change nothing', async () => {
    const bytes = Buffer.concat([encodeJpeg(40, 20), encodeJpeg(8, 8)]);
    expect(await inspectMedia(bytes)).toMatchObject({ width: 40, height: 20, size_bytes: bytes.length });
  });

  test('fill bytes before the marker that ends a JPEG change nothing', async () => {
    const bytes = encodeJpeg(40, 20);
    for (const fill of ['ff', 'ffff', 'ff00ff', 'ffd0ffffff']) {
      const filled = Buffer.concat([bytes.subarray(0, -2), Buffer.from(fill, 'hex'), bytes.subarray(-2)]);
      expect(await inspectMedia(filled)).toMatchObject({ width: 40, height: 20 });
    }
  });

  test('two frames are enough for an animation', async () => {
    expect(await inspectMedia(encodeGif(9, 7, [5, 5]))).toMatchObject({ kind: 'animated_gif', frames: 2 });
  });

  test('a disabled video track counts only if there is no other', async () => {
    const bytes = encodeMp4({ hasAudio: true });
    const one = bytes.indexOf('tkhd');
    const other = bytes.indexOf('tkhd', one + 4);
    bytes.write('vide', bytes.indexOf('soun'), 'latin1');
    bytes.writeUInt32BE(640 * 0x10000, other + 80);
    bytes.writeUInt32BE(360 * 0x10000, other + 84);
    expect(await inspectMedia(bytes)).toMatchObject({ width: 320, height: 180, has_audio: false });
    bytes.writeUInt8(0, one + 7);
    expect(await inspectMedia(bytes)).toMatchObject({ width: 640, height: 360 });
    bytes.writeUInt8(0, other + 7);
    expect(await inspectMedia(bytes)).toMatchObject({ width: 320, height: 180 });
  });

  test('of several boxes of a type the first counts', async () => {
    const first = box('stsd', u32(0, 1), box('abcd', Buffer.alloc(78)));
    const second = box('stsd', u32(0, 1), box('efgh', Buffer.alloc(78)));
    expect(await inspectMedia(swap('stsd', Buffer.concat([first, second])))).toMatchObject({ codecs: ['abcd'] });
  });

  test('an edit list shortens a video', async () => {
    expect(await inspectMedia(encodeMp4({ seconds: 10, shownSeconds: 4, claimedSeconds: 4 }))).toMatchObject({
      duration_ms: 4000,
    });
  });

  test('a video whose header has no duration has that of its samples', async () => {
    expect(await inspectMedia(encodeMp4({ seconds: 7, claimedSeconds: 0 }))).toMatchObject({ duration_ms: 7000 });
  });
});

import { describe, expect, test } from 'vitest';
import type { ByteSource } from './byte-source.ts';
import { inspectMedia } from './inspect.ts';
import {
  encodeGif,
  encodeJpeg,
  encodePng,
  encodeWebp,
  gifHeader,
  losslessChunk,
  lossyChunk,
  pngChunk,
  pngHeader,
  pngSignature,
  riffChunk,
  webpExtended,
  webpFile,
} from './testing/images.ts';
import { ftyp, swap, trun } from './testing/media-files.ts';
import { box, encodeMp4, u32, wideBox } from './testing/videos.ts';

describe('rejections', () => {
  const png = (...chunks: Buffer[]) => Buffer.concat([pngSignature, ...chunks]);
  const data = pngChunk('IDAT', Buffer.from('789c63000000010001', 'hex'));
  const corrupt = (bytes: Buffer, at: number) => {
    const copy = Buffer.from(bytes);
    copy[at] = (copy[at] ?? 0) ^ 0xff;
    return copy;
  };
  const idat = encodePng(20, 10).indexOf('IDAT') + 5;
  const withoutData = Buffer.concat([
    gifHeader(9, 7),
    Buffer.from('2c0000000009000700000200', 'hex'),
    Uint8Array.of(0x3b),
  ]);
  // The header announces a first partition of 16 bytes.
  const shortLossy = riffChunk('VP8 ', lossyChunk(12, 14).subarray(8, 8 + 10 + 15));
  const table: [string, Buffer, string, RegExp][] = [
    ['nothing', Buffer.alloc(0), 'truncated', /empty/],
    ['random bytes', Buffer.from('c0ffee00deadbeef', 'hex'), 'unknown_type', /no type that is known; PNG, JPEG/],
    ['a page', Buffer.from('<!doctype html><script>alert(1)</script>'), 'unknown_type', /an HTML page/],
    ['a drawing', Buffer.from('<?xml version="1.0"?>\n<svg xmlns="x"/>'), 'unknown_type', /an SVG image/],
    ['a document', Buffer.from('%PDF-1.7 ...'), 'unknown_type', /a PDF document/],
    ['an archive', Buffer.from('PK\x03\x04....'), 'unknown_type', /a ZIP archive/],
    ['a bitmap', Buffer.from('BM......'), 'unknown_type', /a BMP image/],
    ['text', Buffer.from('hello'), 'unknown_type', /text/],
    [
      'a transport stream',
      Buffer.alloc(376, Buffer.concat([Buffer.from('G'), Buffer.alloc(187)])),
      'unknown_type',
      /MPEG transport/,
    ],
    ['a picture of a phone', box('ftyp', Buffer.from('heic\0\0\0\0mif1heic')), 'unknown_type', /HEIC/],
    ['a PNG cut in its data', encodePng(20, 10).subarray(0, idat), 'truncated', /ends in the middle of its image data/],
    ['a PNG with a flipped byte', corrupt(encodePng(20, 10), idat), 'broken', /checksum .* IDAT/],
    ['a PNG without data', png(pngHeader(1, 1), pngChunk('IEND')), 'broken', /no image data/],
    ['a PNG of no width', png(pngHeader(0, 1), data, pngChunk('IEND')), 'broken', /0×1/],
    ['a PNG of 3 bits', png(pngHeader(1, 1, 3), data, pngChunk('IEND')), 'broken', /3 bits/],
    ['a PNG without its palette', png(pngHeader(1, 1, 8, 3), data, pngChunk('IEND')), 'broken', /palette/],
    ['a PNG with two headers', png(pngHeader(1, 1), pngHeader(1, 1)), 'broken', /two headers/],
    ['a PNG with data first', png(data), 'broken', /begins with IDAT/],
    ['a PNG with data in two places', png(pngHeader(1, 1), data, pngChunk('tEXt'), data), 'broken', /interrupted/],
    ['a PNG with an unknown critical chunk', png(pngHeader(1, 1), pngChunk('ABCD')), 'broken', /ABCD/],
    [
      'a PNG of impossible size',
      png(pngHeader(60_000, 60_000), data, pngChunk('IEND')),
      'lying',
      /60000×60000.*cannot hold/,
    ],
    ['a JPEG without its end', encodeJpeg(40, 20).subarray(0, -2), 'truncated', /middle of its image data/],
    ['a JPEG without data', Buffer.from('ffd8ffd9', 'hex'), 'broken', /without image data/],
    ['a JPEG of no height', encodeJpeg(40, 20, { claimed: [40, 0] }), 'broken', /40×0/],
    ['a JPEG of impossible size', encodeJpeg(8, 8, { claimed: [65_000, 65_000] }), 'lying', /65000×65000/],
    ['a JPEG segment of no length', Buffer.from('ffd8ffe00001ffd9', 'hex'), 'broken', /impossible length/],
    ['a GIF frame without data', withoutData, 'broken', /Frame 1 of the GIF has no image data/],
    ['a lossy WebP that is shorter than it says', webpFile(shortLossy), 'broken', /invalid header/],
    ['a lossless JPEG', corrupt(encodeJpeg(8, 8), encodeJpeg(8, 8).indexOf('ffc0', 'hex') + 1), 'broken', /JPEG/],
    ['a GIF without its end mark', encodeGif(9, 7).subarray(0, -1), 'truncated', /after 1 whole frame,/],
    ['a GIF without frames', Buffer.concat([gifHeader(9, 7), Uint8Array.of(0x3b)]), 'broken', /no image/],
    ['a GIF of no size', encodeGif(0, 7), 'broken', /0×7/],
    ['a WebP cut off', encodeWebp(9, 9).subarray(0, -1), 'truncated', /says it has 28 bytes, but ends after 27/],
    ['a WebP of no picture', webpFile(riffChunk('ALPH', Buffer.alloc(4))), 'broken', /does not begin/],
    [
      'a WebP with another picture in it',
      webpFile(webpExtended(100, 100), losslessChunk(9, 9)),
      'lying',
      /100×100.*9×9/,
    ],
    ['an animation without frames', webpFile(webpExtended(9, 9, true)), 'broken', /without frames/],
    [
      'a video cut in its data',
      encodeMp4({ index: 'first' }).subarray(0, -5),
      'truncated',
      /before the last of its pictures/,
    ],
    [
      'a video cut in open data',
      encodeMp4({ index: 'first', data: 'to-the-end' }).subarray(0, -5),
      'truncated',
      /before the last/,
    ],
    ['a video cut in its index', encodeMp4().subarray(0, -5), 'truncated', /middle of its box "moov"/],
    ['a video without its index', encodeMp4().subarray(0, 272), 'truncated', /no index/],
    [
      'a video without its data',
      encodeMp4({ index: 'first', seconds: 1 }).subarray(0, -248),
      'truncated',
      /before the last/,
    ],
    ['sound alone', encodeMp4({ hasPicture: false, hasAudio: true }), 'broken', /has sound, but no pictures/],
    ['a video of no frames', encodeMp4({ seconds: 0 }), 'truncated', /no pictures/],
    ['a video with junk at its end', encodeMp4({ tail: Buffer.alloc(9) }), 'broken', /is no box/],
    [
      'a short header of a long video',
      encodeMp4({ seconds: 60, claimedSeconds: 5 }),
      'lying',
      /takes 5 s, but its tracks take 60 s/,
    ],
    ['a small frame of a large video', encodeMp4({ coded: [7680, 4320] }), 'lying', /320×180.*7680×4320/],
    ['a large frame of a small video', encodeMp4({ coded: [32, 18] }), 'lying', /320×180.*32×18/],
    [
      'a video with fewer times than samples',
      swap('stts', box('stts', u32(0, 1, 9, 1280))),
      'broken',
      /10 samples, but times for 9/,
    ],
    [
      'a video with samples in no place',
      swap('stsc', box('stsc', u32(0, 1, 1, 1, 1))),
      'broken',
      /Of 10 samples .* 2 have/,
    ],
    [
      'a video of empty samples',
      swap('stsz', box('stsz', u32(0, 0, 10, ...Array<number>(10).fill(0)))),
      'broken',
      /are empty/,
    ],
    ['a video with a box of 7 bytes', Buffer.concat([ftyp, u32(7), Buffer.from('moov')]), 'broken', /no valid length/],
    [
      'a video with a box of 16 exabytes',
      Buffer.concat([ftyp, wideBox('mdat', Buffer.alloc(4), 2 ** 63)]),
      'truncated',
      /9223372036854776000 /,
    ],
    [
      'a fragment with more samples than it has room for',
      trun(0x200, 1000, 8),
      'broken',
      /"trun" of the video is shorter/,
    ],
    ['a video lacking fragments', encodeMp4({ fragments: 3, seconds: 9 }).subarray(0, -900), 'truncated', /./],
  ];
  test.each(table)('%s', async (_, bytes, reason, message) => {
    const found = await inspectMedia(bytes);
    expect(found).toEqual({ reason, message: expect.stringMatching(message) });
  });

  test('a JPEG declared as image/png is detected', async () => {
    expect(await inspectMedia(encodeJpeg(8, 8), { declared: 'image/png' })).toEqual({
      reason: 'lying',
      message: 'The upload is named image/png, but the bytes are a JPEG.',
    });
  });

  test('every accepted type matches its own names, and none of another type', async () => {
    const names: [Buffer, string[]][] = [
      [encodePng(1, 1), ['image/png', 'IMAGE/PNG; charset=binary']],
      [encodeJpeg(1, 1), ['image/jpeg', 'image/jpg', 'image/pjpeg']],
      [encodeGif(1, 1), ['image/gif']],
      [encodeWebp(1, 1), ['image/webp']],
      [encodeMp4(), ['video/mp4', 'video/quicktime', 'video/x-m4v']],
      [encodeMp4({ brand: 'qt  ' }), ['video/mp4', 'video/quicktime', 'video/x-m4v']],
    ];
    const all = [...names.flatMap(([, own]) => own), 'video/webm', 'text/html', 'constructor'];
    for (const [bytes, own] of names) {
      const videoOwn = own.includes('video/mp4');
      for (const declared of all) {
        const found = await inspectMedia(bytes, { declared });
        const agrees =
          own.includes(declared) || (videoOwn && declared.startsWith('video/') && declared !== 'video/webm');
        expect([declared, 'reason' in found ? found.reason : 'fine']).toEqual([declared, agrees ? 'fine' : 'lying']);
      }
      for (const declared of [undefined, '', 'application/octet-stream']) {
        expect(await inspectMedia(bytes, { declared })).not.toHaveProperty('reason');
      }
    }
  });

  test('an image larger than any category allows is rejected before it is read', async () => {
    const head = encodePng(20, 10);
    let most = 0;
    const source: ByteSource = {
      size: 2 ** 34,
      read: async (position, length) => {
        most = Math.max(most, position + length);
        return Buffer.concat([head, Buffer.alloc(length)]).subarray(position, position + length);
      },
    };
    expect(await inspectMedia(source)).toMatchObject({ reason: 'too_large' });
    expect(most).toBeLessThan(1_000_000);
  });

  test('an error of the source is not a rejection', async () => {
    const source: ByteSource = { size: 100, read: () => Promise.reject(new Error('the disk is gone')) };
    await expect(inspectMedia(source)).rejects.toThrow('the disk is gone');
  });
});

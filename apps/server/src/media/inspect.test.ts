import { costRatio } from '@broadside/cost-ratio';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ByteSource } from './byte-source.ts';
import { inspectMedia } from './inspect.ts';
import type { MediaFacts, MediaRefusal } from './inspection.ts';
import {
  encodeAnimatedWebp,
  encodeGif,
  encodeJpeg,
  encodePng,
  encodeWebp,
  exifSegment,
  gifFrame,
  gifHeader,
  jpegSegment,
  losslessChunk,
  lossyChunk,
  pngChunk,
  pngHeader,
  pngSignature,
  riffChunk,
  webpExtended,
  webpFile,
} from './testing/images.ts';
import { box, encodeMp4, u32, wideBox } from './testing/videos.ts';

const fixtures: Readonly<Record<string, Buffer>> = {
  png: encodePng(20, 10),
  jpeg: encodeJpeg(40, 20),
  'turned jpeg': encodeJpeg(40, 20, { orientation: 6 }),
  gif: encodeGif(9, 7),
  'animated gif': encodeGif(9, 7, [5, 1, 20]),
  'lossless webp': encodeWebp(33, 21),
  'lossy webp': webpFile(webpExtended(12, 14), lossyChunk(12, 14)),
  'animated webp': encodeAnimatedWebp(8, 9, [100, 200]),
  'mp4 with its index at the end': encodeMp4(),
  'mp4 with its index first': encodeMp4({
    index: 'first',
    data: 'wide',
    turn: 90,
    hasAudio: true,
    co64: true,
    long: true,
  }),
  'mp4 with data to the end': encodeMp4({ index: 'first', data: 'to-the-end' }),
  quicktime: encodeMp4({ brand: 'qt  ', shownSeconds: 1 }),
  'quicktime without brand': encodeMp4().subarray(24),
  'mp4 in fragments': encodeMp4({ fragments: 3, seconds: 6 }),
};
const cases = Object.entries(fixtures);

const ftyp = box('ftyp', Buffer.from('isom\0\0\0\0isom'));

const isRefusal = (found: MediaFacts | MediaRefusal): found is MediaRefusal => 'reason' in found;

/** A video with a fragment at its end, of so many samples and as many bytes of facts about them. */
function trun(flags: number, count: number, rest: number): Buffer {
  return Buffer.concat([
    encodeMp4({ fragments: 1, unannounced: true }),
    box('moof', box('traf', box('tfhd', u32(0, 1)), box('trun', u32(flags, count), Buffer.alloc(rest)))),
  ]);
}

/** A video with another box in place of one in its sample table. */
function swap(name: string, by: Buffer): Buffer {
  const whole = encodeMp4();
  const at = whole.indexOf(name) - 4;
  const grown = by.length - whole.readUInt32BE(at);
  const bytes = Buffer.concat([whole.subarray(0, at), by, whole.subarray(at + whole.readUInt32BE(at))]);
  for (const around of ['moov', 'trak', 'mdia', 'minf', 'stbl']) {
    const start = bytes.indexOf(around) - 4;
    bytes.writeUInt32BE(bytes.readUInt32BE(start) + grown, start);
  }
  return bytes;
}

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

  test('a picture track that is switched off counts only where there is no other', async () => {
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

  test('of several boxes alike the first counts', async () => {
    const first = box('stsd', u32(0, 1), box('abcd', Buffer.alloc(78)));
    const second = box('stsd', u32(0, 1), box('efgh', Buffer.alloc(78)));
    expect(await inspectMedia(swap('stsd', Buffer.concat([first, second])))).toMatchObject({ codecs: ['abcd'] });
  });

  test('an edit list shortens a video', async () => {
    expect(await inspectMedia(encodeMp4({ seconds: 10, shownSeconds: 4, claimedSeconds: 4 }))).toMatchObject({
      duration_ms: 4000,
    });
  });

  test('a video whose header leaves its duration open has that of its samples', async () => {
    expect(await inspectMedia(encodeMp4({ seconds: 7, claimedSeconds: 0 }))).toMatchObject({ duration_ms: 7000 });
  });
});

describe('refusals', () => {
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

  test('a JPEG named image/png is found out', async () => {
    expect(await inspectMedia(encodeJpeg(8, 8), { declared: 'image/png' })).toEqual({
      reason: 'lying',
      message: 'The upload is named image/png, but the bytes are a JPEG.',
    });
  });

  test('every accepted type agrees with its own names, and with no name of another', async () => {
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

  test('an image larger than any category takes is refused before it is read', async () => {
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

  test('an error of the source is no refusal', async () => {
    const source: ByteSource = { size: 100, read: () => Promise.reject(new Error('the disk is gone')) };
    await expect(inspectMedia(source)).rejects.toThrow('the disk is gone');
  });
});

describe('damage', () => {
  test.each(cases)('a %s cut at any byte is refused, with a sentence', async (_, bytes) => {
    for (let length = 0; length < bytes.length; length++) {
      const found = await inspectMedia(bytes.subarray(0, length));
      expect({ length, found }).toEqual({
        length,
        found: { reason: expect.any(String), message: expect.stringMatching(/^The .+\.$/) },
      });
    }
  });

  test('a video in fragments that does not announce its length may end after any whole fragment', async () => {
    const bytes = encodeMp4({ fragments: 3, seconds: 6, unannounced: true });
    const durations = new Set<number | undefined>();
    for (let length = 0; length <= bytes.length; length++) {
      const found = await inspectMedia(bytes.subarray(0, length));
      if (!isRefusal(found)) durations.add(found.duration_ms);
    }
    expect([...durations]).toEqual([2000, 4000, 6000]);
  });

  test('flipped bytes end in facts or a refusal, never in an error', async () => {
    const arbitrary = fc.record({
      fixture: fc.constantFrom(...cases.map(([, bytes]) => bytes)),
      flips: fc.array(fc.tuple(fc.nat(), fc.integer({ min: 1, max: 255 })), { minLength: 1, maxLength: 6 }),
    });
    await fc.assert(
      fc.asyncProperty(arbitrary, async ({ fixture, flips }) => {
        const bytes = Buffer.from(fixture);
        for (const [at, mask] of flips) bytes[at % bytes.length] = (bytes[at % bytes.length] ?? 0) ^ mask;
        const found = await inspectMedia(bytes);
        if (isRefusal(found)) return found.message.length < 300;
        return found.width > 0 && found.height > 0 && (found.kind !== 'video' || (found.duration_ms ?? 0) > 0);
      }),
      { numRuns: 30_000 },
    );
  });

  test('stretches that are removed, repeated or replaced end in facts or a refusal', async () => {
    const arbitrary = fc.record({
      fixture: fc.constantFrom(...cases.map(([, bytes]) => bytes)),
      from: fc.nat({ max: 1500 }),
      length: fc.nat({ max: 60 }),
      inserted: fc.uint8Array({ maxLength: 40 }),
    });
    await fc.assert(
      fc.asyncProperty(arbitrary, async ({ fixture, from, length, inserted }) => {
        const at = from % fixture.length;
        await inspectMedia(Buffer.concat([fixture.subarray(0, at), inserted, fixture.subarray(at + length)]));
      }),
      { numRuns: 10_000 },
    );
  });
});

describe('a large video', () => {
  /** A video whose data are hundreds of megabytes of zeros that nobody holds. */
  function largeVideo(dataBytes: number): { source: ByteSource; read: () => number } {
    const small = encodeMp4({ seconds: 100, frameRate: 25, data: 'wide' });
    const at = small.indexOf('mdat') + 12;
    const head = Buffer.from(small.subarray(0, at));
    head.writeBigUInt64BE(BigInt(dataBytes + 16), at - 8);
    const rest = small.subarray(at + 2500 * 24);
    let read = 0;
    return {
      read: () => read,
      source: {
        size: head.length + dataBytes + rest.length,
        read: async (position, length) => {
          const bytes = Buffer.alloc(Math.min(length, head.length + dataBytes + rest.length - position));
          read += bytes.length;
          for (let index = 0; index < bytes.length; index++) {
            const place = position + index;
            bytes[index] = place < head.length ? (head[place] ?? 0) : (rest[place - head.length - dataBytes] ?? 0);
          }
          return bytes;
        },
      },
    };
  }

  test.each([500_000_000, 5_000_000_000])(
    'of %i bytes with its index at the end is inspected with a few reads',
    async (bytes) => {
      const { source, read } = largeVideo(bytes);
      expect(await inspectMedia(source)).toMatchObject({ kind: 'video', duration_ms: 100_000, frame_rate: 25 });
      expect(read()).toBeLessThan(1_000_000);
    },
  );
});

describe('a hostile megabyte', () => {
  const MB = 1_000_000;
  const repeated = (part: Uint8Array, before: Uint8Array = Buffer.alloc(0)) =>
    Buffer.concat([before, Buffer.alloc(Math.floor((MB - before.length) / part.length) * part.length, part)]);
  const nested = (type: string, depth: number) => {
    const bytes = Buffer.alloc(depth * 8);
    for (let level = 0; level < depth; level++) {
      bytes.writeUInt32BE((depth - level) * 8, level * 8);
      bytes.write(type, level * 8 + 4, 'latin1');
    }
    return bytes;
  };
  const sos = jpegSegment(0xda, Buffer.from([1, 1, 0, 0, 63, 0]));
  const jpegHead = encodeJpeg(8, 8).subarray(0, encodeJpeg(8, 8).indexOf(sos) + sos.length);
  const table = (type: string, entryBytes: number) => {
    const count = Math.floor((MB - 100) / entryBytes);
    return box(type, u32(0, count), Buffer.alloc(count * entryBytes, u32(1)));
  };
  const exif = Buffer.concat([
    Buffer.from('Exif\0\0MM\0*'),
    u32(8),
    Buffer.from([0xff, 0xff]),
    Buffer.alloc(65_000, 1),
  ]);
  const hostile: Readonly<Record<string, Buffer>> = {
    'empty PNG chunks': repeated(pngChunk('tEXt'), Buffer.concat([pngSignature, pngHeader(1, 1)])),
    'a PNG chunk that is the file': Buffer.concat([pngSignature, pngHeader(1, 1), pngChunk('IDAT', Buffer.alloc(MB))]),
    'fill bytes in a JPEG': repeated(Uint8Array.of(0xff), Buffer.from([0xff, 0xd8])),
    'empty JPEG segments': repeated(Buffer.from('ffe00002', 'hex'), Buffer.from([0xff, 0xd8])),
    'stuffed bytes in a JPEG': repeated(Buffer.from('ff00', 'hex'), jpegHead),
    'restart marks in a JPEG': repeated(Buffer.from('ffd0', 'hex'), jpegHead),
    'empty scans in a JPEG': repeated(sos, jpegHead),
    'endless EXIF directories': repeated(jpegSegment(0xe1, exif), Buffer.from([0xff, 0xd8])),
    'GIF sub-blocks of one byte': repeated(
      Uint8Array.of(1, 1),
      Buffer.concat([gifHeader(1, 1), Buffer.from([0x21, 0xfe])]),
    ),
    'empty GIF extensions': repeated(Uint8Array.of(0x21, 0xfe, 0), gifHeader(1, 1)),
    'GIF frames': repeated(gifFrame(1, 1), gifHeader(1, 1)),
    'empty WebP chunks': riffChunk('RIFF', repeated(riffChunk('ALPH', Buffer.alloc(0)), Buffer.from('WEBP'))),
    'WebP frames': riffChunk(
      'RIFF',
      repeated(
        riffChunk('ANMF', Buffer.concat([Buffer.alloc(16), losslessChunk(1, 1)])),
        Buffer.concat([Buffer.from('WEBP'), webpExtended(1, 1, true)]),
      ),
    ),
    'empty boxes': repeated(box('free'), ftyp),
    'empty boxes in an index': Buffer.concat([ftyp, box('moov', repeated(box('free')))]),
    'empty tracks': Buffer.concat([ftyp, box('moov', repeated(box('trak')))]),
    'boxes 10,000 deep': Buffer.concat([ftyp, nested('moov', 10_000)]),
    'containers 10,000 deep': Buffer.concat([ftyp, box('moov', box('trak', nested('mdia', 10_000)))]),
    'all containers deep': Buffer.concat([
      ftyp,
      box('moov', box('trak', box('mdia', box('minf', nested('stbl', 10_000))))),
    ]),
    'a box that reaches to the end in an index': Buffer.concat([ftyp, box('moov', Buffer.alloc(8))]),
    'a box of length 1': Buffer.concat([ftyp, u32(1), Buffer.from('moov'), Buffer.alloc(8)]),
    'a box of length 7': Buffer.concat([ftyp, u32(7), Buffer.from('moov'), Buffer.alloc(8)]),
    'a box of 16 exabytes': Buffer.concat([ftyp, wideBox('mdat', Buffer.alloc(4), 2 ** 63)]),
    'times of a million samples': swap('stts', table('stts', 8)),
    'runs of samples': swap('stsc', table('stsc', 12)),
    'places of samples': swap('stco', table('stco', 4)),
    'sizes of samples': swap('stsz', box('stsz', u32(0, 0, 240_000), Buffer.alloc(960_000))),
    'sizes of samples that are not there': swap('stsz', box('stsz', u32(0, 0, 0xffffffff))),
    edits: swap('hdlr', table('elst', 12)),
    'a fragment of four thousand million samples': trun(0x100, 0xffffffff, 100),
    'a fragment of a quarter of a million samples': trun(0x100, 240_000, 960_000),
    'sample descriptions of no length': swap(
      'stsd',
      box('stsd', u32(0, 1, MB), Buffer.from('avc1'), Buffer.alloc(MB - 16)),
    ),
  };

  test.each(Object.entries(hostile))(
    '%s: takes no more than 20 times as long as looking at each byte',
    async (_, bytes) => {
      const found = await inspectMedia(bytes);
      if (isRefusal(found)) expect(found.message.length).toBeLessThan(300);
      const plain = Buffer.alloc(MB);
      const ratio = await costRatio(
        () => inspectMedia(bytes),
        () => plain.reduce((sum, byte) => sum + byte, 0),
        20,
      );
      expect(ratio).toBeLessThan(20);
    },
  );
});

import { costRatio } from '@broadside/cost-ratio';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ByteSource } from './byte-source.ts';
import { inspectMedia } from './inspect.ts';
import {
  encodeJpeg,
  gifFrame,
  gifHeader,
  jpegSegment,
  losslessChunk,
  pngChunk,
  pngHeader,
  pngSignature,
  riffChunk,
  webpExtended,
} from './testing/images.ts';
import { cases, ftyp, isRejection, swap, trun } from './testing/media-files.ts';
import { box, encodeMp4, u32, wideBox } from './testing/videos.ts';

describe('damage', () => {
  test.each(cases)('a %s cut at any byte is rejected, with a message', async (_, bytes) => {
    for (let length = 0; length < bytes.length; length++) {
      const found = await inspectMedia(bytes.subarray(0, length));
      expect({ length, found }).toEqual({
        length,
        found: { reason: expect.any(String), message: expect.stringMatching(/^The .+\.$/) },
      });
    }
  });

  test('a fragmented video that does not announce its duration may end after any whole fragment', async () => {
    const bytes = encodeMp4({ fragments: 3, seconds: 6, unannounced: true });
    const durations = new Set<number | undefined>();
    for (let length = 0; length <= bytes.length; length++) {
      const found = await inspectMedia(bytes.subarray(0, length));
      if (!isRejection(found)) durations.add(found.duration_ms);
    }
    expect([...durations]).toEqual([2000, 4000, 6000]);
  });

  test('flipped bytes result in facts or a rejection, never in an error', async () => {
    const arbitrary = fc.record({
      fixture: fc.constantFrom(...cases.map(([, bytes]) => bytes)),
      flips: fc.array(fc.tuple(fc.nat(), fc.integer({ min: 1, max: 255 })), { minLength: 1, maxLength: 6 }),
    });
    await fc.assert(
      fc.asyncProperty(arbitrary, async ({ fixture, flips }) => {
        const bytes = Buffer.from(fixture);
        for (const [at, mask] of flips) bytes[at % bytes.length] = (bytes[at % bytes.length] ?? 0) ^ mask;
        const found = await inspectMedia(bytes);
        if (isRejection(found)) return found.message.length < 300;
        return found.width > 0 && found.height > 0 && (found.kind !== 'video' || (found.duration_ms ?? 0) > 0);
      }),
      { numRuns: 30_000 },
    );
  });

  test('removed, repeated or replaced ranges result in facts or a rejection', async () => {
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
  /** A video with hundreds of megabytes of zeros that are never in memory. */
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
      if (isRejection(found)) expect(found.message.length).toBeLessThan(300);
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

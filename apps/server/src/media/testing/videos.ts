/** A tiny writer of MP4 and QuickTime files, so that tests know every box. The samples are zeros. */

/** Encodes a box. */
export function box(type: string, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([u32(body.length + 8), Buffer.from(type, 'latin1'), body]);
}

/** Encodes a box with a 64-bit length. */
export function wideBox(type: string, body: Uint8Array, length = body.length + 16): Buffer {
  const wide = Buffer.alloc(8);
  wide.writeBigUInt64BE(BigInt(length));
  return Buffer.concat([u32(1), Buffer.from(type, 'latin1'), wide, body]);
}

/** Encodes 32-bit numbers. */
export function u32(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value >>> 0, index * 4);
  return bytes;
}

function u16(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  for (const [index, value] of values.entries()) bytes.writeUInt16BE(value, index * 2);
  return bytes;
}

/** Options of {@link encodeMp4}, all with defaults. */
export interface Mp4Options {
  readonly width?: number;
  readonly height?: number;
  readonly seconds?: number;
  readonly frameRate?: number;
  readonly brand?: string;
  /** Degrees by which players rotate the picture. */
  readonly turn?: 0 | 90 | 180 | 270;
  readonly hasAudio?: boolean;
  readonly hasPicture?: boolean;
  /** Position of the index. */
  readonly index?: 'first' | 'last';
  /** Encoding of the length of `mdat`. */
  readonly data?: 'plain' | 'wide' | 'to-the-end';
  /** 64-bit chunk offsets. */
  readonly co64?: boolean;
  /** Times in boxes of version 1. */
  readonly long?: boolean;
  /** Duration in the header in seconds, if it differs. */
  readonly claimedSeconds?: number;
  /** Duration of the edit list in seconds. */
  readonly shownSeconds?: number;
  /** Size in the sample description, if it differs. */
  readonly coded?: readonly [number, number];
  /** Number of fragments over which the index is spread. */
  readonly fragments?: number;
  /** Omits the announcement of the total duration in a fragmented file. */
  readonly unannounced?: boolean;
  /** Replaces the last bytes. */
  readonly tail?: Uint8Array;
}

const MOVIE_SCALE = 1000;
const PICTURE_SCALE = 12_800;
const SAMPLE_BYTES = 24;

const matrices: Readonly<Record<number, readonly number[]>> = {
  0: [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000],
  90: [0, 0x10000, 0, -0x10000, 0, 0, 0, 0, 0x40000000],
  180: [-0x10000, 0, 0, 0, -0x10000, 0, 0, 0, 0x40000000],
  270: [0, -0x10000, 0, 0x10000, 0, 0, 0, 0, 0x40000000],
};

function times(long: boolean, timescale: number, duration: number): Buffer {
  return long
    ? Buffer.concat([u32(0x01000000), Buffer.alloc(16), u32(timescale, 0, duration)])
    : u32(0, 0, 0, timescale, duration);
}

/** Encodes an MP4 with samples of 24 bytes each. */
export function encodeMp4(options: Mp4Options = {}): Buffer {
  const { seconds = 1, frameRate = 10, brand = 'isom', index = 'last', data = 'plain', fragments = 0 } = options;
  const frames = Math.round(seconds * frameRate);
  const tracks = [options.hasPicture === false ? undefined : 'vide', options.hasAudio ? 'soun' : undefined].filter(
    (handler) => handler !== undefined,
  );
  const ftyp = box('ftyp', Buffer.from(brand), u32(512), Buffer.from(`${brand}mp41`));
  if (fragments > 0) return fragmented(options, ftyp, frames, fragments);
  const bytes = Buffer.alloc(frames * SAMPLE_BYTES * tracks.length);
  const mdat =
    data === 'wide'
      ? wideBox('mdat', bytes)
      : data === 'to-the-end'
        ? Buffer.concat([u32(0), Buffer.from('mdat'), bytes])
        : box('mdat', bytes);
  const headBytes = mdat.length - bytes.length;
  const moov = (base: number) => {
    const tracked = tracks.map((handler, number) =>
      trak(options, handler, number + 1, frames, base + number * frames * SAMPLE_BYTES),
    );
    return box('moov', mvhd(options, seconds), ...tracked);
  };
  const tail = options.tail ?? Buffer.alloc(0);
  if (index === 'last') return Buffer.concat([ftyp, mdat, moov(ftyp.length + headBytes), tail]);
  const moovBytes = moov(0).length;
  return Buffer.concat([ftyp, moov(ftyp.length + moovBytes + headBytes), mdat, tail]);
}

function mvhd(options: Mp4Options, seconds: number): Buffer {
  const duration = Math.round((options.claimedSeconds ?? seconds) * MOVIE_SCALE);
  return box('mvhd', times(options.long ?? false, MOVIE_SCALE, duration), Buffer.alloc(80));
}

function trak(options: Mp4Options, handler: string, id: number, frames: number, offset: number): Buffer {
  const { width = 320, height = 180, frameRate = 10, turn = 0, long = false } = options;
  const sampleDuration = PICTURE_SCALE / frameRate;
  const head = long ? Buffer.concat([u32(0x01000003), Buffer.alloc(16), u32(id, 0, 0, 0)]) : u32(3, 0, 0, id, 0, 0);
  const size = handler === 'vide' ? u32(width * 0x10000, height * 0x10000) : u32(0, 0);
  const tkhd = box('tkhd', head, Buffer.alloc(16), u32(...(matrices[turn] ?? [])), size);
  const edts =
    options.shownSeconds === undefined
      ? Buffer.alloc(0)
      : box('edts', box('elst', u32(0, 1, options.shownSeconds * MOVIE_SCALE, 0, 0x10000)));
  const mdhd = box('mdhd', times(long, PICTURE_SCALE, frames * sampleDuration), u32(0));
  const hdlr = box('hdlr', u32(0, 0), Buffer.from(handler), Buffer.alloc(13));
  const [codedWidth, codedHeight] = options.coded ?? [width, height];
  const entry =
    handler === 'vide'
      ? box(
          'avc1',
          Buffer.alloc(24),
          u16(codedWidth, codedHeight),
          Buffer.alloc(50),
          box('avcC', Buffer.from([1, 0x64, 0x00, 0x1f, 0xff, 0xe0, 0])),
        )
      : box('mp4a', Buffer.alloc(28));
  const stbl = box(
    'stbl',
    box('stsd', u32(0, 1), entry),
    box('stts', frames > 0 ? u32(0, 1, frames, sampleDuration) : u32(0, 0)),
    box('stsc', frames > 0 ? u32(0, 2, 1, 1, 1, 2, frames - 1, 1) : u32(0, 0)),
    box('stsz', u32(0, 0, frames, ...Array<number>(frames).fill(SAMPLE_BYTES))),
    offsets(options, frames, offset),
  );
  return box('trak', tkhd, edts, box('mdia', mdhd, hdlr, box('minf', stbl)));
}

/** Two chunks: one with a single sample, and one with the others. */
function offsets(options: Mp4Options, frames: number, offset: number): Buffer {
  if (frames === 0) return box('stco', u32(0, 0));
  return options.co64
    ? box('co64', u32(0, 2, 0, offset, 0, offset + SAMPLE_BYTES))
    : box('stco', u32(0, 2, offset, offset + SAMPLE_BYTES));
}

function fragmented(options: Mp4Options, ftyp: Buffer, frames: number, fragments: number): Buffer {
  const { seconds = 1, frameRate = 10 } = options;
  const sampleDuration = PICTURE_SCALE / frameRate;
  const announced = options.unannounced ? Buffer.alloc(0) : box('mehd', u32(0, seconds * MOVIE_SCALE));
  const moov = box(
    'moov',
    mvhd({ ...options, claimedSeconds: 0 }, 0),
    trak(options, 'vide', 1, 0, 0),
    box('mvex', announced, box('trex', u32(0, 1, 1, sampleDuration, SAMPLE_BYTES, 0))),
  );
  const each = Math.ceil(frames / fragments);
  const parts = Array.from({ length: fragments }, (_, number) => {
    const count = Math.min(each, frames - number * each);
    // Every second fragment lists the durations individually, next to a default that applies to none of them.
    const header = box('tfhd', number % 2 === 0 ? u32(0x020000, 1) : u32(0x020008, 1, 1));
    const run = number % 2 === 0 ? u32(0, count) : u32(0x100, count, ...Array<number>(count).fill(sampleDuration));
    const moof = box('moof', box('mfhd', u32(0, number + 1)), box('traf', header, box('trun', run)));
    return Buffer.concat([moof, box('mdat', Buffer.alloc(count * SAMPLE_BYTES))]);
  });
  return Buffer.concat([ftyp, moov, ...parts]);
}

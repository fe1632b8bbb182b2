/**
 * Pictures as a video: H.264 of the plainest kind in an MP4 (ITU-T H.264, clause 7.3; ISO/IEC 14496-12, clause 8). Blocks of 16 by 16
 * pixels that change are stored as they are, all others are said to be those of the picture before.
 */
import type { IndexedPicture } from '../../media/stills/indexed-picture.ts';

const BLOCK = 16;
const TIMESCALE = 1000;
/** Constrained baseline, level 2: up to 352 by 288 pixels, 30 times a second. */
const PROFILE = Buffer.from([66, 0xc0, 20]);

const SEQUENCE = 0x67;
const PICTURE = 0x68;
const KEY_SLICE = 0x65;
const SLICE = 0x41;
/** The kinds of a block that is stored as it is, in a key slice and in another. */
const RAW_IN_KEY = 25;
const RAW = 30;
const KEY = 7;
const PREDICTED = 5;

/** A video. @param frame_ms how long each picture is shown; sides are multiples of 16 */
export function encodeFilm(pictures: readonly IndexedPicture[], frame_ms: number): Buffer {
  const [first] = pictures;
  if (!first || first.width % BLOCK !== 0 || first.height % BLOCK !== 0) {
    throw new TypeError('a film has pictures, whose sides are multiples of 16');
  }
  const planes = pictures.map(planesOf);
  const samples = planes.map((picture, index) => {
    const before = planes[index - 1];
    return withLength(before ? slice(first, picture, before, index) : keySlice(first, picture));
  });
  const ftyp = box('ftyp', Buffer.from('isom'), u32(512), Buffer.from('isomavc1'));
  const head = (data: number) => movie(first, samples, frame_ms, data);
  // Offsets do not change the length of what holds them.
  const moov = head(ftyp.length + head(0).length + 8);
  return Buffer.concat([ftyp, moov, box('mdat', ...samples)]);
}

/** Brightness of each pixel, and two colours of each four. */
interface Planes {
  readonly luma: Uint8Array;
  readonly blue: Uint8Array;
  readonly red: Uint8Array;
}

/** The colours of video (ITU-R BT.601, studio range). */
function planesOf({ width, height, palette, pixels }: IndexedPicture): Planes {
  const table = palette.map(([r, g, b]) => [
    Math.round(16 + (65.738 * r + 129.057 * g + 25.064 * b) / 256),
    Math.round(128 + (-37.945 * r - 74.494 * g + 112.439 * b) / 256),
    Math.round(128 + (112.439 * r - 94.154 * g - 18.285 * b) / 256),
  ]);
  const at = (pixel: number, plane: number) => table[pixels[pixel] ?? 0]?.[plane] ?? 0;
  const half = width / 2;
  const corner = (index: number) => Math.floor(index / half) * 2 * width + (index % half) * 2;
  const quarter = half * (height / 2);
  return {
    luma: Uint8Array.from(pixels, (_, index) => at(index, 0)),
    blue: Uint8Array.from({ length: quarter }, (_, index) => at(corner(index), 1)),
    red: Uint8Array.from({ length: quarter }, (_, index) => at(corner(index), 2)),
  };
}

function keySlice(size: IndexedPicture, planes: Planes): Buffer {
  const bits = sliceHeader(KEY, 0);
  for (let block = 0; block < blocksOf(size); block++) {
    bits.ue(RAW_IN_KEY);
    bits.raw(samplesOf(size, planes, block));
  }
  return unit(KEY_SLICE, bits.end());
}

function slice(size: IndexedPicture, planes: Planes, before: Planes, number: number): Buffer {
  const bits = sliceHeader(PREDICTED, number);
  let skipped = 0;
  for (let block = 0; block < blocksOf(size); block++) {
    const samples = samplesOf(size, planes, block);
    if (samples.equals(samplesOf(size, before, block))) {
      skipped++;
      continue;
    }
    bits.ue(skipped);
    skipped = 0;
    bits.ue(RAW);
    bits.raw(samples);
  }
  if (skipped > 0) bits.ue(skipped);
  return unit(SLICE, bits.end());
}

const FRAME_NUMBER_BITS = 8;

function sliceHeader(kind: number, number: number): Bits {
  const bits = new Bits();
  bits.ue(0);
  bits.ue(kind);
  bits.ue(0);
  bits.u(FRAME_NUMBER_BITS, number % (1 << FRAME_NUMBER_BITS));
  if (kind === KEY) {
    bits.ue(0);
    bits.u(2, 0);
  } else {
    // As many references as the parameters say, in their order, and none is kept longer.
    bits.u(3, 0);
  }
  bits.ue(0);
  // No smoothing across the borders of blocks.
  bits.ue(1);
  return bits;
}

function blocksOf({ width, height }: IndexedPicture): number {
  return (width / BLOCK) * (height / BLOCK);
}

/** The samples of a block: brightness, then the two colours. */
function samplesOf({ width }: IndexedPicture, { luma, blue, red }: Planes, block: number): Buffer {
  const across = width / BLOCK;
  const x = block % across;
  const y = Math.floor(block / across);
  const part = (plane: Uint8Array, side: number, stride: number) =>
    Array.from({ length: side }, (_, row) => {
      const from = (y * side + row) * stride + x * side;
      return plane.subarray(from, from + side);
    });
  const half = BLOCK / 2;
  return Buffer.concat([...part(luma, BLOCK, width), ...part(blue, half, width / 2), ...part(red, half, width / 2)]);
}

/** A string of bits that grows. */
class Bits {
  readonly #bytes: number[] = [];
  #held = 0;
  #count = 0;

  /** A number of so many bits. */
  u(count: number, value: number): void {
    for (let bit = count - 1; bit >= 0; bit--) {
      this.#held = (this.#held << 1) | ((value >>> bit) & 1);
      this.#count++;
      if (this.#count === 8) this.#flush();
    }
  }

  /** A number of as many bits as it takes (clause 9.1). */
  ue(value: number): void {
    const length = 32 - Math.clz32(value + 1);
    this.u(length - 1, 0);
    this.u(length, value + 1);
  }

  /** Bytes, from the next whole byte on. */
  raw(bytes: Uint8Array): void {
    while (this.#count > 0) this.u(1, 0);
    for (const byte of bytes) this.#bytes.push(byte);
  }

  /** All bytes, with the bit that ends them. */
  end(): Buffer {
    this.u(1, 1);
    while (this.#count > 0) this.u(1, 0);
    return Buffer.from(this.#bytes);
  }

  #flush(): void {
    this.#bytes.push(this.#held);
    this.#held = 0;
    this.#count = 0;
  }
}

/** A unit: its kind, and its bytes with one more wherever three would look like the beginning of another (clause 7.4.1). */
function unit(kind: number, bytes: Buffer): Buffer {
  const out: number[] = [kind];
  let zeros = 0;
  for (const byte of bytes) {
    if (zeros >= 2 && byte <= 3) {
      out.push(3);
      zeros = 0;
    }
    out.push(byte);
    zeros = byte === 0 ? zeros + 1 : 0;
  }
  return Buffer.from(out);
}

function withLength(bytes: Buffer): Buffer {
  return Buffer.concat([u32(bytes.length), bytes]);
}

function sequenceParameters({ width, height }: IndexedPicture): Buffer {
  const bits = new Bits();
  for (const byte of PROFILE) bits.u(8, byte);
  bits.ue(0);
  bits.ue(FRAME_NUMBER_BITS - 4);
  // Pictures come in the order in which they are shown.
  bits.ue(2);
  bits.ue(1);
  bits.u(1, 0);
  bits.ue(width / BLOCK - 1);
  bits.ue(height / BLOCK - 1);
  // Whole pictures; no cropping, nothing about their use.
  bits.u(1, 1);
  bits.u(1, 1);
  bits.u(1, 0);
  bits.u(1, 0);
  return unit(SEQUENCE, bits.end());
}

function pictureParameters(): Buffer {
  const bits = new Bits();
  bits.ue(0);
  bits.ue(0);
  bits.u(2, 0);
  bits.ue(0);
  // One reference; no weights.
  bits.ue(0);
  bits.ue(0);
  bits.u(3, 0);
  // Quality as usual, in three numbers that nothing here uses.
  bits.ue(0);
  bits.ue(0);
  bits.ue(0);
  // Slices say how their borders are smoothed.
  bits.u(1, 1);
  bits.u(2, 0);
  return unit(PICTURE, bits.end());
}

const UNTURNED = u32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);

function movie(size: IndexedPicture, samples: readonly Buffer[], frame_ms: number, data: number): Buffer {
  const { width, height } = size;
  const duration = samples.length * frame_ms;
  const sps = sequenceParameters(size);
  const pps = pictureParameters();
  const configuration = box(
    'avcC',
    Buffer.from([1, ...PROFILE, 0xff, 0xe1]),
    u16(sps.length),
    sps,
    Buffer.from([1]),
    u16(pps.length),
    pps,
  );
  const entry = box(
    'avc1',
    Buffer.from([0, 0, 0, 0, 0, 0, 0, 1]),
    Buffer.alloc(16),
    u16(width, height),
    u32(0x480000, 0x480000, 0),
    u16(1),
    Buffer.alloc(32),
    u16(24, 0xffff),
    configuration,
  );
  const table = box(
    'stbl',
    box('stsd', u32(0, 1), entry),
    box('stts', u32(0, 1, samples.length, frame_ms)),
    box('stss', u32(0, 1, 1)),
    box('stsc', u32(0, 1, 1, samples.length, 1)),
    box('stsz', u32(0, 0, samples.length, ...samples.map(({ length }) => length))),
    box('stco', u32(0, 1, data)),
  );
  const source = box('dinf', box('dref', u32(0, 1), box('url ', u32(1))));
  const media = box(
    'mdia',
    box('mdhd', u32(0, 0, 0, TIMESCALE, duration), u16(0x55c4, 0)),
    box('hdlr', u32(0, 0), Buffer.from('vide'), Buffer.alloc(13)),
    box('minf', box('vmhd', u32(1, 0, 0)), source, table),
  );
  const track = box(
    'tkhd',
    u32(3, 0, 0, 1, 0, duration),
    Buffer.alloc(16),
    UNTURNED,
    u32(width * 0x10000, height * 0x10000),
  );
  const header = box(
    'mvhd',
    u32(0, 0, 0, TIMESCALE, duration, 0x10000),
    u16(0x100),
    Buffer.alloc(10),
    UNTURNED,
    Buffer.alloc(24),
    u32(2),
  );
  return box('moov', header, box('trak', track, media));
}

function box(type: string, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([u32(body.length + 8), Buffer.from(type, 'latin1'), body]);
}

function u32(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, 4 * index);
  return bytes;
}

function u16(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(2 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt16BE(value, 2 * index);
  return bytes;
}

/** Tiny encoders of valid images, so that tests know every byte. Each makes a single-color picture. */
import { crc32, deflateSync } from 'node:zlib';

/** Encodes a PNG chunk. */
export function pngChunk(type: string, body: Uint8Array = new Uint8Array()): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), body]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(typed));
  return Buffer.concat([length, typed, check]);
}

/** Encodes the header chunk of a PNG, 8-bit grey by default. */
export function pngHeader(width: number, height: number, depth = 8, colour = 0): Buffer {
  const body = Buffer.alloc(13);
  body.writeUInt32BE(width, 0);
  body.writeUInt32BE(height, 4);
  body.writeUInt8(depth, 8);
  body.writeUInt8(colour, 9);
  return pngChunk('IHDR', body);
}

export const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex');

/** Encodes a PNG with a text chunk before its image data, which is split in two. */
export function encodePng(width: number, height: number): Buffer {
  const data = deflateSync(Buffer.alloc((width + 1) * height));
  return Buffer.concat([
    pngSignature,
    pngHeader(width, height),
    pngChunk('tEXt', Buffer.from('Comment\0grey')),
    pngChunk('IDAT', data.subarray(0, 3)),
    pngChunk('IDAT', data.subarray(3)),
    pngChunk('IEND'),
  ]);
}

/** Encodes a JPEG segment. */
export function jpegSegment(marker: number, body: Uint8Array): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([head, body]);
}

/** Encodes the APP1 segment of an orientation. */
export function exifSegment(orientation: number, order: 'II' | 'MM' = 'II'): Buffer {
  const tiff = Buffer.alloc(26);
  const u16 = (value: number, at: number) =>
    order === 'II' ? tiff.writeUInt16LE(value, at) : tiff.writeUInt16BE(value, at);
  const u32 = (value: number, at: number) =>
    order === 'II' ? tiff.writeUInt32LE(value, at) : tiff.writeUInt32BE(value, at);
  tiff.write(order, 0, 'latin1');
  u16(42, 2);
  u32(8, 4);
  u16(1, 8);
  u16(0x0112, 10);
  u16(3, 12);
  u32(1, 14);
  u16(orientation, 18);
  return jpegSegment(0xe1, Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff]));
}

/** Options of {@link encodeJpeg}. */
export interface JpegOptions {
  readonly orientation?: number;
  /** Segments before the tables. */
  readonly before?: Uint8Array;
  /** Size in the frame header, if it differs from that of the image data. */
  readonly claimed?: readonly [number, number];
}

/** Encodes a grey baseline JPEG whose every code is one bit, zero. */
export function encodeJpeg(width: number, height: number, options: JpegOptions = {}): Buffer {
  const frame = Buffer.from([8, 0, 0, 0, 0, 1, 1, 0x11, 0]);
  frame.writeUInt16BE(options.claimed?.[1] ?? height, 1);
  frame.writeUInt16BE(options.claimed?.[0] ?? width, 3);
  const oneCode = (table: number) => Buffer.from([table, 1, ...Array<number>(15).fill(0), 0]);
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8);
  const data = Buffer.alloc(Math.ceil(blocks / 4));
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    options.before ?? Buffer.alloc(0),
    options.orientation === undefined ? Buffer.alloc(0) : exifSegment(options.orientation),
    jpegSegment(0xdb, Buffer.from([0, ...Array<number>(64).fill(1)])),
    jpegSegment(0xc0, frame),
    jpegSegment(0xc4, oneCode(0x00)),
    jpegSegment(0xc4, oneCode(0x10)),
    jpegSegment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    data,
    Buffer.from([0xff, 0xd9]),
  ]);
}

/** Packs values as bits, lowest first, into bytes. */
function packBits(values: readonly (readonly [value: number, bits: number])[]): Buffer {
  const text = values.flatMap(([value, bits]) => Array.from({ length: bits }, (_, bit) => (value >>> bit) & 1));
  const bytes = Buffer.alloc(Math.ceil(text.length / 8));
  for (const [index, bit] of text.entries()) bytes[index >> 3] = (bytes[index >> 3] ?? 0) | (bit << (index & 7));
  return bytes;
}

/** Splits data into sub-blocks, with their terminator. */
export function gifSubBlocks(data: Uint8Array, size = 255): Buffer {
  const parts: Uint8Array[] = [];
  for (let at = 0; at < data.length; at += size) {
    const block = data.subarray(at, at + size);
    parts.push(Uint8Array.of(block.length), block);
  }
  return Buffer.concat([...parts, Uint8Array.of(0)]);
}

/** Encodes a frame of a GIF with its delay in hundredths of a second. */
export function gifFrame(width: number, height: number, delay = 5): Buffer {
  const control = Buffer.from([0x21, 0xf9, 4, 0, 0, 0, 0, 0]);
  control.writeUInt16LE(delay, 4);
  const descriptor = Buffer.from([0x2c, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
  descriptor.writeUInt16LE(width, 5);
  descriptor.writeUInt16LE(height, 7);
  // The table is cleared before every second pixel, so codes stay at 3 bits.
  const codes: [number, number][] = [];
  for (let pixel = 0; pixel < width * height; pixel++) {
    if (pixel % 2 === 0) codes.push([4, 3]);
    codes.push([0, 3]);
  }
  codes.push([5, 3]);
  return Buffer.concat([control, descriptor, Uint8Array.of(2), gifSubBlocks(packBits(codes))]);
}

/** Encodes the header of a GIF with a table of four colours, and the extension that makes it loop. */
export function gifHeader(width: number, height: number): Buffer {
  const header = Buffer.from([...Buffer.from('GIF89a'), 0, 0, 0, 0, 0x81, 0, 0]);
  header.writeUInt16LE(width, 6);
  header.writeUInt16LE(height, 8);
  const repeat = Buffer.concat([
    Buffer.from([0x21, 0xff, 11]),
    Buffer.from('NETSCAPE2.0'),
    gifSubBlocks(Buffer.from([1, 0, 0])),
  ]);
  return Buffer.concat([header, Buffer.alloc(12), repeat]);
}

/** Encodes a GIF with a frame for each delay. */
export function encodeGif(width: number, height: number, delays: readonly number[] = [5]): Buffer {
  return Buffer.concat([
    gifHeader(width, height),
    ...delays.map((delay) => gifFrame(width, height, delay)),
    Uint8Array.of(0x3b),
  ]);
}

/** Encodes a RIFF chunk. */
export function riffChunk(type: string, body: Uint8Array): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, 0, 'latin1');
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body, Buffer.alloc(body.length & 1)]);
}

/** Encodes a WebP of chunks. */
export function webpFile(...chunks: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat([Buffer.from('WEBP'), ...chunks]);
  return riffChunk('RIFF', body);
}

/** Encodes a lossless picture in which every pixel takes no bits. */
export function losslessChunk(width: number, height: number): Buffer {
  const oneSymbol: [number, number][] = [
    [1, 1],
    [0, 1],
    [0, 1],
    [0, 1],
  ];
  const bits = packBits([
    [width - 1, 14],
    [height - 1, 14],
    [0, 1 + 3],
    [0, 3],
    ...Array.from({ length: 5 }, () => oneSymbol).flat(),
  ]);
  return riffChunk('VP8L', Buffer.concat([Uint8Array.of(0x2f), bits]));
}

/** Encodes the frame header of a lossy picture, with a first partition of zeros. */
export function lossyChunk(width: number, height: number): Buffer {
  const body = Buffer.alloc(10 + 16);
  body.writeUIntLE((16 << 5) | (1 << 4), 0, 3);
  body.writeUIntBE(0x9d012a, 3, 3);
  body.writeUInt16LE(width, 6);
  body.writeUInt16LE(height, 8);
  return riffChunk('VP8 ', body);
}

/** Encodes the extended header of a WebP. */
export function webpExtended(width: number, height: number, isAnimated = false): Buffer {
  const body = Buffer.alloc(10);
  body.writeUInt8(isAnimated ? 2 : 0, 0);
  body.writeUIntLE(width - 1, 4, 3);
  body.writeUIntLE(height - 1, 7, 3);
  return riffChunk('VP8X', body);
}

/** Encodes a lossless WebP. */
export function encodeWebp(width: number, height: number): Buffer {
  return webpFile(losslessChunk(width, height));
}

/** Encodes an animated WebP with a frame for each duration in milliseconds. */
export function encodeAnimatedWebp(width: number, height: number, durations: readonly number[]): Buffer {
  const frames = durations.map((duration) => {
    const head = Buffer.alloc(16);
    head.writeUIntLE(width - 1, 6, 3);
    head.writeUIntLE(height - 1, 9, 3);
    head.writeUIntLE(duration, 12, 3);
    return riffChunk('ANMF', Buffer.concat([head, losslessChunk(width, height)]));
  });
  return webpFile(webpExtended(width, height, true), riffChunk('ANIM', Buffer.alloc(6)), ...frames);
}

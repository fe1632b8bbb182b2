/** Pictures with a palette, and their encoding as PNG. */
import { crc32, deflateSync } from 'node:zlib';

/** Red, green and blue, each 0 to 255. */
export type Colour = readonly [red: number, green: number, blue: number];

/** A picture in which each pixel is an index into the palette. */
export interface IndexedPicture {
  readonly width: number;
  readonly height: number;
  /** 1 to 256 colours. */
  readonly palette: readonly Colour[];
  /** Row by row, one byte per pixel. */
  readonly pixels: Uint8Array;
  /** The index of the transparent colour. */
  readonly transparent?: number;
}

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const BITS = 8;
const INDEXED = 3;

/** Encodes a picture as PNG. @param compress makes a zlib stream */
export function encodePicture(
  { width, height, palette, pixels, transparent }: IndexedPicture,
  compress: (bytes: Buffer) => Buffer = (bytes) => deflateSync(bytes),
): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(BITS, 8);
  header.writeUInt8(INDEXED, 9);
  // Each row starts with the number of its filter: none.
  const rows = Buffer.alloc((width + 1) * height);
  for (let row = 0; row < height; row++) {
    rows.set(pixels.subarray(row * width, (row + 1) * width), row * (width + 1) + 1);
  }
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flat())),
    ...(transparent === undefined ? [] : [chunk('tRNS', opacities(transparent))]),
    chunk('IDAT', compress(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Opacity of the colours, up to the transparent one. */
function opacities(transparent: number): Buffer {
  const opaque = Buffer.alloc(transparent + 1, 0xff);
  opaque[transparent] = 0;
  return opaque;
}

function chunk(type: string, body: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), body]);
  const bytes = Buffer.alloc(typed.length + 8);
  bytes.writeUInt32BE(body.length, 0);
  typed.copy(bytes, 4);
  bytes.writeUInt32BE(crc32(typed), typed.length + 4);
  return bytes;
}

/** Pictures with a palette, and their encoding as PNG. */
import { deflateSync } from 'node:zlib';
import { colourTypes, encodePng } from './png.ts';

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

/** Encodes a picture as PNG. @param compress makes a zlib stream */
export function encodePicture(
  { width, height, palette, pixels, transparent }: IndexedPicture,
  compress: (bytes: Buffer) => Buffer = (bytes) => deflateSync(bytes),
): Buffer {
  // Each row starts with the number of its filter: none.
  const rows = Buffer.alloc((width + 1) * height);
  for (let row = 0; row < height; row++) {
    rows.set(pixels.subarray(row * width, (row + 1) * width), row * (width + 1) + 1);
  }
  return encodePng({ width, height }, colourTypes.indexed, [
    ['PLTE', Buffer.from(palette.flat())],
    ...(transparent === undefined ? [] : [['tRNS', opacities(transparent)] as const]),
    ['IDAT', compress(rows)],
  ]);
}

/** Opacity of the colours, up to the transparent one. */
function opacities(transparent: number): Buffer {
  const opaque = Buffer.alloc(transparent + 1, 0xff);
  opaque[transparent] = 0;
  return opaque;
}

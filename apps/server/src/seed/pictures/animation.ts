/** Pictures of one palette as an animated GIF (GIF89a specification). */
import type { Colour, IndexedPicture } from '../../media/stills/indexed-picture.ts';

/** Colours of the table, as a power of two. Codes then have eight bits, and are bytes. */
const TABLE_BITS = 7;
const CLEAR = 1 << TABLE_BITS;
const END = CLEAR + 1;
/** So many codes follow each other before they would have nine bits. */
const RUN = 100;
const MAX_BLOCK = 255;

/** An animation that goes on for ever. @param delay_cs hundredths of a second that each picture is shown */
export function encodeAnimation(pictures: readonly IndexedPicture[], delay_cs: number): Buffer {
  const [first] = pictures;
  if (!first) throw new TypeError('an animation has pictures');
  const screen = Buffer.from([...Buffer.from('GIF89a'), 0, 0, 0, 0, 0x80 | (TABLE_BITS - 1), 0, 0]);
  screen.writeUInt16LE(first.width, 6);
  screen.writeUInt16LE(first.height, 8);
  const repeat = Buffer.concat([
    Buffer.from([0x21, 0xff, 11]),
    Buffer.from('NETSCAPE2.0'),
    Buffer.from([3, 1, 0, 0, 0]),
  ]);
  const frames = pictures.map((picture) => frame(picture, delay_cs));
  return Buffer.concat([screen, table(first.palette), repeat, ...frames, Buffer.from([0x3b])]);
}

function table(palette: readonly Colour[]): Buffer {
  const bytes = Buffer.alloc(3 * CLEAR);
  bytes.set(palette.flat());
  return bytes;
}

function frame({ width, height, pixels }: IndexedPicture, delay_cs: number): Buffer {
  const control = Buffer.from([0x21, 0xf9, 4, 4, 0, 0, 0, 0]);
  control.writeUInt16LE(delay_cs, 4);
  const descriptor = Buffer.alloc(10);
  descriptor.writeUInt8(0x2c, 0);
  descriptor.writeUInt16LE(width, 5);
  descriptor.writeUInt16LE(height, 7);
  const codes: number[] = [];
  for (const [index, pixel] of pixels.entries()) {
    // The table of codes begins anew before it grows: nothing is compressed, and nothing has to be.
    if (index % RUN === 0) codes.push(CLEAR);
    codes.push(pixel);
  }
  codes.push(END);
  return Buffer.concat([control, descriptor, Buffer.from([TABLE_BITS]), blocks(Buffer.from(codes))]);
}

function blocks(data: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let from = 0; from < data.length; from += MAX_BLOCK) {
    const part = data.subarray(from, from + MAX_BLOCK);
    parts.push(Buffer.from([part.length]), part);
  }
  return Buffer.concat([...parts, Buffer.from([0])]);
}

/** The chunks of a PNG (ISO/IEC 15948). */
import { crc32 } from 'node:zlib';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const BITS = 8;

/** Colours of the pixels. */
export const colourTypes = { trueColour: 2, indexed: 3 } as const;

/** Joins the chunks of a picture with 8 bits a sample. @param chunks between the header and the end */
export function encodePng(
  { width, height }: { readonly width: number; readonly height: number },
  colourType: number,
  chunks: readonly (readonly [type: string, body: Buffer])[],
): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(BITS, 8);
  header.writeUInt8(colourType, 9);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    ...chunks.map(([type, body]) => chunk(type, body)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, body: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), body]);
  const bytes = Buffer.alloc(typed.length + 8);
  bytes.writeUInt32BE(body.length, 0);
  typed.copy(bytes, 4);
  bytes.writeUInt32BE(crc32(typed), typed.length + 4);
  return bytes;
}

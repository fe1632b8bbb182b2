/** PNG: every chunk in its place, the critical ones with a valid checksum, up to IEND (PNG specification, section 5). */
import { crc32 } from 'node:zlib';
import { type MediaFacts, MediaRejectedError } from '../inspection.ts';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

/** Samples per pixel and allowed bit depths, by colour type. */
const colourTypes = new Map([
  [0, { samples: 1, depths: [1, 2, 4, 8, 16] }],
  [2, { samples: 3, depths: [8, 16] }],
  [3, { samples: 1, depths: [1, 2, 4, 8] }],
  [4, { samples: 2, depths: [8, 16] }],
  [6, { samples: 4, depths: [8, 16] }],
]);

/** Deflate expands one byte to at most this many. */
const MAX_INFLATION = 1032;

interface Header {
  readonly width: number;
  readonly height: number;
  readonly colourType: number;
  /** Returns the minimum number of bytes of the picture before compression. */
  readonly rawBytes: number;
}

/** Returns whether the bytes start like a PNG. */
export function isPng(bytes: Buffer): boolean {
  return bytes.subarray(0, 8).equals(SIGNATURE);
}

/** Inspects a PNG. */
export function inspectPng(bytes: Buffer): MediaFacts {
  let position = SIGNATURE.length;
  let header: Header | undefined;
  let hasPalette = false;
  let dataBytes = 0;
  let dataEnded = false;
  for (;;) {
    if (position + 8 > bytes.length) throw truncated(header, dataBytes);
    const length = bytes.readUInt32BE(position);
    const type = bytes.toString('latin1', position + 4, position + 8);
    if (!/^[A-Za-z]{4}$/.test(type) || length > 0x7fffffff) {
      throw new MediaRejectedError('broken', `The PNG has no valid chunk at byte ${position}.`);
    }
    const body = position + 8;
    const end = body + length + 4;
    if (end > bytes.length) throw truncated(header, dataBytes + (type === 'IDAT' ? 1 : 0));
    const isCritical = type.charAt(0) <= 'Z';
    if (isCritical && crc32(bytes.subarray(position + 4, body + length)) !== bytes.readUInt32BE(body + length)) {
      throw new MediaRejectedError('broken', `The checksum of the PNG's ${type} chunk at byte ${position} is wrong.`);
    }
    if (header === undefined) {
      if (type !== 'IHDR')
        throw new MediaRejectedError('broken', `The PNG begins with ${type} in place of its header.`);
      header = readHeader(bytes.subarray(body, body + length));
    } else if (type === 'IHDR') {
      throw new MediaRejectedError('broken', 'The PNG has two headers.');
    } else if (type === 'PLTE') {
      if (hasPalette || dataBytes > 0 || length === 0 || length > 768 || length % 3 !== 0) {
        throw new MediaRejectedError('broken', 'The palette of the PNG is invalid or in the wrong place.');
      }
      hasPalette = true;
    } else if (type === 'IDAT') {
      if (dataEnded)
        throw new MediaRejectedError('broken', 'The image data of the PNG is interrupted by other chunks.');
      dataBytes += length;
    } else if (type === 'IEND') {
      if (length !== 0) throw new MediaRejectedError('broken', 'The end chunk of the PNG is not empty.');
      return facts(bytes, header, hasPalette, dataBytes);
    } else if (isCritical) {
      throw new MediaRejectedError('broken', `The PNG has a critical chunk ${type} that no decoder knows.`);
    } else if (dataBytes > 0) {
      dataEnded = true;
    }
    position = end;
  }
}

function facts(bytes: Buffer, header: Header, hasPalette: boolean, dataBytes: number): MediaFacts {
  const { width, height, colourType, rawBytes } = header;
  if (dataBytes === 0) throw new MediaRejectedError('broken', 'The PNG has no image data.');
  if (colourType === 3 && !hasPalette) throw new MediaRejectedError('broken', 'The PNG needs a palette and has none.');
  if (rawBytes > dataBytes * MAX_INFLATION) {
    throw new MediaRejectedError(
      'lying',
      `The PNG says it is ${width}×${height}, which ${dataBytes} bytes cannot hold.`,
    );
  }
  return { media_type: 'image/png', kind: 'photo', size_bytes: bytes.length, width, height };
}

function readHeader(body: Buffer): Header {
  if (body.length !== 13)
    throw new MediaRejectedError('broken', `The header of the PNG has ${body.length} bytes, not 13.`);
  const width = body.readUInt32BE(0);
  const height = body.readUInt32BE(4);
  const depth = body.readUInt8(8);
  const colourType = body.readUInt8(9);
  if (width === 0 || height === 0 || width > 0x7fffffff || height > 0x7fffffff) {
    throw new MediaRejectedError('broken', `The PNG says it is ${width}×${height}.`);
  }
  const colour = colourTypes.get(colourType);
  if (!colour?.depths.includes(depth)) {
    throw new MediaRejectedError(
      'broken',
      `The PNG has colour type ${colourType} with ${depth} bits, which does not exist.`,
    );
  }
  if (body.readUInt8(10) !== 0 || body.readUInt8(11) !== 0 || body.readUInt8(12) > 1) {
    throw new MediaRejectedError(
      'broken',
      'The PNG names a compression, filter or interlace method that does not exist.',
    );
  }
  const rowBytes = Math.ceil((width * colour.samples * depth) / 8);
  return { width, height, colourType, rawBytes: rowBytes * height };
}

function truncated(header: Header | undefined, dataBytes: number): MediaRejectedError {
  if (header === undefined) return new MediaRejectedError('truncated', 'The PNG ends in its header.');
  if (dataBytes > 0) return new MediaRejectedError('truncated', 'The PNG ends in the middle of its image data.');
  return new MediaRejectedError('truncated', 'The PNG ends before its image data.');
}

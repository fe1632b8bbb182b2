/** WebP: the RIFF chunks and the headers of the pictures in them (RFC 9649). */
import { type MediaFacts, MediaRejectedError } from '../inspection.ts';

const ANIMATION_FLAG = 0x02;

interface Size {
  readonly width: number;
  readonly height: number;
}

interface Chunk {
  readonly type: string;
  readonly body: Buffer;
}

/** Returns whether the bytes start like a WebP. */
export function isWebp(bytes: Buffer): boolean {
  return bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP';
}

/** Inspects a WebP. One with more than one frame has `frames`. */
export function inspectWebp(bytes: Buffer): MediaFacts {
  const riffEnd = 8 + bytes.readUInt32LE(4);
  if (riffEnd > bytes.length) {
    throw new MediaRejectedError('truncated', `The WebP says it has ${riffEnd} bytes, but ends after ${bytes.length}.`);
  }
  let canvas: Size | undefined;
  let isAnimated = false;
  let picture: Size | undefined;
  let frames = 0;
  let duration_ms = 0;
  let isFirst = true;
  for (const { type, body } of chunks(bytes.subarray(0, riffEnd), 12)) {
    if (isFirst && !['VP8 ', 'VP8L', 'VP8X'].includes(type)) {
      throw new MediaRejectedError('broken', 'The WebP does not begin with a picture or its extended header.');
    }
    if (type === 'VP8X') {
      if (!isFirst || body.length < 10)
        throw new MediaRejectedError('broken', 'The WebP has an invalid extended header.');
      isAnimated = ((body[0] ?? 0) & ANIMATION_FLAG) !== 0;
      canvas = { width: body.readUIntLE(4, 3) + 1, height: body.readUIntLE(7, 3) + 1 };
    } else if (type === 'VP8 ' || type === 'VP8L') {
      if (picture) throw new MediaRejectedError('broken', 'The WebP has two pictures, but is no animation.');
      picture = pictureSize(type, body);
    } else if (type === 'ANMF') {
      duration_ms += frameDuration(body);
      frames++;
    }
    isFirst = false;
  }
  if (isAnimated ? frames === 0 || picture : frames > 0 || !picture) {
    throw new MediaRejectedError(
      'broken',
      `The WebP is ${isAnimated ? 'an animation without frames' : 'without a picture'}.`,
    );
  }
  if (canvas && picture && (canvas.width !== picture.width || canvas.height !== picture.height)) {
    throw new MediaRejectedError(
      'lying',
      `The WebP says it is ${canvas.width}×${canvas.height}, but its picture is ${picture.width}×${picture.height}.`,
    );
  }
  const size = canvas ?? picture;
  if (!size) throw new MediaRejectedError('broken', 'The WebP is without a picture.');
  const still = { media_type: 'image/webp', kind: 'photo', size_bytes: bytes.length, ...size } as const;
  return frames > 1 ? { ...still, frames, duration_ms } : still;
}

/** Yields the chunks from a position to the end. */
function* chunks(bytes: Buffer, start: number): Generator<Chunk> {
  let position = start;
  while (position < bytes.length) {
    if (position + 8 > bytes.length)
      throw new MediaRejectedError('broken', `The WebP has half a chunk at byte ${position}.`);
    const type = bytes.toString('latin1', position, position + 4);
    const length = bytes.readUInt32LE(position + 4);
    const end = position + 8 + length;
    if (end > bytes.length)
      throw new MediaRejectedError('broken', `The chunk ${show(type)} of the WebP is longer than the file.`);
    yield { type, body: bytes.subarray(position + 8, end) };
    // A chunk of odd length has a padding byte, which some writers omit at the end.
    position = end + (length & 1);
  }
}

function pictureSize(type: string, body: Buffer): Size {
  const size = type === 'VP8 ' ? lossySize(body) : losslessSize(body);
  if (size && size.width > 0 && size.height > 0) return size;
  throw new MediaRejectedError('broken', 'The WebP has a picture with an invalid header.');
}

/** Returns the size in the header of a VP8 key frame (RFC 6386, section 9.1). */
function lossySize(body: Buffer): Size | undefined {
  if (body.length < 10) return undefined;
  const tag = body.readUIntLE(0, 3);
  const isKeyFrame = (tag & 1) === 0;
  if (!isKeyFrame || body.readUIntBE(3, 3) !== 0x9d012a || 10 + (tag >> 5) > body.length) return undefined;
  return { width: body.readUInt16LE(6) & 0x3fff, height: body.readUInt16LE(8) & 0x3fff };
}

/** Returns the size in the header of a lossless picture (RFC 9649, section 3.4). */
function losslessSize(body: Buffer): Size | undefined {
  if (body.length < 6 || body[0] !== 0x2f) return undefined;
  const bits = body.readUInt32LE(1);
  if (bits >>> 29 !== 0) return undefined;
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}

/** Checks a frame of an animation, and returns its duration. */
function frameDuration(body: Buffer): number {
  if (body.length < 16) throw new MediaRejectedError('broken', 'The WebP has a frame with half a header.');
  for (const { type, body: picture } of chunks(body, 16)) {
    if (type !== 'VP8 ' && type !== 'VP8L') continue;
    pictureSize(type, picture);
    return body.readUIntLE(12, 3);
  }
  throw new MediaRejectedError('broken', 'The WebP has a frame without a picture.');
}

function show(type: string): string {
  return /^[\x21-\x7e ]{4}$/.test(type) ? type.trim() : 'without a name';
}

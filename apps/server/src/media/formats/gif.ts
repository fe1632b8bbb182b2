/** GIF: every block up to the trailer, counting frames (GIF89a specification). */
import { type MediaFacts, MediaRejectedError } from '../inspection.ts';

const EXTENSION = 0x21;
const IMAGE = 0x2c;
const TRAILER = 0x3b;
const GRAPHIC_CONTROL = 0xf9;

/** Browsers treat a delay of 0 or 1 hundredths of a second as a tenth of a second. */
const LEAST_DELAY_CS = 2;
const DEFAULT_DELAY_CS = 10;

/** Returns whether the bytes start like a GIF. */
export function isGif(bytes: Buffer): boolean {
  const signature = bytes.toString('latin1', 0, 6);
  return signature === 'GIF89a' || signature === 'GIF87a';
}

/** Inspects a GIF. One with more than one frame is animated. */
export function inspectGif(bytes: Buffer): MediaFacts {
  if (bytes.length < 13) throw new MediaRejectedError('truncated', 'The GIF ends in its header.');
  const width = bytes.readUInt16LE(6);
  const height = bytes.readUInt16LE(8);
  if (width === 0 || height === 0) throw new MediaRejectedError('broken', `The GIF says it is ${width}×${height}.`);
  let position = 13 + colourTableBytes(bytes.readUInt8(10));
  let frames = 0;
  let delay = 0;
  let duration = 0;
  for (;;) {
    const introducer = bytes[position];
    if (introducer === undefined) throw truncated(frames);
    position++;
    if (introducer === TRAILER) break;
    if (introducer === EXTENSION) {
      const label = bytes[position];
      if (label === undefined) throw truncated(frames);
      position++;
      if (label === GRAPHIC_CONTROL && bytes[position] === 4 && position + 5 < bytes.length) {
        delay = bytes.readUInt16LE(position + 2);
      }
      position = skipSubBlocks(bytes, position, frames).end;
    } else if (introducer === IMAGE) {
      if (position + 9 > bytes.length) throw truncated(frames);
      if (bytes.readUInt16LE(position + 4) === 0 || bytes.readUInt16LE(position + 6) === 0) {
        throw new MediaRejectedError('broken', `Frame ${frames + 1} of the GIF has no size.`);
      }
      position += 9 + colourTableBytes(bytes.readUInt8(position + 8));
      const codeSize = bytes[position];
      if (codeSize === undefined) throw truncated(frames);
      if (codeSize < 2 || codeSize > 8) {
        throw new MediaRejectedError('broken', `Frame ${frames + 1} of the GIF has an invalid code size, ${codeSize}.`);
      }
      const data = skipSubBlocks(bytes, position + 1, frames);
      if (data.isEmpty) throw new MediaRejectedError('broken', `Frame ${frames + 1} of the GIF has no image data.`);
      position = data.end;
      frames++;
      duration += delay < LEAST_DELAY_CS ? DEFAULT_DELAY_CS : delay;
      delay = 0;
    } else {
      throw new MediaRejectedError('broken', `The GIF has an unknown block at byte ${position - 1}.`);
    }
  }
  if (frames === 0) throw new MediaRejectedError('broken', 'The GIF has no image in it.');
  const still = { media_type: 'image/gif', size_bytes: bytes.length, width, height, frames } as const;
  return frames === 1 ? { ...still, kind: 'photo' } : { ...still, kind: 'animated_gif', duration_ms: duration * 10 };
}

function colourTableBytes(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 0x07) + 1) : 0;
}

function skipSubBlocks(bytes: Buffer, start: number, frames: number): { end: number; isEmpty: boolean } {
  let position = start;
  for (;;) {
    const length = bytes[position];
    if (length === undefined) throw truncated(frames);
    position++;
    if (length === 0) return { end: position, isEmpty: position === start + 1 };
    position += length;
  }
}

function truncated(frames: number): MediaRejectedError {
  return new MediaRejectedError(
    'truncated',
    `The GIF ends after ${frames} whole ${frames === 1 ? 'frame' : 'frames'}, without its end mark.`,
  );
}

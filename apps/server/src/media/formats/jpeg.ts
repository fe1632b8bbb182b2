/** JPEG: every marker from SOI to EOI (ITU-T T.81, annex B), rotated according to its EXIF data. */
import { type MediaFacts, MediaRejectedError } from '../inspection.ts';
import { exifOrientation } from './exif.ts';

const SOI = 0xd8;
const EOI = 0xd9;
const SOS = 0xda;
const DNL = 0xdc;
const APP1 = 0xe1;
const TEM = 0x01;

/** An 8×8 block needs two codes of at least one bit each in a sequential scan. */
const MAX_SAMPLES_A_BYTE = 256;

interface Frame {
  readonly width: number;
  readonly height: number;
  readonly isSequential: boolean;
}

/** Returns whether the bytes start like a JPEG. */
export function isJpeg(bytes: Buffer): boolean {
  return bytes.length >= 3 && bytes[0] === 0xff && bytes[1] === SOI && bytes[2] === 0xff;
}

/** Inspects a JPEG. */
export function inspectJpeg(bytes: Buffer): MediaFacts {
  let position = 2;
  let frame: Frame | undefined;
  let orientation = 1;
  let scanBytes = 0;
  for (;;) {
    const { marker, next } = readMarker(bytes, position, scanBytes > 0);
    position = next;
    if (marker === EOI) return facts(bytes, frame, scanBytes, orientation);
    if (marker === TEM || isRestart(marker)) continue;
    if (marker === SOI)
      throw new MediaRejectedError('broken', `A second JPEG begins at byte ${position - 2}, inside the first.`);
    if (position + 2 > bytes.length) throw truncated(scanBytes > 0);
    const length = bytes.readUInt16BE(position);
    const end = position + length;
    if (length < 2)
      throw new MediaRejectedError('broken', `The JPEG has a segment of impossible length at byte ${position}.`);
    if (end > bytes.length) throw truncated(scanBytes > 0);
    const body = bytes.subarray(position + 2, end);
    if (isFrame(marker)) {
      if (frame) throw new MediaRejectedError('broken', 'The JPEG has two frame headers.');
      frame = readFrame(marker, body);
    } else if (marker === APP1) {
      orientation = exifOrientation(body) ?? orientation;
    } else if (marker === DNL) {
      throw new MediaRejectedError(
        'unsupported',
        'The JPEG gives its height after its image data, which no browser shows.',
      );
    } else if (marker === SOS) {
      if (!frame) throw new MediaRejectedError('broken', 'The image data of the JPEG begins before its frame header.');
      const components = body[0] ?? 0;
      if (components < 1 || components > 4 || body.length !== 4 + 2 * components) {
        throw new MediaRejectedError('broken', 'The JPEG has an invalid scan header.');
      }
      position = scanEnd(bytes, end);
      scanBytes += position - end;
      continue;
    }
    position = end;
  }
}

function facts(bytes: Buffer, frame: Frame | undefined, scanBytes: number, orientation: number): MediaFacts {
  if (!frame || scanBytes === 0) throw new MediaRejectedError('broken', 'The JPEG ends without image data.');
  const { width, height, isSequential } = frame;
  if (isSequential && width * height > scanBytes * MAX_SAMPLES_A_BYTE) {
    throw new MediaRejectedError(
      'lying',
      `The JPEG says it is ${width}×${height}, which ${scanBytes} bytes cannot hold.`,
    );
  }
  const isTurned = orientation >= 5;
  return {
    media_type: 'image/jpeg',
    kind: 'photo',
    size_bytes: bytes.length,
    width: isTurned ? height : width,
    height: isTurned ? width : height,
  };
}

/** Returns the marker at a position, after fill bytes. */
function readMarker(bytes: Buffer, start: number, hasScan: boolean): { marker: number; next: number } {
  let position = start;
  if (position >= bytes.length) throw truncated(hasScan);
  if (bytes[position] !== 0xff) throw new MediaRejectedError('broken', `The JPEG has no marker at byte ${position}.`);
  while (bytes[position] === 0xff) position++;
  const marker = bytes[position];
  if (marker === undefined) throw truncated(hasScan);
  if (marker === 0)
    throw new MediaRejectedError('broken', `The JPEG has image data at byte ${position} outside a scan.`);
  return { marker, next: position + 1 };
}

/** Returns the end of the entropy-coded data that starts at a position: the first marker that is not part of it. */
function scanEnd(bytes: Buffer, start: number): number {
  let position = start;
  for (;;) {
    while (position < bytes.length && bytes[position] !== 0xff) position++;
    const follows = bytes[position + 1];
    if (follows === undefined) throw truncated(true);
    if (follows !== 0 && follows !== 0xff && !isRestart(follows)) return position;
    position += follows === 0xff ? 1 : 2;
  }
}

function readFrame(marker: number, body: Buffer): Frame {
  const precision = body[0] ?? 0;
  const components = body[5] ?? 0;
  if (body.length < 6 || components < 1 || components > 4 || body.length !== 6 + 3 * components) {
    throw new MediaRejectedError('broken', 'The JPEG has an invalid frame header.');
  }
  if (marker > 0xc2 || precision !== 8) {
    throw new MediaRejectedError(
      'unsupported',
      'The JPEG is of a kind (lossless, arithmetic or 12 bits) that no browser shows.',
    );
  }
  const height = body.readUInt16BE(1);
  const width = body.readUInt16BE(3);
  if (width === 0 || height === 0) throw new MediaRejectedError('broken', `The JPEG says it is ${width}×${height}.`);
  return { width, height, isSequential: marker !== 0xc2 };
}

/** SOF0 to SOF15; DHT, JPG and DAC are in the same range. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

function isRestart(marker: number): boolean {
  return marker >= 0xd0 && marker <= 0xd7;
}

function truncated(hasScan: boolean): MediaRejectedError {
  return new MediaRejectedError(
    'truncated',
    hasScan ? 'The JPEG ends in the middle of its image data.' : 'The JPEG ends before its image data.',
  );
}

/** The first frame of a GIF as a picture (GIF89a specification, sections 18 to 24 and appendix F). */
import type { Colour, IndexedPicture } from './indexed-picture.ts';

const EXTENSION = 0x21;
const IMAGE = 0x2c;
const GRAPHIC_CONTROL = 0xf9;
const MAX_CODES = 4096;
const MAX_COLOURS = 256;

/** Rows of an interlaced frame: first row and distance, pass by pass. */
const passes = [
  [0, 8],
  [4, 8],
  [2, 4],
  [1, 2],
] as const;

/** Descriptor of a frame. */
interface Frame {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly palette: readonly Colour[];
  readonly isInterlaced: boolean;
  readonly codeSize: number;
  /** The compressed pixels, their blocks concatenated. */
  readonly data: Buffer;
  readonly transparent: number | undefined;
}

/**
 * Decodes the first frame. Pixels missing from the data are transparent, so any valid structure results in a picture.
 * @param bytes of a GIF that passed inspection
 */
export function firstFrame(bytes: Buffer): IndexedPicture {
  const width = bytes.readUInt16LE(6);
  const height = bytes.readUInt16LE(8);
  const frame = findFrame(bytes);
  const transparent = unseenColour(frame);
  const unseen = transparent ?? 0;
  const pixels = new Uint8Array(width * height).fill(unseen);
  const decoded = decompress(frame.data, frame.codeSize, frame.width * frame.height);
  const colours = frame.palette.length;
  for (let from = 0, count = 0; from < decoded.length; from += frame.width, count++) {
    const row = frame.top + (frame.isInterlaced ? interlacedRow(count, frame.height) : count);
    if (row >= height) continue;
    const shown = Math.min(frame.width, width - frame.left, decoded.length - from);
    for (let column = 0; column < shown; column++) {
      const colour = decoded[from + column] ?? unseen;
      pixels[row * width + frame.left + column] = colour < colours ? colour : unseen;
    }
  }
  const palette = unseen < colours ? frame.palette : [...frame.palette, [0, 0, 0] as const];
  return { width, height, palette, pixels, ...(transparent === undefined ? {} : { transparent }) };
}

/** Returns the index of the transparent color: the frame's own, or one more than it has if there is room. */
function unseenColour({ transparent, palette }: Frame): number | undefined {
  if (transparent !== undefined && transparent < palette.length) return transparent;
  return palette.length < MAX_COLOURS ? palette.length : undefined;
}

function findFrame(bytes: Buffer): Frame {
  const flags = bytes.readUInt8(10);
  const shared = colourTable(bytes, 13, flags);
  let transparent: number | undefined;
  let position = 13 + 3 * shared.length;
  while (bytes[position] === EXTENSION) {
    if (bytes[position + 1] === GRAPHIC_CONTROL && bytes[position + 2] === 4) {
      transparent = bytes.readUInt8(position + 3) & 1 ? bytes.readUInt8(position + 6) : undefined;
    }
    position = joinBlocks(bytes, position + 2).end;
  }
  if (bytes[position] !== IMAGE) throw new TypeError('a GIF that was inspected has a frame');
  const frameFlags = bytes.readUInt8(position + 9);
  const own = colourTable(bytes, position + 10, frameFlags);
  const dataAt = position + 10 + 3 * own.length;
  return {
    left: bytes.readUInt16LE(position + 1),
    top: bytes.readUInt16LE(position + 3),
    width: bytes.readUInt16LE(position + 5),
    height: bytes.readUInt16LE(position + 7),
    palette: own.length > 0 ? own : shared,
    isInterlaced: (frameFlags & 0x40) !== 0,
    codeSize: bytes.readUInt8(dataAt),
    data: joinBlocks(bytes, dataAt + 1).data,
    transparent,
  };
}

function colourTable(bytes: Buffer, at: number, flags: number): Colour[] {
  if ((flags & 0x80) === 0) return [];
  return Array.from({ length: 2 ** ((flags & 0x07) + 1) }, (_, index): Colour => {
    const from = at + 3 * index;
    return [bytes.readUInt8(from), bytes.readUInt8(from + 1), bytes.readUInt8(from + 2)];
  });
}

function joinBlocks(bytes: Buffer, start: number): { readonly data: Buffer; readonly end: number } {
  const blocks: Buffer[] = [];
  let position = start;
  for (let length = bytes[position] ?? 0; length > 0; length = bytes[position] ?? 0) {
    blocks.push(bytes.subarray(position + 1, position + 1 + length));
    position += 1 + length;
  }
  return { data: Buffer.concat(blocks), end: position + 1 };
}

function interlacedRow(count: number, height: number): number {
  let before = 0;
  for (const [first, step] of passes) {
    const rows = Math.ceil(Math.max(0, height - first) / step);
    if (count < before + rows) return first + (count - before) * step;
    before += rows;
  }
  return height;
}

/** Decompresses up to `most` pixels. Broken data ends the picture at that point. */
function decompress(data: Buffer, codeSize: number, most: number): Uint8Array {
  const clear = 1 << codeSize;
  const end = clear + 1;
  // A code stands for the pixels of another one, its prefix, plus one more pixel.
  const prefix = new Int16Array(MAX_CODES);
  const last = new Uint8Array(MAX_CODES);
  const length = new Uint16Array(MAX_CODES);
  for (let code = 0; code < clear; code++) {
    last[code] = code;
    length[code] = 1;
  }
  const pixels = new Uint8Array(most);
  let filled = 0;
  let size = codeSize + 1;
  let next = end + 1;
  let before = -1;
  let first = 0;
  let bits = 0;
  let held = 0;
  for (const byte of data) {
    bits |= byte << held;
    held += 8;
    while (held >= size) {
      const code = bits & ((1 << size) - 1);
      bits >>>= size;
      held -= size;
      if (code === end) return pixels.subarray(0, filled);
      if (code === clear) {
        size = codeSize + 1;
        next = end + 1;
        before = -1;
        continue;
      }
      if (code > next || (before === -1 && code >= clear) || (code === next && before === -1)) {
        return pixels.subarray(0, filled);
      }
      // A code that is not defined yet is the previous one plus its own first pixel.
      const known = code < next ? code : before;
      const count = (length[known] ?? 0) + (known === code ? 0 : 1);
      const stop = Math.min(filled + count, most);
      let at = filled + (length[known] ?? 0) - 1;
      for (let walk = known; ; walk = prefix[walk] ?? 0, at--) {
        first = last[walk] ?? 0;
        if (at < most) pixels[at] = first;
        if ((length[walk] ?? 1) === 1) break;
      }
      if (known !== code && stop === filled + count) pixels[stop - 1] = first;
      filled = stop;
      if (filled === most) return pixels;
      if (before !== -1 && next < MAX_CODES) {
        prefix[next] = before;
        last[next] = first;
        length[next] = (length[before] ?? 0) + 1;
        next++;
        if (next === 1 << size && size < 12) size++;
      }
      before = code;
    }
  }
  return pixels.subarray(0, filled);
}

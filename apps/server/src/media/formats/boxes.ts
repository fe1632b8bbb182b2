/** Walks the boxes of an ISO base media or QuickTime file (ISO/IEC 14496-12, section 4.2) without loading the file. */
import type { SourceWindow } from '../byte-source.ts';
import { MediaRejectedError } from '../inspection.ts';

/** A box: its type as a number (see {@link fourcc}), and the position of its content. */
export interface Box {
  readonly type: number;
  readonly start: number;
  readonly body: number;
  readonly end: number;
}

/** More boxes than ten minutes of one-picture fragments have, and few enough to be walked at once. */
const MAX_BOXES = 100_000;

/** A table larger than this (a million samples) cannot be that of a ten-minute video. */
const MAX_TABLE_BYTES = 4 * 1024 * 1024;

/** Packs a box type into a number: four characters, the first in the highest byte. */
export function fourcc(text: string): number {
  return Buffer.from(text, 'latin1').readUInt32BE(0);
}

/** Formats a box type as text, for messages. */
export function showFourcc(type: number): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(type);
  return bytes.toString('latin1').replaceAll(/[^\x20-\x7e]/g, '?');
}

/** Reads the boxes of one file, and counts them. */
export class BoxReader {
  readonly #window: SourceWindow;
  #count = 0;

  constructor(window: SourceWindow) {
    this.#window = window;
  }

  /** The size of the file. */
  get size(): number {
    return this.#window.size;
  }

  /**
   * Walks the boxes from a position to an end, in order. `visit` returns a promise if it has to read more.
   * @param inside the parent box; none for the file itself
   */
  async walk(start: number, end: number, inside: Box | undefined, visit: (box: Box) => Promise<void> | undefined) {
    let position = start;
    // QuickTime ends some lists with four zero bytes.
    while (inside ? position + 8 <= end : position < end) {
      const box = await this.#boxAt(position, end, inside);
      const more = visit(box);
      if (more) await more;
      position = box.end;
    }
  }

  /** Reads the content of a box, or its first bytes. */
  async content(box: Box, most = MAX_TABLE_BYTES): Promise<Buffer> {
    const length = box.end - box.body;
    if (length > most && most === MAX_TABLE_BYTES) {
      throw new MediaRejectedError(
        'unsupported',
        `The table "${showFourcc(box.type)}" of the video is too large to be read.`,
      );
    }
    // The window moves on; retained bytes must not change.
    return Buffer.from(await this.#window.at(box.body, Math.min(length, most)));
  }

  async #boxAt(position: number, end: number, inside: Box | undefined): Promise<Box> {
    if (++this.#count > MAX_BOXES) {
      throw new MediaRejectedError('unsupported', `The video is made of more than ${MAX_BOXES} boxes.`);
    }
    if (position + 8 > end) throw this.#cutOff(position);
    const head = this.#window.peek(position, 8) ?? (await this.#window.at(position, 8));
    const type = head.readUInt32BE(4);
    let length = head.readUInt32BE(0);
    let body = position + 8;
    if (!isType(type)) throw new MediaRejectedError('broken', `What lies at byte ${position} of the video is no box.`);
    if (length === 1) {
      if (position + 16 > end) throw inside ? outside(type, inside) : this.#cutOff(position);
      const wide = await this.#window.at(position, 16);
      length = wide.readUInt32BE(8) * 2 ** 32 + wide.readUInt32BE(12);
      body = position + 16;
    } else if (length === 0 && !inside) {
      length = end - position;
    }
    if (length < body - position) {
      throw new MediaRejectedError(
        'broken',
        `The box "${showFourcc(type)}" at byte ${position} of the video has no valid length.`,
      );
    }
    if (position + length > end) {
      if (inside) throw outside(type, inside);
      throw new MediaRejectedError(
        'truncated',
        `The video ends in the middle of its box "${showFourcc(type)}": ${position + length} bytes are announced, ${end} are there.`,
      );
    }
    return { type, start: position, body, end: position + length };
  }

  #cutOff(position: number): MediaRejectedError {
    return new MediaRejectedError(
      'truncated',
      `The video ends at byte ${this.size}, in the middle of the box at byte ${position}.`,
    );
  }
}

function outside(type: number, inside: Box): MediaRejectedError {
  return new MediaRejectedError(
    'broken',
    `The box "${showFourcc(type)}" of the video is longer than "${showFourcc(inside.type)}" around it.`,
  );
}

/** Returns whether a type has four printable characters; some QuickTime types start with a copyright sign. */
function isType(type: number): boolean {
  for (let shift = 0; shift < 32; shift += 8) {
    const byte = (type >>> shift) & 0xff;
    if ((byte < 0x20 || byte > 0x7e) && !(shift === 24 && byte === 0xa9)) return false;
  }
  return true;
}

/** Walking the boxes of an ISO base media or QuickTime file (ISO/IEC 14496-12, section 4.2) without holding the file. */
import type { SourceWindow } from '../byte-source.ts';
import { MediaFault } from '../inspection.ts';

/** A box: its type as a number (see {@link fourcc}), and where its content lies. */
export interface Box {
  readonly type: number;
  readonly start: number;
  readonly body: number;
  readonly end: number;
}

/** More boxes than ten minutes in fragments of one picture have, and few enough to be walked at once. */
const MAX_BOXES = 100_000;

/** A table larger than this (a million samples) is no video of ten minutes. */
const MAX_TABLE_BYTES = 4 * 1024 * 1024;

/** A box type as a number: four characters, the first in the highest byte. */
export function fourcc(text: string): number {
  return Buffer.from(text, 'latin1').readUInt32BE(0);
}

/** A box type as text, for messages. */
export function showFourcc(type: number): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(type);
  return bytes.toString('latin1').replaceAll(/[^\x20-\x7e]/g, '?');
}

/** Reads boxes of one file, and counts them. */
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
   * Walks the boxes from a position to an end, in order. `visit` answers a promise where it has to read more.
   * @param inside the box in which they lie; none for the file itself
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

  /** The content of a box, or its first bytes. */
  async content(box: Box, most = MAX_TABLE_BYTES): Promise<Buffer> {
    const length = box.end - box.body;
    if (length > most && most === MAX_TABLE_BYTES) {
      throw new MediaFault('unsupported', `The table "${showFourcc(box.type)}" of the video is too large to be read.`);
    }
    // The window moves on; what is kept must not.
    return Buffer.from(await this.#window.at(box.body, Math.min(length, most)));
  }

  async #boxAt(position: number, end: number, inside: Box | undefined): Promise<Box> {
    if (++this.#count > MAX_BOXES) {
      throw new MediaFault('unsupported', `The video is made of more than ${MAX_BOXES} boxes.`);
    }
    if (position + 8 > end) throw this.#cutOff(position);
    const head = this.#window.peek(position, 8) ?? (await this.#window.at(position, 8));
    const type = head.readUInt32BE(4);
    let length = head.readUInt32BE(0);
    let body = position + 8;
    if (!isType(type)) throw new MediaFault('broken', `What lies at byte ${position} of the video is no box.`);
    if (length === 1) {
      if (position + 16 > end) throw inside ? outside(type, inside) : this.#cutOff(position);
      const wide = await this.#window.at(position, 16);
      length = wide.readUInt32BE(8) * 2 ** 32 + wide.readUInt32BE(12);
      body = position + 16;
    } else if (length === 0 && !inside) {
      length = end - position;
    }
    if (length < body - position) {
      throw new MediaFault(
        'broken',
        `The box "${showFourcc(type)}" at byte ${position} of the video has no valid length.`,
      );
    }
    if (position + length > end) {
      if (inside) throw outside(type, inside);
      throw new MediaFault(
        'truncated',
        `The video ends in the middle of its box "${showFourcc(type)}": ${position + length} bytes are announced, ${end} are there.`,
      );
    }
    return { type, start: position, body, end: position + length };
  }

  #cutOff(position: number): MediaFault {
    return new MediaFault(
      'truncated',
      `The video ends at byte ${this.size}, in the middle of the box at byte ${position}.`,
    );
  }
}

function outside(type: number, inside: Box): MediaFault {
  return new MediaFault(
    'broken',
    `The box "${showFourcc(type)}" of the video is longer than "${showFourcc(inside.type)}" around it.`,
  );
}

/** Four visible characters; QuickTime has types that begin with a copyright sign. */
function isType(type: number): boolean {
  for (let shift = 0; shift < 32; shift += 8) {
    const byte = (type >>> shift) & 0xff;
    if ((byte < 0x20 || byte > 0x7e) && !(shift === 24 && byte === 0xa9)) return false;
  }
  return true;
}

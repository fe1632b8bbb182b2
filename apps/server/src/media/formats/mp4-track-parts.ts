/** The boxes of a track, and where its samples are (ISO/IEC 14496-12, sections 8.5 to 8.7). */
import { MediaRejectedError } from '../inspection.ts';
import { type Box, type BoxReader, fourcc } from './boxes.ts';
import { Fields } from './fields.ts';

const containers = new Set(['edts', 'mdia', 'minf', 'stbl'].map(fourcc));

/** Collects the boxes of a track by type, at any depth; the first of several of the same type. */
export class TrackParts {
  readonly #reader: BoxReader;
  readonly #boxes = new Map<number, Box>();

  static async find(reader: BoxReader, trak: Box): Promise<TrackParts> {
    const parts = new TrackParts(reader);
    await parts.#walk(trak);
    return parts;
  }

  private constructor(reader: BoxReader) {
    this.#reader = reader;
  }

  async fields(name: string): Promise<Fields | undefined> {
    const box = this.#boxes.get(fourcc(name));
    return box && new Fields(await this.#reader.content(box), name);
  }

  async need(name: string): Promise<Fields> {
    const fields = await this.fields(name);
    if (fields) return fields;
    throw new MediaRejectedError('broken', `A track of the video lacks its box "${name}".`);
  }

  #walk(around: Box): Promise<void> {
    return this.#reader.walk(around.body, around.end, around, (box) => {
      // A container is walked once, so the depth is bounded by the format, however deep boxes are nested.
      if (this.#boxes.has(box.type)) return undefined;
      this.#boxes.set(box.type, box);
      return containers.has(box.type) ? this.#walk(box) : undefined;
    });
  }
}

/** Returns the byte length of a row of samples. */
export async function readSampleSizes(
  parts: TrackParts,
  samples: number,
): Promise<(first: number, count: number) => number> {
  const sizes = await parts.fields('stsz');
  const uniform = sizes?.u32(4);
  if (uniform) return (_, count) => uniform * count;
  // Sizes of 4, 8 or 16 bits are used for tiny samples only; one byte each is enough to locate them.
  if (!sizes) return (_, count) => count;
  sizes.entries(8, 4);
  return (first, count) => {
    let bytes = 0;
    for (let sample = first; sample < Math.min(first + count, samples); sample++) bytes += sizes.u32(12 + sample * 4);
    return bytes;
  };
}

/** Returns, for each run of chunks, the first chunk and its number of samples. */
export function readRuns(fields: Fields): { firstChunk: number; samples: number }[] {
  const runs = [];
  const entries = fields.entries(4, 12);
  for (let at = 8; at < 8 + entries * 12; at += 12)
    runs.push({ firstChunk: fields.u32(at), samples: fields.u32(at + 4) });
  return runs;
}

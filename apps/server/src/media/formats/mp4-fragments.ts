/** The fragments of a video whose index is spread over the file (ISO/IEC 14496-12, section 8.8). */
import { type Box, type BoxReader, fourcc, showFourcc } from './boxes.ts';
import { Fields } from './fields.ts';

const MEHD = fourcc('mehd');
const TREX = fourcc('trex');
const TRAF = fourcc('traf');
const TFHD = fourcc('tfhd');
const TRUN = fourcc('trun');

/** Number of samples and their duration, in units of the track. */
export interface Fragmented {
  samples: number;
  duration: number;
}

/** Sums up fragments by track. */
export class Fragments {
  readonly #reader: BoxReader;
  readonly #defaults = new Map<number, number>();
  readonly #tracks = new Map<number, Fragmented>();
  /** The duration of the whole video in its units, if the index announces it. */
  announced = 0;
  /** The number of fragments. */
  count = 0;

  constructor(reader: BoxReader) {
    this.#reader = reader;
  }

  /** Returns the totals of a track over the fragments. */
  of(track: number): Fragmented {
    const known = this.#tracks.get(track);
    if (known) return known;
    const none = { samples: 0, duration: 0 };
    this.#tracks.set(track, none);
    return none;
  }

  /** Reads the `mvex` box of the index. */
  readDefaults(mvex: Box): Promise<void> {
    return this.#reader.walk(mvex.body, mvex.end, mvex, async (box) => {
      if (box.type !== TREX && box.type !== MEHD) return;
      const fields = await this.#fields(box);
      if (box.type === MEHD) this.announced = fields.version === 1 ? fields.u64(4) : fields.u32(4);
      else this.#defaults.set(fields.u32(4), fields.u32(12));
    });
  }

  /** Adds a `moof` box. */
  async add(moof: Box): Promise<void> {
    this.count++;
    await this.#reader.walk(moof.body, moof.end, moof, (box) => (box.type === TRAF ? this.#addTrack(box) : undefined));
  }

  async #addTrack(traf: Box): Promise<void> {
    let track = this.of(0);
    let sampleDuration = 0;
    await this.#reader.walk(traf.body, traf.end, traf, async (box) => {
      if (box.type === TFHD) {
        const fields = await this.#fields(box);
        const id = fields.u32(4);
        const at = 8 + (fields.flags & 0x1 ? 8 : 0) + (fields.flags & 0x2 ? 4 : 0);
        track = this.of(id);
        sampleDuration = fields.flags & 0x8 ? fields.u32(at) : (this.#defaults.get(id) ?? 0);
      } else if (box.type === TRUN) {
        const run = readRun(await this.#fields(box), sampleDuration);
        track.samples += run.samples;
        track.duration += run.duration;
      }
    });
  }

  async #fields(box: Box): Promise<Fields> {
    return new Fields(await this.#reader.content(box), showFourcc(box.type));
  }
}

function readRun(fields: Fields, sampleDuration: number): Fragmented {
  const { flags } = fields;
  const first = 8 + (flags & 0x1 ? 4 : 0) + (flags & 0x4 ? 4 : 0);
  const entryBytes = [0x100, 0x200, 0x400, 0x800].filter((flag) => flags & flag).length * 4;
  const samples = fields.u32(4);
  if (entryBytes > 0) fields.within(first, samples * entryBytes);
  if (!(flags & 0x100)) return { samples, duration: samples * sampleDuration };
  let duration = 0;
  for (let sample = 0; sample < samples; sample++) duration += fields.u32(first + sample * entryBytes);
  return { samples, duration };
}

/** Finds key pictures of a video: those that are decoded without any other (ISO/IEC 14496-12, section 8.6.2). */
import { type ByteSource, SourceWindow } from '../byte-source.ts';
import { type Box, BoxReader, fourcc, showFourcc } from './boxes.ts';
import { Fields } from './fields.ts';
import { avcConfiguration, PICTURE, readTrackHeader, type Turn } from './mp4-track.ts';
import { readRuns, readSampleSizes, TrackParts } from './mp4-track-parts.ts';

const MOOV = fourcc('moov');
const MOOF = fourcc('moof');
const TRAK = fourcc('trak');
const TRAF = fourcc('traf');
const TFHD = fourcc('tfhd');
const TRUN = fourcc('trun');
const TREX = fourcc('trex');
const MVEX = fourcc('mvex');

/** A picture larger than this is not read: at the highest levels one has about half of it. */
const MAX_SAMPLE_BYTES = 8 * 1024 * 1024;

/** The coded key pictures of a video, in H.264. */
export interface KeyPictures {
  /** The units of each picture, parameter sets first. */
  readonly pictures: readonly (readonly Uint8Array[])[];
  /** Degrees by which they are turned to be shown. */
  readonly turn: Turn;
}

/**
 * Returns the first key pictures of a video that passed inspection.
 * @param most how many are wanted
 * @returns `undefined` where its codec is not H.264, or it has none at a usual place
 * @throws MediaRejectedError where the index is damaged
 */
export async function findKeyPictures(source: ByteSource, most: number): Promise<KeyPictures | undefined> {
  const reader = new BoxReader(new SourceWindow(source));
  const tracks: TrackParts[] = [];
  const fragment: { box?: Box } = {};
  const defaults = new Map<number, number>();
  const readDefaults = (mvex: Box) =>
    reader.walk(mvex.body, mvex.end, mvex, async (box) => {
      if (box.type !== TREX) return;
      const fields = new Fields(await reader.content(box), 'trex');
      defaults.set(fields.u32(4), fields.u32(16));
    });
  const readIndex = (moov: Box) =>
    reader.walk(moov.body, moov.end, moov, (box) => {
      if (box.type === MVEX) return readDefaults(box);
      if (box.type !== TRAK) return undefined;
      return TrackParts.find(reader, box).then((parts) => void tracks.push(parts));
    });
  await reader.walk(0, reader.size, undefined, (box) => {
    if (box.type === MOOV) return readIndex(box);
    if (box.type === MOOF) fragment.box ??= box;
    return undefined;
  });
  const track = await pictureTrack(tracks);
  const description = await track?.parts.fields('stsd');
  const configuration = description && avcConfiguration(description);
  if (!track || !configuration) return undefined;
  const indexed = await keySamples(track.parts, most);
  const samples =
    indexed.length > 0 || !fragment.box
      ? indexed
      : await fragmentSample(reader, fragment.box, track.id, defaults.get(track.id) ?? 0);
  const pictures: Uint8Array[][] = [];
  for (const { offset, bytes } of samples) {
    if (bytes === 0 || bytes > MAX_SAMPLE_BYTES || offset + bytes > source.size) continue;
    pictures.push([...parameterSets(configuration), ...units(await source.read(offset, bytes), configuration)]);
  }
  return pictures.length === 0 ? undefined : { pictures, turn: track.turn };
}

interface Sample {
  readonly offset: number;
  readonly bytes: number;
}

/** Returns the track of pictures that is shown: the first enabled one, or else the first. */
async function pictureTrack(tracks: readonly TrackParts[]) {
  const found = [];
  for (const parts of tracks) {
    const { id, isEnabled, turn } = readTrackHeader(await parts.need('tkhd'));
    if ((await parts.need('hdlr')).u32(8) === PICTURE) found.push({ parts, id, isEnabled, turn });
  }
  return found.find(({ isEnabled }) => isEnabled) ?? found[0];
}

/** Returns the places of the first key pictures in the index. Without a list of them, each picture is one. */
async function keySamples(parts: TrackParts, most: number): Promise<Sample[]> {
  const count = (await parts.fields('stsz'))?.u32(8) ?? 0;
  const keys = await parts.fields('stss');
  const numbers = Array.from({ length: Math.min(most, keys ? keys.entries(4, 4) : count) }, (_, index) =>
    keys ? keys.u32(8 + 4 * index) - 1 : index,
  );
  const samples: Sample[] = [];
  for (const number of numbers) {
    const sample = number < count ? await placeOf(parts, number) : undefined;
    if (sample) samples.push(sample);
  }
  return samples;
}

async function placeOf(parts: TrackParts, number: number): Promise<Sample | undefined> {
  const short = await parts.fields('stco');
  const offsets = short ?? (await parts.need('co64'));
  const runs = readRuns(await parts.need('stsc'));
  const bytesOf = await readSampleSizes(parts, number + 1);
  const chunks = offsets.entries(4, short ? 4 : 8);
  let first = 0;
  let run = 0;
  for (let chunk = 1; chunk <= chunks; chunk++) {
    while (chunk >= (runs[run + 1]?.firstChunk ?? Number.POSITIVE_INFINITY)) run++;
    const count = runs[run]?.samples ?? 0;
    if (number < first + count) {
      const at = 8 + (chunk - 1) * (short ? 4 : 8);
      const start = short ? offsets.u32(at) : offsets.u64(at);
      return { offset: start + bytesOf(first, number - first), bytes: bytesOf(number, 1) };
    }
    first += count;
  }
  return undefined;
}

/** Returns the first sample of a track in a fragment, which starts with a key picture (ISO/IEC 14496-12, section 8.8). */
async function fragmentSample(reader: BoxReader, moof: Box, id: number, defaultBytes: number): Promise<Sample[]> {
  const samples: Sample[] = [];
  const readTrack = async (traf: Box) => {
    let base: number | undefined;
    let bytes = defaultBytes;
    await reader.walk(traf.body, traf.end, traf, async (box) => {
      if (box.type !== TFHD && box.type !== TRUN) return;
      const fields = new Fields(await reader.content(box), showFourcc(box.type));
      const { flags } = fields;
      if (box.type === TFHD) {
        if (fields.u32(4) !== id) return;
        base = flags & 0x1 ? fields.u64(8) : moof.start;
        const at = 8 + (flags & 0x1 ? 8 : 0) + (flags & 0x2 ? 4 : 0) + (flags & 0x8 ? 4 : 0);
        if (flags & 0x10) bytes = fields.u32(at);
      } else if (base !== undefined && samples.length === 0 && flags & 0x1 && fields.u32(4) > 0) {
        const at = 12 + (flags & 0x4 ? 4 : 0) + (flags & 0x100 ? 4 : 0);
        samples.push({ offset: base + fields.i32(8), bytes: flags & 0x200 ? fields.u32(at) : bytes });
      }
    });
  };
  await reader.walk(moof.body, moof.end, moof, (box) => (box.type === TRAF ? readTrack(box) : undefined));
  return samples;
}

/** Returns the parameter sets of a configuration, as far as they are there. */
function parameterSets(configuration: Buffer): Uint8Array[] {
  const sets: Uint8Array[] = [];
  let at = 6;
  for (let left = (configuration[5] ?? 0) & 0x1f, isLast = false; ; left = configuration[at++] ?? 0, isLast = true) {
    for (; left > 0 && at + 2 <= configuration.length; left--) {
      const length = configuration.readUInt16BE(at);
      sets.push(configuration.subarray(at + 2, at + 2 + length));
      at += 2 + length;
    }
    if (isLast) return sets;
  }
}

/** Cuts a sample into its units, as far as they are there. */
function units(sample: Uint8Array, configuration: Buffer): Uint8Array[] {
  const bytes = Buffer.from(sample.buffer, sample.byteOffset, sample.byteLength);
  const lengthBytes = ((configuration[4] ?? 3) & 3) + 1;
  const found: Uint8Array[] = [];
  for (let at = 0; at + lengthBytes <= bytes.length; ) {
    const length = bytes.readUIntBE(at, lengthBytes);
    at += lengthBytes;
    found.push(bytes.subarray(at, at + length));
    at += length;
  }
  return found;
}

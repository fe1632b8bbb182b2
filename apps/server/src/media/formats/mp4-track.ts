/** A track of a video: the contents of its boxes, and whether its samples are in the file (ISO/IEC 14496-12, section 8). */
import { MediaRejectedError } from '../inspection.ts';
import { type Box, type BoxReader, fourcc, showFourcc } from './boxes.ts';
import type { Fields } from './fields.ts';
import { readRuns, readSampleSizes, TrackParts } from './mp4-track-parts.ts';

export const PICTURE = fourcc('vide');
const SOUND = fourcc('soun');
const AVC_CONFIGURATION = fourcc('avcC');
const ENABLED = 0x000001;
const UNKNOWN_DURATIONS = [0xffffffff, 0xffffffff * 2 ** 32 + 0xffffffff];

/** Non-square pixels explain a picture shown twice as wide as it is coded, not one four times as large. */
const MAX_STRETCH = 4;

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Degrees by which players turn the picture, clockwise. */
export type Turn = 0 | 90 | 180 | 270;

/** Properties of a track. */
export interface Track extends Size {
  readonly id: number;
  readonly isEnabled: boolean;
  readonly kind: 'picture' | 'sound' | 'other';
  readonly codec: string;
  /** Units per second, for `duration`. */
  readonly timescale: number;
  /** The duration of all samples in the index. */
  readonly duration: number;
  readonly samples: number;
  /** Duration of the track in the edit list, in units of the video; `undefined` without a list. */
  readonly shown: number | undefined;
}

/** Reads timescale and duration of `mvhd` and `mdhd`, which have the same layout; an unknown duration is 0. */
export function readTimes(fields: Fields): { timescale: number; duration: number } {
  const isLong = fields.version === 1;
  const timescale = fields.u32(isLong ? 20 : 12);
  const duration = isLong ? fields.u64(24) : fields.u32(16);
  if (timescale === 0) throw new MediaRejectedError('broken', 'The video counts time in units of no length.');
  return { timescale, duration: UNKNOWN_DURATIONS.includes(duration) ? 0 : duration };
}

/** Reads a `trak` box. */
export async function readTrack(reader: BoxReader, trak: Box): Promise<Track> {
  const parts = await TrackParts.find(reader, trak);
  const header = readTrackHeader(await parts.need('tkhd'));
  const { timescale } = readTimes(await parts.need('mdhd'));
  const handler = (await parts.need('hdlr')).u32(8);
  const isPicture = handler === PICTURE;
  const description = readDescription(await parts.need('stsd'), isPicture);
  const timing = readTiming(await parts.need('stts'));
  await checkSamples(reader.size, parts, timing.samples);
  const edits = await parts.fields('elst');
  return {
    id: header.id,
    isEnabled: header.isEnabled,
    kind: isPicture ? 'picture' : handler === SOUND ? 'sound' : 'other',
    codec: description.codec,
    ...(isPicture ? shownSize(header, description) : { width: 0, height: 0 }),
    timescale,
    duration: timing.duration,
    samples: timing.samples,
    shown: edits && readEdits(edits),
  };
}

export interface TrackHeader extends Size {
  readonly id: number;
  readonly isEnabled: boolean;
  readonly turn: Turn;
}

export function readTrackHeader(fields: Fields): TrackHeader {
  const isLong = fields.version === 1;
  const matrix = isLong ? 52 : 40;
  const [a, b, c, d] = [fields.i32(matrix), fields.i32(matrix + 4), fields.i32(matrix + 12), fields.i32(matrix + 16)];
  return {
    id: fields.u32(isLong ? 20 : 12),
    isEnabled: (fields.flags & ENABLED) !== 0,
    turn: a === 0 && d === 0 && b !== 0 && c !== 0 ? (b > 0 ? 90 : 270) : a < 0 && d < 0 ? 180 : 0,
    width: Math.round(fields.u32(matrix + 36) / 0x10000),
    height: Math.round(fields.u32(matrix + 40) / 0x10000),
  };
}

interface Description extends Size {
  readonly codec: string;
}

/** Returns the first sample description. */
function readDescription(fields: Fields, isPicture: boolean): Description {
  if (fields.u32(4) === 0) throw new MediaRejectedError('broken', 'A track of the video does not say how it is coded.');
  const codec = showFourcc(fields.u32(12)).trim();
  if (!isPicture) return { codec, width: 0, height: 0 };
  return { codec: avcCodec(fields) ?? codec, width: fields.u16(40), height: fields.u16(42) };
}

/** Returns `avc1.` with profile, constraints and level of an AVC sample description (RFC 6381). */
function avcCodec(fields: Fields): string | undefined {
  const profile = avcConfiguration(fields)?.readUIntBE(1, 3);
  return profile === undefined ? undefined : `${showFourcc(fields.u32(12))}.${profile.toString(16).padStart(6, '0')}`;
}

/** Returns the configuration of an AVC sample description (ISO/IEC 14496-15, section 5.3.3.1), at its usual place. */
export function avcConfiguration(fields: Fields): Buffer | undefined {
  const name = showFourcc(fields.u32(12));
  if (name !== 'avc1' && name !== 'avc3') return undefined;
  const end = Math.min(fields.length, 8 + fields.u32(8));
  for (let at = 94; at + 12 <= end; at += Math.max(8, fields.u32(at))) {
    if (fields.u32(at + 4) !== AVC_CONFIGURATION) continue;
    return fields.slice(at + 8, Math.max(at + 12, Math.min(at + fields.u32(at), end)));
  }
  return undefined;
}

function shownSize(header: TrackHeader, coded: Size): Size {
  const width = header.width || coded.width;
  const height = header.height || coded.height;
  if (width === 0 || height === 0) throw new MediaRejectedError('broken', `The video says it is ${width}×${height}.`);
  const stretches = [width / (coded.width || width), height / (coded.height || height)];
  if (stretches.some((stretch) => stretch > MAX_STRETCH || stretch < 1 / MAX_STRETCH)) {
    throw new MediaRejectedError(
      'lying',
      `The video says it is shown as ${width}×${height}, but its picture is coded as ${coded.width}×${coded.height}.`,
    );
  }
  return header.turn % 180 === 90 ? { width: height, height: width } : { width, height };
}

function readTiming(fields: Fields): { samples: number; duration: number } {
  let samples = 0;
  let duration = 0;
  const entries = fields.entries(4, 8);
  for (let at = 8; at < 8 + entries * 8; at += 8) {
    const count = fields.u32(at);
    samples += count;
    duration += count * fields.u32(at + 4);
  }
  return { samples, duration };
}

function readEdits(fields: Fields): number {
  const isLong = fields.version === 1;
  const entryBytes = isLong ? 20 : 12;
  const entries = fields.entries(4, entryBytes);
  let shown = 0;
  for (let entry = 0; entry < entries; entry++) {
    const at = 8 + entry * entryBytes;
    shown += isLong ? fields.u64(at) : fields.u32(at);
  }
  return shown;
}

/** Checks that every sample of the index is in the file. Only this detects a file cut inside a box that extends to its end. */
async function checkSamples(fileSize: number, parts: TrackParts, timed: number): Promise<void> {
  const sizes = (await parts.fields('stsz')) ?? (await parts.fields('stz2'));
  const samples = sizes?.u32(8) ?? 0;
  if (samples !== timed) {
    throw new MediaRejectedError('broken', `A track of the video has ${samples} samples, but times for ${timed}.`);
  }
  if (samples === 0) return;
  const short = await parts.fields('stco');
  const offsets = short ?? (await parts.need('co64'));
  const sampleBytes = await readSampleSizes(parts, samples);
  const runs = readRuns(await parts.need('stsc'));
  const offsetBytes = short ? 4 : 8;
  const chunks = offsets.entries(4, offsetBytes);
  let placed = 0;
  let run = 0;
  let total = 0;
  for (let chunk = 1; chunk <= chunks && placed < samples; chunk++) {
    while (chunk >= (runs[run + 1]?.firstChunk ?? Number.POSITIVE_INFINITY)) run++;
    const count = Math.min(runs[run]?.samples ?? 0, samples - placed);
    const at = 8 + (chunk - 1) * offsetBytes;
    const bytes = sampleBytes(placed, count);
    if ((short ? offsets.u32(at) : offsets.u64(at)) + bytes > fileSize) {
      throw new MediaRejectedError(
        'truncated',
        `The video ends at byte ${fileSize}, before the last of its pictures and sounds.`,
      );
    }
    placed += count;
    total += bytes;
  }
  if (placed < samples)
    throw new MediaRejectedError('broken', `Of ${samples} samples of a track, ${placed} have a place in the file.`);
  if (total === 0) throw new MediaRejectedError('broken', 'The samples of a track of the video are empty.');
}

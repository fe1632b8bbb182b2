/** MP4 and QuickTime: the boxes of the whole file, the index, its tracks and fragments (ISO/IEC 14496-12). */
import type { SourceWindow } from '../byte-source.ts';
import { type MediaFacts, MediaRejectedError } from '../inspection.ts';
import { type Box, BoxReader, fourcc } from './boxes.ts';
import { Fields } from './fields.ts';
import { Fragments } from './mp4-fragments.ts';
import { readTimes, readTrack, type Track } from './mp4-track.ts';

const FTYP = fourcc('ftyp');
const MDAT = fourcc('mdat');
const MOOF = fourcc('moof');
const MOOV = fourcc('moov');
const MVEX = fourcc('mvex');
const MVHD = fourcc('mvhd');
const CMOV = fourcc('cmov');
const TRAK = fourcc('trak');

const QUICKTIME = fourcc('qt  ');
/** Still image formats with the same box structure. */
const imageBrands = new Map(
  [
    ...['avif', 'avis'].map((brand) => [brand, 'AVIF'] as const),
    ...['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1'].map((brand) => [brand, 'HEIC'] as const),
    ...['crx '].map((brand) => [brand, 'camera raw'] as const),
  ].map(([brand, name]) => [fourcc(brand), name]),
);
/** Possible first boxes of a QuickTime file without `ftyp`. */
const quickTimeStarts = new Set(['moov', 'mdat', 'wide', 'free', 'skip', 'pnot'].map(fourcc));

const MAX_TRACKS = 16;
/** Tolerance between the header and the samples: sound ends slightly before or after the picture. */
const TOLERANCE_SECONDS = 0.5;
const TOLERANCE = 0.05;

/** Returns whether the bytes start like an MP4 or QuickTime file. */
export function isMp4(start: Buffer): boolean {
  if (start.length < 8) return false;
  const type = start.readUInt32BE(4);
  return type === FTYP || quickTimeStarts.has(type);
}

/** Inspects an MP4 or QuickTime file, reading only a small part of it. */
export async function inspectMp4(window: SourceWindow): Promise<MediaFacts> {
  const reader = new BoxReader(window);
  const fragments = new Fragments(reader);
  let isQuickTime = true;
  let dataFound = false;
  let lastFragment: Box | undefined;
  let index: Index | undefined;
  const readMoov = async (box: Box) => {
    if (index) throw new MediaRejectedError('broken', 'The video has two indexes.');
    index = await readIndex(reader, box, fragments);
  };
  const readFtyp = async (box: Box) => {
    isQuickTime = await readBrands(reader, box);
  };
  await reader.walk(0, reader.size, undefined, (box) => {
    if (box.type === FTYP && box.start === 0) return readFtyp(box);
    if (box.type === MOOV) return readMoov(box);
    if (box.type === MDAT && box.end > box.body) {
      dataFound = true;
      lastFragment = undefined;
    }
    if (box.type !== MOOF) return undefined;
    if (!index) throw new MediaRejectedError('broken', 'The video has a fragment before its index.');
    lastFragment = box;
    return fragments.add(box);
  });
  if (!index)
    throw new MediaRejectedError('truncated', 'The video has no index ("moov"); it was cut off, or never finished.');
  if (!dataFound) throw new MediaRejectedError('truncated', 'The video has an index, but no pictures ("mdat").');
  if (lastFragment)
    throw new MediaRejectedError('truncated', 'The video ends before the pictures of its last fragment.');
  return facts(reader.size, isQuickTime ? 'video/quicktime' : 'video/mp4', index, fragments);
}

/** Returns whether the brand is QuickTime's own. */
async function readBrands(reader: BoxReader, ftyp: Box): Promise<boolean> {
  const content = await reader.content(ftyp, 1024);
  if (content.length < 8) throw new MediaRejectedError('broken', 'The video does not say what kind it is.');
  const brands = [content.readUInt32BE(0)];
  for (let at = 8; at + 4 <= content.length; at += 4) brands.push(content.readUInt32BE(at));
  const image = imageBrands.get(brands[0] ?? 0);
  if (image)
    throw new MediaRejectedError(
      'unknown_type',
      `The bytes are a picture of the type ${image}, which is not accepted.`,
    );
  return brands.includes(QUICKTIME);
}

interface Index {
  readonly timescale: number;
  readonly duration: number;
  readonly tracks: readonly Track[];
  readonly isFragmented: boolean;
}

async function readIndex(reader: BoxReader, moov: Box, fragments: Fragments): Promise<Index> {
  let times: { timescale: number; duration: number } | undefined;
  const tracks: Track[] = [];
  let isFragmented = false;
  const readHeader = async (box: Box) => {
    times ??= readTimes(new Fields(await reader.content(box), 'mvhd'));
  };
  const addTrack = async (box: Box) => {
    if (tracks.length === MAX_TRACKS)
      throw new MediaRejectedError('unsupported', `The video has more than ${MAX_TRACKS} tracks.`);
    tracks.push(await readTrack(reader, box));
  };
  await reader.walk(moov.body, moov.end, moov, (box) => {
    if (box.type === MVHD) return readHeader(box);
    if (box.type === TRAK) return addTrack(box);
    if (box.type === CMOV) throw new MediaRejectedError('unsupported', 'The index of the video is compressed.');
    if (box.type !== MVEX) return undefined;
    isFragmented = true;
    return fragments.readDefaults(box);
  });
  if (!times) throw new MediaRejectedError('broken', 'The index of the video lacks its header ("mvhd").');
  return { ...times, tracks, isFragmented };
}

function facts(size: number, media_type: MediaFacts['media_type'], index: Index, fragments: Fragments): MediaFacts {
  const pictures = index.tracks.filter(({ kind }) => kind === 'picture');
  const sounds = index.tracks.filter(({ kind }) => kind === 'sound');
  const picture = pictures.find(({ isEnabled }) => isEnabled) ?? pictures[0];
  if (!picture) {
    throw new MediaRejectedError(
      'broken',
      `The file has ${sounds.length > 0 ? 'sound, but ' : ''}no pictures: it is no video.`,
    );
  }
  const fragmented = fragments.of(picture.id);
  const frames = picture.samples + fragmented.samples;
  const pictureSeconds = (picture.duration + fragmented.duration) / picture.timescale;
  if (frames === 0)
    throw new MediaRejectedError('truncated', 'The video has no frame: the part with its pictures is missing.');
  const seconds = index.isFragmented ? fragmentedSeconds(index, fragments) : indexedSeconds(index);
  const duration_ms = Math.round(seconds * 1000);
  if (duration_ms < 1 || pictureSeconds <= 0) throw new MediaRejectedError('broken', 'The video has no duration.');
  if (!Number.isSafeInteger(duration_ms))
    throw new MediaRejectedError('broken', 'The video claims an implausible duration.');
  return {
    media_type,
    kind: 'video',
    size_bytes: size,
    width: picture.width,
    height: picture.height,
    duration_ms,
    frames,
    frame_rate: Math.round((frames / pictureSeconds) * 1000) / 1000,
    bit_rate: Math.round((size * 8) / (duration_ms / 1000)),
    codecs: [picture, ...sounds].map(({ codec }) => codec),
    has_audio: sounds.length > 0,
  };
}

/** The duration of a video whose index holds all samples: that of its header, which the samples must confirm. */
function indexedSeconds({ tracks, timescale, duration }: Index): number {
  const longest = Math.max(
    ...tracks.map((track) => (track.shown === undefined ? track.duration / track.timescale : track.shown / timescale)),
  );
  if (duration === 0) return longest;
  const seconds = duration / timescale;
  if (isNear(seconds, longest)) return seconds;
  throw new MediaRejectedError(
    'lying',
    `The video says it takes ${show(seconds)}, but its tracks take ${show(longest)}.`,
  );
}

/** The duration of a fragmented video; all fragments must be present. */
function fragmentedSeconds({ tracks, timescale }: Index, fragments: Fragments): number {
  const longest = Math.max(
    ...tracks.map((track) => (track.duration + fragments.of(track.id).duration) / track.timescale),
  );
  const announced = fragments.announced / timescale;
  if (announced > longest && !isNear(announced, longest)) {
    throw new MediaRejectedError(
      'truncated',
      `The video says it takes ${show(announced)}, but ends after ${show(longest)}.`,
    );
  }
  return longest;
}

function isNear(one: number, other: number): boolean {
  return Math.abs(one - other) <= Math.max(TOLERANCE_SECONDS, TOLERANCE * other);
}

function show(seconds: number): string {
  return `${Number(seconds.toFixed(1))} s`;
}

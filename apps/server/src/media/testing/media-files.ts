import type { MediaFacts, MediaRejection } from '../inspection.ts';
import {
  encodeAnimatedWebp,
  encodeGif,
  encodeJpeg,
  encodePng,
  encodeWebp,
  lossyChunk,
  webpExtended,
  webpFile,
} from './images.ts';
import { box, encodeMp4, u32 } from './videos.ts';

/** A file of each format. */
export const fixtures: Readonly<Record<string, Buffer>> = {
  png: encodePng(20, 10),
  jpeg: encodeJpeg(40, 20),
  'turned jpeg': encodeJpeg(40, 20, { orientation: 6 }),
  gif: encodeGif(9, 7),
  'animated gif': encodeGif(9, 7, [5, 1, 20]),
  'lossless webp': encodeWebp(33, 21),
  'lossy webp': webpFile(webpExtended(12, 14), lossyChunk(12, 14)),
  'animated webp': encodeAnimatedWebp(8, 9, [100, 200]),
  'mp4 with its index at the end': encodeMp4(),
  'mp4 with its index first': encodeMp4({
    index: 'first',
    data: 'wide',
    turn: 90,
    hasAudio: true,
    co64: true,
    long: true,
  }),
  'mp4 with data to the end': encodeMp4({ index: 'first', data: 'to-the-end' }),
  quicktime: encodeMp4({ brand: 'qt  ', shownSeconds: 1 }),
  'quicktime without brand': encodeMp4().subarray(24),
  'mp4 in fragments': encodeMp4({ fragments: 3, seconds: 6 }),
};
export const cases = Object.entries(fixtures);

/** The first box of a video. */
export const ftyp = box('ftyp', Buffer.from('isom\0\0\0\0isom'));

/** Returns whether media were rejected. */
export const isRejection = (found: MediaFacts | MediaRejection): found is MediaRejection => 'reason' in found;

/** Encodes a video with a final fragment, with the given number of samples and as many bytes of sample facts. */
export function trun(flags: number, count: number, rest: number): Buffer {
  return Buffer.concat([
    encodeMp4({ fragments: 1, unannounced: true }),
    box('moof', box('traf', box('tfhd', u32(0, 1)), box('trun', u32(flags, count), Buffer.alloc(rest)))),
  ]);
}

/** Encodes a video with another box in place of one in its sample table. */
export function swap(name: string, by: Buffer): Buffer {
  const whole = encodeMp4();
  const at = whole.indexOf(name) - 4;
  const grown = by.length - whole.readUInt32BE(at);
  const bytes = Buffer.concat([whole.subarray(0, at), by, whole.subarray(at + whole.readUInt32BE(at))]);
  for (const around of ['moov', 'trak', 'mdia', 'minf', 'stbl']) {
    const start = bytes.indexOf(around) - 4;
    bytes.writeUInt32BE(bytes.readUInt32BE(start) + grown, start);
  }
  return bytes;
}

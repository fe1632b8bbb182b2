/** Decodes the key picture of an H.264 stream: one that is predicted from itself only (ITU-T H.264). */
import { BitReader, payload, UndecodableError } from './bit-reader.ts';
import { smoothEdges } from './deblocking.ts';
import { type PictureSettings, readPictureSettings, readSequence, type Sequence } from './parameter-sets.ts';
import { Picture } from './picture.ts';
import { SliceDecoder } from './slice.ts';
import { readSliceHeader, type Slice } from './slice-header.ts';

/** Types of units (table 7-1). */
const SLICE = 1;
const INSTANT_SLICE = 5;
const SEQUENCE = 7;
const PICTURE = 8;

/** A decoded picture, and how its colours are coded. */
export interface DecodedPicture {
  readonly picture: Picture;
  readonly sequence: Sequence;
}

/**
 * Decodes a picture.
 * @param units of the stream without start codes: the parameter sets, then the slices of one picture
 * @throws UndecodableError where the stream is damaged, the picture is not complete, or it uses what is not supported: fields,
 * chroma other than 4:2:0, more than 8 bits, groups of slices, prediction from other pictures
 */
export function decodePicture(units: Iterable<Uint8Array>): DecodedPicture {
  const sequences = new Map<number, Sequence>();
  const settings = new Map<number, PictureSettings>();
  const slices: Slice[] = [];
  let picture: Picture | undefined;
  for (const unit of units) {
    const header = unit[0] ?? 0;
    const type = header & 0x1f;
    if (type === SEQUENCE) {
      const sequence = readSequence(payload(unit));
      sequences.set(sequence.id, sequence);
    } else if (type === PICTURE) {
      const found = readPictureSettings(payload(unit), sequences);
      settings.set(found.id, found);
    } else if (type === SLICE || type === INSTANT_SLICE) {
      const reader = new BitReader(payload(unit));
      const kind = { isReference: (header & 0x60) !== 0, isInstant: type === INSTANT_SLICE };
      const slice = readSliceHeader(reader, settings, kind);
      if (!slice) continue;
      const { sequence } = slice.settings;
      if (slices[0] && slices[0].settings.sequence !== sequence)
        throw new UndecodableError('slices are of two sequences');
      picture ??= new Picture(sequence.columns, sequence.rows);
      slices.push(slice);
      new SliceDecoder(reader, picture, slice, slices.length - 1).decode();
    }
  }
  const sequence = slices[0]?.settings.sequence;
  if (!picture || !sequence || picture.slices.includes(-1)) throw new UndecodableError('the picture is not complete');
  smoothEdges(picture, slices);
  return { picture, sequence };
}

/** Parameter sets: what holds for all pictures of a stream (ITU-T H.264, clauses 7.3.2.1 and 7.3.2.2, annex E). */
import { BitReader, UndecodableError } from './bit-reader.ts';
import { defaultLists, flatLists, readScalingLists, type ScalingLists } from './scaling.ts';

/** Profiles whose sequence parameter sets name the format of chroma. */
const withChromaFormat = new Set([44, 83, 86, 100, 110, 118, 122, 128, 134, 135, 138, 139, 244]);
const CHROMA_420 = 1;
/** Macroblocks of the largest picture that is decoded: 4096 by 2304 pixels, as in level 5.1. */
const MAX_MACROBLOCKS = 36_864;
const EXTENDED_ASPECT = 255;

/** A sequence parameter set. */
export interface Sequence {
  readonly id: number;
  /** Macroblocks in a row. */
  readonly columns: number;
  readonly rows: number;
  readonly crop: { readonly left: number; readonly right: number; readonly top: number; readonly bottom: number };
  readonly frameNumberBits: number;
  readonly orderBits: number;
  /** 0 to 2: how the order of pictures is coded. */
  readonly orderType: number;
  readonly hasOrderDeltas: boolean;
  readonly isFramesOnly: boolean;
  readonly isAdaptive: boolean;
  /** True where lists of its own take the place of flat ones. */
  readonly hasLists: boolean;
  readonly lists: ScalingLists;
  readonly isFullRange: boolean;
  /** The coding of colours (table E-5); 2 when unspecified. */
  readonly matrix: number;
}

/** A picture parameter set. */
export interface PictureSettings {
  readonly id: number;
  readonly sequence: Sequence;
  readonly isArithmetic: boolean;
  readonly hasBottomOrder: boolean;
  readonly quantizer: number;
  /** Added to the quantizer of luma for Cb and Cr. */
  readonly chromaOffsets: readonly [cb: number, cr: number];
  readonly hasDeblocking: boolean;
  readonly hasRedundant: boolean;
  readonly hasLargeTransform: boolean;
  readonly lists: ScalingLists;
}

/** Reads a sequence parameter set. @throws UndecodableError where it is damaged, or asks for what is not supported */
export function readSequence(bytes: Uint8Array): Sequence {
  const reader = new BitReader(bytes);
  const profile = reader.bits(8);
  reader.bits(16);
  const id = reader.unsigned();
  let lists = flatLists;
  let hasLists = false;
  if (withChromaFormat.has(profile)) {
    if (reader.unsigned() !== CHROMA_420) throw new UndecodableError('chroma is not 4:2:0');
    if (reader.unsigned() !== 0 || reader.unsigned() !== 0) throw new UndecodableError('samples have more than 8 bits');
    if (reader.bit()) throw new UndecodableError('blocks can be coded without a transform');
    hasLists = reader.bit();
    if (hasLists) lists = readScalingLists(reader, 8, defaultLists);
  }
  const frameNumberBits = counterBits(reader);
  const order = readOrder(reader);
  reader.unsigned();
  reader.bit();
  const columns = reader.unsigned() + 1;
  const mapUnits = reader.unsigned() + 1;
  const isFramesOnly = reader.bit();
  const isAdaptive = !isFramesOnly && reader.bit();
  const rows = isFramesOnly ? mapUnits : 2 * mapUnits;
  if (columns * rows > MAX_MACROBLOCKS) throw new UndecodableError(`the picture has ${columns}×${rows} macroblocks`);
  reader.bit();
  const crop = readCrop(reader, isFramesOnly ? 2 : 4);
  if (crop.left + crop.right >= columns * 16 || crop.top + crop.bottom >= rows * 16) {
    throw new UndecodableError('nothing of the picture is shown');
  }
  const colours = reader.bit() ? readColours(reader) : { isFullRange: false, matrix: 2 };
  const picture = { columns, rows, crop, isFramesOnly, isAdaptive };
  return { id, ...picture, ...order, frameNumberBits, hasLists, lists, ...colours };
}

function counterBits(reader: BitReader): number {
  const bits = reader.unsigned() + 4;
  if (bits > 16) throw new UndecodableError('a counter of pictures has more than 16 bits');
  return bits;
}

function readOrder(reader: BitReader): Pick<Sequence, 'orderType' | 'orderBits' | 'hasOrderDeltas'> {
  const orderType = reader.unsigned();
  if (orderType === 0) return { orderType, orderBits: counterBits(reader), hasOrderDeltas: false };
  if (orderType !== 1) return { orderType, orderBits: 0, hasOrderDeltas: false };
  const hasOrderDeltas = !reader.bit();
  reader.signed();
  reader.signed();
  const count = reader.unsigned();
  if (count > 255) throw new UndecodableError('the order of pictures has too long a cycle');
  for (let index = 0; index < count; index++) reader.signed();
  return { orderType, orderBits: 0, hasOrderDeltas };
}

function readCrop(reader: BitReader, rowUnit: number): Sequence['crop'] {
  if (!reader.bit()) return { left: 0, right: 0, top: 0, bottom: 0 };
  const left = reader.unsigned() * 2;
  const right = reader.unsigned() * 2;
  const top = reader.unsigned() * rowUnit;
  return { left, right, top, bottom: reader.unsigned() * rowUnit };
}

function readColours(reader: BitReader): Pick<Sequence, 'isFullRange' | 'matrix'> {
  if (reader.bit() && reader.bits(8) === EXTENDED_ASPECT) reader.bits(32);
  if (reader.bit()) reader.bit();
  if (!reader.bit()) return { isFullRange: false, matrix: 2 };
  reader.bits(3);
  const isFullRange = reader.bit();
  if (!reader.bit()) return { isFullRange, matrix: 2 };
  reader.bits(16);
  return { isFullRange, matrix: reader.bits(8) };
}

/** Reads a picture parameter set. @throws UndecodableError where it is damaged, or asks for what is not supported */
export function readPictureSettings(bytes: Uint8Array, sequences: ReadonlyMap<number, Sequence>): PictureSettings {
  const reader = new BitReader(bytes);
  const id = reader.unsigned();
  const sequence = sequences.get(reader.unsigned());
  if (!sequence) throw new UndecodableError('a picture parameter set belongs to no sequence');
  const isArithmetic = reader.bit();
  const hasBottomOrder = reader.bit();
  if (reader.unsigned() > 0) throw new UndecodableError('macroblocks are in several groups');
  reader.unsigned();
  reader.unsigned();
  reader.bits(3);
  const quantizer = 26 + reader.signed();
  reader.signed();
  const cb = chromaOffset(reader);
  const hasDeblocking = reader.bit();
  reader.bit();
  const hasRedundant = reader.bit();
  const base = { id, sequence, isArithmetic, hasBottomOrder, quantizer, hasDeblocking, hasRedundant };
  if (!reader.hasMore) return { ...base, chromaOffsets: [cb, cb], hasLargeTransform: false, lists: sequence.lists };
  const hasLargeTransform = reader.bit();
  const fallback = sequence.hasLists ? sequence.lists : defaultLists;
  const lists = reader.bit() ? readScalingLists(reader, hasLargeTransform ? 8 : 6, fallback) : sequence.lists;
  return { ...base, chromaOffsets: [cb, chromaOffset(reader)], hasLargeTransform, lists };
}

function chromaOffset(reader: BitReader): number {
  const offset = reader.signed();
  if (Math.abs(offset) > 12) throw new UndecodableError('the quantizer of chroma is out of bounds');
  return offset;
}

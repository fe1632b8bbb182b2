/** The header of a slice (ITU-T H.264, clause 7.3.3). */
import { type BitReader, UndecodableError } from './bit-reader.ts';
import type { PictureSettings } from './parameter-sets.ts';

const INTRA = 2;

/** A slice that predicts from its own picture only. */
export interface Slice {
  readonly settings: PictureSettings;
  readonly firstMacroblock: number;
  readonly quantizer: number;
  /** 0: all edges are smoothed, 1: none, 2: none at the border of the slice. */
  readonly deblocking: number;
  readonly alphaOffset: number;
  readonly betaOffset: number;
}

/**
 * Reads the header of a slice.
 * @param isReference whether other pictures are predicted from this one
 * @param isInstant whether it belongs to an IDR picture
 * @returns `undefined` for a redundant slice
 * @throws UndecodableError where it predicts from other pictures, is of a field, or is damaged
 */
export function readSliceHeader(
  reader: BitReader,
  allSettings: ReadonlyMap<number, PictureSettings>,
  { isReference, isInstant }: { readonly isReference: boolean; readonly isInstant: boolean },
): Slice | undefined {
  const firstMacroblock = reader.unsigned();
  if (reader.unsigned() % 5 !== INTRA) throw new UndecodableError('the picture is predicted from others');
  const settings = allSettings.get(reader.unsigned());
  if (!settings) throw new UndecodableError('the picture parameter set of a slice is missing');
  const { sequence } = settings;
  if (firstMacroblock >= sequence.columns * sequence.rows)
    throw new UndecodableError('a slice starts outside of the picture');
  reader.bits(sequence.frameNumberBits);
  if (!sequence.isFramesOnly && (reader.bit() || sequence.isAdaptive)) {
    throw new UndecodableError('fields are coded apart');
  }
  if (isInstant) reader.unsigned();
  readOrder(reader, settings);
  if (settings.hasRedundant && reader.unsigned() > 0) return undefined;
  if (isReference) readMarking(reader, isInstant);
  const quantizer = settings.quantizer + reader.signed();
  if (quantizer < 0 || quantizer > 51) throw new UndecodableError('the quantizer is out of bounds');
  const deblocking = settings.hasDeblocking ? reader.unsigned() : 0;
  const hasOffsets = settings.hasDeblocking && deblocking !== 1;
  const alphaOffset = hasOffsets ? 2 * reader.signed() : 0;
  const betaOffset = hasOffsets ? 2 * reader.signed() : 0;
  return { settings, firstMacroblock, quantizer, deblocking, alphaOffset, betaOffset };
}

function readOrder(reader: BitReader, { sequence, hasBottomOrder }: PictureSettings): void {
  if (sequence.orderType === 0) {
    reader.bits(sequence.orderBits);
    if (hasBottomOrder) reader.signed();
  } else if (sequence.hasOrderDeltas) {
    reader.signed();
    if (hasBottomOrder) reader.signed();
  }
}

/** Passes over what becomes of pictures that were decoded before. */
function readMarking(reader: BitReader, isInstant: boolean): void {
  if (isInstant) {
    reader.bits(2);
    return;
  }
  if (!reader.bit()) return;
  for (let operation = reader.unsigned(); operation !== 0; operation = reader.unsigned()) {
    if (operation > 6) throw new UndecodableError('an operation on older pictures is unknown');
    if (operation !== 5) reader.unsigned();
    if (operation === 3) reader.unsigned();
  }
}

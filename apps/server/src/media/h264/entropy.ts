/** The parts of a macroblock as they are read, by either of the two codes of a stream. */
import type { Place, Plane } from './picture.ts';

/** Kinds of blocks of levels, numbered as in table 9-42 (`ctxBlockCat`). */
export const categories = { lumaDc: 0, lumaAc: 1, luma: 2, chromaDc: 3, chromaAc: 4, large: 5 } as const;
export type Category = (typeof categories)[keyof typeof categories];

/** The most levels in a block, by category. */
export const blockSizes = [16, 15, 16, 4, 15, 64] as const;

/** A block of levels. */
export interface Block {
  readonly category: Category;
  readonly plane: Plane;
  /** Number of the plane: luma, Cb, Cr. */
  readonly component: 0 | 1 | 2;
  /** Position in blocks of 4 by 4, in the plane. */
  readonly x: number;
  readonly y: number;
}

/** Reads the elements of macroblocks. All throw `UndecodableError` where the stream is damaged. */
export interface EntropyDecoder {
  /** Levels of the block that was read last, in the order of the stream. */
  readonly levels: Int32Array;
  /** Reads `mb_type` of a picture that is predicted from itself: 0 to 25. */
  type(place: Place): number;
  /** Reads `transform_size_8x8_flag`. */
  isLarge(place: Place): boolean;
  /** Reads the prediction mode of a block: -1 for the one that its neighbours suggest, or 0 to 7. */
  mode(): number;
  chromaMode(place: Place): number;
  /** Reads `coded_block_pattern`. */
  pattern(place: Place): number;
  quantizerDelta(): number;
  /** Reads a block into {@link levels}, which it clears first. @returns whether any level is not zero */
  block(block: Block, place: Place): boolean;
  /** Reads samples that are not coded: 384 bytes. */
  raw(): Uint8Array;
  /** Reads whether the slice ends here. */
  isEnd(): boolean;
}

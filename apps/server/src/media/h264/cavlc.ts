/** Macroblocks in codes of variable length (ITU-T H.264, clauses 9.1 and 9.2). */
import { type BitReader, UndecodableError } from './bit-reader.ts';
import { chromaLevelCounts, chromaZeroCounts, levelCounts, readCodeword, runs, zeroCounts } from './codewords.ts';
import { type Block, blockSizes, categories, type EntropyDecoder } from './entropy.ts';
import type { Place, Plane } from './picture.ts';

/** Table 9-4: `coded_block_pattern` of blocks of 4 by 4 and 8 by 8, by its code. */
const patterns = [
  47, 31, 15, 0, 23, 27, 29, 30, 7, 11, 13, 14, 39, 43, 45, 46, 16, 3, 5, 10, 12, 19, 21, 26, 28, 35, 37, 42, 44, 1, 2,
  4, 8, 17, 18, 20, 24, 6, 9, 22, 25, 32, 33, 34, 36, 40, 38, 41,
] as const;

const MAX_PREFIX = 25;
const RAW_BYTES = 384;

export class CavlcDecoder implements EntropyDecoder {
  readonly levels = new Int32Array(64);
  readonly #reader: BitReader;
  readonly #found = new Int32Array(16);

  /** @param reader at the data of the slice */
  constructor(reader: BitReader) {
    this.#reader = reader;
  }

  type(): number {
    const type = this.#reader.unsigned();
    if (type > 25) throw new UndecodableError('a macroblock is of no known type');
    return type;
  }

  isLarge(): boolean {
    return this.#reader.bit();
  }

  mode(): number {
    return this.#reader.bit() ? -1 : this.#reader.bits(3);
  }

  chromaMode(): number {
    const mode = this.#reader.unsigned();
    if (mode > 3) throw new UndecodableError('a prediction of chroma is unknown');
    return mode;
  }

  pattern(): number {
    const pattern = patterns[this.#reader.unsigned()];
    if (pattern === undefined) throw new UndecodableError('a pattern of blocks is unknown');
    return pattern;
  }

  quantizerDelta(): number {
    return this.#reader.signed();
  }

  block(block: Block, place: Place): boolean {
    this.levels.fill(0);
    const { category, plane, x, y } = block;
    if (category === categories.large) {
      // Four blocks, whose levels take turns.
      let isCoded = false;
      for (let part = 0; part < 4; part++) {
        const [column, row] = [x + (part & 1), y + (part >> 1)];
        const count = this.#read(this.#expected(plane, column, row, 4, place), 16, part, 4);
        plane.counts[row * plane.blocks + column] = count;
        isCoded ||= count > 0;
      }
      return isCoded;
    }
    if (category === categories.chromaDc) return this.#read(-1, 4, 0, 1) > 0;
    const size = block.component === 0 ? 4 : 2;
    const count = this.#read(this.#expected(plane, x, y, size, place), blockSizes[category], 0, 1);
    if (category !== categories.lumaDc) plane.counts[y * plane.blocks + x] = count;
    return count > 0;
  }

  raw(): Uint8Array {
    const from = this.#reader.align();
    this.#reader.skip(RAW_BYTES * 8);
    return this.#reader.bytes.subarray(from, from + RAW_BYTES);
  }

  isEnd(): boolean {
    return !this.#reader.hasMore;
  }

  /** Returns the number of levels that the blocks to the left and above let expect. */
  #expected({ counts, blocks }: Plane, x: number, y: number, size: number, { left, top }: Place): number {
    const at = y * blocks + x;
    const hasLeft = x % size !== 0 || left >= 0;
    const hasTop = y % size !== 0 || top >= 0;
    const beside = hasLeft ? (counts[at - 1] ?? 0) : 0;
    const above = hasTop ? (counts[at - blocks] ?? 0) : 0;
    return hasLeft && hasTop ? (beside + above + 1) >> 1 : beside + above;
  }

  /**
   * Reads a block of levels.
   * @param expected the number of levels; -1 for DC levels of chroma
   * @param first where its levels start, and `step` their distance
   * @returns the number of levels
   */
  #read(expected: number, size: number, first: number, step: number): number {
    const token = this.#readToken(expected);
    const total = token >> 2;
    if (total > size) throw new UndecodableError('a block has too many levels');
    if (total === 0) return 0;
    this.#readSizes(total, token & 3);
    let zeros = total < size ? this.#readZeros(total, size) : 0;
    let at = total + zeros - 1;
    if (at >= size) throw new UndecodableError('a block has levels outside of it');
    for (let index = 0; index < total; index++) {
      this.levels[first + at * step] = this.#found[index] ?? 0;
      if (zeros > 0 && index + 1 < total) {
        const run = readCodeword(this.#reader, runs[Math.min(zeros, 7) - 1] ?? chromaLevelCounts);
        if (run > zeros) throw new UndecodableError('a block has levels outside of it');
        zeros -= run;
        at -= run;
      }
      at--;
    }
    return total;
  }

  #readToken(expected: number): number {
    if (expected < 0) return readCodeword(this.#reader, chromaLevelCounts);
    const [few, some, many] = levelCounts;
    if (expected < 8) return readCodeword(this.#reader, expected < 2 ? few : expected < 4 ? some : many);
    const code = this.#reader.bits(6);
    return code === 3 ? 0 : code + 4;
  }

  #readZeros(total: number, size: number): number {
    const table = size === 4 ? chromaZeroCounts[total - 1] : zeroCounts[total - 1];
    return table ? readCodeword(this.#reader, table) : 0;
  }

  #readSizes(total: number, ones: number): void {
    const reader = this.#reader;
    let suffixBits = total > 10 && ones < 3 ? 1 : 0;
    for (let index = 0; index < total; index++) {
      if (index < ones) {
        this.#found[index] = reader.bit() ? -1 : 1;
        continue;
      }
      const prefix = this.#readPrefix();
      let code = Math.min(15, prefix) << suffixBits;
      const bits = prefix === 14 && suffixBits === 0 ? 4 : prefix >= 15 ? prefix - 3 : suffixBits;
      code += reader.bits(bits);
      if (prefix >= 15 && suffixBits === 0) code += 15;
      if (prefix >= 16) code += 2 ** (prefix - 3) - 4096;
      if (index === ones && ones < 3) code += 2;
      const size = (code >> 1) + 1;
      this.#found[index] = code % 2 === 0 ? size : -size;
      if (suffixBits === 0) suffixBits = 1;
      if (size > 3 << (suffixBits - 1) && suffixBits < 6) suffixBits++;
    }
  }

  #readPrefix(): number {
    let zeros = 0;
    while (!this.#reader.bit()) {
      if (++zeros > MAX_PREFIX) throw new UndecodableError('a level is too large');
    }
    return zeros;
  }
}

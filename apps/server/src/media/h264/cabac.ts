/** Macroblocks in arithmetic code (ITU-T H.264, clause 9.3). */
import { type BitReader, UndecodableError } from './bit-reader.ts';
import { CabacEngine } from './cabac-engine.ts';
import { type Block, blockSizes, type Category, categories, type EntropyDecoder } from './entropy.ts';
import { kinds, type Picture, type Place } from './picture.ts';

/** First contexts of elements (table 9-34). */
const TYPE = 3;
const DELTA = 60;
const CHROMA_MODE = 64;
const IS_PREDICTED = 68;
const MODE = 69;
const LUMA_PATTERN = 73;
const CHROMA_PATTERN = 77;
const CODED = 85;
const LARGE_TRANSFORM = 399;
/** First contexts of levels, by category: whether a level is not zero, whether it is the last such, and its size. */
const significant = [105, 120, 134, 149, 152, 402] as const;
const last = [166, 181, 195, 210, 213, 417] as const;
const sizes = [227, 237, 247, 257, 266, 426] as const;

const MAX_DELTA = 104;
const MAX_GOLOMB = 24;
const RAW_BYTES = 384;

/** Table 9-43: contexts within a block of 8 by 8. */
const significantOfLarge = Uint8Array.from(
  (
    '0 1 2 3 4 5 5 4 4 3 3 4 4 4 5 5 4 4 4 4 3 3 6 7 7 7 8 9 10 9 8 7 7 6 11 12 13 11 6 7 8 9 14 10 9 8 6 11 12 13 11 ' +
    '6 9 14 10 9 11 12 13 11 14 10 12'
  )
    .split(' ')
    .map(Number),
);
const lastOfLarge = Uint8Array.from({ length: 63 }, (_, index) => {
  if (index === 0) return 0;
  if (index < 32) return index < 16 ? 1 : 2;
  return index < 48 ? 3 + ((index - 32) >> 3) : 5 + ((index - 48) >> 2);
});

export class CabacDecoder implements EntropyDecoder {
  readonly levels = new Int32Array(64);
  readonly #reader: BitReader;
  readonly #engine: CabacEngine;
  readonly #picture: Picture;
  readonly #positions = new Uint8Array(64);
  /** True where the quantizer changed with the macroblock before. */
  #changed = false;

  /** @param reader at the data of the slice */
  constructor(reader: BitReader, picture: Picture, quantizer: number) {
    this.#reader = reader;
    this.#engine = new CabacEngine(reader, quantizer);
    this.#picture = picture;
  }

  type(place: Place): number {
    const engine = this.#engine;
    const other = (address: number) => (address >= 0 && (this.#picture.kinds[address] ?? 0) >= kinds.whole ? 1 : 0);
    if (!engine.bin(TYPE + other(place.left) + other(place.top))) return 0;
    if (engine.isEnd()) return this.#settle(25);
    const luma = engine.bin(TYPE + 3);
    const chroma = engine.bin(TYPE + 4) ? 1 + engine.bin(TYPE + 5) : 0;
    const high = engine.bin(TYPE + 6);
    return 1 + 12 * luma + 4 * chroma + 2 * high + engine.bin(TYPE + 7);
  }

  isLarge({ left, top }: Place): boolean {
    const isLarge = (address: number) => (address >= 0 && this.#picture.kinds[address] === kinds.large ? 1 : 0);
    return this.#engine.bin(LARGE_TRANSFORM + isLarge(left) + isLarge(top)) === 1;
  }

  mode(): number {
    const engine = this.#engine;
    if (engine.bin(IS_PREDICTED)) return -1;
    const low = engine.bin(MODE);
    const middle = engine.bin(MODE);
    return low | (middle << 1) | (engine.bin(MODE) << 2);
  }

  chromaMode({ left, top }: Place): number {
    const engine = this.#engine;
    const other = (address: number) => (address >= 0 && (this.#picture.chromaModes[address] ?? 0) > 0 ? 1 : 0);
    if (!engine.bin(CHROMA_MODE + other(left) + other(top))) return 0;
    if (!engine.bin(CHROMA_MODE + 3)) return 1;
    return 2 + engine.bin(CHROMA_MODE + 3);
  }

  pattern({ left, top }: Place): number {
    const engine = this.#engine;
    const of = (address: number) => this.#picture.patterns[address] ?? 0;
    // A block counts as coded where there is none.
    const beside = left < 0 ? 0x0f : of(left);
    const above = top < 0 ? 0x0f : of(top);
    const isEmpty = (pattern: number, bit: number) => ((pattern >> bit) & 1) ^ 1;
    let pattern = engine.bin(LUMA_PATTERN + isEmpty(beside, 1) + 2 * isEmpty(above, 2));
    pattern |= engine.bin(LUMA_PATTERN + isEmpty(pattern, 0) + 2 * isEmpty(above, 3)) << 1;
    pattern |= engine.bin(LUMA_PATTERN + isEmpty(beside, 3) + 2 * isEmpty(pattern, 0)) << 2;
    pattern |= engine.bin(LUMA_PATTERN + isEmpty(pattern, 2) + 2 * isEmpty(pattern, 1)) << 3;
    const a = left < 0 ? 0 : beside >> 4;
    const b = top < 0 ? 0 : above >> 4;
    if (!engine.bin(CHROMA_PATTERN + (a > 0 ? 1 : 0) + (b > 0 ? 2 : 0))) return this.#settle(pattern);
    const chroma = 1 + engine.bin(CHROMA_PATTERN + 4 + (a > 1 ? 1 : 0) + (b > 1 ? 2 : 0));
    return pattern | (chroma << 4);
  }

  quantizerDelta(): number {
    const engine = this.#engine;
    let count = 0;
    let context = DELTA + (this.#changed ? 1 : 0);
    while (engine.bin(context)) {
      if (++count > MAX_DELTA) throw new UndecodableError('the quantizer changes too much');
      context = count === 1 ? DELTA + 2 : DELTA + 3;
    }
    this.#changed = count > 0;
    return count % 2 === 1 ? (count + 1) / 2 : -count / 2;
  }

  block(block: Block, place: Place): boolean {
    const { category, plane, x, y } = block;
    this.levels.fill(0);
    this.#engine.check();
    const isCoded = category === categories.large || this.#engine.bin(this.#codedContext(block, place)) === 1;
    if (isCoded) this.#readLevels(category);
    if (category === categories.lumaDc || category === categories.chromaDc) {
      if (isCoded)
        this.#picture.dcFlags[place.address] = (this.#picture.dcFlags[place.address] ?? 0) | (1 << block.component);
    } else if (category === categories.large) {
      const at = y * plane.blocks + x;
      plane.counts.fill(1, at, at + 2);
      plane.counts.fill(1, at + plane.blocks, at + plane.blocks + 2);
    } else {
      plane.counts[y * plane.blocks + x] = isCoded ? 1 : 0;
    }
    return isCoded;
  }

  raw(): Uint8Array {
    const from = this.#reader.align();
    this.#reader.skip(RAW_BYTES * 8);
    this.#engine.start();
    return this.#reader.bytes.subarray(from, from + RAW_BYTES);
  }

  isEnd(): boolean {
    this.#engine.check();
    return this.#engine.isEnd();
  }

  /** Notes that the macroblock has no change of the quantizer unless one is read. */
  #settle(value: number): number {
    if (value === 25 || value === 0) this.#changed = false;
    return value;
  }

  #codedContext({ category, component, plane, x, y }: Block, place: Place): number {
    const isDc = category === categories.lumaDc || category === categories.chromaDc;
    const size = component === 0 ? 4 : 2;
    const flag = (address: number, isOutside: boolean, at: number) => {
      // What is outside of the slice counts as coded: the macroblock is predicted from its own picture.
      if (isOutside && address < 0) return 1;
      if (isDc) return ((this.#picture.dcFlags[address] ?? 0) >> component) & 1;
      return (plane.counts[at] ?? 0) > 0 ? 1 : 0;
    };
    const at = y * plane.blocks + x;
    const beside = flag(place.left, isDc || x % size === 0, at - 1);
    const above = flag(place.top, isDc || y % size === 0, at - plane.blocks);
    return CODED + 4 * category + beside + 2 * above;
  }

  #readLevels(category: Category): void {
    const engine = this.#engine;
    const count = blockSizes[category];
    const positions = this.#positions;
    let found = 0;
    let at = 0;
    for (; at < count - 1; at++) {
      if (!engine.bin(significant[category] + significantOffset(category, at))) continue;
      positions[found++] = at;
      if (engine.bin(last[category] + lastOffset(category, at))) break;
    }
    if (at === count - 1) positions[found++] = at;
    this.#readSizes(category, found);
  }

  #readSizes(category: Category, found: number): void {
    const engine = this.#engine;
    const first = sizes[category];
    const mostLarge = category === categories.chromaDc ? 3 : 4;
    let ones = 0;
    let larger = 0;
    for (let index = found - 1; index >= 0; index--) {
      let size = 1;
      if (engine.bin(first + (larger > 0 ? 0 : Math.min(4, 1 + ones)))) {
        const context = first + 5 + Math.min(mostLarge, larger);
        size = 2;
        while (size < 15 && engine.bin(context)) size++;
        if (size === 15) size += this.#readRest();
        larger++;
      } else {
        ones++;
      }
      this.levels[this.#positions[index] ?? 0] = engine.bypass() ? -size : size;
    }
  }

  /** Reads an Exp-Golomb code without contexts. */
  #readRest(): number {
    let bits = 0;
    let value = 0;
    while (this.#engine.bypass()) {
      value += 2 ** bits;
      if (++bits > MAX_GOLOMB) throw new UndecodableError('a level is too large');
    }
    for (let left = bits - 1; left >= 0; left--) value += this.#engine.bypass() * 2 ** left;
    return value;
  }
}

function significantOffset(category: Category, at: number): number {
  if (category === categories.large) return significantOfLarge[at] ?? 0;
  return category === categories.chromaDc ? Math.min(at, 2) : at;
}

function lastOffset(category: Category, at: number): number {
  if (category === categories.large) return lastOfLarge[at] ?? 0;
  return category === categories.chromaDc ? Math.min(at, 2) : at;
}

/** The macroblocks of a slice: read, predicted, and their differences added (ITU-T H.264, clauses 7.3.4, 7.3.5 and 8.3). */
import { type BitReader, UndecodableError } from './bit-reader.ts';
import { CabacDecoder } from './cabac.ts';
import { CavlcDecoder } from './cavlc.ts';
import { chromaQuantizer } from './deblocking.ts';
import { categories, type EntropyDecoder } from './entropy.ts';
import { DC_MODE, kinds, type Picture, type Place, type Plane } from './picture.ts';
import { type Around, predictBlock, predictChroma, predictWhole } from './prediction.ts';
import { factors4, factors8 } from './scaling.ts';
import type { Slice } from './slice-header.ts';
import { addLarge, addSmall, chromaDc, wholeDc } from './transform.ts';

const RAW = 25;
const MAX_DELTA = 26;
const NO_LEVELS = new Int32Array(64);

export class SliceDecoder {
  readonly #picture: Picture;
  readonly #slice: Slice;
  readonly #number: number;
  readonly #entropy: EntropyDecoder;
  readonly #small: readonly [readonly Int32Array[], readonly Int32Array[], readonly Int32Array[]];
  readonly #large: readonly Int32Array[];
  #quantizer: number;

  /** @param number of the slice in the picture */
  constructor(reader: BitReader, picture: Picture, slice: Slice, number: number) {
    const { isArithmetic, lists } = slice.settings;
    this.#picture = picture;
    this.#slice = slice;
    this.#number = number;
    this.#quantizer = slice.quantizer;
    this.#entropy = isArithmetic ? new CabacDecoder(reader, picture, slice.quantizer) : new CavlcDecoder(reader);
    this.#small = [factors4(lists.small[0]), factors4(lists.small[1]), factors4(lists.small[2])];
    this.#large = factors8(lists.large);
  }

  /** Decodes all macroblocks. @throws UndecodableError */
  decode(): void {
    const { slices } = this.#picture;
    for (let address = this.#slice.firstMacroblock; ; address++) {
      if (address >= slices.length) throw new UndecodableError('a slice has more macroblocks than the picture');
      if (slices[address] !== -1) throw new UndecodableError('a macroblock is coded twice');
      slices[address] = this.#number;
      this.#macroblock(this.#picture.place(address, this.#number));
      if (this.#entropy.isEnd()) return;
    }
  }

  #macroblock(place: Place): void {
    const entropy = this.#entropy;
    const { address } = place;
    this.#clear(place);
    const type = entropy.type(place);
    if (type === RAW) {
      this.#raw(place);
    } else if (type === 0) {
      const isLarge = this.#slice.settings.hasLargeTransform && entropy.isLarge(place);
      this.#picture.kinds[address] = isLarge ? kinds.large : kinds.small;
      this.#readModes(place, isLarge ? 2 : 1);
      this.#picture.chromaModes[address] = entropy.chromaMode(place);
      const pattern = entropy.pattern(place);
      this.#picture.patterns[address] = pattern;
      if (pattern > 0) this.#changeQuantizer();
      this.#picture.quantizers[address] = this.#quantizer;
      this.#blocks(place, isLarge ? 2 : 1);
      this.#chroma(place);
    } else {
      this.#picture.kinds[address] = kinds.whole;
      this.#picture.chromaModes[address] = entropy.chromaMode(place);
      const chroma = Math.floor((type - 1) / 4) % 3;
      this.#picture.patterns[address] = (type > 12 ? 15 : 0) | (chroma << 4);
      this.#changeQuantizer();
      this.#picture.quantizers[address] = this.#quantizer;
      this.#whole(place, (type - 1) % 4);
      this.#chroma(place);
    }
  }

  /** Forgets what an earlier attempt may have left. */
  #clear({ address, column, row }: Place): void {
    const { luma, cb, cr, modes, dcFlags } = this.#picture;
    for (let y = 0; y < 4; y++) {
      const at = (row * 4 + y) * luma.blocks + column * 4;
      luma.counts.fill(0, at, at + 4);
      modes.fill(DC_MODE, at, at + 4);
    }
    for (const { counts, blocks } of [cb, cr]) {
      for (let y = 0; y < 2; y++)
        counts.fill(0, (row * 2 + y) * blocks + column * 2, (row * 2 + y) * blocks + column * 2 + 2);
    }
    dcFlags[address] = 0;
  }

  #changeQuantizer(): void {
    const delta = this.#entropy.quantizerDelta();
    if (Math.abs(delta) > MAX_DELTA) throw new UndecodableError('the quantizer changes too much');
    this.#quantizer = (this.#quantizer + delta + 52) % 52;
  }

  #raw({ address, column, row }: Place): void {
    const { luma, cb, cr } = this.#picture;
    const samples = this.#entropy.raw();
    copy(luma, row * 16 * luma.width + column * 16, samples, 16);
    copy(cb, row * 8 * cb.width + column * 8, samples.subarray(256), 8);
    copy(cr, row * 8 * cr.width + column * 8, samples.subarray(320), 8);
    this.#picture.kinds[address] = kinds.raw;
    this.#picture.patterns[address] = 0x2f;
    this.#picture.chromaModes[address] = 0;
    this.#picture.dcFlags[address] = 7;
    this.#picture.quantizers[address] = 0;
    for (const [{ counts, blocks }, size] of [
      [luma, 4],
      [cb, 2],
      [cr, 2],
    ] as const) {
      for (let y = 0; y < size; y++) {
        const at = (row * size + y) * blocks + column * size;
        counts.fill(16, at, at + size);
      }
    }
  }

  /** Reads the prediction modes of the blocks. @param size of a block, in blocks of 4 by 4 */
  #readModes(place: Place, size: 1 | 2): void {
    const { luma, modes } = this.#picture;
    for (let index = 0; index < 16; index += size * size) {
      const [x, y] = [place.column * 4 + blockX(index), place.row * 4 + blockY(index)];
      const at = y * luma.blocks + x;
      const hasLeft = x % 4 !== 0 || place.left >= 0;
      const hasTop = y % 4 !== 0 || place.top >= 0;
      const predicted = hasLeft && hasTop ? Math.min(modes[at - 1] ?? 0, modes[at - luma.blocks] ?? 0) : DC_MODE;
      const read = this.#entropy.mode();
      const mode = read < 0 ? predicted : read < predicted ? read : read + 1;
      for (let row = 0; row < size; row++) modes.fill(mode, at + row * luma.blocks, at + row * luma.blocks + size);
    }
  }

  /** Predicts and completes luma, block by block. @param size of a block, in blocks of 4 by 4 */
  #blocks(place: Place, size: 1 | 2): void {
    const { luma: plane, modes, patterns } = this.#picture;
    const pattern = patterns[place.address] ?? 0;
    const category = size === 2 ? categories.large : categories.luma;
    for (let index = 0; index < 16; index += size * size) {
      const [x, y] = [place.column * 4 + blockX(index), place.row * 4 + blockY(index)];
      const at = y * 4 * plane.width + x * 4;
      const mode = modes[y * plane.blocks + x] ?? 0;
      predictBlock(plane, at, size === 2 ? 8 : 4, mode, aroundBlock(place, index, size));
      if (((pattern >> (index >> 2)) & 1) === 0) continue;
      if (!this.#entropy.block({ category, plane, component: 0, x, y }, place)) continue;
      if (size === 2) addLarge(plane, at, this.#entropy.levels, this.#large, this.#quantizer);
      else addSmall(plane, at, this.#entropy.levels, this.#small[0], this.#quantizer);
    }
  }

  /** Predicts luma as a whole, and completes its blocks. */
  #whole(place: Place, mode: number): void {
    const { luma: plane, patterns } = this.#picture;
    const entropy = this.#entropy;
    const [left, top] = [place.column * 4, place.row * 4];
    predictWhole(plane, top * 4 * plane.width + left * 4, mode, aroundMacroblock(place));
    entropy.block({ category: categories.lumaDc, plane, component: 0, x: left, y: top }, place);
    const dc = wholeDc(entropy.levels, this.#small[0], this.#quantizer);
    const hasLevels = ((patterns[place.address] ?? 0) & 15) > 0;
    for (let index = 0; index < 16; index++) {
      const [x, y] = [left + blockX(index), top + blockY(index)];
      if (hasLevels) entropy.block({ category: categories.lumaAc, plane, component: 0, x, y }, place);
      const levels = hasLevels ? entropy.levels : NO_LEVELS;
      const first = dc[blockY(index) * 4 + blockX(index)];
      addSmall(plane, y * 4 * plane.width + x * 4, levels, this.#small[0], this.#quantizer, 1, first);
    }
  }

  #chroma(place: Place): void {
    const { cb, cr, patterns, chromaModes } = this.#picture;
    const coded = (patterns[place.address] ?? 0) >> 4;
    const entropy = this.#entropy;
    const [left, top] = [place.column * 2, place.row * 2];
    const planes = [
      { plane: cb, component: 1, offset: this.#slice.settings.chromaOffsets[0], factors: this.#small[1] },
      { plane: cr, component: 2, offset: this.#slice.settings.chromaOffsets[1], factors: this.#small[2] },
    ] as const;
    for (const { plane } of planes) {
      const at = top * 4 * plane.width + left * 4;
      predictChroma(plane, at, chromaModes[place.address] ?? 0, aroundMacroblock(place));
    }
    if (coded === 0) return;
    // All DC levels come before all others.
    const firsts = planes.map(({ plane, component, offset, factors }) => {
      entropy.block({ category: categories.chromaDc, plane, component, x: left, y: top }, place);
      return chromaDc(entropy.levels, factors, chromaQuantizer(this.#quantizer, offset));
    });
    for (const [number, { plane, component, offset, factors }] of planes.entries()) {
      const quantizer = chromaQuantizer(this.#quantizer, offset);
      for (let index = 0; index < 4; index++) {
        const [x, y] = [left + (index & 1), top + (index >> 1)];
        if (coded === 2) entropy.block({ category: categories.chromaAc, plane, component, x, y }, place);
        const levels = coded === 2 ? entropy.levels : NO_LEVELS;
        addSmall(plane, y * 4 * plane.width + x * 4, levels, factors, quantizer, 1, firsts[number]?.[index]);
      }
    }
  }
}

/** Position of a block of 4 by 4 in its macroblock: the blocks of a quarter follow each other. */
function blockX(index: number): number {
  return (index & 1) + ((index & 4) >> 1);
}

function blockY(index: number): number {
  return ((index & 2) >> 1) + ((index & 8) >> 2);
}

function aroundMacroblock({ left, top, topLeft, topRight }: Place): Around {
  return { left: left >= 0, top: top >= 0, topLeft: topLeft >= 0, topRight: topRight >= 0 };
}

/** Which samples around a block are decoded before it. @param size of the block, in blocks of 4 by 4 */
function aroundBlock(place: Place, index: number, size: 1 | 2): Around {
  const outer = aroundMacroblock(place);
  const [x, y] = [blockX(index), blockY(index)];
  const end = x + size;
  const left = x > 0 || outer.left;
  const top = y > 0 || outer.top;
  const topLeft = x > 0 ? top : y > 0 ? left : outer.topLeft;
  if (y === 0) return { left, top, topLeft, topRight: end < 4 ? outer.top : outer.topRight };
  // To the right above, a block of the same quarter or of an earlier one must lie.
  const isLater = size === 2 ? x > 0 : end === 4 || (x === 1 && y % 2 === 1);
  return { left, top, topLeft, topRight: !isLater };
}

function copy({ samples, width }: Plane, at: number, from: Uint8Array, size: number): void {
  for (let y = 0; y < size; y++) samples.set(from.subarray(y * size, (y + 1) * size), at + y * width);
}

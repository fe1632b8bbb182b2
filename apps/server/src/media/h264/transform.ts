/** From levels to differences, which are added to the predicted samples (ITU-T H.264, clause 8.5). */
import type { Plane } from './picture.ts';
import { zigzag4, zigzag8 } from './scaling.ts';

const small = new Int32Array(16);
const large = new Int32Array(64);

/** Multiplies, with rounding where the quantizer is small. */
function scaled(level: number, factor: number, shift: number): number {
  return shift >= 0 ? (level * factor) << shift : (level * factor + (1 << (-shift - 1))) >> -shift;
}

/**
 * Adds a block of 4 by 4.
 * @param levels in the order of the stream
 * @param skipped 1 when the first level is coded apart, which is `dc`
 */
export function addSmall(
  plane: Plane,
  at: number,
  levels: Int32Array,
  factors: readonly Int32Array[],
  quantizer: number,
  skipped: 0 | 1 = 0,
  dc = 0,
): void {
  const factor = factors[quantizer % 6];
  const shift = Math.floor(quantizer / 6) - 4;
  small.fill(0);
  for (let order = skipped; order < 16; order++) {
    const level = levels[order - skipped] ?? 0;
    const position = zigzag4[order] ?? 0;
    if (level !== 0) small[position] = scaled(level, factor?.[position] ?? 0, shift);
  }
  if (skipped === 1) small[0] = dc;
  for (let row = 0; row < 16; row += 4) turn4(small, row, 1);
  for (let column = 0; column < 4; column++) turn4(small, column, 4);
  add(plane, at, small, 4);
}

function turn4(block: Int32Array, at: number, step: number): void {
  const [i0, i1] = [block[at] ?? 0, block[at + step] ?? 0];
  const [i2, i3] = [block[at + 2 * step] ?? 0, block[at + 3 * step] ?? 0];
  const e0 = i0 + i2;
  const e1 = i0 - i2;
  const e2 = (i1 >> 1) - i3;
  const e3 = i1 + (i3 >> 1);
  block[at] = e0 + e3;
  block[at + step] = e1 + e2;
  block[at + 2 * step] = e1 - e2;
  block[at + 3 * step] = e0 - e3;
}

/** Adds a block of 8 by 8. @param levels in the order of the stream */
export function addLarge(
  plane: Plane,
  at: number,
  levels: Int32Array,
  factors: readonly Int32Array[],
  quantizer: number,
): void {
  const factor = factors[quantizer % 6];
  const shift = Math.floor(quantizer / 6) - 6;
  large.fill(0);
  for (let order = 0; order < 64; order++) {
    const level = levels[order] ?? 0;
    const position = zigzag8[order] ?? 0;
    if (level !== 0) large[position] = scaled(level, factor?.[position] ?? 0, shift);
  }
  for (let row = 0; row < 64; row += 8) turn8(large, row, 1);
  for (let column = 0; column < 8; column++) turn8(large, column, 8);
  add(plane, at, large, 8);
}

/** Clause 8.5.13. */
function turn8(block: Int32Array, at: number, step: number): void {
  const i = (index: number) => block[at + index * step] ?? 0;
  const [i0, i1, i2, i3, i4, i5, i6, i7] = [i(0), i(1), i(2), i(3), i(4), i(5), i(6), i(7)];
  const a0 = i0 + i4;
  const a2 = i0 - i4;
  const a4 = (i2 >> 1) - i6;
  const a6 = i2 + (i6 >> 1);
  const a1 = i5 - i3 - i7 - (i7 >> 1);
  const a3 = i1 + i7 - i3 - (i3 >> 1);
  const a5 = i7 - i1 + i5 + (i5 >> 1);
  const a7 = i3 + i5 + i1 + (i1 >> 1);
  const [b0, b2, b4, b6] = [a0 + a6, a2 + a4, a2 - a4, a0 - a6];
  const [b1, b3, b5, b7] = [a1 + (a7 >> 2), a3 + (a5 >> 2), (a3 >> 2) - a5, a7 - (a1 >> 2)];
  block[at] = b0 + b7;
  block[at + step] = b2 + b5;
  block[at + 2 * step] = b4 + b3;
  block[at + 3 * step] = b6 + b1;
  block[at + 4 * step] = b6 - b1;
  block[at + 5 * step] = b4 - b3;
  block[at + 6 * step] = b2 - b5;
  block[at + 7 * step] = b0 - b7;
}

function add({ samples, width }: Plane, at: number, block: Int32Array, size: number): void {
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const position = at + y * width + x;
      const sum = (samples[position] ?? 0) + (((block[y * size + x] ?? 0) + 32) >> 6);
      samples[position] = sum < 0 ? 0 : Math.min(sum, 255);
    }
  }
}

/** Returns the first coefficients of the blocks of a macroblock's luma, row by row (clause 8.5.10). @param levels in the order of the stream */
export function wholeDc(levels: Int32Array, factors: readonly Int32Array[], quantizer: number): Int32Array {
  const block = new Int32Array(16);
  for (let order = 0; order < 16; order++) block[zigzag4[order] ?? 0] = levels[order] ?? 0;
  for (let row = 0; row < 16; row += 4) hadamard4(block, row, 1);
  for (let column = 0; column < 4; column++) hadamard4(block, column, 4);
  const factor = factors[quantizer % 6]?.[0] ?? 0;
  const shift = Math.floor(quantizer / 6) - 6;
  return block.map((value) => scaled(value, factor, shift));
}

function hadamard4(block: Int32Array, at: number, step: number): void {
  const [i0, i1] = [block[at] ?? 0, block[at + step] ?? 0];
  const [i2, i3] = [block[at + 2 * step] ?? 0, block[at + 3 * step] ?? 0];
  block[at] = i0 + i1 + i2 + i3;
  block[at + step] = i0 + i1 - i2 - i3;
  block[at + 2 * step] = i0 - i1 - i2 + i3;
  block[at + 3 * step] = i0 - i1 + i2 - i3;
}

/** Returns the first coefficients of the blocks of a plane of chroma (clause 8.5.11). */
export function chromaDc(levels: Int32Array, factors: readonly Int32Array[], quantizer: number): Int32Array {
  const [a, b, c, d] = [levels[0] ?? 0, levels[1] ?? 0, levels[2] ?? 0, levels[3] ?? 0];
  const factor = factors[quantizer % 6]?.[0] ?? 0;
  const shift = Math.floor(quantizer / 6);
  const sums = [a + b + c + d, a - b + c - d, a + b - c - d, a - b - c + d];
  return Int32Array.from(sums, (sum) => ((sum * factor) << shift) >> 5);
}

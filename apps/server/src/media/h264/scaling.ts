/** Scaling lists, and the factors that levels are multiplied by (ITU-T H.264, clauses 7.3.2.1.1.1, 7.4.2.1.1.1 and 8.5.9). */
import type { BitReader } from './bit-reader.ts';

/** Positions of levels in a block of 4 by 4, in the order of the stream. */
export const zigzag4: readonly number[] = zigzag(4);
/** Positions of levels in a block of 8 by 8, in the order of the stream. */
export const zigzag8: readonly number[] = zigzag(8);

const FLAT4: readonly number[] = Array.from({ length: 16 }, () => 16);
const FLAT8: readonly number[] = Array.from({ length: 64 }, () => 16);
/** Tables 7-3 and 7-4, for intra prediction. */
const DEFAULT4 = [6, 13, 13, 20, 20, 20, 28, 28, 28, 28, 32, 32, 32, 37, 37, 42];
const DEFAULT8 = [6, 10, 13, 16, 18, 23, 25, 27, 29, 31, 33, 36, 38, 40, 42].flatMap((value, sum) =>
  sum === 2 ? [13, 11, 13] : Array.from({ length: sum < 8 ? sum + 1 : 15 - sum }, () => value),
);

/** The lists of the blocks that a key picture has. */
export interface ScalingLists {
  /** Of blocks of 4 by 4: luma, Cb, Cr. */
  readonly small: readonly [luma: readonly number[], cb: readonly number[], cr: readonly number[]];
  /** Of luma blocks of 8 by 8. */
  readonly large: readonly number[];
}

/** The lists of streams without any. */
export const flatLists: ScalingLists = { small: [FLAT4, FLAT4, FLAT4], large: FLAT8 };
/** The lists to which a missing first one falls back. */
export const defaultLists: ScalingLists = { small: [DEFAULT4, DEFAULT4, DEFAULT4], large: DEFAULT8 };

/** Positions of the lists of intra prediction in a stream: luma, Cb and Cr of 4 by 4, luma of 8 by 8. */
const LUMA = 0;
const CR = 2;
const LARGE = 6;

/**
 * Reads scaling lists. Those of prediction from other pictures are passed over.
 * @param count how many the stream can have: six of 4 by 4, then those of 8 by 8
 * @param fallback takes the place of the first of each kind where it is missing
 */
export function readScalingLists(reader: BitReader, count: number, fallback: ScalingLists): ScalingLists {
  const small: (readonly number[])[] = [];
  let { large } = fallback;
  for (let index = LUMA; index < count; index++) {
    const isPresent = reader.bit();
    const list = isPresent ? readList(reader, index < LARGE ? 16 : 64) : undefined;
    if (index <= CR) small.push(isPresent ? (list ?? DEFAULT4) : (small[index - 1] ?? fallback.small[0]));
    if (index === LARGE && isPresent) large = list ?? DEFAULT8;
  }
  const [luma = FLAT4, cb = FLAT4, cr = FLAT4] = small;
  return { small: [luma, cb, cr], large };
}

/** Returns `undefined` for the default list. */
function readList(reader: BitReader, size: number): number[] | undefined {
  const list: number[] = [];
  let last = 8;
  let next = 8;
  for (let index = 0; index < size; index++) {
    if (next !== 0) {
      next = (((last + reader.signed()) % 256) + 256) % 256;
      if (index === 0 && next === 0) return undefined;
    }
    if (next !== 0) last = next;
    list.push(last);
  }
  return list;
}

const NORM4 = [
  [10, 16, 13],
  [11, 18, 14],
  [13, 20, 16],
  [14, 23, 18],
  [16, 25, 20],
  [18, 29, 23],
];
const NORM8 = [
  [20, 18, 32, 19, 25, 24],
  [22, 19, 35, 21, 28, 26],
  [26, 23, 42, 24, 33, 31],
  [28, 25, 45, 26, 35, 33],
  [32, 28, 51, 30, 40, 38],
  [36, 32, 58, 34, 46, 43],
];

/** Returns the factors of a block of 4 by 4 by remainder of the quantizer, row by row. */
export function factors4(list: readonly number[]): Int32Array[] {
  return NORM4.map((norm) => {
    const factors = new Int32Array(16);
    for (const [order, position] of zigzag4.entries()) {
      const odd = (position & 1) + ((position >> 2) & 1);
      factors[position] = (list[order] ?? 16) * (norm[odd === 0 ? 0 : odd === 2 ? 1 : 2] ?? 0);
    }
    return factors;
  });
}

/** Returns the factors of a block of 8 by 8 by remainder of the quantizer, row by row. */
export function factors8(list: readonly number[]): Int32Array[] {
  return NORM8.map((norm) => {
    const factors = new Int32Array(64);
    for (const [order, position] of zigzag8.entries()) {
      factors[position] = (list[order] ?? 16) * (norm[kindOf8(position & 7, position >> 3)] ?? 0);
    }
    return factors;
  });
}

function kindOf8(x: number, y: number): number {
  if (x % 4 === 0 && y % 4 === 0) return 0;
  if (x % 2 === 1 && y % 2 === 1) return 1;
  if (x % 4 === 2 && y % 4 === 2) return 2;
  if ((x % 4 === 0 && y % 2 === 1) || (x % 2 === 1 && y % 4 === 0)) return 3;
  if ((x % 4 === 0 && y % 4 === 2) || (x % 4 === 2 && y % 4 === 0)) return 4;
  return 5;
}

/** Diagonal by diagonal through a square, alternately up and down. */
function zigzag(size: number): number[] {
  const order: number[] = [];
  for (let sum = 0; sum <= 2 * (size - 1); sum++) {
    const from = Math.max(0, sum - size + 1);
    const to = Math.min(sum, size - 1);
    for (let step = 0; step <= to - from; step++) {
      const x = sum % 2 === 0 ? from + step : to - step;
      order.push((sum - x) * size + x);
    }
  }
  return order;
}

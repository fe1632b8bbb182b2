/**
 * Ranges of people: a fixed number of parts of a platform, each person being in one of them by a hash of their id. Several workers
 * share them. See ADR 0033.
 */

/** The number of ranges. Workers of one platform have to agree on it. */
export const RANGES = 512;
/** 2 ** 31 - 1, so that `2 ** 32` leaves 2: an id of 64 bits is reduced with numbers that doubles hold exactly. */
const PRIME = 0x7fffffff;
const SHIFT = 32 - Math.log2(RANGES);

/** A set of ranges: bit `n` is range `n`. */
export type Ranges = bigint;
/** All people. */
export const ALL_RANGES: Ranges = (1n << BigInt(RANGES)) - 1n;

/** The bits of each hexadecimal digit. */
const BITS = [0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4];

const split = new BigInt64Array(1);
const halves = new Uint32Array(split.buffer);

/** Returns the range of a person by their id, given as its lower and its upper 32 bits. */
export function rangeOfHalves(low: number, high: number): number {
  const rest = ((high % PRIME) * 2 + low) % PRIME;
  return Math.imul(rest, 0x9e3779b1) >>> SHIFT;
}

/** Returns the range of a person by their id. */
export function rangeOf(id: bigint): number {
  split[0] = id;
  return rangeOfHalves(halves[0] ?? 0, halves[1] ?? 0);
}

/** Whether a set has all ranges of another. */
export function covers(ranges: Ranges, others: Ranges): boolean {
  return (others & ~ranges) === 0n;
}

/** The number of ranges in a set. */
export function rangeCount(ranges: Ranges): number {
  let count = 0;
  for (const digit of ranges.toString(16)) count += BITS[Number.parseInt(digit, 16)] ?? 0;
  return count;
}

/** The ranges of a set, ascending. */
export function rangesIn(ranges: Ranges): number[] {
  return Array.from({ length: RANGES }, (_, range) => range).filter((range) => (ranges >> BigInt(range)) & 1n);
}

/** The set of some ranges. */
export function rangesOf(ranges: Iterable<number>): Ranges {
  let set = 0n;
  for (const range of ranges) set |= 1n << BigInt(range);
  return set;
}

/** A set of ranges as a flag for each, which is quick to look into. */
export function rangeFlags(ranges: Ranges): Uint8Array {
  const flags = new Uint8Array(RANGES);
  for (const range of rangesIn(ranges)) flags[range] = 1;
  return flags;
}

/** Returns what tells whether a person is in one of some ranges. */
export function isIn(ranges: Ranges): (id: bigint) => boolean {
  if (ranges === ALL_RANGES) return () => true;
  const flags = rangeFlags(ranges);
  return (id) => flags[rangeOf(id)] === 1;
}

/** Writes ranges, for JSON. */
export function writtenRanges(ranges: Ranges): string {
  return ranges.toString(16);
}

/** Reads what {@link writtenRanges} wrote. */
export function rangesOfWritten(text: string): Ranges {
  return BigInt(`0x${text}`) & ALL_RANGES;
}

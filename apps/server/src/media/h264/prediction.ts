/** Prediction of blocks from the samples around them (ITU-T H.264, clause 8.3). */
import { UndecodableError } from './bit-reader.ts';
import type { Plane } from './picture.ts';

/** Which of the samples around a block can be used. */
export interface Around {
  readonly left: boolean;
  readonly top: boolean;
  readonly topLeft: boolean;
  readonly topRight: boolean;
}

const MIDDLE = 128;
const modes = { vertical: 0, horizontal: 1, dc: 2, downLeft: 3, downRight: 4, verticalRight: 5 } as const;
const directional = { horizontalDown: 6, verticalLeft: 7, horizontalUp: 8 } as const;

/** Samples around a block: from the lowest on its left, over the corner, to the last above and to its right. */
const around = new Int32Array(25);
const smoothed = new Int32Array(25);

/**
 * Predicts a luma block of 4 by 4 or 8 by 8.
 * @param at of its first sample
 */
export function predictBlock({ samples, width }: Plane, at: number, size: 4 | 8, mode: number, has: Around): void {
  let edge: Int32Array = around;
  for (let index = 0; index < size; index++) {
    edge[size - 1 - index] = has.left ? (samples[at + index * width - 1] ?? 0) : 0;
    edge[size + 1 + index] = has.top ? (samples[at - width + index] ?? 0) : 0;
    const right = has.topRight ? index + size : size - 1;
    edge[2 * size + 1 + index] = has.top ? (samples[at - width + right] ?? 0) : 0;
  }
  edge[size] = has.topLeft ? (samples[at - width - 1] ?? 0) : 0;
  if (size === 8) edge = smooth(edge, has);
  if (mode === modes.dc) {
    fill(samples, at, width, size, mean(edge, size, has));
    return;
  }
  requireAround(mode, has);
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) samples[at + y * width + x] = directed(edge, size, mode, x, y);
  }
}

/** Clause 8.3.2.2.1. */
function smooth(edge: Int32Array, { left, top, topLeft }: Around): Int32Array {
  const three = (index: number) => ((edge[index - 1] ?? 0) + 2 * (edge[index] ?? 0) + (edge[index + 1] ?? 0) + 2) >> 2;
  const two = (index: number, other: number) => (3 * (edge[index] ?? 0) + (edge[other] ?? 0) + 2) >> 2;
  smoothed[0] = two(0, 1);
  for (let index = 1; index < 7; index++) smoothed[index] = three(index);
  smoothed[7] = topLeft ? three(7) : two(7, 6);
  smoothed[8] = left && top ? three(8) : left ? two(8, 7) : top ? two(8, 9) : (edge[8] ?? 0);
  smoothed[9] = topLeft ? three(9) : two(9, 10);
  for (let index = 10; index < 24; index++) smoothed[index] = three(index);
  smoothed[24] = two(24, 23);
  return smoothed;
}

function mean(edge: Int32Array, size: number, { left, top }: Around): number {
  if (!left && !top) return MIDDLE;
  let sum = 0;
  for (let index = 0; index < size; index++) {
    if (left) sum += edge[index] ?? 0;
    if (top) sum += edge[size + 1 + index] ?? 0;
  }
  const count = left && top ? 2 * size : size;
  return Math.floor((sum + count / 2) / count);
}

function requireAround(mode: number, { left, top, topLeft }: Around): void {
  const isAbove = mode === modes.vertical || mode === modes.downLeft || mode === directional.verticalLeft;
  const isBeside = mode === modes.horizontal || mode === directional.horizontalUp;
  const isThere = isAbove ? top : isBeside ? left : left && top && topLeft;
  if (!isThere) throw new UndecodableError('a block is predicted from samples that are not there');
}

/** The sample at (x, y) in a block of `size`, by a mode with a direction (clauses 8.3.1.2 and 8.3.2.2). */
function directed(edge: Int32Array, size: number, mode: number, x: number, y: number): number {
  const two = (index: number) => ((edge[index] ?? 0) + (edge[index + 1] ?? 0) + 1) >> 1;
  const three = (index: number) => ((edge[index - 1] ?? 0) + 2 * (edge[index] ?? 0) + (edge[index + 1] ?? 0) + 2) >> 2;
  const above = size + 1;
  switch (mode) {
    case modes.vertical:
      return edge[above + x] ?? 0;
    case modes.horizontal:
      return edge[size - 1 - y] ?? 0;
    case modes.downLeft: {
      const end = above + 2 * size - 1;
      if (x + y === 2 * size - 2) return ((edge[end - 1] ?? 0) + 3 * (edge[end] ?? 0) + 2) >> 2;
      return three(above + x + y + 1);
    }
    case modes.downRight:
      return three(size + x - y);
    case modes.verticalRight: {
      const slope = 2 * x - y;
      const near = size + x - (y >> 1);
      if (slope < 0) return slope === -1 ? three(size) : three(size + 1 - y + 2 * x);
      return slope % 2 === 0 ? two(near) : three(near);
    }
    case directional.horizontalDown: {
      const slope = 2 * y - x;
      const near = size - (y - (x >> 1));
      if (slope < 0) return slope === -1 ? three(size) : three(size - 1 + x - 2 * y);
      return slope % 2 === 0 ? two(near - 1) : three(near);
    }
    case directional.verticalLeft: {
      const near = above + x + (y >> 1);
      return y % 2 === 0 ? two(near) : three(near + 1);
    }
    default: {
      const slope = x + 2 * y;
      const lowest = 2 * size - 3;
      const near = size - 1 - (y + (x >> 1));
      if (slope > lowest) return edge[0] ?? 0;
      if (slope === lowest) return ((edge[1] ?? 0) + 3 * (edge[0] ?? 0) + 2) >> 2;
      return slope % 2 === 0 ? two(near - 1) : three(near - 1);
    }
  }
}

/** Predicts the luma of a macroblock as a whole: vertical, horizontal, even or a plane. */
export function predictWhole(plane: Plane, at: number, mode: number, has: Around): void {
  const { samples, width } = plane;
  if (mode === 2) {
    let sum = 0;
    for (let index = 0; index < 16; index++) {
      if (has.left) sum += samples[at + index * width - 1] ?? 0;
      if (has.top) sum += samples[at - width + index] ?? 0;
    }
    const value = has.left && has.top ? (sum + 16) >> 5 : has.left || has.top ? (sum + 8) >> 4 : MIDDLE;
    fill(samples, at, width, 16, value);
  } else {
    predictStraight(plane, at, 16, mode === 0 ? 'vertical' : mode === 1 ? 'horizontal' : 'plane', has);
  }
}

/** Predicts a plane of chroma of a macroblock: even by quarters, horizontal, vertical or a plane. */
export function predictChroma(plane: Plane, at: number, mode: number, has: Around): void {
  if (mode === 0) {
    for (let part = 0; part < 4; part++) {
      const [x, y] = [(part & 1) * 4, (part >> 1) * 4];
      const value = quarterMean(plane, at, x, y, has);
      fill(plane.samples, at + y * plane.width + x, plane.width, 4, value);
    }
  } else {
    predictStraight(plane, at, 8, mode === 1 ? 'horizontal' : mode === 2 ? 'vertical' : 'plane', has);
  }
}

/** A quarter to the right prefers what is above it, one at the bottom what is on its left. */
function quarterMean({ samples, width }: Plane, at: number, x: number, y: number, has: Around): number {
  const takesBoth = x === y;
  const takesTop = has.top && (takesBoth || x > 0 || !has.left);
  const takesLeft = has.left && (takesBoth || y > 0 || !has.top);
  if (!takesTop && !takesLeft) return MIDDLE;
  let sum = 0;
  for (let index = 0; index < 4; index++) {
    if (takesTop) sum += samples[at - width + x + index] ?? 0;
    if (takesLeft) sum += samples[at + (y + index) * width - 1] ?? 0;
  }
  return takesTop && takesLeft ? (sum + 4) >> 3 : (sum + 2) >> 2;
}

function predictStraight(
  plane: Plane,
  at: number,
  size: 8 | 16,
  mode: 'vertical' | 'horizontal' | 'plane',
  { left, top, topLeft }: Around,
): void {
  const { samples, width } = plane;
  const isThere = mode === 'vertical' ? top : mode === 'horizontal' ? left : left && top && topLeft;
  if (!isThere) throw new UndecodableError('a macroblock is predicted from samples that are not there');
  if (mode === 'plane') {
    predictPlane(plane, at, size);
    return;
  }
  for (let y = 0; y < size; y++) {
    const row = at + y * width;
    if (mode === 'vertical') samples.copyWithin(row, at - width, at - width + size);
    else samples.fill(samples[row - 1] ?? 0, row, row + size);
  }
}

/** Clauses 8.3.3.4 and 8.3.4.4. */
function predictPlane({ samples, width }: Plane, at: number, size: 8 | 16): void {
  const half = size / 2;
  const above = (index: number) => samples[at - width + index] ?? 0;
  const beside = (index: number) => samples[at + index * width - 1] ?? 0;
  let across = 0;
  let down = 0;
  for (let index = 0; index < half; index++) {
    across += (index + 1) * (above(half + index) - above(half - 2 - index));
    down += (index + 1) * (beside(half + index) - beside(half - 2 - index));
  }
  const slope = (sum: number) => (size === 16 ? (5 * sum + 32) >> 6 : (34 * sum + 32) >> 6);
  const [b, c] = [slope(across), slope(down)];
  const a = 16 * (beside(size - 1) + above(size - 1)) + 16 - (half - 1) * (b + c);
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) samples[at + y * width + x] = clip((a + b * x + c * y) >> 5);
  }
}

function fill(samples: Uint8Array, at: number, width: number, size: number, value: number): void {
  for (let y = 0; y < size; y++) samples.fill(value, at + y * width, at + y * width + size);
}

function clip(value: number): number {
  return value < 0 ? 0 : Math.min(value, 255);
}

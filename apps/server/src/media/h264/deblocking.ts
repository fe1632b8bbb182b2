/** Smooths the edges of blocks (ITU-T H.264, clause 8.7), in a picture of macroblocks that are predicted from itself. */
import { kinds, type Picture, type Plane } from './picture.ts';
import type { Slice } from './slice-header.ts';

/** Table 8-16, from index 16 on; 0 below. */
const alphas = [
  4, 4, 5, 6, 7, 8, 9, 10, 12, 13, 15, 17, 20, 22, 25, 28, 32, 36, 40, 45, 50, 56, 63, 71, 80, 90, 101, 113, 127, 144,
  162, 182, 203, 226, 255, 255,
];
const betas = [
  2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13, 14, 14, 15, 15, 16, 16, 17, 17,
  18, 18,
];
/** Table 8-17 for edges within a macroblock (strength 3), from index 17 on. */
const limits = [
  1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 6, 6, 7, 8, 9, 10, 11, 13, 14, 16, 18, 20, 23, 25,
];
/** Table 8-15: the quantizer of chroma, from index 30 on; the index itself below. */
const chromaQuantizers = [29, 30, 31, 32, 32, 33, 34, 34, 35, 35, 36, 36, 37, 37, 37, 38, 38, 38, 39, 39, 39, 39];

/** Returns the quantizer of a plane of chroma. @param offset as the picture parameter set gives it */
export function chromaQuantizer(quantizer: number, offset: number): number {
  const index = Math.min(Math.max(quantizer + offset, 0), 51);
  return index < 30 ? index : (chromaQuantizers[index - 30] ?? 0);
}

/** A row or column of samples along an edge. */
interface Edge {
  readonly plane: Plane;
  /** First sample after the edge. */
  readonly at: number;
  /** Distance of samples across the edge, and along it. */
  readonly across: number;
  readonly along: number;
  readonly length: number;
  readonly isLuma: boolean;
  /** True where macroblocks meet. */
  readonly isOuter: boolean;
}

/** Smooths the edges of all macroblocks, in their order. @param slices by their number */
export function smoothEdges(picture: Picture, slices: readonly Slice[]): void {
  for (let address = 0; address < picture.slices.length; address++) {
    const slice = slices[picture.slices[address] ?? -1];
    if (slice && slice.deblocking !== 1) {
      smoothMacroblock(picture, slice, address, 'vertical');
      smoothMacroblock(picture, slice, address, 'horizontal');
    }
  }
}

function smoothMacroblock(picture: Picture, slice: Slice, address: number, direction: 'vertical' | 'horizontal'): void {
  const { columns } = picture;
  const column = address % columns;
  const row = (address - column) / columns;
  const other = direction === 'vertical' ? address - 1 : address - columns;
  const isAtBorder = direction === 'vertical' ? column === 0 : row === 0;
  const isApart = slice.deblocking === 2 && picture.slices[other] !== picture.slices[address];
  const own = picture.quantizers[address] ?? 0;
  const beyond = picture.quantizers[other] ?? 0;
  const [cbOffset, crOffset] = slice.settings.chromaOffsets;
  const of = (plane: Plane, size: number, from: number): Edge => {
    const first = row * size * plane.width + column * size;
    const [across, along] = direction === 'vertical' ? [1, plane.width] : [plane.width, 1];
    const isLuma = plane === picture.luma;
    return { plane, at: first + from * across, across, along, length: size, isLuma, isOuter: from === 0 };
  };
  for (let edge = 0; edge < 4; edge++) {
    const isOuter = edge === 0;
    if (isOuter && (isAtBorder || isApart)) continue;
    const with4 = picture.kinds[address] !== kinds.large || edge % 2 === 0;
    if (with4) smooth(of(picture.luma, 16, edge * 4), slice, isOuter ? (own + beyond + 1) >> 1 : own);
    if (edge % 2 === 1) continue;
    for (const [plane, offset] of [
      [picture.cb, cbOffset],
      [picture.cr, crOffset],
    ] as const) {
      const mine = chromaQuantizer(own, offset);
      const mean = isOuter ? (mine + chromaQuantizer(beyond, offset) + 1) >> 1 : mine;
      smooth(of(plane, 8, edge * 2), slice, mean);
    }
  }
}

function smooth(edge: Edge, { alphaOffset, betaOffset }: Slice, quantizer: number): void {
  const index = Math.min(Math.max(quantizer + alphaOffset, 0), 51);
  const alpha = alphas[index - 16] ?? 0;
  const beta = betas[Math.min(Math.max(quantizer + betaOffset, 0), 51) - 16] ?? 0;
  if (alpha === 0 || beta === 0) return;
  const limit = limits[index - 17] ?? 0;
  const { plane, across, along, length } = edge;
  const { samples } = plane;
  for (let step = 0, at = edge.at; step < length; step++, at += along) {
    const p0 = samples[at - across] ?? 0;
    const q0 = samples[at] ?? 0;
    const p1 = samples[at - 2 * across] ?? 0;
    const q1 = samples[at + across] ?? 0;
    if (Math.abs(p0 - q0) >= alpha || Math.abs(p1 - p0) >= beta || Math.abs(q1 - q0) >= beta) continue;
    if (!edge.isOuter) {
      smoothInner(samples, at, across, { p0, p1, q0, q1 }, beta, limit, edge.isLuma);
    } else if (edge.isLuma) {
      smoothOuter(samples, at, across, { p0, p1, q0, q1 }, alpha, beta);
    } else {
      samples[at - across] = (2 * p1 + p0 + q1 + 2) >> 2;
      samples[at] = (2 * q1 + q0 + p1 + 2) >> 2;
    }
  }
}

interface Pair {
  readonly p0: number;
  readonly p1: number;
  readonly q0: number;
  readonly q1: number;
}

/** Clause 8.7.2.3: strength 3. */
function smoothInner(
  samples: Uint8Array,
  at: number,
  across: number,
  { p0, p1, q0, q1 }: Pair,
  beta: number,
  limit: number,
  isLuma: boolean,
): void {
  let most = limit + 1;
  if (isLuma) {
    const p2 = samples[at - 3 * across] ?? 0;
    const q2 = samples[at + 2 * across] ?? 0;
    most = limit;
    if (Math.abs(p2 - p0) < beta) {
      most++;
      samples[at - 2 * across] = p1 + bounded((p2 + ((p0 + q0 + 1) >> 1) - 2 * p1) >> 1, limit);
    }
    if (Math.abs(q2 - q0) < beta) {
      most++;
      samples[at + across] = q1 + bounded((q2 + ((p0 + q0 + 1) >> 1) - 2 * q1) >> 1, limit);
    }
  }
  const change = bounded(((q0 - p0) * 4 + (p1 - q1) + 4) >> 3, most);
  samples[at - across] = bounded255(p0 + change);
  samples[at] = bounded255(q0 - change);
}

/** Clause 8.7.2.4: strength 4 of luma. */
function smoothOuter(
  samples: Uint8Array,
  at: number,
  across: number,
  { p0, p1, q0, q1 }: Pair,
  alpha: number,
  beta: number,
): void {
  const p2 = samples[at - 3 * across] ?? 0;
  const q2 = samples[at + 2 * across] ?? 0;
  const isFlat = Math.abs(p0 - q0) < (alpha >> 2) + 2;
  if (isFlat && Math.abs(p2 - p0) < beta) {
    const p3 = samples[at - 4 * across] ?? 0;
    samples[at - across] = (p2 + 2 * p1 + 2 * p0 + 2 * q0 + q1 + 4) >> 3;
    samples[at - 2 * across] = (p2 + p1 + p0 + q0 + 2) >> 2;
    samples[at - 3 * across] = (2 * p3 + 3 * p2 + p1 + p0 + q0 + 4) >> 3;
  } else {
    samples[at - across] = (2 * p1 + p0 + q1 + 2) >> 2;
  }
  if (isFlat && Math.abs(q2 - q0) < beta) {
    const q3 = samples[at + 3 * across] ?? 0;
    samples[at] = (p1 + 2 * p0 + 2 * q0 + 2 * q1 + q2 + 4) >> 3;
    samples[at + across] = (p0 + q0 + q1 + q2 + 2) >> 2;
    samples[at + 2 * across] = (2 * q3 + 3 * q2 + q1 + q0 + p0 + 4) >> 3;
  } else {
    samples[at] = (2 * q1 + q0 + p1 + 2) >> 2;
  }
}

function bounded(value: number, limit: number): number {
  return value < -limit ? -limit : Math.min(value, limit);
}

function bounded255(value: number): number {
  return value < 0 ? 0 : Math.min(value, 255);
}

/** Generated pictures: small, and identical on every machine. */
import type { Colour, IndexedPicture } from '../../media/stills/indexed-picture.ts';

/** Colours of a picture: paper, ink, and colours in between. */
const papers: readonly Colour[] = [
  [0xf6, 0xf1, 0xe4],
  [0xe8, 0xef, 0xf2],
  [0xf3, 0xe7, 0xe2],
];
const ink: Colour = [0x2b, 0x2d, 0x3a];
const colours: readonly Colour[] = [
  [0xb5, 0x3f, 0x2e],
  [0xd9, 0x8b, 0x2b],
  [0xe3, 0xc2, 0x6f],
  [0x5d, 0x7f, 0x4e],
  [0x2f, 0x6f, 0x73],
  [0x3a, 0x55, 0x8c],
  [0x74, 0x4b, 0x7e],
  [0xa8, 0x6b, 0x5a],
];
const BOARD = 6;
const ROWS = 3;

/** Draws books on the boards of a shelf. @param number selects the picture */
export function drawShelf(width: number, height: number, number: number): IndexedPicture {
  const paper = papers[number % papers.length] ?? ink;
  const pixels = new Uint8Array(width * height);
  const rowHeight = Math.floor(height / ROWS);
  let state = number + 1;
  const next = (count: number): number => {
    // A short generator; the picture need not be random, only varied.
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 16) % count;
  };
  for (let row = 0; row < ROWS; row++) {
    const board = (row + 1) * rowHeight - BOARD;
    fill(pixels, width, { left: 0, top: board, right: width, bottom: board + BOARD }, 1);
    for (let left = 4 + next(12); ; ) {
      const thickness = 7 + next(14);
      if (left + thickness > width - 4) break;
      const top = board - Math.floor(rowHeight * 0.55) - next(Math.floor(rowHeight * 0.3));
      fill(pixels, width, { left, top, right: left + thickness - 1, bottom: board }, 2 + next(colours.length));
      left += thickness + (next(9) === 0 ? 14 : 0);
    }
  }
  return { width, height, palette: [paper, ink, ...colours], pixels };
}

interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

function fill(pixels: Uint8Array, width: number, { left, top, right, bottom }: Box, colour: number): void {
  for (let row = Math.max(0, top); row < bottom; row++) {
    pixels.fill(colour, row * width + left, row * width + Math.min(right, width));
  }
}

/** A decoded picture of a film as it is shown: cut, turned, of its size, in red, green and blue. */
import { deflateSync } from 'node:zlib';
import type { Turn } from '../formats/mp4-track.ts';
import type { DecodedPicture } from '../h264/decode-picture.ts';
import { colourTypes, encodePng } from './png.ts';

/** The presentation of a picture. */
export interface Shown {
  /** Pixels, after the turn. */
  readonly width: number;
  readonly height: number;
  readonly turn: Turn;
}

/** Codes of `matrix_coefficients` (table E-5). */
const BT709 = 1;
const UNSPECIFIED = 2;
const BT2020 = [9, 10];
/** From this height on players take the colours of high definition, in films that do not say. */
const HIGH_DEFINITION_ROWS = 720;
/** Pixels whose luma is spread less than this are a blank picture. */
const BLANK_SPREAD = 12;
const PAETH = 4;
const FIXED = 16;

/** Returns whether a picture shows nothing: all of it has about the same brightness, as in a fade from black. */
export function isBlank({ picture: { luma }, sequence }: DecodedPicture): boolean {
  const shown = shownArea(sequence);
  let least = 255;
  let most = 0;
  for (let y = shown.top; y < shown.top + shown.height; y += 2) {
    for (let x = shown.left; x < shown.left + shown.width; x += 2) {
      const value = luma.samples[y * luma.width + x] ?? 0;
      if (value < least) least = value;
      if (value > most) most = value;
      if (most - least >= BLANK_SPREAD) return false;
    }
  }
  return true;
}

/** Encodes a picture as PNG. Where it is shown in another size than coded, the nearest pixels are taken. */
export function encodeFrame(decoded: DecodedPicture, { width, height, turn }: Shown): Buffer {
  const { picture, sequence } = decoded;
  const { luma, cb, cr } = picture;
  const area = shownArea(sequence);
  const colours = coefficients(sequence.matrix, sequence.isFullRange, area.height);
  const rowBytes = 3 * width;
  const rows = Buffer.alloc((rowBytes + 1) * height);
  let above = new Uint8Array(rowBytes);
  let row = new Uint8Array(rowBytes);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      // Position in the coded picture, as a share of it.
      const across = (x + 0.5) / width;
      const down = (y + 0.5) / height;
      const [u, v] =
        turn === 0
          ? [across, down]
          : turn === 90
            ? [down, 1 - across]
            : turn === 180
              ? [1 - across, 1 - down]
              : [1 - down, across];
      const column = area.left + Math.floor(u * area.width);
      const line = area.top + Math.floor(v * area.height);
      const at = (line >> 1) * cb.width + (column >> 1);
      const light = ((luma.samples[line * luma.width + column] ?? 0) - colours.black) * colours.light;
      const blue = (cb.samples[at] ?? 0) - 128;
      const red = (cr.samples[at] ?? 0) - 128;
      row[3 * x] = clip((light + colours.red * red) >> FIXED);
      row[3 * x + 1] = clip((light - colours.greenOfBlue * blue - colours.greenOfRed * red) >> FIXED);
      row[3 * x + 2] = clip((light + colours.blue * blue) >> FIXED);
    }
    filter(rows, y * (rowBytes + 1), row, above);
    [above, row] = [row, above];
  }
  return encodePng({ width, height }, colourTypes.trueColour, [['IDAT', deflateSync(rows)]]);
}

function shownArea({ columns, rows, crop }: DecodedPicture['sequence']) {
  return {
    left: crop.left,
    top: crop.top,
    width: columns * 16 - crop.left - crop.right,
    height: rows * 16 - crop.top - crop.bottom,
  };
}

/** Factors from luma and chroma to red, green and blue, times 65,536. */
function coefficients(matrix: number, isFullRange: boolean, height: number) {
  const isHigh = matrix === UNSPECIFIED ? height >= HIGH_DEFINITION_ROWS : matrix === BT709;
  const [kr, kb] = BT2020.includes(matrix) ? [0.2627, 0.0593] : isHigh ? [0.2126, 0.0722] : [0.299, 0.114];
  const kg = 1 - kr - kb;
  const chroma = isFullRange ? 2 : (2 * 255) / 224;
  const fixed = (factor: number) => Math.round(factor * 2 ** FIXED);
  return {
    black: isFullRange ? 0 : 16,
    light: fixed(isFullRange ? 1 : 255 / 219),
    red: fixed(chroma * (1 - kr)),
    blue: fixed(chroma * (1 - kb)),
    greenOfBlue: fixed((chroma * kb * (1 - kb)) / kg),
    greenOfRed: fixed((chroma * kr * (1 - kr)) / kg),
  };
}

/** Writes a row as differences from the nearest of the pixels around (ISO/IEC 15948, section 9.4). */
function filter(rows: Buffer, at: number, row: Uint8Array, above: Uint8Array): void {
  rows[at] = PAETH;
  for (let index = 0; index < row.length; index++) {
    const left = index < 3 ? 0 : (row[index - 3] ?? 0);
    const up = above[index] ?? 0;
    const corner = index < 3 ? 0 : (above[index - 3] ?? 0);
    const [toLeft, toUp, toCorner] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
    const nearest = toLeft <= toUp && toLeft <= toCorner ? left : toUp <= toCorner ? up : corner;
    rows[at + 1 + index] = (row[index] ?? 0) - nearest;
  }
}

function clip(value: number): number {
  return value < 0 ? 0 : Math.min(value, 255);
}

import type { IndexedPicture } from './indexed-picture.ts';

/**
 * Placeholder for a video that cannot be decoded here: a grey picture of its size with a play symbol in the middle. Uploaders
 * can provide a picture of their own.
 */
export function poster(width: number, height: number): IndexedPicture {
  const pixels = new Uint8Array(width * height);
  const side = Math.floor(Math.min(width, height) / 3);
  const left = Math.floor((width - side) / 2);
  const top = Math.floor((height - side) / 2);
  for (let row = 0; row < side; row++) {
    // The symbol is widest in the middle row.
    const reach = side - Math.abs(2 * row - side);
    const from = (top + row) * width + left;
    pixels.fill(1, from, from + Math.max(0, reach));
  }
  return {
    width,
    height,
    palette: [
      [0x3a, 0x41, 0x4a],
      [0xe6, 0xe9, 0xec],
    ],
    pixels,
  };
}

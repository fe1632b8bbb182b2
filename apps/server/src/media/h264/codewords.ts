/** Codewords of variable length (ITU-T H.264, tables 9-5 to 9-10), and reading them. */
import { type BitReader, UndecodableError } from './bit-reader.ts';

/** Codewords as a table: the value in the upper bits, the length in the lower four, by the next bits of the stream. */
export interface Codewords {
  readonly bits: number;
  readonly entries: Uint16Array;
}

/** @param words the codewords of the values from 0, separated by spaces */
function codewords(words: string, values?: readonly number[]): Codewords {
  const list = words.split(' ');
  const bits = Math.max(...list.map((word) => word.length));
  const entries = new Uint16Array(2 ** bits);
  for (const [index, word] of list.entries()) {
    const free = bits - word.length;
    const first = Number.parseInt(word, 2) << free;
    entries.fill(((values?.[index] ?? index) << 5) | word.length, first, first + (1 << free));
  }
  return { bits, entries };
}

/** Reads a codeword. @returns its value @throws UndecodableError where there is none */
export function readCodeword(reader: BitReader, { bits, entries }: Codewords): number {
  const entry = entries[reader.peek(bits)] ?? 0;
  if (entry === 0) throw new UndecodableError('a codeword does not exist');
  reader.skip(entry & 31);
  return entry >> 5;
}

/** The number of levels of a block, times four, plus the number of those at its end are 1 or -1 (up to 3). */
function tokens(words: string): Codewords {
  const values: number[] = [];
  for (let total = 0; total <= 16; total++) {
    for (let ones = 0; ones <= Math.min(3, total); ones++) values.push(4 * total + ones);
  }
  return codewords(words, values);
}

/** Table 9-5, by the number of levels expected from the neighbours: 0 and 1, 2 and 3, 4 to 7. From 8 on, the code has six bits. */
export const levelCounts = [
  tokens(
    '1 000101 01 00000111 000100 001 000000111 00000110 0000101 00011 0000000111 000000110 00000101 000011 ' +
      '00000000111 0000000110 000000101 0000100 0000000001111 00000000110 0000000101 00000100 0000000001011 ' +
      '0000000001110 00000000101 000000100 0000000001000 0000000001010 0000000001101 0000000100 00000000001111 ' +
      '00000000001110 0000000001001 00000000100 00000000001011 00000000001010 00000000001101 0000000001100 ' +
      '000000000001111 000000000001110 00000000001001 00000000001100 000000000001011 000000000001010 ' +
      '000000000001101 00000000001000 0000000000001111 000000000000001 000000000001001 000000000001100 ' +
      '0000000000001011 0000000000001110 0000000000001101 000000000001000 0000000000000111 0000000000001010 ' +
      '0000000000001001 0000000000001100 0000000000000100 0000000000000110 0000000000000101 0000000000001000',
  ),
  tokens(
    '11 001011 10 000111 00111 011 0000111 001010 001001 0101 00000111 000110 000101 0100 00000100 0000110 ' +
      '0000101 00110 000000111 00000110 00000101 001000 00000001111 000000110 000000101 000100 00000001011 ' +
      '00000001110 00000001101 0000100 000000001111 00000001010 00000001001 000000100 000000001011 000000001110 ' +
      '000000001101 00000001100 000000001000 000000001010 000000001001 00000001000 0000000001111 0000000001110 ' +
      '0000000001101 000000001100 0000000001011 0000000001010 0000000001001 0000000001100 0000000000111 ' +
      '00000000001011 0000000000110 0000000001000 00000000001001 00000000001000 00000000001010 0000000000001 ' +
      '00000000000111 00000000000110 00000000000101 00000000000100',
  ),
  tokens(
    '1111 001111 1110 001011 01111 1101 001000 01100 01110 1100 0001111 01010 01011 1011 0001011 01000 01001 ' +
      '1010 0001001 001110 001101 1001 0001000 001010 001001 1000 00001111 0001110 0001101 01101 00001011 ' +
      '00001110 0001010 001100 000001111 00001010 00001101 0001100 000001011 000001110 00001001 00001100 ' +
      '000001000 000001010 000001101 00001000 0000001101 000000111 000001001 000001100 0000001001 0000001100 ' +
      '0000001011 0000001010 0000000101 0000001000 0000000111 0000000110 0000000001 0000000100 0000000011 ' +
      '0000000010',
  ),
] as const;
/** Table 9-5, of the DC levels of chroma. */
export const chromaLevelCounts: Codewords = tokens(
  '01 000111 1 000100 000110 001 000011 0000011 0000010 000101 000010 00000011 00000010 0000000',
);

/** Tables 9-7 and 9-8: the zeros between the levels of a block, by the number of its levels less one. */
export const zeroCounts: readonly Codewords[] = [
  codewords(
    '1 011 010 0011 0010 00011 00010 000011 000010 0000011 0000010 00000011 00000010 000000011 000000010 ' +
      '000000001',
  ),
  codewords('111 110 101 100 011 0101 0100 0011 0010 00011 00010 000011 000010 000001 000000'),
  codewords('0101 111 110 101 0100 0011 100 011 0010 00011 00010 000001 00001 000000'),
  codewords('00011 111 0101 0100 110 101 100 0011 011 0010 00010 00001 00000'),
  codewords('0101 0100 0011 111 110 101 100 011 0010 00001 0001 00000'),
  codewords('000001 00001 111 110 101 100 011 010 0001 001 000000'),
  codewords('000001 00001 101 100 011 11 010 0001 001 000000'),
  codewords('000001 0001 00001 011 11 10 010 001 000000'),
  codewords('000001 000000 0001 11 10 001 01 00001'),
  codewords('00001 00000 001 11 10 01 0001'),
  codewords('0000 0001 001 010 1 011'),
  codewords('0000 0001 01 1 001'),
  codewords('000 001 1 01'),
  codewords('00 01 1'),
  codewords('0 1'),
];
/** Table 9-9, of the DC levels of chroma. */
export const chromaZeroCounts: readonly Codewords[] = [
  codewords('1 01 001 000'),
  codewords('1 01 00'),
  codewords('1 0'),
];
/** Table 9-10: the zeros before a level, by the number of zeros left less one, up to 6. */
export const runs: readonly Codewords[] = [
  codewords('1 0'),
  codewords('1 01 00'),
  codewords('11 10 01 00'),
  codewords('11 10 01 001 000'),
  codewords('11 10 011 010 001 000'),
  codewords('11 000 001 011 010 101 100'),
  codewords('111 110 101 100 011 010 001 0001 00001 000001 0000001 00000001 000000001 0000000001 00000000001'),
];

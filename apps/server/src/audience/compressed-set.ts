import { forEachBit } from './bits.ts';
import type { DenseSet } from './dense-set.ts';

/** Bits of a member's number that are its number within its block; the others are that of the block. */
export const BLOCK_BITS = 16;
/** Capacity of a block. */
export const BLOCK_SIZE = 1 << BLOCK_BITS;
/** Words of a block's bitmap. */
export const BLOCK_WORDS = BLOCK_SIZE / 32;
/** Up to this many members a block is a list; beyond that a bitmap, which is then smaller. */
const MAX_LISTED = 4096;

/** The members of a block, by their numbers within it. */
export type Block =
  | { readonly kind: 'list'; list: Uint16Array; length: number }
  | { readonly kind: 'bits'; readonly words: Uint32Array; count: number };

/**
 * A stored set of people or posts: blocks of 65,536, each a sorted list of its members while they are few, and a
 * bitmap when they are many. A trait of a handful of people costs a few bytes, one of half a million 8 KB per block.
 */
export class CompressedSet {
  readonly #blocks: (Block | undefined)[] = [];

  add(ordinal: number): void {
    const block = this.#blocks[ordinal >>> 16] ?? { kind: 'list', list: new Uint16Array(4), length: 0 };
    this.#blocks[ordinal >>> 16] = block;
    const low = ordinal & 0xffff;
    if (block.kind === 'bits') {
      const bit = 1 << (low & 31);
      const word = block.words[low >>> 5] ?? 0;
      if ((word & bit) === 0) block.count++;
      block.words[low >>> 5] = word | bit;
      return;
    }
    const at = placeIn(block, low);
    if (at < block.length && block.list[at] === low) return;
    if (block.length === MAX_LISTED) {
      this.#blocks[ordinal >>> 16] = bitsOf(block);
      this.add(ordinal);
      return;
    }
    if (block.length === block.list.length) {
      const larger = new Uint16Array(block.list.length * 2);
      larger.set(block.list);
      block.list = larger;
    }
    block.list.copyWithin(at + 1, at, block.length);
    block.list[at] = low;
    block.length++;
  }

  delete(ordinal: number): void {
    const block = this.#blocks[ordinal >>> 16];
    const low = ordinal & 0xffff;
    if (!block) return;
    if (block.kind === 'list') {
      const at = placeIn(block, low);
      if (at === block.length || block.list[at] !== low) return;
      block.list.copyWithin(at, at + 1, block.length);
      block.length--;
      return;
    }
    const bit = 1 << (low & 31);
    const word = block.words[low >>> 5] ?? 0;
    if ((word & bit) === 0) return;
    block.words[low >>> 5] = word & ~bit;
    block.count--;
    // Well below the other bound, so that a set near the bound does not change its form with each change.
    if (block.count < MAX_LISTED / 2) this.#blocks[ordinal >>> 16] = listOf(block.words, block.count);
  }

  has(ordinal: number): boolean {
    const block = this.#blocks[ordinal >>> 16];
    const low = ordinal & 0xffff;
    if (!block) return false;
    if (block.kind === 'bits') return ((block.words[low >>> 5] ?? 0) & (1 << (low & 31))) !== 0;
    const at = placeIn(block, low);
    return at < block.length && block.list[at] === low;
  }

  /** The memory that the blocks take. */
  get bytes(): number {
    let sum = 0;
    for (const block of this.#blocks) sum += block?.kind === 'bits' ? BLOCK_WORDS * 4 : (block?.list.byteLength ?? 0);
    return sum;
  }

  /** Returns the members of a block; `undefined` if there never were any. */
  block(index: number): Block | undefined {
    return this.#blocks[index];
  }

  /** Adds all members to a dense set. */
  addTo({ words }: DenseSet): void {
    for (const [index, block] of this.#blocks.entries()) {
      const first = index * BLOCK_WORDS;
      if (block?.kind === 'bits') {
        const end = Math.min(BLOCK_WORDS, words.length - first);
        for (let i = 0; i < end; i++) words[first + i] = (words[first + i] ?? 0) | (block.words[i] ?? 0);
      } else if (block) {
        for (let i = 0; i < block.length; i++) {
          const low = block.list[i] ?? 0;
          const word = first + (low >>> 5);
          words[word] = (words[word] ?? 0) | (1 << (low & 31));
        }
      }
    }
  }
}

/** Returns the position of a number in a list, or its insertion point. */
function placeIn({ list, length }: { readonly list: Uint16Array; readonly length: number }, low: number): number {
  let from = 0;
  let to = length;
  // Mostly, people are added in order.
  if (length > 0 && (list[length - 1] ?? 0) < low) return length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((list[middle] ?? 0) < low) from = middle + 1;
    else to = middle;
  }
  return from;
}

function bitsOf({ list, length }: { readonly list: Uint16Array; readonly length: number }): Block {
  const words = new Uint32Array(BLOCK_WORDS);
  for (const low of list.subarray(0, length)) words[low >>> 5] = (words[low >>> 5] ?? 0) | (1 << (low & 31));
  return { kind: 'bits', words, count: length };
}

function listOf(words: Uint32Array, count: number): Block {
  const list = new Uint16Array(Math.max(4, count));
  let length = 0;
  forEachBit(words, (low) => {
    list[length++] = low;
  });
  return { kind: 'list', list, length };
}

import { lowestBit } from './bits.ts';
import { BLOCK_SIZE, BLOCK_WORDS, type Block, type CompressedSet } from './compressed-set.ts';

/** A list that is this many times longer than another is searched for each of its members; otherwise both are merged. */
const MUCH_LONGER = 16;

type List = Extract<Block, { readonly kind: 'list' }>;
/** Retains some of the first members of a list, at its start. @returns their number */
type Filter = (members: Uint16Array, length: number) => number;

/** Intersects sets block by block, reusing scratch space. */
export class Crossing {
  readonly #listed = new Uint16Array(BLOCK_SIZE);
  readonly #bits = new Uint32Array(BLOCK_WORDS);
  /** Empty between uses. */
  readonly #spread = new Uint32Array(BLOCK_WORDS);

  /**
   * Adds those of a block that are in all sets to others, as bits. Where one of the sets is a list, the cost is proportional
   * to its length.
   * @param filter an additional condition on members; it is not called for those that were added before
   */
  addCommonTo(bits: Uint32Array, sets: readonly CompressedSet[], index: number, filter?: Filter): void {
    const lists: List[] = [];
    const bitmaps: Uint32Array[] = [];
    for (const set of sets) {
      const block = set.block(index);
      if (!block) return;
      if (block.kind === 'list') lists.push(block);
      else bitmaps.push(block.words);
    }
    if (lists.length > 0) this.#addFew(bits, lists, bitmaps, filter);
    else this.#addMany(bits, bitmaps, filter);
  }

  #addFew(bits: Uint32Array, lists: List[], bitmaps: readonly Uint32Array[], filter: Filter | undefined): void {
    lists.sort((one, other) => one.length - other.length);
    const [shortest, ...others] = lists;
    if (!shortest) return;
    this.#listed.set(shortest.list.subarray(0, shortest.length));
    let { length } = shortest;
    for (const other of others) length = this.#keepListed(length, other);
    for (const bitmap of bitmaps) length = keepIn(this.#listed, length, bitmap);
    if (filter) length = filter(this.#listed, keepOut(this.#listed, length, bits));
    addListed(bits, this.#listed, length);
  }

  #addMany(bits: Uint32Array, bitmaps: readonly Uint32Array[], filter: Filter | undefined): void {
    const [first, ...others] = bitmaps;
    if (!first) return;
    const common = this.#bits;
    common.set(first);
    for (const other of others) {
      for (let i = 0; i < BLOCK_WORDS; i++) common[i] = (common[i] ?? 0) & (other[i] ?? 0);
    }
    if (filter) {
      addListed(bits, this.#listed, filter(this.#listed, listNew(this.#listed, common, bits)));
      return;
    }
    for (let i = 0; i < BLOCK_WORDS; i++) bits[i] = (bits[i] ?? 0) | (common[i] ?? 0);
  }

  #keepListed(length: number, { list, length: others }: List): number {
    if (others > length * MUCH_LONGER) return keepFound(this.#listed, length, list.subarray(0, others));
    addListed(this.#spread, list, others);
    const left = keepIn(this.#listed, length, this.#spread);
    this.#spread.fill(0);
    return left;
  }
}

function addListed(bits: Uint32Array, members: Uint16Array, length: number): void {
  for (let i = 0; i < length; i++) {
    const member = members[i] ?? 0;
    bits[member >>> 5] = (bits[member >>> 5] ?? 0) | (1 << (member & 31));
  }
}

/** Retains those that are in a bitmap. @returns their number */
function keepIn(members: Uint16Array, length: number, bitmap: Uint32Array): number {
  let left = 0;
  for (let i = 0; i < length; i++) {
    const member = members[i] ?? 0;
    members[left] = member;
    left += ((bitmap[member >>> 5] ?? 0) >>> (member & 31)) & 1;
  }
  return left;
}

/** Retains those that are in a sorted list. @returns their number */
function keepFound(members: Uint16Array, length: number, list: Uint16Array): number {
  let left = 0;
  let from = 0;
  for (let i = 0; i < length; i++) {
    const member = members[i] ?? 0;
    let to = list.length;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if ((list[middle] ?? 0) < member) from = middle + 1;
      else to = middle;
    }
    if (list[from] === member) members[left++] = member;
  }
  return left;
}

/** Retains those that are not in a bitmap. @returns their number */
function keepOut(members: Uint16Array, length: number, bitmap: Uint32Array): number {
  let left = 0;
  for (let i = 0; i < length; i++) {
    const member = members[i] ?? 0;
    members[left] = member;
    left += (~(bitmap[member >>> 5] ?? 0) >>> (member & 31)) & 1;
  }
  return left;
}

/** Lists the members of a bitmap that are not in another. @returns their number */
function listNew(members: Uint16Array, bitmap: Uint32Array, known: Uint32Array): number {
  let length = 0;
  for (let i = 0; i < BLOCK_WORDS; i++) {
    for (let rest = (bitmap[i] ?? 0) & ~(known[i] ?? 0); rest !== 0; rest &= rest - 1) {
      members[length++] = i * 32 + lowestBit(rest);
    }
  }
  return length;
}

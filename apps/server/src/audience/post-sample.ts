import { lowestBit } from './bits.ts';
import { BLOCK_BITS, BLOCK_SIZE, BLOCK_WORDS } from './compressed-set.ts';
import type { PostBlock, PostFilter } from './post-block.ts';
import type { PostWords } from './post-words.ts';

/** An even selection of many posts, without knowing beforehand how many there are: every n-th, the same ones each time. */
export class PostSample {
  readonly #capacity: number;
  readonly #posts: Uint32Array;
  #length = 0;
  #stride = 1;
  #seen = 0;

  /** @param capacity the most posts that are selected; at least half as many are, if there are */
  constructor(capacity: number) {
    this.#capacity = capacity;
    this.#posts = new Uint32Array(capacity);
  }

  /** The number of posts that it was offered. */
  get seen(): number {
    return this.#seen;
  }

  /** The numbers of the selected posts. */
  get posts(): Uint32Array {
    return this.#posts.subarray(0, this.#length);
  }

  /** Offers the posts of a block, as bits. @param first the number of the first post of the block */
  offer(first: number, posts: Uint32Array): void {
    for (let index = 0; index < BLOCK_WORDS; index++) {
      for (let word = posts[index] ?? 0; word !== 0; word &= word - 1) {
        if (this.#seen++ % this.#stride !== 0) continue;
        if (this.#length === this.#capacity) {
          this.#thin();
          if ((this.#seen - 1) % this.#stride !== 0) continue;
        }
        this.#posts[this.#length++] = first + index * 32 + lowestBit(word);
      }
    }
  }

  #thin(): void {
    this.#stride *= 2;
    let left = 0;
    for (let i = 0; i < this.#length; i += 2) this.#posts[left++] = this.#posts[i] ?? 0;
    this.#length = left;
  }
}

/** Neighbouring posts that are looked at together, since reading one brings the next into the nearest memory. */
const RUN = 16;

/** A selection of posts to compare with. */
export interface Comparison {
  readonly filter: PostFilter;
  /** Blocks by number. */
  readonly blocks: readonly number[];
  /** Posts that are not compared with. */
  readonly isExcluded: (block: PostBlock, post: number) => boolean;
  /** The number of posts that are compared. */
  readonly compared: number;
  /** Share of the languages of the posts that are compared, by the number of a language. */
  readonly shares: ReadonlyMap<number, number>;
}

/** As many times the posts that are compared are selected in their languages, within these bounds: */
const TIMES = 4;
export const LEAST = 1536;
const MOST = 4608;
/** and this share of them in any language. */
const ANY_LANGUAGE = 1 / 3;
/** Posts that are looked at, at most. */
export const MAX_LOOKS = 32_768;

/** Returns how many posts are selected to compare so many with: in their languages, and in whatever language. */
export function othersFor(compared: number, least: number): { readonly same: number; readonly any: number } {
  const same = Math.min(MOST, Math.max(least, TIMES * compared));
  return { same, any: Math.floor(same * ANY_LANGUAGE) };
}

/** Posts to compare with. */
export interface ComparedPosts {
  /** Numbers of posts. Those of any language come first, */
  readonly posts: readonly number[];
  /** and are this many; the others are in languages of the posts that are compared. */
  readonly any: number;
}

/** Selects posts to compare others with, spread evenly: the same ones each time. */
export function selectOthers(
  words: PostWords,
  { filter, blocks, isExcluded, compared, shares }: Comparison,
): ComparedPosts {
  const any: number[] = [];
  const same: number[] = [];
  const most = othersFor(compared, LEAST);
  const wanted = new Map([...shares].map(([language, share]) => [language, Math.ceil(share * most.same)]));
  const open = new Set(wanted.keys());
  const runs = blocks.length * (BLOCK_SIZE / RUN);
  const step = coprimeNear(runs);
  let looks = 0;
  for (let i = 0; i < runs && looks < MAX_LOOKS; i++) {
    if (any.length >= most.any && open.size === 0) break;
    const run = (i * step) % runs;
    const index = blocks[Math.floor(run / (BLOCK_SIZE / RUN))] ?? 0;
    const block = words.block(index);
    const begin = (run % (BLOCK_SIZE / RUN)) * RUN;
    if (!block) continue;
    for (let post = begin; post < Math.min(begin + RUN, block.length); post++) {
      looks++;
      const language = block.languageOf(post);
      const isOpen = open.has(language);
      if ((!isOpen && any.length >= most.any) || !block.passes(post, filter) || isExcluded(block, post)) continue;
      const number = index * 2 ** BLOCK_BITS + post;
      if (any.length < most.any) any.push(number);
      if (!isOpen) continue;
      same.push(number);
      const left = (wanted.get(language) ?? 0) - 1;
      wanted.set(language, left);
      if (left <= 0) open.delete(language);
    }
  }
  return { posts: [...any, ...same], any: any.length };
}

/** Returns a number that has no divisor in common with another, and is near its golden section. */
function coprimeNear(count: number): number {
  let step = Math.max(1, Math.round(count * 0.618));
  const divisor = (one: number, other: number): number => (other === 0 ? one : divisor(other, one % other));
  while (divisor(step, count) > 1) step++;
  return step;
}

import { lowestBit } from './bits.ts';
import { BLOCK_SIZE, BLOCK_WORDS } from './compressed-set.ts';

/** Number of posts to prefetch: their words are then in the nearest cache until they are searched. */
const STRETCH = 512;
/** Sink of the prefetched values: unused reads would be optimized away. */
const READ_AHEAD = new Uint32Array(1);

/** Bits of a stored word that are its number; those above are its mark. */
const NUMBER_BITS = 30;
const NUMBER_MASK = 2 ** NUMBER_BITS - 1;

/** Returns a word of a post as it is stored. @param mark see `wordMarks` */
export function markedWord(number: number, mark: number): number {
  return (number | (mark << NUMBER_BITS)) >>> 0;
}

/** Posts of a period by some people. */
export interface PostFilter {
  /** In seconds since the epoch. */
  readonly from: number;
  /** Posts at this time are not in the period. */
  readonly to: number;
  /** A bit for each author. */
  readonly authors: Uint32Array;
}

/** A query for posts, by the numbers of words. */
export interface NumberedQuery {
  /** Groups of words, all of which a post contains, each group in order. */
  readonly groups: readonly (readonly number[])[];
  /** True where the post contains nothing else. There is one group then. */
  readonly exactly: boolean;
}

/** A range of posts, as many as a block of a set: columns of their properties, and their words concatenated. */
export class PostBlock {
  readonly #authors = new Uint32Array(BLOCK_SIZE);
  /** In seconds since the epoch. */
  readonly #created = new Uint32Array(BLOCK_SIZE);
  /** A bit for each post that was not removed. */
  readonly #there = new Uint32Array(BLOCK_WORDS);
  /** Languages by number. */
  readonly #languages = new Uint8Array(BLOCK_SIZE);
  /** The words of post `i` are from `first[i]` to before `first[i + 1]`. */
  readonly #first = new Uint32Array(BLOCK_SIZE + 1);
  #words = new Uint32Array(1024);
  #length = 0;
  #oldest = Number.POSITIVE_INFINITY;
  #newest = Number.NEGATIVE_INFINITY;

  /** The number of posts, including those that were removed. */
  get length(): number {
    return this.#length;
  }

  /** Adds a post after the others. @param words see {@link markedWord} */
  add(author: number, created: number, words: readonly number[], language = 0): void {
    const post = this.#length++;
    const begin = this.#first[post] ?? 0;
    const end = begin + words.length;
    if (end > this.#words.length) this.#resize(Math.max(end, this.#words.length * 2));
    this.#words.set(words, begin);
    this.#first[post + 1] = end;
    this.#authors[post] = author;
    this.#created[post] = created;
    this.#languages[post] = language;
    this.#oldest = Math.min(this.#oldest, created);
    this.#newest = Math.max(this.#newest, created);
    this.setThere(post, true);
    if (this.#length === BLOCK_SIZE) this.#resize(end);
  }

  /** Returns whether a post exists. */
  setThere(post: number, isThere: boolean): void {
    const bit = 1 << (post & 31);
    const held = this.#there[post >>> 5] ?? 0;
    this.#there[post >>> 5] = isThere ? held | bit : held & ~bit;
  }

  /** Returns whether any post was written since a time, in seconds. */
  isSince(since: number): boolean {
    return this.#newest >= since;
  }

  /** Returns whether any post can pass a filter. */
  isWithin({ from, to }: PostFilter): boolean {
    return this.#newest >= from && this.#oldest < to;
  }

  /** Returns whether a post exists and passes a filter. */
  passes(post: number, { from, to, authors }: PostFilter): boolean {
    if (((this.#there[post >>> 5] ?? 0) & (1 << (post & 31))) === 0) return false;
    const created = this.#created[post] ?? 0;
    if (created < from || created >= to) return false;
    const author = this.#authors[post] ?? 0;
    return ((authors[author >>> 5] ?? 0) & (1 << (author & 31))) !== 0;
  }

  /** Retains those of these posts, as bits, that exist and pass a filter. */
  keepPassing(posts: Uint32Array, { from, to, authors }: PostFilter): void {
    const [authorOf, created, there] = [this.#authors, this.#created, this.#there];
    const isWhole = this.#oldest >= from && this.#newest < to;
    for (let index = 0; index < BLOCK_WORDS; index++) {
      let kept = (posts[index] ?? 0) & (there[index] ?? 0);
      for (let word = kept; word !== 0; word &= word - 1) {
        const post = index * 32 + lowestBit(word);
        const author = authorOf[post] ?? 0;
        const at = created[post] ?? 0;
        const passes = ((authors[author >>> 5] ?? 0) & (1 << (author & 31))) !== 0;
        if (!passes || (!isWhole && (at < from || at >= to))) kept &= ~(1 << (post & 31));
      }
      posts[index] = kept;
    }
  }

  /** Adds the number of posts in each of consecutive units of time to counts. Later posts are not counted. */
  addVolumeTo(counts: Float64Array, posts: Uint32Array, from: number, unit: number): void {
    for (let index = 0; index < BLOCK_WORDS; index++) {
      for (let word = posts[index] ?? 0; word !== 0; word &= word - 1) {
        const post = index * 32 + lowestBit(word);
        const at = Math.floor(((this.#created[post] ?? 0) - from) / unit);
        // A write past the end of a typed array is dropped.
        counts[at] = (counts[at] ?? 0) + 1;
      }
    }
  }

  authorOf(post: number): number {
    return this.#authors[post] ?? 0;
  }

  languageOf(post: number): number {
    return this.#languages[post] ?? 0;
  }

  /** Words of a post are from here, */
  begin(post: number): number {
    return this.#first[post] ?? 0;
  }

  /** to before here. */
  end(post: number): number {
    return this.#first[post + 1] ?? 0;
  }

  /** Returns the number of the word at a position. */
  numberAt(at: number): number {
    return (this.#words[at] ?? 0) & NUMBER_MASK;
  }

  /** Returns the mark of the word at a position: see `wordMarks`. */
  markAt(at: number): number {
    return (this.#words[at] ?? 0) >>> NUMBER_BITS;
  }

  /** Adds the authors of those of these posts that exist and were written since a time to a set of people, as bits. */
  addAuthorsTo(people: Uint32Array, posts: Uint32Array, since: number): void {
    const [authors, created, there] = [this.#authors, this.#created, this.#there];
    const isEachSince = this.#oldest >= since;
    for (let index = 0; index < BLOCK_WORDS; index++) {
      for (let word = (posts[index] ?? 0) & (there[index] ?? 0); word !== 0; word &= word - 1) {
        const post = index * 32 + lowestBit(word);
        if (!isEachSince && (created[post] ?? 0) < since) continue;
        const author = authors[post] ?? 0;
        // A write past the end of a typed array is dropped, so people who joined later are left out.
        people[author >>> 5] = (people[author >>> 5] ?? 0) | (1 << (author & 31));
      }
    }
  }

  /** Retains those of a list of posts that match the query, at its start. @returns their number */
  keepHolding(posts: Uint16Array, length: number, query: NumberedQuery): number {
    let left = 0;
    for (let begin = 0; begin < length; begin += STRETCH) {
      const end = Math.min(begin + STRETCH, length);
      this.#readAhead(posts, begin, end);
      for (let i = begin; i < end; i++) {
        const post = posts[i] ?? 0;
        posts[left] = post;
        if (this.holds(post, query)) left++;
      }
    }
    return left;
  }

  /**
   * Prefetches the words of posts that are about to be searched. Posts are far apart in memory: a search waits for the
   * words of one post before it can continue, while reads without a search overlap.
   */
  #readAhead(posts: Uint16Array, begin: number, end: number): void {
    const [first, words] = [this.#first, this.#words];
    let touched = 0;
    for (let i = begin; i < end; i++) {
      const post = posts[i] ?? 0;
      touched ^= (words[first[post] ?? 0] ?? 0) ^ (words[(first[post + 1] ?? 1) - 1] ?? 0);
    }
    READ_AHEAD[0] = touched;
  }

  /** Returns whether a post matches the query. */
  holds(post: number, { groups, exactly }: NumberedQuery): boolean {
    const first = this.#first[post] ?? 0;
    const end = this.#first[post + 1] ?? 0;
    if (exactly && end - first !== groups[0]?.length) return false;
    for (const group of groups) if (!this.#hasInOrder(first, end, group)) return false;
    return true;
  }

  #hasInOrder(first: number, end: number, group: readonly number[]): boolean {
    const words = this.#words;
    const [head] = group;
    for (let at = first; at + group.length <= end; at++) {
      if (((words[at] ?? 0) & NUMBER_MASK) !== head) continue;
      let same = 1;
      while (same < group.length && ((words[at + same] ?? 0) & NUMBER_MASK) === group[same]) same++;
      if (same >= group.length) return true;
    }
    return false;
  }

  #resize(length: number): void {
    const words = new Uint32Array(length);
    words.set(this.#words.subarray(0, Math.min(length, this.#words.length)));
    this.#words = words;
  }
}

import { BLOCK_BITS, BLOCK_SIZE, BLOCK_WORDS, CompressedSet } from './compressed-set.ts';
import { Crossing } from './crossing.ts';
import type { DenseSet } from './dense-set.ts';
import { IdTable } from './id-table.ts';
import type { Pace } from './pace.ts';
import { type NumberedQuery, PostBlock } from './post-block.ts';

/** Indexed properties of a post. */
export interface IndexedPost {
  readonly id: bigint;
  /** The number of the author. */
  readonly author: number;
  readonly created_ms: number;
  readonly words: readonly string[];
}

/** A query for posts. */
export interface WordQuery {
  /** Groups of words, all of which a post contains, each group in order. */
  readonly groups: readonly (readonly string[])[];
  /** Whether the post contains nothing else. There is one group then. */
  readonly exactly: boolean;
}

/** Lets a long search yield to other work. */
type Slices = Pick<Pace, 'isOver' | 'step'>;

/** The posts that contain a word. Most words are in few posts, for which a list is smaller than a set. */
type Postings = number[] | CompressedSet;
/** Up to this many posts are a list. */
const FEW_POSTS = 32;

/** A query whose words are each in many posts. */
interface CommonQuery {
  readonly query: NumberedQuery;
  /** The posts that contain each of the words. */
  readonly postings: readonly CompressedSet[];
  /** Whether containing the words is not sufficient. */
  readonly isOrdered: boolean;
}

/**
 * The words of posts. An inverted index finds the posts that contain a word; the words of each post are stored as well, so
 * that order and completeness can be checked where required. All keywords of an estimate are searched together, in one block
 * of posts after the other: the sets of the words of a keyword are intersected, and the results of keywords are merged. Only
 * then are authors and times of the posts checked, once for each post regardless of how many keywords find it.
 */
export class PostWords {
  readonly #ids = new IdTable();
  readonly #blocks: PostBlock[] = [];
  readonly #numberOf = new Map<string, number>();
  /** By the number of the word. */
  readonly #postings: Postings[] = [];
  readonly #crossing = new Crossing();

  /** Adds a post, or restores one. */
  add({ id, author, created_ms, words }: IndexedPost): void {
    const known = this.#ids.get(id);
    if (known !== undefined) {
      this.#setThere(known, true);
      return;
    }
    const post = this.#ids.add(id);
    const numbers = words.map((word) => this.#note(word, post));
    const block = this.#blocks[post >>> BLOCK_BITS] ?? new PostBlock();
    this.#blocks[post >>> BLOCK_BITS] = block;
    block.add(author, Math.floor(created_ms / 1000), numbers);
  }

  /** Removes a post. */
  delete(id: bigint): void {
    const known = this.#ids.get(id);
    if (known !== undefined) this.#setThere(known, false);
  }

  /**
   * Adds the authors of the posts that match any of these queries to a set.
   * @param since_ms earlier posts do not count
   */
  async addAuthorsTo(people: DenseSet, queries: readonly WordQuery[], since_ms: number, pace: Slices): Promise<void> {
    const since = since_ms / 1000;
    const common: CommonQuery[] = [];
    const found = new Map<number, Uint32Array>();
    for (const query of queries) {
      const asked = this.#commonOrAdd(query, found);
      if (asked) common.push(asked);
      if (pace.isOver) await pace.step();
    }
    const posts = new Uint32Array(BLOCK_WORDS);
    for (const [index, block] of this.#blocks.entries()) {
      const few = found.get(index);
      if ((common.length === 0 && !few) || !block.isSince(since)) continue;
      if (few) posts.set(few);
      else posts.fill(0);
      for (const { query, postings, isOrdered } of common) {
        const filter = (list: Uint16Array, length: number) => block.keepHolding(list, length, query);
        this.#crossing.addCommonTo(posts, postings, index, isOrdered ? filter : undefined);
        if (pace.isOver) await pace.step();
      }
      block.addAuthorsTo(people.words, posts, since);
    }
  }

  /** Returns the sets to intersect for a query. If a word is in few posts, these are checked here, and nothing remains. */
  #commonOrAdd({ groups, exactly }: WordQuery, found: Map<number, Uint32Array>): CommonQuery | undefined {
    const numbers = groups.map((group) => group.map((word) => this.#numberOf.get(word)));
    const query: NumberedQuery = {
      groups: numbers.map((group) => group.filter((word) => word !== undefined)),
      exactly,
    };
    const words = new Set(numbers.flat());
    const postings: CompressedSet[] = [];
    for (const word of words) {
      const posts = word === undefined ? [] : (this.#postings[word] ?? []);
      if (Array.isArray(posts)) {
        if (!words.has(undefined)) for (const post of posts) this.#addIfHolds(post, query, found);
        return undefined;
      }
      postings.push(posts);
    }
    return { query, postings, isOrdered: exactly || groups.some(({ length }) => length > 1) };
  }

  #addIfHolds(post: number, query: NumberedQuery, found: Map<number, Uint32Array>): void {
    const index = post >>> BLOCK_BITS;
    const place = post % BLOCK_SIZE;
    if (!this.#blocks[index]?.holds(place, query)) return;
    const bits = found.get(index) ?? new Uint32Array(BLOCK_WORDS);
    found.set(index, bits);
    bits[place >>> 5] = (bits[place >>> 5] ?? 0) | (1 << (place & 31));
  }

  #setThere(post: number, isThere: boolean): void {
    this.#blocks[post >>> BLOCK_BITS]?.setThere(post % BLOCK_SIZE, isThere);
  }

  /** Records that a post, the last of all, contains a word. @returns the number of the word */
  #note(word: string, post: number): number {
    const number = this.#numberOf.get(word);
    if (number === undefined) {
      this.#numberOf.set(word, this.#postings.length);
      return this.#postings.push([post]) - 1;
    }
    const posts = this.#postings[number];
    if (posts instanceof CompressedSet) posts.add(post);
    else if (posts && posts.at(-1) !== post) {
      if (posts.length < FEW_POSTS) posts.push(post);
      else this.#postings[number] = setOf([...posts, post]);
    }
    return number;
  }
}

function setOf(posts: readonly number[]): CompressedSet {
  const set = new CompressedSet();
  for (const post of posts) set.add(post);
  return set;
}

import { wordMarks } from '@broadside/core/resources/audience-estimate';
import type { Slices } from '../pace.ts';
import { BLOCK_BITS, BLOCK_SIZE, BLOCK_WORDS, CompressedSet } from './compressed-set.ts';
import { Crossing } from './crossing.ts';
import type { DenseSet } from './dense-set.ts';
import { IdList } from './id-list.ts';
import { IdTable } from './id-table.ts';
import { markedWord, type NumberedQuery, PostBlock, type PostFilter } from './post-block.ts';
import { WordKinds } from './word-kinds.ts';

/** Indexed properties of a post. */
export interface IndexedPost {
  readonly id: bigint;
  /** The number of the author. */
  readonly author: number;
  readonly created_ms: number;
  readonly words: readonly string[];
  /** The mark of each word: see `wordMarks`. Defaults to words that stand apart. */
  readonly marks?: readonly number[];
  /** A language code. */
  readonly lang?: string;
}

/** A query for posts. */
export interface WordQuery {
  /** Groups of words, all of which a post contains, each group in order. */
  readonly groups: readonly (readonly string[])[];
  /** True where the post contains nothing else. There is one group then. */
  readonly exactly: boolean;
}

/** Posts that contain any of some words, and none of others. */
export interface PostSearch extends PostFilter {
  readonly any: readonly WordQuery[];
  readonly none: readonly WordQuery[];
}

/** Posts of a block, as bits, that a search found. The bits are reused for the next block. */
export interface FoundPosts {
  readonly block: PostBlock;
  /** The number of the first post of the block. */
  readonly first: number;
  readonly posts: Uint32Array;
}

/** The posts that contain a word. Most words are in few posts, for which a list is smaller than a set. */
type Postings = number[] | CompressedSet;
/** Up to this many posts are a list. */
const FEW_POSTS = 32;
/** Languages that have a number of their own; all others share one. */
const MAX_LANGUAGES = 255;

/** A query whose words are each in many posts. */
interface CommonQuery {
  readonly query: NumberedQuery;
  /** The posts that contain each of the words. */
  readonly postings: readonly CompressedSet[];
  /** True where containing the words is not sufficient. */
  readonly isOrdered: boolean;
}

/** Queries in the form in which each block is searched. */
interface Prepared {
  readonly common: readonly CommonQuery[];
  /** The posts that contain a word of few posts, by block. */
  readonly few: ReadonlyMap<number, Uint32Array>;
}

/**
 * The words of posts. An inverted index finds the posts that contain a word; the words of each post are stored as well, so
 * that order and completeness can be checked where required. All keywords of an estimate are searched together, in one block
 * of posts after the other: the sets of the words of a keyword are intersected, and the results of keywords are merged. Only
 * then are authors and times of the posts checked, once for each post regardless of how many keywords find it.
 */
export class PostWords {
  /** The ids of posts by their numbers, where these were asked for. */
  readonly ids: IdList | undefined;
  readonly #ids: IdTable;
  readonly #blocks: PostBlock[] = [];
  readonly #numberOf = new Map<string, number>();
  /** By the number of the word. */
  readonly #postings: Postings[] = [];
  readonly #words: string[] = [];
  readonly #languages = new Map<string, number>();
  /** The same in their order. */
  #codes: readonly string[] = [];
  /** The kinds of its words. */
  readonly kinds: WordKinds = new WordKinds((number) => this.wordOf(number));
  readonly #crossing = new Crossing();

  constructor({ hasIds = false }: { readonly hasIds?: boolean } = {}) {
    const ids = hasIds ? new IdList() : undefined;
    this.ids = ids;
    this.#ids = new IdTable(ids && ((low, high) => ids.push(low, high)));
  }

  /** The number of blocks. */
  get blocks(): number {
    return this.#blocks.length;
  }

  /** Returns a block of posts. */
  block(index: number): PostBlock | undefined {
    return this.#blocks[index];
  }

  /** Returns the word with a number. */
  wordOf(number: number): string {
    return this.#words[number] ?? '';
  }

  /** Returns the number of the language of a post. */
  languageOf(post: number): number {
    return this.#blocks[post >>> BLOCK_BITS]?.languageOf(post % BLOCK_SIZE) ?? 0;
  }

  /** Returns the code of a language by its number. All that share one have none. */
  codeOf(language: number): string {
    this.#codes = this.#codes.length === this.#languages.size ? this.#codes : [...this.#languages.keys()];
    return this.#codes[language] ?? '';
  }

  /** Adds a post, or restores one. */
  add({ id, author, created_ms, words, marks, lang = '' }: IndexedPost): void {
    const known = this.#ids.get(id);
    if (known !== undefined) {
      this.#setThere(known, true);
      return;
    }
    const post = this.#ids.add(id);
    const numbers = words.map((word, at) => markedWord(this.#note(word, post), marks?.[at] ?? wordMarks.apart));
    const block = this.#blocks[post >>> BLOCK_BITS] ?? new PostBlock();
    this.#blocks[post >>> BLOCK_BITS] = block;
    block.add(author, Math.floor(created_ms / 1000), numbers, this.#languageNumberOf(lang));
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
    const prepared = await this.#prepare(queries, pace);
    const posts = new Uint32Array(BLOCK_WORDS);
    for (const [index, block] of this.#blocks.entries()) {
      if (!block.isSince(since) || !(await this.#findIn(index, block, prepared, posts, pace))) continue;
      block.addAuthorsTo(people.words, posts, since);
    }
  }

  /**
   * Finds posts, block by block, the latest added first.
   * @param visit is called with what was found in a block of the period; returns whether to continue
   */
  async search(search: PostSearch, visit: (found: FoundPosts) => boolean, pace: Slices): Promise<void> {
    const any = await this.#prepare(search.any, pace);
    const none = await this.#prepare(search.none, pace);
    const posts = new Uint32Array(BLOCK_WORDS);
    const left = new Uint32Array(BLOCK_WORDS);
    for (let index = this.#blocks.length - 1; index >= 0; index--) {
      const block = this.#blocks[index];
      if (!block?.isWithin(search)) continue;
      if (!(await this.#findIn(index, block, any, posts, pace))) posts.fill(0);
      else if (await this.#findIn(index, block, none, left, pace)) {
        for (let i = 0; i < BLOCK_WORDS; i++) posts[i] = (posts[i] ?? 0) & ~(left[i] ?? 0);
      }
      block.keepPassing(posts, search);
      if (!visit({ block, first: index * BLOCK_SIZE, posts })) return;
      if (pace.isOver) await pace.step();
    }
  }

  /** Returns a test of whether a post matches any of these queries, by its words alone. */
  matcher(queries: readonly WordQuery[]): (block: PostBlock, post: number) => boolean {
    const numbered = queries.flatMap((query) => this.#numbered(query) ?? []);
    return (block, post) => numbered.some((query) => block.holds(post, query));
  }

  async #prepare(queries: readonly WordQuery[], pace: Slices): Promise<Prepared> {
    const common: CommonQuery[] = [];
    const few = new Map<number, Uint32Array>();
    for (const query of queries) {
      const asked = this.#commonOrAdd(query, few);
      if (asked) common.push(asked);
      if (pace.isOver) await pace.step();
    }
    return { common, few };
  }

  /** Sets the bits of the posts of a block that match any query. @returns false, and nothing is set, where none can */
  async #findIn(
    index: number,
    block: PostBlock,
    { common, few }: Prepared,
    posts: Uint32Array,
    pace: Slices,
  ): Promise<boolean> {
    const found = few.get(index);
    if (common.length === 0 && !found) return false;
    if (found) posts.set(found);
    else posts.fill(0);
    for (const { query, postings, isOrdered } of common) {
      const filter = (list: Uint16Array, length: number) => block.keepHolding(list, length, query);
      this.#crossing.addCommonTo(posts, postings, index, isOrdered ? filter : undefined);
      if (pace.isOver) await pace.step();
    }
    return true;
  }

  /** Returns a query by the numbers of its words; `undefined` if one of them is in no post. */
  #numbered({ groups, exactly }: WordQuery): NumberedQuery | undefined {
    const numbers = groups.map((group) => group.flatMap((word) => this.#numberOf.get(word) ?? []));
    const isKnown = numbers.every(({ length }, at) => length === groups[at]?.length);
    return isKnown ? { groups: numbers, exactly } : undefined;
  }

  /** Returns the sets to intersect for a query. If a word is in few posts, these are checked here, and nothing remains. */
  #commonOrAdd(asked: WordQuery, found: Map<number, Uint32Array>): CommonQuery | undefined {
    const query = this.#numbered(asked);
    if (!query) return undefined;
    const postings: CompressedSet[] = [];
    for (const word of new Set(query.groups.flat())) {
      const posts = this.#postings[word] ?? [];
      if (Array.isArray(posts)) {
        for (const post of posts) this.#addIfHolds(post, query, found);
        return undefined;
      }
      postings.push(posts);
    }
    return { query, postings, isOrdered: query.exactly || query.groups.some(({ length }) => length > 1) };
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

  #languageNumberOf(lang: string): number {
    const number = this.#languages.get(lang) ?? this.#languages.size;
    if (number < MAX_LANGUAGES) this.#languages.set(lang, number);
    return Math.min(number, MAX_LANGUAGES);
  }

  /** Records that a post, the last of all, contains a word. @returns the number of the word */
  #note(word: string, post: number): number {
    const number = this.#numberOf.get(word);
    if (number === undefined) {
      this.#numberOf.set(word, this.#postings.length);
      this.#words.push(word);
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

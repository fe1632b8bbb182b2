import type { DenseSet } from './dense-set.ts';
import { IdTable } from './id-table.ts';
import { NumberList } from './number-list.ts';

/** What the index holds of a post. */
export interface IndexedPost {
  readonly id: bigint;
  /** The number of the author. */
  readonly author: number;
  readonly created_ms: number;
  readonly words: readonly string[];
}

/** What is looked for in posts. */
export interface WordQuery {
  /** Groups of words, all of which a post holds, each group in its order. */
  readonly groups: readonly (readonly string[])[];
  /** Whether the post holds nothing else. There is one group then. */
  readonly exactly: boolean;
  /** Posts before this do not count. */
  readonly since_ms: number;
}

const GONE = 0;
const THERE = 1;

/**
 * The words of posts. An inverted index gives the posts that hold a word, in their order; the words of each post stand
 * beside it, so that order and completeness are seen where they are asked for. Looking up begins with the rarest word.
 */
export class PostWords {
  readonly #ids = new IdTable();
  readonly #author = new NumberList();
  /** In seconds since the epoch. */
  readonly #created = new NumberList();
  readonly #state = new NumberList();
  /** Where the words of each post begin. */
  readonly #first = new NumberList();
  readonly #words = new NumberList();
  readonly #numberOf = new Map<string, number>();
  /** The posts that hold a word, by its number. */
  readonly #postings: number[][] = [];

  /** Adds a post, or brings one back. */
  add({ id, author, created_ms, words }: IndexedPost): void {
    const known = this.#ids.get(id);
    if (known !== undefined) {
      this.#state.set(known, THERE);
      return;
    }
    const post = this.#ids.add(id);
    this.#author.push(author);
    this.#created.push(Math.floor(created_ms / 1000));
    this.#state.push(THERE);
    this.#first.push(this.#words.length);
    for (const word of words) {
      const number = this.#numberFor(word);
      this.#words.push(number);
      const posts = this.#postings[number];
      if (posts && posts.at(-1) !== post) posts.push(post);
    }
  }

  /** Takes a post out. */
  delete(id: bigint): void {
    const known = this.#ids.get(id);
    if (known !== undefined) this.#state.set(known, GONE);
  }

  /** Adds the authors of the posts that are found to a set. */
  addAuthorsTo(set: DenseSet, { groups, exactly, since_ms }: WordQuery): void {
    const wanted: number[][] = [];
    let rarest: readonly number[] | undefined;
    for (const group of groups) {
      const numbers: number[] = [];
      for (const word of group) {
        const number = this.#numberOf.get(word);
        const posts = number === undefined ? undefined : this.#postings[number];
        // Nobody wrote it.
        if (number === undefined || !posts) return;
        numbers.push(number);
        if (!rarest || posts.length < rarest.length) rarest = posts;
      }
      wanted.push(numbers);
    }
    const [only = []] = wanted;
    const isOneWord = !exactly && wanted.length === 1 && only.length === 1;
    const since = since_ms / 1000;
    for (const post of rarest ?? []) {
      if (this.#state.at(post) !== THERE || this.#created.at(post) < since) continue;
      if (isOneWord || this.#holds(post, wanted, exactly)) set.add(this.#author.at(post));
    }
  }

  #holds(post: number, wanted: readonly (readonly number[])[], exactly: boolean): boolean {
    const first = this.#first.at(post);
    const end = post + 1 < this.#first.length ? this.#first.at(post + 1) : this.#words.length;
    if (exactly && end - first !== wanted[0]?.length) return false;
    return wanted.every((group) => this.#isWithin(first, end, group));
  }

  #isWithin(first: number, end: number, group: readonly number[]): boolean {
    for (let at = first; at + group.length <= end; at++) {
      let same = 0;
      while (same < group.length && this.#words.at(at + same) === group[same]) same++;
      if (same === group.length) return true;
    }
    return false;
  }

  #numberFor(word: string): number {
    const known = this.#numberOf.get(word);
    if (known !== undefined) return known;
    const number = this.#postings.length;
    this.#numberOf.set(word, number);
    this.#postings.push([]);
    return number;
  }
}

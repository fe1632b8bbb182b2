/**
 * Finds what occurs in some posts far more often than in others. Each word, and each sequence of characters in scripts
 * without spaces, is measured by the logarithm of the likelihood ratio (Dunning 1993): how much less likely its frequency
 * in the posts would be if it were that of the other posts.
 */
import { wordMarks } from '@broadside/core/resources/audience-estimate';
import { MIN_RELATED_AUTHORS, RELATED_KEYWORDS } from '@broadside/core/resources/keyword-insights';
import type { Slices } from '../pace.ts';
import { BLOCK_BITS, BLOCK_SIZE } from './compressed-set.ts';
import type { Keywords } from './keywords.ts';
import type { PostBlock } from './post-block.ts';
import type { ComparedPosts } from './post-sample.ts';
import type { PostWords } from './post-words.ts';
import { wordKinds } from './word-kinds.ts';

/** Words occur this many times as often as in other posts, */
const MIN_LIFT = 3;
/** and chance explains it in fewer than one case of a hundred (chi-squared with one degree of freedom). */
const MIN_RATIO = 6.63;
/** All posts of a person count as this many at most, so that nobody makes a keyword by repeating it. */
const MAX_POSTS_OF_AUTHOR = 3;
/** Characters of a sequence, at most. */
const MAX_SEQUENCE = 8;
/** Weight of other posts in the same languages, beside posts in any. */
const SAME_LANGUAGE_WEIGHT = 0.75;
/** A sequence is left out where a longer one contains it in at least this share of cases, */
const ABSORBED = 0.6;
/** or where it contains one that occurs this many times as often: it is that one and something beside it. */
const DOMINATED = 2;

/** A word, or a sequence of characters that are words each. */
interface Candidate {
  readonly numbers: readonly number[];
  /** The number of characters for which it was looked for: 1 for words, which are not looked for by parts. */
  readonly level: number;
  /** A sequence of characters of a script without spaces. */
  readonly isSequence: boolean;
  /** Weight of the posts in which it occurs, */
  count: number;
  /** and of the other posts, each 0 to 1 and all of them 1. */
  elsewhere: number;
  /** The number of places at which it is all that is written in its script. */
  alone: number;
  authors: number;
  lastAuthor: number;
  lastVisit: number;
  occurrences: number;
  hashtags: number;
  handles: number;
}

/** A related keyword and its measure. */
interface Scored {
  readonly candidate: Candidate;
  readonly text: string;
  readonly score: number;
}

/** Returns the key of a sequence. A collision would add one count to another, and is as good as impossible. */
function extended(key: number, number: number): number {
  let hash = Math.imul(key ^ (number + 0x9e3779b9), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  // Negative, so that it is not the number of a word.
  return -((hash ^ (hash >>> 16)) >>> 0) - 1;
}

/** Returns the key of a sequence of several characters. */
function keyOf([first = 0, ...others]: readonly number[]): number {
  return others.reduce(extended, first);
}

/** Measures what occurs in posts. */
export class RelatedKeywords {
  readonly #words: PostWords;
  readonly #candidates = new Map<number, Candidate>();
  /** Weight of all posts. */
  #total = 0;
  #others = 0;
  /** Of the post that is being counted: distinguishes it from those before. */
  #visit = 0;
  #longest = 1;

  constructor(words: PostWords) {
    this.#words = words;
  }

  /** Counts the words of the posts. */
  async count(posts: Uint32Array, pace: Slices): Promise<void> {
    const { byAuthor, weightOf } = this.#weighed(posts);
    for (const post of byAuthor) this.#total += weightOf(post);
    const add = (level: number) => (post: number) => {
      const { block, place, author } = this.#at(post);
      const weight = weightOf(post);
      this.#visit++;
      if (level === 1) this.#addWords(block, place, author, weight);
      else this.#addSequences(level, block, place, author, weight);
    };
    for (let level = 1; level <= MAX_SEQUENCE; level++) {
      const addPost = add(level);
      for (const post of byAuthor) {
        addPost(post);
        if (pace.isOver) await pace.step();
      }
      let kept = 0;
      for (const [key, { level: of, authors }] of this.#candidates) {
        if (of !== level) continue;
        if (authors < MIN_RELATED_AUTHORS) this.#candidates.delete(key);
        else kept++;
      }
      if (kept === 0) break;
      this.#longest = level;
    }
  }

  /** Counts the same words in other posts. */
  async compare({ posts, any }: ComparedPosts, shares: ReadonlyMap<number, number>, pace: Slices): Promise<void> {
    const [general, same] = [posts.slice(0, any), posts.slice(any)];
    // Of few posts, most are in both lists.
    this.#others = Math.max(general.length, same.length);
    const byLanguage = Map.groupBy(same, (post) => this.#at(post).block.languageOf(post % BLOCK_SIZE));
    const addAll = async (list: readonly number[], weight: number) => {
      for (const post of list) {
        this.#addElsewhere(post, weight / list.length);
        if (pace.isOver) await pace.step();
      }
    };
    await addAll(general, 1 - SAME_LANGUAGE_WEIGHT);
    for (const [language, list] of byLanguage) await addAll(list, SAME_LANGUAGE_WEIGHT * (shares.get(language) ?? 0));
  }

  /**
   * Returns the keywords with the highest measure, highest first.
   * @param asked sequences of words that are no related keywords, neither as a whole nor in parts
   */
  best(asked: Keywords): string[] {
    const without = [...asked.any, ...asked.none].map((words) => ` ${words.join(' ')} `);
    const scored: Scored[] = [];
    for (const candidate of this.#candidates.values()) {
      if (!this.#isKeyword(candidate)) continue;
      const score = this.#score(candidate);
      if (score < MIN_RATIO) continue;
      const words = candidate.numbers.map((number) => this.#words.wordOf(number));
      const within = ` ${words.join(' ')} `;
      if (!without.some((one) => one.includes(within))) scored.push({ candidate, text: words.join(''), score });
    }
    scored.sort((one, other) => other.score - one.score || (one.text < other.text ? -1 : 1));
    return withoutFragments(scored)
      .slice(0, RELATED_KEYWORDS)
      .map(({ candidate: { occurrences, hashtags, handles }, text }) => {
        if (hashtags * 2 > occurrences) return `#${text}`;
        return handles * 2 > occurrences ? `@${text}` : text;
      });
  }

  /** Of the characters of scripts without spaces, only Chinese ones are words on their own, where they stand alone. */
  #isKeyword({ numbers, isSequence, alone }: Candidate): boolean {
    if (!isSequence || numbers.length > 1) return true;
    return this.#words.kinds.of(numbers[0] ?? 0) === wordKinds.han && alone >= MIN_RELATED_AUTHORS;
  }

  #score({ count, elsewhere }: Candidate): number {
    const [total, others] = [this.#total, this.#others];
    if (others === 0 || count / total < MIN_LIFT * elsewhere) return 0;
    const there = elsewhere * others;
    const mean = (count + there) / (total + others);
    const part = (seen: number, expected: number) => (seen <= 0 ? 0 : seen * Math.log(seen / expected));
    return (
      2 *
      (part(count, total * mean) +
        part(total - count, total * (1 - mean)) +
        part(there, others * mean) +
        part(others - there, others * (1 - mean)))
    );
  }

  #at(post: number): { readonly block: PostBlock; readonly place: number; readonly author: number } {
    const block = this.#words.block(post >>> BLOCK_BITS);
    if (!block) throw new TypeError('a post of no block');
    const place = post % BLOCK_SIZE;
    return { block, place, author: block.authorOf(place) };
  }

  #weighed(posts: Uint32Array): {
    readonly byAuthor: readonly number[];
    readonly weightOf: (post: number) => number;
  } {
    const authors = new Map<number, number>();
    const authorOf = new Map<number, number>();
    for (const post of posts) {
      const { author } = this.#at(post);
      authorOf.set(post, author);
      authors.set(author, (authors.get(author) ?? 0) + 1);
    }
    const of = (post: number) => authorOf.get(post) ?? 0;
    // Grouped by author, so that the authors of a word are counted in passing.
    const byAuthor = [...posts].sort((one, other) => of(one) - of(other) || one - other);
    return { byAuthor, weightOf: (post) => Math.min(1, MAX_POSTS_OF_AUTHOR / (authors.get(of(post)) ?? 1)) };
  }

  #addWords(block: PostBlock, place: number, author: number, weight: number): void {
    const end = block.end(place);
    for (let at = block.begin(place); at < end; at++) {
      const number = block.numberAt(at);
      const kind = this.#words.kinds.of(number);
      if (kind === wordKinds.void) continue;
      const to = kind === wordKinds.word ? at + 1 : this.#endOfScript(block, at, end, kind);
      const mark = block.markAt(at);
      if (kind !== wordKinds.katakana) {
        const candidate = this.#note(number, [number], 1, mark, author, weight);
        if (to === at + 1 && !this.#isContinued(block, at, kind)) candidate.alone++;
        continue;
      }
      // Words in katakana are written as a whole.
      const numbers = Array.from({ length: to - at }, (_, i) => block.numberAt(at + i));
      if (numbers.length > 1) this.#note(keyOf(numbers), numbers, 1, mark, author, weight);
      at = to - 1;
    }
  }

  /** Counts sequences of a length whose beginnings were counted: those of scripts without spaces, of one script each. */
  #addSequences(length: number, block: PostBlock, place: number, author: number, weight: number): void {
    const end = block.end(place);
    for (let at = block.begin(place); at + length <= end; at++) {
      const kind = this.#words.kinds.of(block.numberAt(at));
      if (kind !== wordKinds.han && kind !== wordKinds.unspaced) continue;
      let key = block.numberAt(at);
      let shorter = key;
      let reached = 1;
      while (reached < length && this.#continues(block, at + reached, kind)) {
        shorter = key;
        key = extended(key, block.numberAt(at + reached));
        reached++;
      }
      if (reached < length || !this.#candidates.has(shorter)) continue;
      const numbers = Array.from({ length }, (_, i) => block.numberAt(at + i));
      this.#note(key, numbers, length, block.markAt(at), author, weight);
    }
  }

  /** Returns the end of what is written in one script without spaces. */
  #endOfScript(block: PostBlock, at: number, end: number, kind: number): number {
    let to = at + 1;
    while (to < end && this.#continues(block, to, kind)) to++;
    return to;
  }

  #continues(block: PostBlock, at: number, kind: number): boolean {
    return block.markAt(at) === wordMarks.joined && this.#words.kinds.of(block.numberAt(at)) === kind;
  }

  /** Returns whether a character continues what is written in its script. */
  #isContinued(block: PostBlock, at: number, kind: number): boolean {
    return block.markAt(at) === wordMarks.joined && this.#words.kinds.of(block.numberAt(at - 1)) === kind;
  }

  #note(
    key: number,
    numbers: readonly number[],
    level: number,
    mark: number,
    author: number,
    weight: number,
  ): Candidate {
    let candidate = this.#candidates.get(key);
    if (!candidate) {
      candidate = {
        numbers,
        level,
        alone: 0,
        isSequence: this.#words.kinds.of(numbers[0] ?? 0) >= wordKinds.han,
        count: 0,
        elsewhere: 0,
        authors: 0,
        lastAuthor: -1,
        lastVisit: 0,
        occurrences: 0,
        hashtags: 0,
        handles: 0,
      };
      this.#candidates.set(key, candidate);
    }
    candidate.occurrences++;
    if (mark === wordMarks.hashtag) candidate.hashtags++;
    else if (mark === wordMarks.handle) candidate.handles++;
    if (candidate.lastVisit === this.#visit) return candidate;
    candidate.lastVisit = this.#visit;
    candidate.count += weight;
    if (candidate.lastAuthor === author) return candidate;
    candidate.lastAuthor = author;
    candidate.authors++;
    return candidate;
  }

  #addElsewhere(post: number, weight: number): void {
    this.#visit++;
    const { block, place } = this.#at(post);
    const end = block.end(place);
    for (let at = block.begin(place); at < end; at++) {
      const number = block.numberAt(at);
      const kind = this.#words.kinds.of(number);
      if (kind === wordKinds.katakana) {
        const to = this.#endOfScript(block, at, end, kind);
        let key = number;
        for (let next = at + 1; next < to; next++) key = extended(key, block.numberAt(next));
        const word = this.#candidates.get(key);
        if (word) this.#noteElsewhere(word, weight);
        at = to - 1;
        continue;
      }
      const candidate = this.#candidates.get(number);
      if (!candidate) continue;
      this.#noteElsewhere(candidate, weight);
      if (kind < wordKinds.han) continue;
      let key = number;
      for (let length = 1; length < this.#longest && at + length < end; length++) {
        if (!this.#continues(block, at + length, kind)) break;
        key = extended(key, block.numberAt(at + length));
        const sequence = this.#candidates.get(key);
        if (!sequence) break;
        this.#noteElsewhere(sequence, weight);
      }
    }
  }

  #noteElsewhere(candidate: Candidate, weight: number): void {
    if (candidate.lastVisit === this.#visit) return;
    candidate.lastVisit = this.#visit;
    candidate.elsewhere += weight;
  }
}

/** Leaves out sequences that are parts of longer ones, or shorter ones with something beside them. */
function withoutFragments(scored: readonly Scored[]): readonly Scored[] {
  const sequences = scored.filter(({ candidate }) => candidate.isSequence);
  const counts = new Map(sequences.map(({ text, candidate }) => [text, candidate.count]));
  const left = new Set<string>();
  for (const { text, candidate } of sequences) {
    for (const part of partsOf(text)) {
      const count = counts.get(part);
      if (count === undefined) continue;
      if (candidate.count >= ABSORBED * count) left.add(part);
      else if (count >= DOMINATED * candidate.count) left.add(text);
    }
  }
  return scored.filter(({ text, candidate }) => !candidate.isSequence || !left.has(text));
}

/** Returns what stands in a text beside itself. */
function partsOf(text: string): string[] {
  const characters = [...text];
  const parts: string[] = [];
  for (let from = 0; from < characters.length; from++) {
    for (let to = from + 1; to <= characters.length; to++) {
      if (to - from < characters.length) parts.push(characters.slice(from, to).join(''));
    }
  }
  return parts;
}

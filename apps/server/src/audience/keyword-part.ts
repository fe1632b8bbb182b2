/** What a process that shares the people of a platform answers about keywords in the posts of those of some ranges. See ADR 0033. */
import type { Units } from '@broadside/core/resources/keyword-insights';
import type { Database } from '../db/database.ts';
import { Pace } from '../pace.ts';
import type { AudienceStore, Built } from './audience-store.ts';
import { forEachBit } from './bits.ts';
import { BLOCK_BITS, BLOCK_SIZE } from './compressed-set.ts';
import type { IdList } from './id-list.ts';
import type { InsightsQuery } from './keyword-insights.ts';
import { searchOf } from './keyword-search.ts';
import { keywordsOf } from './keywords.ts';
import type { PostFilter } from './post-block.ts';
import { PostHistory } from './post-history.ts';
import { type LanguageLevels, LEVELS, type LevelCounts, LevelTable, levelOf, withoutEnd } from './post-levels.ts';
import type { PostSearch, PostWords } from './post-words.ts';
import type { Ranges } from './ranges.ts';

/** A search of the posts of some people. */
export interface KeywordsAsked extends Omit<InsightsQuery, 'to_ms' | 'units'> {
  readonly ranges: Ranges;
  /** `null` for all posts since then that the index has. */
  readonly to_ms: number | null;
}

/** And how much of it is counted. */
export interface VolumeAsked extends KeywordsAsked {
  /** Units of time, from the beginning of the period. */
  readonly units: Units;
  /** Other posts are looked at level by level, from the highest, until there were more of them than this. */
  readonly looks: number;
}

/** The posts of a search, and how many there are on which level: see `post-levels.ts`. */
export interface KeywordVolume {
  /** In each unit. */
  readonly volume: readonly number[];
  readonly found: LanguageLevels;
  /** Posts of the period that are looked at for posts to compare with, */
  readonly looked: LevelCounts;
  /** and those of them that can be compared with. */
  readonly others: LanguageLevels;
}

/** Asks for samples. */
export interface SampleAsked extends KeywordsAsked {
  /** The lowest levels of the posts that are wanted: of those with the keywords, */
  readonly found: number;
  /** of others in any language, */
  readonly any: number;
  /** and of others in each of these. */
  readonly same: readonly (readonly [lang: string, level: number])[];
}

/** A post of a sample. */
export interface SampledPost {
  readonly id: string;
  readonly author_id: string;
  readonly lang: string;
  readonly level: number;
  readonly words: readonly string[];
  readonly marks: readonly number[];
}

/** The posts of a sample, in any order. */
export interface KeywordSample {
  readonly found: readonly SampledPost[];
  readonly others: readonly SampledPost[];
}

interface Services {
  readonly audience: Pick<AudienceStore, 'prepareFor'>;
  readonly database: Database;
}

/** Posts in which is searched. */
interface Searching {
  readonly built: Built;
  readonly words: PostWords;
  /** The ids of the posts by their numbers. */
  readonly ids: IdList;
  readonly search: PostSearch;
  readonly pace: Pace;
}

export class KeywordPart {
  readonly #audience: Services['audience'];
  readonly #history: PostHistory;

  constructor({ audience, database }: Services) {
    this.#audience = audience;
    this.#history = new PostHistory(database);
  }

  /** Counts posts. @throws OtherRangesError */
  async volume(asked: VolumeAsked): Promise<KeywordVolume> {
    const searching = await this.#begin(asked);
    const { words, ids, search, pace, built } = searching;
    const volume = new Float64Array(asked.units.count);
    const found = new LevelTable();
    await words.search(
      search,
      ({ block, first, posts }) => {
        block.addVolumeTo(volume, posts, search.from, asked.units.length_ms / 1000);
        forEachBit(posts, (place) => found.add(block.languageOf(place), levelOf(ids, first + place)));
        return true;
      },
      pace,
    );
    const everywhere = built.index.publicPeople(undefined, asked.ranges).words;
    const looked = await lookedAt(searching, { ...search, authors: everywhere }, asked.looks);
    const others = await this.#othersAmong(searching, looked.posts);
    const nameOf = (language: number) => words.codeOf(language);
    return { volume: [...volume], found: found.named(nameOf), looked: looked.counts, others: others.named(nameOf) };
  }

  /** Reads samples. @throws OtherRangesError */
  async sample(asked: SampleAsked): Promise<KeywordSample> {
    const searching = await this.#begin(asked);
    const { words, ids, search, pace } = searching;
    const found: SampledPost[] = [];
    const others: SampledPost[] = [];
    await words.search(
      search,
      ({ first, posts }) => {
        forEachBit(posts, (place) => {
          const level = levelOf(ids, first + place);
          if (level >= asked.found) found.push(postOf(searching, first + place, level));
        });
        return true;
      },
      pace,
    );
    const same = new Map(asked.same);
    const isOther = otherIn(searching);
    const lowest = Math.min(asked.any, ...same.values());
    await forEachFrom(searching, search, lowest, (post, level) => {
      const lang = words.codeOf(words.languageOf(post));
      const isWanted = level >= asked.any || level >= (same.get(lang) ?? Number.POSITIVE_INFINITY);
      if (isWanted && isOther(post)) others.push(postOf(searching, post, level));
    });
    return { found, others };
  }

  async #begin({ ranges, location, from_ms, to_ms, ...asked }: KeywordsAsked): Promise<Searching> {
    const pace = new Pace();
    const built = await this.#audience.prepareFor(ranges);
    const isHeld = to_ms === null || from_ms >= built.since_ms;
    const words = isHeld ? built.index.posts : await this.#history.wordsBetween(built, from_ms, to_ms, pace);
    const { ids } = words;
    if (!ids) throw new TypeError('these posts have no ids');
    const authors = built.index.publicPeople(location, ranges).words;
    const search = searchOf({ from_ms, to_ms: to_ms ?? Number.POSITIVE_INFINITY, authors }, keywordsOf(asked));
    return { built, words, ids, search, pace };
  }

  async #othersAmong(searching: Searching, posts: readonly number[]): Promise<LevelTable> {
    const { words, ids, pace } = searching;
    const others = new LevelTable();
    const isOther = otherIn(searching);
    for (const post of posts) {
      if (!isOther(post)) continue;
      others.add(words.languageOf(post), levelOf(ids, post));
      if (pace.isOver) await pace.step();
    }
    return others;
  }
}

/** Returns what tells whether posts with the keywords are compared with a post. */
function otherIn({ words, search }: Searching): (post: number) => boolean {
  const isExcluded = words.matcher(search.any);
  return (post) => {
    const block = words.block(post >>> BLOCK_BITS);
    const place = post % BLOCK_SIZE;
    return block?.passes(place, search) === true && !isExcluded(block, place);
  };
}

/** Where there were too few posts, as many more levels are read. */
const STEP = 3;

/** Selects the posts of the highest levels, more than so many if there are. */
async function lookedAt(
  searching: Searching,
  filter: PostFilter,
  looks: number,
): Promise<{ readonly posts: readonly number[]; readonly counts: LevelCounts }> {
  const { words } = searching;
  let lowest = Math.max(0, Math.floor(Math.log2((words.blocks * BLOCK_SIZE) / looks)));
  for (;;) {
    const byLevel = Array.from({ length: LEVELS }, (): number[] => []);
    await forEachFrom(searching, filter, lowest, (post, level) => byLevel[level]?.push(post));
    const counts = Uint32Array.from(byLevel, ({ length }) => length);
    let all = 0;
    let level = LEVELS;
    while (level > lowest && all <= looks) all += counts[--level] ?? 0;
    if (all > looks || lowest === 0) {
      return { posts: byLevel.slice(level).flat(), counts: withoutEnd(counts.fill(0, 0, level)) };
    }
    lowest = Math.max(0, lowest - STEP);
  }
}

/** Visits the posts of a period from a level on. */
async function forEachFrom(
  { words, ids, pace }: Searching,
  filter: PostFilter,
  lowest: number,
  visit: (post: number, level: number) => unknown,
): Promise<void> {
  for (let index = 0; index < words.blocks; index++) {
    const block = words.block(index);
    if (!block?.isWithin(filter)) continue;
    for (let place = 0; place < block.length; place++) {
      const level = levelOf(ids, index * BLOCK_SIZE + place);
      if (level >= lowest && block.passes(place, filter)) visit(index * BLOCK_SIZE + place, level);
    }
    if (pace.isOver) await pace.step();
  }
}

function postOf({ words, ids, built }: Searching, post: number, level: number): SampledPost {
  const block = words.block(post >>> BLOCK_BITS);
  if (!block) throw new TypeError('a post of no block');
  const place = post % BLOCK_SIZE;
  const places = Array.from({ length: block.end(place) - block.begin(place) }, (_, i) => block.begin(place) + i);
  return {
    id: ids.idOf(post),
    author_id: built.index.personIds?.idOf(block.authorOf(place)) ?? '',
    lang: words.codeOf(block.languageOf(place)),
    level,
    words: places.map((at) => words.wordOf(block.numberAt(at))),
    marks: places.map((at) => block.markAt(at)),
  };
}

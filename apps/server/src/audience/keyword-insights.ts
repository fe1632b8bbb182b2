/** Answers keyword insights from the index, and for windows of past years from rows. */
import { type KeywordInsights, RELATED_KEYWORDS, type Units } from '@broadside/core/resources/keyword-insights';
import type { Database } from '../db/database.ts';
import { Pace } from '../pace.ts';
import type { Clock } from '../world/clock.ts';
import { POST_WINDOW_MS } from './audience-index.ts';
import type { AudienceStore, Built } from './audience-store.ts';
import { type Searched, searchRelated, searchWindow } from './keyword-search.ts';
import { type AskedKeywords, keywordsOf } from './keywords.ts';
import { PostHistory } from './post-history.ts';
import type { PostWords } from './post-words.ts';

/** A question for keyword insights. */
export interface InsightsQuery extends AskedKeywords {
  readonly from_ms: number;
  readonly to_ms: number;
  /** The units of the window. */
  readonly units: Units;
  /** The targeting value of a country. */
  readonly location: string | undefined;
}

interface Services {
  readonly audience: Pick<AudienceStore, 'prepare'>;
  readonly database: Database;
  readonly clock: Clock;
  /** Who searches in place of this process. */
  readonly elsewhere?: Pick<KeywordInsightsStore, 'search'> | undefined;
}

export class KeywordInsightsStore {
  readonly #elsewhere: Services['elsewhere'];
  readonly #audience: Services['audience'];
  readonly #clock: Clock;
  readonly #history: PostHistory;

  constructor({ audience, database, clock, elsewhere }: Services) {
    this.#elsewhere = elsewhere;
    this.#audience = audience;
    this.#clock = clock;
    this.#history = new PostHistory(database);
  }

  /** Searches the posts of the platform, with everything that was committed before the call. */
  async search(asked: InsightsQuery): Promise<KeywordInsights> {
    if (this.#elsewhere) return this.#elsewhere.search(asked);
    const { from_ms, to_ms, units, location } = asked;
    const pace = new Pace();
    const keywords = keywordsOf(asked);
    const built = await this.#audience.prepare();
    const words = await this.#wordsOf(built, from_ms, to_ms, pace);
    const people = built.index.publicPeople(location);
    if (people.count === 0) return { post_volume: Array.from({ length: units.count }, () => 0), related_keywords: [] };
    const authors = people.words;
    const window: Searched = { words, from_ms, to_ms, authors };
    const { post_volume, related } = await searchWindow(window, keywords, units, pace);
    if (related.length >= RELATED_KEYWORDS) return { post_volume, related_keywords: related };
    const since_ms = this.#clock.now() - POST_WINDOW_MS;
    const year: Searched = { words: built.index.posts, from_ms: since_ms, to_ms: Number.POSITIVE_INFINITY, authors };
    const further = await searchRelated(year, keywords, pace);
    const related_keywords = [...new Set([...related, ...further])].slice(0, RELATED_KEYWORDS);
    return { post_volume, related_keywords };
  }

  async #wordsOf(built: Built, from_ms: number, to_ms: number, pace: Pace): Promise<PostWords> {
    return from_ms >= built.since_ms ? built.index.posts : this.#history.wordsBetween(built, from_ms, to_ms, pace);
  }
}

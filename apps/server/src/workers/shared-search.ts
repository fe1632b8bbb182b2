/** Searches the posts of people that several workers share by ranges, for keyword insights. See ADR 0033. */
import { type KeywordInsights, RELATED_KEYWORDS, type Units } from '@broadside/core/resources/keyword-insights';
import { POST_WINDOW_MS } from '../audience/audience-index.ts';
import type { InsightsQuery } from '../audience/keyword-insights.ts';
import type { KeywordsAsked, KeywordVolume } from '../audience/keyword-part.ts';
import { MAX_FURTHER, MAX_READ } from '../audience/keyword-search.ts';
import { levelFor, postsFrom, sumOfLanguages, sumOfLevels } from '../audience/post-levels.ts';
import { LEAST, MAX_LOOKS, othersFor } from '../audience/post-sample.ts';
import { relatedInSample } from '../audience/related-in-sample.ts';
import type { Clock } from '../world/clock.ts';
import { type Asking, askShared, type FindHolders } from './ask-shared.ts';

/** Numbers of posts. */
export interface SampleLimits {
  /** With the keywords, of which the words are counted: of the window, and of the year. */
  readonly read: number;
  readonly further: number;
  /** That are looked at for others to compare with. */
  readonly looks: number;
  /** That are compared with, whatever there is to compare. */
  readonly least: number;
}

const LIMITS: SampleLimits = { read: MAX_READ, further: MAX_FURTHER, looks: MAX_LOOKS, least: LEAST };

interface Services {
  readonly holders: FindHolders;
  readonly clock: Clock;
  readonly limits?: SampleLimits;
}

/** A period, and what is searched in it. */
type Asked = Omit<KeywordsAsked, 'ranges'>;

export class SharedSearch {
  readonly #services: Services;
  readonly #limits: SampleLimits;

  constructor(services: Services) {
    this.#services = services;
    this.#limits = services.limits ?? LIMITS;
  }

  /** Searches posts, with everything that was committed before the call. @throws ElsewhereError where a range is answered for by nobody */
  search(query: InsightsQuery): Promise<KeywordInsights> {
    const { read, further } = this.#limits;
    return askShared(this.#services.holders, async (asking) => {
      const { alone, until } = asking;
      if (alone?.whole) return alone.whole.search(until, query);
      const { units, ...asked } = query;
      const { post_volume, related } = await this.#searchPeriod(asking, asked, units, read);
      if (related.length >= RELATED_KEYWORDS) return { post_volume, related_keywords: related };
      const from_ms = this.#services.clock.now() - POST_WINDOW_MS;
      const year = await this.#searchPeriod(asking, { ...asked, from_ms, to_ms: null }, NO_UNITS, further);
      const related_keywords = [...new Set([...related, ...year.related])].slice(0, RELATED_KEYWORDS);
      return { post_volume, related_keywords };
    });
  }

  /** @param most posts whose words are counted */
  async #searchPeriod(
    asking: Asking,
    asked: Asked,
    units: Units,
    most: number,
  ): Promise<{ readonly post_volume: number[]; readonly related: string[] }> {
    const { looks } = this.#limits;
    const parts = await asking.all((one, ranges) => one.volume({ ...asked, ranges, units, looks }));
    const post_volume = Array.from({ length: units.count }, (_, unit) =>
      sumOf(parts, (part) => part.volume[unit] ?? 0),
    );
    const levels = this.#levelsOf(parts, most);
    if (!levels) return { post_volume, related: [] };
    const { found, any, same } = levels;
    const samples = await asking.all((one, ranges) => one.sample({ ...asked, ranges, found, any, same: [...same] }));
    const gathered = {
      found: samples.flatMap((one) => one.found),
      others: samples.flatMap((one) => one.others),
      any,
      same,
    };
    return { post_volume, related: await relatedInSample(gathered, asked) };
  }

  /** Returns the lowest levels of the posts to read. @returns `undefined` where none was found */
  #levelsOf(parts: readonly KeywordVolume[], most: number) {
    const foundIn = sumOfLanguages(parts.map((part) => part.found));
    const all = sumOfLevels([...foundIn.values()]);
    const found = levelFor(all, most);
    const compared = postsFrom(all, found);
    if (compared === 0) return undefined;
    const looked = levelFor(sumOfLevels(parts.map((part) => part.looked)), this.#limits.looks);
    const others = sumOfLanguages(parts.map((part) => part.others));
    const wanted = othersFor(compared, this.#limits.least);
    const any = levelFor(sumOfLevels([...others.values()]), wanted.any, looked);
    const same = new Map<string, number>();
    for (const [lang, counts] of foundIn) {
      const share = postsFrom(counts, found) / compared;
      if (share === 0) continue;
      same.set(lang, levelFor(others.get(lang) ?? [], Math.ceil(share * wanted.same), looked));
    }
    return { found, any, same };
  }
}

/** Of a search whose volume nobody asks for. */
const NO_UNITS: Units = { count: 0, length_ms: 1 };

function sumOf<One>(list: readonly One[], numberOf: (one: One) => number): number {
  return list.reduce((sum, one) => sum + numberOf(one), 0);
}

/** Related keywords over generated posts, whose subjects are known. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { markedWordsOf } from '@broadside/core/resources/audience-estimate';
import { beforeAll, describe, expect, test } from 'vitest';
import { generate } from '../seed/generate.ts';
import { subjects } from '../seed/subjects.ts';
import { openSeedPlatform } from '../seed/testing/platform.ts';
import { ManualClock } from '../world/clock.ts';
import { AudienceStore } from './audience-store.ts';
import { KeywordInsightsStore } from './keyword-insights.ts';

const UNTIL = Date.UTC(2026, 10, 1);
const DAY_MS = 86_400_000;

describe('related keywords of a subject', () => {
  let insights: KeywordInsightsStore;

  beforeAll(async () => {
    const directory = mkdtempSync(path.join(tmpdir(), 'broadside-related-'));
    const { database, seeds } = await openSeedPlatform(directory);
    await generate(seeds, { seed: 'related', users: 2000, posts: 40_000, until_ms: UNTIL });
    const clock = new ManualClock(UNTIL);
    const audience = new AudienceStore({ database, clock, key: 'k' });
    insights = new KeywordInsightsStore({ audience, database, clock });
    return async () => {
      await audience.close();
      await database.close();
      rmSync(directory, { recursive: true, force: true });
    };
  });

  const folded = (word: string) => markedWordsOf(word).words.join('');
  const all = Object.entries(subjects).flatMap(([language, list]) =>
    list.map(({ name }, place) => ({
      language,
      name,
      // Some languages have a name in common.
      words: Object.values(subjects).flatMap((others) =>
        folded(others[place]?.name ?? '') === folded(name) ? (others[place]?.words ?? []) : [],
      ),
    })),
  );

  test.each(all)('in $language: $name', async ({ name, words }) => {
    const { related_keywords } = await insights.search({
      keywords: [name],
      negative_keywords: [],
      from_ms: UNTIL - 7 * DAY_MS,
      to_ms: UNTIL,
      units: { count: 7, length_ms: DAY_MS },
      location: undefined,
    });
    const known = new Set(words.map(folded));
    const right = related_keywords.filter((word) => known.has(folded(word)));
    expect(related_keywords).toHaveLength(30);
    expect(right.length, related_keywords.join()).toBeGreaterThanOrEqual(24);
  });
});

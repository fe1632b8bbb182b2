import * as z from 'zod';
import { object } from '../../wire/object.ts';
import { int, oneOf, text } from '../../wire/types.ts';
import { RELATED_KEYWORDS } from './limits.ts';

/** The units of a window (specification B, Keyword insights). */
export const granularities = ['DAY', 'HOUR'] as const;

/** The unit of a window for which each number of posts stands. */
export type Granularity = (typeof granularities)[number];

/** A unit of a window. */
export const GranularityWord = oneOf(granularities);

/** The words that people write with some keywords, and how often (specification B, Keyword insights). */
export const KeywordInsights = object(() => ({
  post_volume: z
    .array(int({ min: 0 }))
    .describe(
      'The number of posts in each unit of the window, oldest first: posts that contain one of the keywords and none of the negative ones. A remainder of the window that is no whole unit has no number.',
    ),
  related_keywords: z
    .array(text())
    .describe(
      `Up to ${RELATED_KEYWORDS} words, hashtags and handles that occur far more often in these posts than in others, the most characteristic first. There are fewer only where posts have no more.`,
    ),
}));
export type KeywordInsights = z.output<typeof KeywordInsights>;

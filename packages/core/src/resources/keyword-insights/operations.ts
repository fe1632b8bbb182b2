import { defineLookup } from '../../operation/define.ts';
import { object } from '../../wire/object.ts';
import { list, text, time } from '../../wire/types.ts';
import { GranularityWord, KeywordInsights } from './entity.ts';
import { MAX_KEYWORDS, MAX_WINDOW_DAYS, MIN_RELATED_AUTHORS } from './limits.ts';

const keywords = list(text(), { max: MAX_KEYWORDS });

export const operations = {
  search: defineLookup('keyword_insights.search', '/12/insights/keywords/search', {
    summary: 'See how often keywords are written, and what is written with them',
    description: [
      'Counts the posts of a window of time that contain one of the keywords and none of the negative ones, and finds words that occur with the keywords far more often than elsewhere.',
      'A keyword of several words is found where they stand in this order. Case, punctuation, # and @ make no difference. Posts that count are there, are no reposts, are not promoted only, and their authors are not protected.',
      `A related keyword was written by ${MIN_RELATED_AUTHORS} people or more. Where the posts of the window have fewer than asked for, those of the last 365 days are read as well.`,
    ].join(' '),
    rateLimit: 'ads.keyword_insights',
    envelope: 'entity',
    params: object(() => ({
      granularity: GranularityWord.describe('The unit of the numbers of posts.'),
      keywords: keywords.describe(
        `Posts contain one of them. Up to ${MAX_KEYWORDS}, together with \`negative_keywords\`.`,
      ),
      start_time: time().describe('The start of the window.'),
      end_time: time()
        .optional()
        .describe(`The end of the window, up to ${MAX_WINDOW_DAYS} days after its start; now when left out.`),
      location: text()
        .optional()
        .describe(
          'Only posts by people of this country: a `targeting_value` of targeting_criteria/locations. All countries when left out.',
        ),
      negative_keywords: keywords.optional().describe('Posts contain none of them.'),
    })),
    data: KeywordInsights,
    errors: ['INVALID_TIME_WINDOW'],
    example: {
      params: {
        granularity: 'DAY',
        keywords: ['rain garden', 'umbrella'],
        start_time: '2026-01-12T00:00:00Z',
        end_time: '2026-01-14T00:00:00Z',
        location: '96683cc9126741d1',
      },
      data: { post_volume: [1204, 987], related_keywords: ['#raingarden', 'gutter', 'drizzle'] },
    },
  }),
};

export const position = 240;

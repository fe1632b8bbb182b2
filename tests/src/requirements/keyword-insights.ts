/** Specification B, keyword insights. */
import type { OperationRows } from '../support/operation-row.ts';
import { type Requirements, typed, wire } from '../support/requirement.ts';

export const requirements: Requirements = {
  'B-INSIGHTS-ENVELOPE': {
    clause: 'R audiences 1, envelope; R conventions 1, irregular envelopes',
    text: 'insights answer with request and a data object of post_volume and related_keywords, without a cursor',
    on: wire,
  },
  'B-INSIGHTS-VOLUME': {
    clause: 'B Keyword insights, granularity; R audiences 1, data.post_volume',
    text: 'post_volume has one number of posts for each DAY or HOUR between start and end, oldest first',
    on: 'every adapter',
  },
  'B-INSIGHTS-UNITS': {
    clause: 'R audiences 1, buckets',
    text: 'there are as many numbers as whole units between start and end; one day with DAY gives one',
    on: 'every adapter',
  },
  'B-INSIGHTS-POSTS': {
    clause: '12 Keyword insights',
    text: 'reposts, promoted-only posts, deleted posts and those of protected people are not counted',
    on: 'every adapter',
  },
  'B-INSIGHTS-KEYWORDS': {
    clause: 'B Keyword insights, keywords; 12 Keyword insights',
    text: 'keywords are alternatives: words, phrases in their order, hashtags and handles, in any script',
    on: 'every adapter',
  },
  'B-INSIGHTS-NEGATIVE': {
    clause: 'B Keyword insights, negative_keywords',
    text: 'posts that contain any of the negative keywords are not counted',
    on: 'every adapter',
  },
  'B-INSIGHTS-LIMIT': {
    clause: 'B Keyword insights, keywords and negative_keywords; R audiences 1',
    text: 'more than 10 keywords, the negative ones among them, are an INVALID_PARAMETER',
    on: typed,
  },
  'B-INSIGHTS-WORDLESS': {
    clause: 'B Keyword insights, keywords',
    text: 'a keyword without a word is refused',
    on: 'every adapter',
  },
  'B-INSIGHTS-END': {
    clause: 'B Keyword insights, end_time',
    text: 'the window ends now when end_time is left out',
    on: 'every adapter',
  },
  'B-INSIGHTS-WINDOW': {
    clause: 'B Keyword insights, end_time; R audiences 1, range above 7 days',
    text: 'a window of more than seven days, or one that does not end after its start, is an INVALID_TIME_WINDOW',
    on: 'every adapter',
  },
  'B-INSIGHTS-REQUIRED': {
    clause: 'B Keyword insights, required parameters',
    text: 'granularity, keywords and start_time are required, and granularity is DAY or HOUR',
    on: typed,
  },
  'B-INSIGHTS-LOCATION': {
    clause: 'B Keyword insights, location',
    text: 'with a location, only posts by people of that country count; without one, those of all countries',
    on: 'every adapter',
  },
  'B-INSIGHTS-COUNTRY': {
    clause: 'B Keyword insights, location; R audiences 1, location below country level',
    text: 'a location that is no country, or nothing that can be targeted, is a 400',
    on: 'every adapter',
  },
  'B-INSIGHTS-ECHO': {
    clause: 'R audiences 1, echo; R conventions 2, irregular echo',
    text: 'the echo has keywords and negative keywords as arrays, and the times normalized',
    on: wire,
  },
  'B-INSIGHTS-RELATED': {
    clause: 'B Keyword insights; R audiences 1, data.related_keywords',
    text: '30 related keywords are those that occur with the input far more often than elsewhere',
    on: 'every adapter',
  },
  'B-INSIGHTS-UNRELATED': {
    clause: '12 Keyword insights',
    text: 'stop words, the input, negative words, and words of fewer than three people are not related',
    on: 'every adapter',
  },
  'B-INSIGHTS-PAST': {
    clause: '12 Keyword insights',
    text: 'windows of past years are answered as exactly as recent ones',
    on: 'every adapter',
  },
  'B-INSIGHTS-FRESH': {
    clause: '12 Keyword insights',
    text: 'insights count the posts as they are when they are asked for',
    on: 'every adapter',
  },
};

export const operations: OperationRows = {
  'keyword_insights.search': {
    route: 'GET /12/insights/keywords/search',
    required: 'granularity keywords start_time',
    optional: 'end_time location negative_keywords',
  },
};

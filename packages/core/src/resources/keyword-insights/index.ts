export { type Granularity, granularities, KeywordInsights } from './entity.ts';
export { MAX_KEYWORDS, MAX_WINDOW_DAYS, MIN_RELATED_AUTHORS, RELATED_KEYWORDS } from './limits.ts';
export { checkKeywordQuery, type KeywordIssue, type KeywordQuery, type Units, unitsOf } from './rules.ts';

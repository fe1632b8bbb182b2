/** Rules on the parameters of keyword insights, and the units of their windows (specification B, Keyword insights). */
import { locations } from '../../data/targeting/locations.ts';
import { type Issue, invalidParameter } from '../../wire/issues.ts';
import { timestampMs } from '../../wire/timestamp.ts';
import { wordsOf } from '../audience-estimate/words.ts';
import type { Granularity } from './entity.ts';
import { MAX_KEYWORDS, MAX_WINDOW_DAYS } from './limits.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The length of each unit. */
const unitMs: Readonly<Record<Granularity, number>> = { DAY: DAY_MS, HOUR: HOUR_MS };

/** Parameters that the rules examine. Times are canonical. */
export interface KeywordQuery {
  readonly keywords: readonly string[];
  readonly negative_keywords?: readonly string[] | undefined;
  readonly start_time: string;
  readonly end_time: string;
  readonly location?: string | undefined;
}

/** An issue of the parameters of keyword insights. */
export type KeywordIssue = Issue<'INVALID_PARAMETER' | 'INVALID_TIME_WINDOW'>;

/** Checks keywords, window and location. */
export function checkKeywordQuery(query: KeywordQuery): KeywordIssue[] {
  return [...checkKeywords(query), ...checkWindow(query), ...checkLocation(query)];
}

function checkKeywords({ keywords, negative_keywords = [] }: KeywordQuery): KeywordIssue[] {
  const issues: KeywordIssue[] = [];
  const count = keywords.length + negative_keywords.length;
  if (count > MAX_KEYWORDS) {
    const message = `Expected up to ${MAX_KEYWORDS} values of keywords and negative_keywords together, got ${count}`;
    issues.push(invalidParameter('keywords', keywords, message));
  }
  for (const [parameter, list] of Object.entries({ keywords, negative_keywords })) {
    // Our choice, as for targeting: a keyword without words would never match, and the caller would not learn why.
    const empty = list.find((keyword) => wordsOf(keyword).length === 0);
    if (empty === undefined) continue;
    issues.push(
      invalidParameter(parameter, empty, `Expected keywords that hold a word, got "${empty}" for ${parameter}`),
    );
  }
  return issues;
}

function checkWindow({ start_time, end_time }: KeywordQuery): KeywordIssue[] {
  const length_ms = timestampMs(end_time) - timestampMs(start_time);
  const issue = (expected: string): KeywordIssue => ({
    error: 'INVALID_TIME_WINDOW',
    parameter: 'end_time',
    value: end_time,
    message: `Expected ${expected}, got "${end_time}" for end_time`,
  });
  if (length_ms <= 0) return [issue(`a time after start_time (${start_time})`)];
  if (length_ms <= MAX_WINDOW_DAYS * DAY_MS) return [];
  return [issue(`a time up to ${MAX_WINDOW_DAYS} days after start_time (${start_time})`)];
}

function checkLocation({ location }: KeywordQuery): KeywordIssue[] {
  if (location === undefined || locations.find(location)?.location_type === 'COUNTRIES') return [];
  const expected = 'the targeting_value of a country (GET targeting_criteria/locations with location_type COUNTRIES)';
  return [invalidParameter('location', location, `Expected ${expected}, got "${location}" for location`)];
}

/** Units of a window, which begin at its start. */
export interface Units {
  /** The number of whole units in the window. */
  readonly count: number;
  /** The length of one, in milliseconds. */
  readonly length_ms: number;
}

/** Returns the whole units of a window (reference, audiences section 1). Our reading: they are counted from its start. */
export function unitsOf(granularity: Granularity, start_time: string, end_time: string): Units {
  const length_ms = unitMs[granularity];
  return { count: Math.floor((timestampMs(end_time) - timestampMs(start_time)) / length_ms), length_ms };
}

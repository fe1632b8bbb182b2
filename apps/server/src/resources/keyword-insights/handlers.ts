import { type Contract, timestampMs } from '@broadside/core';
import { checkKeywordQuery, unitsOf } from '@broadside/core/resources/keyword-insights';
import type { HandlersOf } from '../../pipeline/context.ts';
import { inMainThread } from '../../pipeline/main-thread.ts';

export const handlers: HandlersOf<Contract['keyword_insights']> = {
  search: inMainThread(async ({ world, ads, reject }, params) => {
    const { granularity, keywords, negative_keywords = [], start_time, end_time = ads.now(), location } = params;
    reject.check(checkKeywordQuery({ keywords, negative_keywords, start_time, end_time, location }));
    return world.insights.search({
      keywords,
      negative_keywords,
      from_ms: timestampMs(start_time),
      to_ms: timestampMs(end_time),
      units: unitsOf(granularity, start_time, end_time),
      location,
    });
  }),
};

/** Pages and cursors of lookups: conventions sections 1 and 9. */
import { expect } from 'vitest';
import { scenarios } from '../../support/scenario.ts';
import { type LookupId, type Row, rows } from './samples.ts';

const scenario = scenarios();

scenario('T-LOOKUP-BOUNDS', async (stage) => {
  const wrong: readonly (readonly [LookupId, Row, parameter: string])[] = [
    ['targeting_options.interests', { count: 1001 }, 'count'],
    ['targeting_options.interests', { count: 0 }, 'count'],
    ['targeting_options.tv_shows', { locale: 'en-US', count: 51 }, 'count'],
    ['targeting_options.tv_shows', {}, 'locale'],
    ['targeting_options.tv_shows', { locale: 'de-US' }, 'locale'],
    ['targeting_options.events', {}, 'event_types'],
    ['targeting_options.events', { event_types: ['PARTY'] }, 'event_types'],
    ['targeting_options.conversations', { conversation_type: 'GOSSIP' }, 'conversation_type'],
    ['targeting_options.locations', { location_type: 'CITY' }, 'location_type'],
    ['targeting_options.locations', { country_code: 'us' }, 'country_code'],
    ['targeting_options.app_store_categories', { os_type: 'iOS' }, 'os_type'],
  ];
  for (const [id, params, parameter] of wrong) {
    const errors = await stage.rejected(id, params);
    expect(errors, `${id} ${parameter}`).toEqual([expect.objectContaining({ parameter })]);
  }
});

scenario('T-LOOKUP-PAGES', async (stage) => {
  const walks: readonly (readonly [LookupId, Row])[] = [
    ['targeting_options.conversations', { count: 37 }],
    ['targeting_options.events', { event_types: ['HOLIDAY', 'SPORTS'], start_time: '2025-01-01', count: 50 }],
    ['targeting_options.interests', { count: 100, q: 'a' }],
    ['targeting_options.languages', { count: 61 }],
    ['targeting_options.locations', { location_type: 'CITIES', count: 40 }],
    ['targeting_options.network_operators', { count: 3 }],
    ['targeting_options.tv_shows', { locale: 'en-US', count: 4 }],
  ];
  for (const [id, params] of walks) {
    const { count: _, ...rest } = params;
    const whole = await rows(stage, id, id.endsWith('tv_shows') ? rest : { ...rest, count: 1000 });
    const walked: unknown[] = [];
    let cursor: string | null | undefined;
    do {
      const page = await stage.call(id, { ...params, ...(cursor ? { cursor } : {}) });
      expect(page.errors, id).toEqual([]);
      const data = Array.isArray(page.data) ? page.data : [];
      expect(data.length, id).toBeGreaterThan(0);
      walked.push(...data);
      cursor = page.next_cursor;
    } while (cursor);
    expect(walked.length, id).toBeGreaterThan(Number(params['count']));
    expect(walked, id).toEqual(whole);
  }
});

scenario('T-LOOKUP-CURSOR', async (stage) => {
  const { next_cursor: foreign } = await stage.call('targeting_options.interests', { count: 1 });
  expect(foreign).toEqual(expect.any(String));
  for (const cursor of [foreign, 'nonsense', 'W10']) {
    const errors = await stage.rejected('targeting_options.languages', { cursor });
    expect(errors).toEqual([expect.objectContaining({ code: 'INVALID_PARAMETER', parameter: 'cursor' })]);
  }
});

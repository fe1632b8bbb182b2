/** Calls of the lookups that their scenarios share. */
import type { contract, OperationOf } from '@broadside/core';
import type { Stage } from '../../support/scenario.ts';

export type LookupId = OperationOf<`targeting_options.${keyof typeof contract.targeting_options}`>['id'];

export type Row = Readonly<Record<string, unknown>>;

export async function rows(stage: Stage, id: LookupId, params: Row = {}): Promise<Row[]> {
  const data = await stage.ok(id, params);
  if (!Array.isArray(data)) throw new TypeError(`${id} gave no rows`);
  return data;
}

export const names = (list: readonly Row[]) => list.map(({ name }) => name);

/** Lookups with a call of each and a row that the reference knows. */
export const samples: readonly (readonly [id: LookupId, params: Row, row: Row])[] = [
  [
    'targeting_options.app_store_categories',
    { os_type: 'IOS', q: 'Music' },
    { name: 'Games: Music', targeting_type: 'APP_STORE_CATEGORY', targeting_value: 'qouq', os_type: 'IOS' },
  ],
  [
    'targeting_options.conversations',
    { conversation_type: 'SPORTS_LEAGUES' },
    { targeting_type: 'CONVERSATION', targeting_value: 'a1', name: 'NFL', conversation_type: 'SPORTS_LEAGUES' },
  ],
  [
    'targeting_options.devices',
    { q: 'iPhone' },
    { name: 'iPhone 4', manufacturer: 'Apple', os_type: 'iOS', targeting_value: '1r', targeting_type: 'DEVICE' },
  ],
  [
    'targeting_options.events',
    { event_types: ['SPORTS'], start_time: '2026-06-01T00:00:00Z', country_codes: ['US'] },
    {
      name: 'World Cup 2026',
      targeting_type: 'EVENT',
      targeting_value: '1ex',
      event_type: 'SPORTS',
      start_time: '2026-06-11T00:00:00Z',
      end_time: '2026-07-19T23:59:59Z',
      country_code: null,
      is_global: true,
      reach: { total_reach: null },
      top_users: [],
      top_posts: [],
      top_hashtags: [],
      country_breakdown_percentage: {},
      gender_breakdown_percentage: {},
      device_breakdown_percentage: {},
    },
  ],
  [
    'targeting_options.interests',
    { q: 'books' },
    { name: 'Books and literature/Biographies and memoirs', targeting_type: 'INTEREST', targeting_value: '1001' },
  ],
  [
    'targeting_options.languages',
    { q: 'english' },
    { name: 'English', targeting_type: 'LANGUAGE', targeting_value: 'en' },
  ],
  [
    'targeting_options.locations',
    { q: 'united states', location_type: 'COUNTRIES' },
    {
      name: 'United States',
      country_code: 'US',
      location_type: 'COUNTRIES',
      targeting_value: '96683cc9126741d1',
      targeting_type: 'LOCATION',
    },
  ],
  [
    'targeting_options.network_operators',
    {},
    { country_code: 'US', targeting_type: 'NETWORK_OPERATOR', name: 'Advantage', targeting_value: '2l' },
  ],
  [
    'targeting_options.platform_versions',
    { q: 'jelly' },
    {
      name: 'Jelly Bean',
      number: '4.1',
      os_type: 'Android',
      targeting_type: 'PLATFORM_VERSION',
      targeting_value: '18',
    },
  ],
  ['targeting_options.platforms', {}, { name: 'Android', targeting_type: 'PLATFORM', targeting_value: '1' }],
  ['targeting_options.tv_markets', {}, { name: 'United States - Hispanic', country_code: 'US', locale: 'es-US' }],
  [
    'targeting_options.tv_shows',
    { locale: 'en-US' },
    {
      name: 'NewsWatch',
      targeting_type: 'TV_SHOW',
      targeting_value: 10027243420n,
      genre: 'PAID',
      locales: [{ language: 'en', country: 'US' }],
    },
  ],
];

/** What can be targeted: reference, targeting section 5; conventions sections 1 and 9. */
import { contract, type OperationOf, targetingTypes } from '@broadside/core';
import type { TestWorld } from '@broadside/testkit';
import { expect, test } from 'vitest';
import { member } from '../support/body.ts';
import { requestFor } from '../support/call.ts';
import { about, type Stage, scenarios } from '../support/scenario.ts';
import { openWorld } from '../support/world.ts';

const scenario = scenarios();

type LookupId = OperationOf<`targeting_options.${keyof typeof contract.targeting_options}`>['id'];
type Row = Readonly<Record<string, unknown>>;

async function rows(stage: Stage, id: LookupId, params: Row = {}): Promise<Row[]> {
  const data = await stage.ok(id, params);
  if (!Array.isArray(data)) throw new TypeError(`${id} gave no rows`);
  return data;
}

const names = (list: readonly Row[]) => list.map(({ name }) => name);

/** Lookups with a call of each and a row that the reference knows. */
const samples: readonly (readonly [id: LookupId, params: Row, row: Row])[] = [
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

scenario('T-LOOKUP-ROWS', async (stage) => {
  expect(samples.map(([id]) => id.split('.')[1])).toEqual(Object.keys(contract.targeting_options));
  for (const [id, params, row] of samples) expect(await rows(stage, id, params), id).toContainEqual(row);
  expect(names(await rows(stage, 'targeting_options.platforms'))).toEqual([
    'iOS',
    'Android',
    'BlackBerry phones and tablets',
    'Mobile web on other devices',
    'Desktop and laptop computers',
  ]);
  expect(await rows(stage, 'targeting_options.tv_markets')).toHaveLength(17);
  const places = await rows(stage, 'targeting_options.locations', { q: 'los angeles', country_code: 'US' });
  expect(places).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ targeting_value: '3b77caf94bfc81fe', location_type: 'CITIES' }),
      expect.objectContaining({ targeting_value: '67571a7baaa5906b', location_type: 'CITIES' }),
      expect.objectContaining({ targeting_value: '019940ae78c7b3bc', location_type: 'CITIES' }),
    ]),
  );
});

/** Where a cursor is offered (reference, conventions section 1). */
const paged = ['conversations', 'events', 'interests', 'languages', 'locations', 'network_operators', 'tv_shows'];

scenario('T-LOOKUP-ENVELOPE', async ({ world }) => {
  for (const [id, params] of samples) {
    const name = id.split('.')[1] ?? '';
    const { body } = await world.request({ path: `/12/targeting_criteria/${name}`, query: textsOf(params) });
    expect(Object.keys(Object(body)).sort(), id).toEqual(
      [
        'data',
        'request',
        ...(paged.includes(name) ? ['next_cursor'] : []),
        ...(name === 'events' || name === 'platform_versions' ? ['data_type'] : []),
      ].sort(),
    );
  }
  const { body } = await world.request({ path: '/12/targeting_criteria/platform_versions' });
  expect(body).toMatchObject({ request: { params: {} }, data_type: 'targeting_criterion' });
  const query = { event_types: 'HOLIDAY' };
  const events = await world.request({ path: '/12/targeting_criteria/events', query });
  expect(events.body).toMatchObject({ data_type: 'events', request: { params: { event_types: ['HOLIDAY'] } } });
});

function textsOf(params: Row): Record<string, string> {
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]));
}

scenario('T-LOOKUP-Q', async (stage) => {
  expect(names(await rows(stage, 'targeting_options.languages', { q: 'NORWEGIAN' }))).toEqual([
    'Norwegian Bokmål',
    'Norwegian Nynorsk',
    'Norwegian',
  ]);
  expect(names(await rows(stage, 'targeting_options.platforms', { q: 'BERRY' }))).toEqual([
    'BlackBerry phones and tablets',
  ]);
  expect(names(await rows(stage, 'targeting_options.interests', { q: 'archäo' }))).toEqual([]);
  expect(names(await rows(stage, 'targeting_options.interests', { q: 'aRcHAEo' }))).toEqual(['Science/Archaeology']);
  expect(names(await rows(stage, 'targeting_options.locations', { q: 'LÜBECK' }))).toEqual([
    'Lübeck, Schleswig-Holstein, DE',
  ]);
  for (const [q, place] of [
    ['lubeck', 'Lübeck'],
    ['istanbul', 'İstanbul'],
    ['SAO PAULO', 'São Paulo'],
    ['Cote d', "Côte d'Ivoire"],
    // Letters that have a mark by nature stay what they are.
    ['長崎', '長崎県'],
  ]) {
    const [found] = names(await rows(stage, 'targeting_options.locations', { q }));
    expect(String(found).split(', ')[0]).toBe(place);
  }
  expect(names(await rows(stage, 'targeting_options.locations', { q: 'जयपर' }))).toEqual([]);
  expect(names(await rows(stage, 'targeting_options.locations', { q: 'munich' }))).toEqual(['München, Bayern, DE']);
  expect(names(await rows(stage, 'targeting_options.locations', { q: 'Tokyo', location_type: 'CITIES' }))).toEqual([
    '東京, 東京都, JP',
  ]);
  expect(names(await rows(stage, 'targeting_options.devices', { q: 'fairphone', count: 2 }))).toEqual([
    'Fairphone 3',
    'Fairphone 4',
  ]);
  expect(names(await rows(stage, 'targeting_options.platform_versions', { q: 'oreo' }))).toEqual(['Oreo', 'Oreo']);
  expect(names(await rows(stage, 'targeting_options.app_store_categories', { q: 'puzzle' }))).toEqual([
    'Games: Puzzle',
    'Games: Puzzle',
  ]);
  expect(names(await rows(stage, 'targeting_options.network_operators', { q: 'mobile' }))).toEqual([
    'Boost Mobile',
    'T-Mobile',
  ]);
  expect(names(await rows(stage, 'targeting_options.tv_shows', { locale: 'de-DE', q: 'TAT' }))).toEqual(['Tatort']);
});

scenario('T-LOOKUP-FILTERS', async (stage) => {
  const each = async (id: LookupId, params: Row, expected: Row) => {
    const found = await rows(stage, id, params);
    expect(found.length, id).toBeGreaterThan(0);
    for (const row of found) expect(row, id).toMatchObject(expected);
  };
  for (const os_type of ['IOS', 'ANDROID']) {
    await each('targeting_options.app_store_categories', { os_type }, { os_type });
  }
  await each('targeting_options.conversations', { conversation_type: 'BOOKS' }, { conversation_type: 'BOOKS' });
  await each('targeting_options.locations', { country_code: 'JP' }, { country_code: 'JP' });
  for (const location_type of ['COUNTRIES', 'REGIONS', 'METROS', 'CITIES', 'POSTAL_CODES']) {
    await each('targeting_options.locations', { location_type, country_code: 'US' }, { location_type });
  }
  await each('targeting_options.network_operators', { country_code: 'DE' }, { country_code: 'DE' });
  const french = await rows(stage, 'targeting_options.tv_shows', { locale: 'fr-FR' });
  for (const { locales } of french) expect(locales).toContainEqual({ language: 'fr', country: 'FR' });
  const start_time = '2025-01-01T00:00:00Z';
  const types = ['POLITICS', 'CONFERENCE'];
  const found = await rows(stage, 'targeting_options.events', { event_types: types, start_time });
  expect(new Set(found.map(({ event_type }) => event_type))).toEqual(new Set(types));
  const here = await rows(stage, 'targeting_options.events', {
    event_types: ['HOLIDAY', 'POLITICS'],
    country_codes: ['DE'],
    start_time,
  });
  expect(new Set(here.map(({ country_code }) => country_code))).toEqual(new Set(['DE', null]));
});

scenario('T-LOOKUP-COUNT', async (stage) => {
  for (const [id, params] of samples) {
    const { params: known } = contract.targeting_options[nameOf(id)];
    if (!Object.hasOwn(known.shape, 'count')) continue;
    // No market has so many shows that an answer could tell.
    expect(known.parse(params), id).toMatchObject({ count: id === 'targeting_options.tv_shows' ? 50 : 200 });
    expect(await rows(stage, id, { ...params, count: 1 }), id).toHaveLength(1);
  }
  expect(await rows(stage, 'targeting_options.locations')).toHaveLength(200);
  expect((await rows(stage, 'targeting_options.locations', { count: 1000 })).length).toBeGreaterThan(400);
});

function nameOf(id: LookupId): keyof typeof contract.targeting_options {
  const name = Object.values(contract.targeting_options)
    .find((operation) => operation.id === id)
    ?.id.split('.')[1];
  const known = Object.keys(contract.targeting_options).find((key) => key === name);
  if (!isName(known)) throw new TypeError(`no lookup ${id}`);
  return known;
}

function isName(name: string | undefined): name is keyof typeof contract.targeting_options {
  return name !== undefined && name in contract.targeting_options;
}

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
    const errors = await stage.refused(id, params);
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
    const errors = await stage.refused('targeting_options.languages', { cursor });
    expect(errors).toEqual([expect.objectContaining({ code: 'INVALID_PARAMETER', parameter: 'cursor' })]);
  }
});

scenario('T-EVENTS-TIME', async (stage) => {
  const event_types = ['HOLIDAY', 'SPORTS', 'RECURRING'];
  const now = new Date(stage.world.platform.clock.now()).toISOString();
  const ahead = await rows(stage, 'targeting_options.events', { event_types });
  const all = await rows(stage, 'targeting_options.events', { event_types, start_time: '2025-01-01', count: 1000 });
  expect(ahead.length).toBeGreaterThan(0);
  expect(ahead).toEqual(all.filter(({ end_time }) => String(end_time) >= now).slice(0, 200));
  expect(ahead.length).toBeLessThan(all.length);
  const inside = { event_types, start_time: '2026-12-25T12:00:00Z', end_time: '2026-12-31T00:00:00Z' };
  expect(names(await rows(stage, 'targeting_options.events', inside))).toEqual([
    'Christmas 2026',
    'Boxing Day 2026',
    "New Year's Eve 2026",
  ]);
  // Both ends count: the last second of one event, the first of another, a single moment.
  const last = { event_types: ['SPORTS'], start_time: '2026-07-19T23:59:59Z', end_time: '2026-07-19T23:59:59Z' };
  expect(names(await rows(stage, 'targeting_options.events', last))).toEqual(['World Cup 2026', 'Tour de France 2026']);
  const first = { event_types: ['SPORTS'], start_time: '2026-06-10', end_time: '2026-06-11' };
  expect(names(await rows(stage, 'targeting_options.events', first))).toEqual(['World Cup 2026']);
  const errors = await stage.refused('targeting_options.events', {
    event_types,
    start_time: '2026-02-02',
    end_time: '2026-02-01',
  });
  expect(errors).toEqual([expect.objectContaining({ code: 'INVALID_TIME_WINDOW', parameter: 'end_time' })]);
});

scenario('T-OPERATORS-US', async (stage) => {
  const here = await rows(stage, 'targeting_options.network_operators');
  expect(new Set(here.map(({ country_code }) => country_code))).toEqual(new Set(['US']));
  expect(names(await rows(stage, 'targeting_options.network_operators', { country_code: 'AT' }))).toEqual([
    'A1',
    'Drei',
    'Magenta',
  ]);
});

scenario('T-PLATFORM-LANG', async (stage) => {
  const german = await rows(stage, 'targeting_options.platforms', { lang: 'de' });
  expect(german.map(({ localized_name }) => localized_name)).toEqual([
    'iOS',
    'Android',
    'BlackBerry-Smartphones und -Tablets',
    'Mobiles Web auf anderen Geräten',
    'Desktop-Computer und Laptops',
  ]);
  const zulu = await rows(stage, 'targeting_options.platforms', { lang: 'zu' });
  expect(zulu.filter((row) => 'localized_name' in row)).toEqual([]);
  expect(await stage.refused('targeting_options.platforms', { lang: 'qq' })).toEqual([
    expect.objectContaining({ code: 'INVALID_PARAMETER', parameter: 'lang' }),
  ]);
});

scenario('T-TV-ECHO', async ({ world }) => {
  const path = '/12/targeting_criteria/tv_shows';
  const { body } = await world.request({ path, query: { locale: 'es-US', count: '1' } });
  expect(body).toMatchObject({
    request: { params: { locale: { countryCode: 'US', languageCode: 'es' }, count: 1 } },
  });
});

async function remaining(world: TestWorld, name: string): Promise<number> {
  const operation = Object.values(contract.targeting_options).find(({ id }) => id.endsWith(`.${name}`));
  if (!operation) throw new TypeError(name);
  const answer = await world.request(requestFor(operation, operation.example.params));
  expect(answer.status, answer.text).toBe(200);
  return Number(answer.headers['x-rate-limit-remaining']);
}

test(about('T-LOOKUP-RATE'), async () => {
  await using world = await openWorld({ rateLimits: {} });
  const shared = Object.keys(contract.targeting_options).filter((name) => !name.startsWith('tv_'));
  expect(shared).toHaveLength(10);
  for (const [i, name] of shared.entries()) expect(await remaining(world, name), name).toBe(399 - i);
  expect(await remaining(world, 'tv_markets')).toBe(1999);
  expect(await remaining(world, 'tv_shows')).toBe(1999);
  expect(await remaining(world, 'tv_markets')).toBe(1998);
  expect(await remaining(world, 'devices')).toBe(389);
});

scenario('T-LOOKUP-TARGETS', async (stage) => {
  const lineItem = await stage.lineItem(await stage.campaign());
  for (const [id, params, row] of samples) {
    const { name, targeting_type, targeting_value } = row;
    const known: readonly unknown[] = targetingTypes;
    if (!known.includes(targeting_type) || targeting_type === 'TV_SHOW') continue;
    const [first] = (await rows(stage, id, params)).filter((found) => found['targeting_value'] === targeting_value);
    const created = await stage.one('targeting_criteria.create', {
      line_item_id: lineItem.id,
      targeting_type,
      targeting_value: String(targeting_value),
      // A platform as a whole does not go with a device of it.
      ...(targeting_type === 'PLATFORM' ? { operator_type: 'NE' } : {}),
    });
    expect(created, id).toMatchObject({ name, targeting_type, targeting_value: `${targeting_value}` });
    expect(member(first, 'name')).toBe(name);
  }
});

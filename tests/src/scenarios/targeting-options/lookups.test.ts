/** Lookups of what can be targeted: reference, targeting section 5; conventions sections 1 and 9. */
import { contract } from '@broadside/core';
import { expect } from 'vitest';
import { scenarios } from '../../support/scenario.ts';
import { type LookupId, names, type Row, rows, samples } from './samples.ts';

const scenario = scenarios();

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

/** Lists that offer a cursor (reference, conventions section 1). */
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
    // No market has enough shows to fill a response.
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

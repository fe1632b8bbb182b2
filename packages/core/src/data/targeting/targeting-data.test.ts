import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { once } from '../../once.ts';
import { conversationTypes, eventTypes, locationTypes } from '../../resources/targeting-options/enums.ts';
import { ageBuckets, ageRangeOf } from './ages.ts';
import { appStoreCategories } from './app-store-categories.ts';
import { conversations } from './conversations.ts';
import { derivedNumber, derivedPlace, derivedWord } from './derived-value.ts';
import { devices, platformOfDevice } from './devices.ts';
import { daysOf } from './event-days.ts';
import { events } from './events.ts';
import { interests } from './interests.ts';
import { languages } from './languages.ts';
import { findCity, findCountry, locations, placesAround } from './locations.ts';
import { networkOperators } from './network-operators.ts';
import { entriesOf, itemsOf, type OptionTable, type TargetingOption } from './option-table.ts';
import { ENGLISH } from './places.ts';
import { platformVersions } from './platform-versions.ts';
import { platforms } from './platforms.ts';
import { tvMarkets, tvShows } from './tv.ts';

const tables: Readonly<Record<string, OptionTable<TargetingOption>>> = {
  appStoreCategories,
  conversations,
  devices,
  events,
  interests,
  languages,
  locations,
  networkOperators,
  platforms,
  platformVersions,
  tvShows,
};

describe.each(Object.entries(tables))('%s', (_name, table) => {
  it('has no value twice, and finds each row by its value', () => {
    for (const [index, row] of table.rows.entries()) {
      expect(table.find(`${row.targeting_value}`)).toBe(row);
      expect(table.indexOf(`${row.targeting_value}`)).toBe(index);
    }
    expect(table.find('nosuch')).toBeUndefined();
  });

  it('has a name and the same type in each row', () => {
    expect(table.rows.filter(({ name }) => name.trim() === '' || name !== name.trim())).toEqual([]);
    expect(new Set(table.rows.map(({ targeting_type }) => targeting_type)).size).toBe(1);
  });
});

// Stored criteria contain these values, under these names. Rows may be added, but existing ones must not change: where
// rows have only been added, update the digests.
it('the published values and names do not change', () => {
  const digests = Object.entries(tables).map(([name, { rows }]) => {
    const lines = rows.map((row) => `${row.targeting_value} ${row.name}`).sort();
    return `${name} ${rows.length} ${derivedPlace(lines.join('\n'))}`;
  });
  expect(digests).toMatchInlineSnapshot(`
    [
      "appStoreCategories 88 ea37ef060a8daa36",
      "conversations 177 f19c4a08cfe33fe2",
      "devices 85 eb65a74a355b5c36",
      "events 290 e107666787956e66",
      "interests 281 061769aebc3dccf6",
      "languages 183 5df90e849cbcfcba",
      "locations 727 0f918c80b261b582",
      "networkOperators 96 e7095a275d1ef26e",
      "platforms 5 d82aaab6843cecd6",
      "platformVersions 39 c66cd387094f3206",
      "tvShows 62 3140d1fbfc0e8412",
    ]
  `);
});

// The rows of the reference, targeting section 5.
it.each([
  [appStoreCategories, 'qouq', { name: 'Games: Music', os_type: 'IOS', targeting_type: 'APP_STORE_CATEGORY' }],
  [conversations, 'a1', { name: 'NFL', conversation_type: 'SPORTS_LEAGUES', targeting_type: 'CONVERSATION' }],
  [devices, '1r', { name: 'iPhone 4', manufacturer: 'Apple', os_type: 'iOS', targeting_type: 'DEVICE' }],
  [events, '1ex', { targeting_type: 'EVENT' }],
  [interests, '1001', { name: 'Books and literature/Biographies and memoirs', targeting_type: 'INTEREST' }],
  [languages, 'en', { name: 'English', targeting_type: 'LANGUAGE' }],
  [networkOperators, '2l', { name: 'Advantage', country_code: 'US', targeting_type: 'NETWORK_OPERATOR' }],
  [
    platformVersions,
    '18',
    { name: 'Jelly Bean', number: '4.1', os_type: 'Android', targeting_type: 'PLATFORM_VERSION' },
  ],
  [platforms, '0', { name: 'iOS', targeting_type: 'PLATFORM' }],
  [platforms, '1', { name: 'Android', targeting_type: 'PLATFORM' }],
  [platforms, '2', { name: 'BlackBerry phones and tablets', targeting_type: 'PLATFORM' }],
  [platforms, '3', { name: 'Mobile web on other devices', targeting_type: 'PLATFORM' }],
  [platforms, '4', { name: 'Desktop and laptop computers', targeting_type: 'PLATFORM' }],
  [tvShows, '10027243420', { name: 'NewsWatch', genre: 'PAID', locales: ['en-US'], targeting_value: 10027243420n }],
] as const)('the reference knows a row with value %$', (table: OptionTable<TargetingOption>, value, row) => {
  expect(table.find(value)).toMatchObject(row);
});

it.each([
  ['96683cc9126741d1', 'COUNTRIES', 'United States'],
  ['3b77caf94bfc81fe', 'CITIES', 'Los Angeles, Los Angeles CA, CA, USA'],
  ['67571a7baaa5906b', 'CITIES', 'East Los Angeles, Los Angeles CA, CA, USA'],
  ['a2de7c70b82b0ca0', 'CITIES', 'Los Gatos, San Francisco-Oakland-San Jose CA, CA, USA'],
  ['019940ae78c7b3bc', 'CITIES', 'Los Angeles, US'],
  ['5122804691e5fecc', 'METROS', 'San Francisco-Oakland-San Jose CA, US'],
])('the reference knows the place %s', (value, location_type, name) => {
  expect(locations.find(value)).toMatchObject({ location_type, name, country_code: 'US', targeting_type: 'LOCATION' });
});

describe('locations', () => {
  it('have values of 16 hexadecimal digits', () => {
    expect(locations.rows.filter(({ targeting_value }) => !/^[0-9a-f]{16}$/.test(targeting_value))).toEqual([]);
  });

  it('contain the 249 countries of ISO 3166-1 and places of every kind', () => {
    const kinds = Map.groupBy(locations.rows, ({ location_type }) => location_type);
    expect([...kinds.keys()]).toEqual([...locationTypes]);
    expect(kinds.get('COUNTRIES')?.length).toBe(249);
  });

  it('are in larger places up to their country, without a cycle', () => {
    const order: readonly string[] = [...locationTypes].reverse();
    for (const row of locations.rows) {
      const chain = placesAround(row.targeting_value);
      const ranks = chain.map(({ location_type }) => order.indexOf(location_type));
      expect(ranks, row.name).toEqual([...new Set(ranks)].sort((a, b) => a - b));
      expect(chain.at(-1), row.name).toBe(findCountry(row.country_code));
    }
    expect(placesAround('nosuch')).toEqual([]);
  });

  it('are found by country and name alone', () => {
    expect(findCity('DE', 'Lübeck')?.name).toBe('Lübeck, Schleswig-Holstein, DE');
    expect(findCity('US', 'Los Angeles')?.targeting_value).toBe('3b77caf94bfc81fe');
    expect(findCity('DE', 'Los Angeles')).toBeUndefined();
    expect(findCountry('DE')?.name).toBe('Germany');
    expect(findCountry('UK')).toBeUndefined();
  });

  it('have the English names of the table, each for an existing place', () => {
    const known = new Map(locations.rows.map(({ place, english }) => [place, english]));
    const entries = entriesOf(ENGLISH).flatMap(itemsOf);
    for (const entry of entries) {
      const [place = '', english] = entry.split('=');
      expect(known.get(place), entry).toBe(english);
    }
    expect(locations.rows.filter(({ english, place }) => english === place)).toEqual([]);
    expect(findCity('DE', 'München')?.english).toBe('Munich');
    expect(findCity('DE', 'Lübeck')).not.toHaveProperty('english');
  });

  it('in the United States are named with metropolitan area, state and country', () => {
    expect(findCity('US', 'Bellingham')?.name).toBe('Bellingham, Seattle-Tacoma WA, WA, USA');
  });
});

describe('interests', () => {
  it('are a taxonomy of 20 categories and at least 200 rows', () => {
    const categories = new Set(interests.rows.map(({ name }) => name.split('/')[0]));
    expect(categories.size).toBeGreaterThanOrEqual(20);
    expect(interests.rows.length).toBeGreaterThanOrEqual(200);
    expect(interests.rows.filter(({ name }) => !/^[^/]+\/[^/]+$/.test(name))).toEqual([]);
    expect(new Set(interests.rows.map(({ name }) => name)).size).toBe(interests.rows.length);
  });

  it('have values that identify the category', () => {
    const categories = [...new Set(interests.rows.map(({ name }) => name.split('/')[0]))];
    for (const { name, targeting_value } of interests.rows) {
      expect(Math.floor(Number(targeting_value) / 1000) - 1).toBe(categories.indexOf(name.split('/')[0]));
    }
  });
});

it('languages are the 183 of ISO 639-1', () => {
  expect(languages.rows.length).toBe(183);
  expect(languages.rows.filter(({ targeting_value }) => !/^[a-z]{2}$/.test(targeting_value))).toEqual([]);
});

it('conversations have several rows of each of the 36 types', () => {
  expect(conversationTypes.length).toBe(36);
  const kinds = Map.groupBy(conversations.rows, ({ conversation_type }) => conversation_type);
  expect(conversationTypes.filter((type) => (kinds.get(type)?.length ?? 0) < 3)).toEqual([]);
});

describe('events', () => {
  it('are in the order of their start, over 2025 to 2028, of each type', () => {
    const starts = events.rows.map(({ start_time }) => start_time);
    expect(starts).toEqual([...starts].sort());
    expect([starts[0]?.slice(0, 4), starts.at(-1)?.slice(0, 4)]).toEqual(['2025', '2028']);
    expect(new Set(events.rows.map(({ event_type }) => event_type))).toEqual(new Set(eventTypes));
    expect(events.rows.filter(({ start_time, end_time }) => end_time <= start_time)).toEqual([]);
  });

  it('name existing countries only', () => {
    const codes = events.rows.flatMap(({ country_code }) => country_code ?? []);
    expect(codes.filter((code) => !findCountry(code))).toEqual([]);
  });

  it.each([
    ['12-25', 2026, ['2026-12-25', '2026-12-25']],
    ['12-31/01-01', 2026, ['2026-12-31', '2027-01-01']],
    ['easter', 2025, ['2025-04-20', '2025-04-20']],
    ['easter', 2026, ['2026-04-05', '2026-04-05']],
    ['easter', 2027, ['2027-03-28', '2027-03-28']],
    ['easter', 2028, ['2028-04-16', '2028-04-16']],
    ['easter-2', 2026, ['2026-04-03', '2026-04-03']],
    ['11 4th thu', 2026, ['2026-11-26', '2026-11-26']],
    ['11 4th thu+1', 2026, ['2026-11-27', '2026-11-27']],
    ['5 last mon', 2026, ['2026-05-25', '2026-05-25']],
    ['8 last mon', 2027, ['2027-08-30', '2027-08-30']],
    ['9 1st mon', 2025, ['2025-09-01', '2025-09-01']],
    ['2026-06-11/2026-07-19', 2026, ['2026-06-11', '2026-07-19']],
    ['2026-06-11/2026-07-19', 2027, undefined],
  ])('%s in %s', (rule, year, days) => {
    expect(daysOf(rule, year)).toEqual(days);
  });

  it('an invalid rule is an error in the table', () => {
    expect(() => daysOf('sometime', 2026)).toThrow(TypeError);
  });
});

it('devices run a platform that can be targeted', () => {
  expect(devices.rows.filter((device) => platforms.find(platformOfDevice(device))?.name !== device.os_type)).toEqual(
    [],
  );
});

describe('television', () => {
  it('has 17 markets, and shows in each of them and nowhere else', () => {
    const locales = tvMarkets().map(({ locale }) => locale);
    expect(locales.length).toBe(17);
    expect(new Set(tvShows.rows.flatMap((show) => show.locales))).toEqual(new Set(locales));
    expect(tvMarkets().find(({ locale }) => locale === 'es-US')).toEqual({
      name: 'United States - Hispanic',
      country_code: 'US',
      locale: 'es-US',
    });
  });
});

describe('age buckets', () => {
  it('are 20', () => {
    expect(new Set(ageBuckets).size).toBe(20);
  });

  it.each([
    ['AGE_13_TO_24', { from: 13, to: 24 }],
    ['AGE_OVER_50', { from: 50, to: null }],
    ['AGE_21_TO_49', { from: 21, to: 49 }],
    ['AGE_OVER_12', undefined],
  ])('%s', (bucket, range) => {
    expect(ageRangeOf(bucket)).toEqual(range);
  });
});

describe('derived values', () => {
  it('never change', () => {
    expect([derivedNumber('LANGUAGE/x'), derivedWord('a/b'), derivedPlace('CITIES/DE/Köln')]).toMatchInlineSnapshot(`
      [
        2525294080,
        "18zxvc9",
        "47cadf2adf5f6836",
      ]
    `);
  });

  it('have their form whatever they are derived from', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (key) => {
        expect(derivedWord(key)).toMatch(/^[0-9a-z]{1,7}$/);
        expect(derivedPlace(key)).toMatch(/^[0-9a-f]{16}$/);
      }),
    );
  });
});

it('a table is built once, on first use', () => {
  let made = 0;
  const value = once(() => ({ made: ++made }));
  expect(made).toBe(0);
  expect([value(), value()]).toEqual([{ made: 1 }, { made: 1 }]);
});

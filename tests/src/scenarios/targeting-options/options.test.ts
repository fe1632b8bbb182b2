/** Single lookups of what can be targeted: reference, targeting section 5. */
import { contract } from '@broadside/core';
import { targetingTypes } from '@broadside/core/resources/targeting-criteria';
import type { TestWorld } from '@broadside/testkit';
import { expect, test } from 'vitest';
import { member } from '../../support/body.ts';
import { requestFor } from '../../support/call.ts';
import { about, scenarios } from '../../support/scenario.ts';
import { openWorld } from '../../support/world.ts';
import { names, rows, samples } from './samples.ts';

const scenario = scenarios();

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
  const errors = await stage.rejected('targeting_options.events', {
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
  expect(await stage.rejected('targeting_options.platforms', { lang: 'qq' })).toEqual([
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

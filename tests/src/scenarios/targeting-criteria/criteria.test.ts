/** Targeting criteria one by one: reference, targeting sections 1 and 2; specification C, Line items and States. */
import { locations } from '@broadside/core/data';
import { expect } from 'vitest';
import { scenarios } from '../../support/scenario.ts';
import {
  batch,
  batchRejected,
  creation,
  deletion,
  LUEBECK,
  listed,
  NEWSWATCH,
  publisher,
  rejection,
  someLineItem,
  type Terms,
  target,
  terms,
  USA,
} from './terms.ts';

const scenario = scenarios();

const GERMANY = locations.rows.find(({ name }) => name === 'Germany')?.targeting_value ?? '';

scenario('T-CRITERION', async (stage) => {
  const lineItem = await someLineItem(stage);
  const interest = await target(stage, lineItem, terms('INTEREST', '1001'));
  expect(interest).toEqual({
    id: expect.stringMatching(/^[0-9a-z]{2,9}$/),
    line_item_id: lineItem.id,
    name: 'Books and literature/Biographies and memoirs',
    operator_type: 'EQ',
    targeting_type: 'INTEREST',
    targeting_value: '1001',
    created_at: expect.any(String),
    updated_at: interest['created_at'],
    deleted: false,
  });
  const city = await target(stage, lineItem, terms('LOCATION', LUEBECK, 'NE'));
  expect(city).toMatchObject({ location_type: 'CITIES', operator_type: 'NE', name: 'Lübeck, Schleswig-Holstein, DE' });
  expect(await target(stage, lineItem, terms('LOCATION', USA))).toMatchObject({ location_type: 'COUNTRIES' });
  expect(await stage.one('targeting_criteria.get', { targeting_criterion_id: city.id })).toEqual(city);
  expect((await listed(stage, lineItem)).map(({ location_type }) => location_type)).toEqual([
    undefined,
    'CITIES',
    'COUNTRIES',
  ]);
});

scenario('T-CRITERION-NAMES', async (stage) => {
  const campaign = await stage.campaign();
  const lineItem = await stage.lineItem(campaign);
  const { user_id, screen_name } = stage.user;
  const expected: readonly (readonly [Terms, name: string])[] = [
    [terms('BROAD_KEYWORD', 'Autumn 📚'), 'Autumn 📚'],
    [terms('LOCATION', USA), 'United States'],
    [terms('DEVICE', '1r'), 'iPhone 4'],
    [terms('PLATFORM', '4'), 'Desktop and laptop computers'],
    [terms('PLATFORM_VERSION', '18'), 'Jelly Bean'],
    [terms('INTEREST', '1001'), 'Books and literature/Biographies and memoirs'],
    [terms('LANGUAGE', 'en'), 'English'],
    [terms('TV_SHOW', NEWSWATCH), 'NewsWatch'],
    [terms('EVENT', '1ex'), 'World Cup 2026'],
    [terms('CONVERSATION', 'a1'), 'NFL'],
    [terms('APP_STORE_CATEGORY', 'qouq'), 'Games: Music'],
    [terms('NETWORK_OPERATOR', '2l'), 'Advantage'],
    [terms('AGE', 'AGE_21_TO_34'), 'AGE_21_TO_34'],
    [terms('GENDER', '1'), 'Male'],
    [terms('GENDER', '2'), 'Female'],
    [terms('FOLLOWERS_OF_USER', user_id), screen_name],
    [terms('SIMILAR_TO_FOLLOWERS_OF_USER', user_id), screen_name],
    [terms('USER_ENGAGEMENT', user_id), 'USER_ENGAGER_RETARGETING'],
    [terms('CAMPAIGN_ENGAGEMENT', campaign.id), 'CAMPAIGN_ENGAGER_RETARGETING'],
    [terms('ENGAGEMENT_TYPE', 'VIDEO_VIEW'), 'RETARGETING_ENGAGEMENT_TYPE'],
  ];
  for (const [what, name] of expected) expect(await target(stage, lineItem, what)).toMatchObject({ ...what, name });
  const someone = await publisher(stage);
  const excluded = terms('CONTENT_PUBLISHER_USER', someone.user_id, 'NE');
  expect(await batch(stage, [creation(lineItem, excluded)])).toMatchObject([{ name: someone.screen_name }]);
  const sports = await batch(stage, [creation(lineItem, terms('IAB_CATEGORY', 'IAB17'))]);
  expect(sports).toMatchObject([{ name: 'Sports' }]);
});

scenario('T-CRITERION-LANG', async (stage) => {
  const lineItem = await someLineItem(stage);
  const operations = [
    terms('LOCATION', GERMANY),
    terms('LOCATION', LUEBECK),
    terms('LANGUAGE', 'en'),
    terms('PLATFORM', '4'),
    terms('INTEREST', '1001'),
  ].map((what) => creation(lineItem, what));
  const created = await batch(stage, operations);
  expect(created.filter((criterion) => 'localized_name' in criterion)).toEqual([]);
  const french = await listed(stage, lineItem, { lang: 'fr' });
  expect(french.map(({ localized_name }) => localized_name)).toEqual([
    'Allemagne',
    undefined,
    'anglais',
    'Ordinateurs de bureau et portables',
    undefined,
  ]);
  const [country] = french;
  expect(await stage.one('targeting_criteria.get', { targeting_criterion_id: country?.id, lang: 'fr' })).toEqual(
    country,
  );
});

scenario('T-CRITERION-LANG-UNKNOWN', async (stage) => {
  const lineItem = await someLineItem(stage);
  const { id } = await target(stage, lineItem, terms('LANGUAGE', 'en'));
  const wrong = rejection('INVALID_PARAMETER', 'lang');
  expect(await stage.rejected('targeting_criteria.get', { targeting_criterion_id: id, lang: 'qq' })).toEqual(wrong);
  expect(await stage.rejected('targeting_criteria.list', { line_item_ids: [lineItem.id], lang: 'qq' })).toEqual(wrong);
});

scenario('T-LIST', async (stage) => {
  expect(await stage.rejected('targeting_criteria.list', {})).toEqual(rejection('MISSING_PARAMETER', 'line_item_ids'));
  const many = Array.from({ length: 201 }, (_, i) => `a${i}`);
  expect(await stage.rejected('targeting_criteria.list', { line_item_ids: many })).toEqual(
    rejection('INVALID_PARAMETER', 'line_item_ids'),
  );
  expect(await stage.many('targeting_criteria.list', { line_item_ids: many.slice(1) })).toEqual([]);
});

scenario('T-LIST-FILTERS', async (stage) => {
  const campaign = await stage.campaign();
  const [one, two] = [await stage.lineItem(campaign), await stage.lineItem(campaign)];
  const words = ['delta', 'alpha', 'charlie', 'bravo'];
  const created = await batch(stage, [
    ...words.map((word) => creation(one, terms('BROAD_KEYWORD', word))),
    creation(two, terms('LANGUAGE', 'de')),
  ]);
  const ids = created.map(({ id }) => id);
  expect(await listed(stage, two)).toEqual([created[4]]);
  const both = { line_item_ids: [two.id, one.id, 'nosuch'], sort_by: ['created_at-asc'] };
  expect(await stage.many('targeting_criteria.list', both)).toEqual(created);
  const some = { ...both, targeting_criterion_ids: [ids[1], ids[4], 'nosuch'] };
  expect(await stage.many('targeting_criteria.list', some)).toEqual([created[1], created[4]]);
  expect((await listed(stage, one, { sort_by: ['name-asc'] })).map(({ name }) => name)).toEqual([...words].sort());
  const counted = await stage.call('targeting_criteria.list', { ...both, with_total_count: true, count: 2 });
  expect(counted).toMatchObject({ total_count: 5, data: created.slice(0, 2) });
  const next = await stage.call('targeting_criteria.list', { ...both, count: 3, cursor: counted.next_cursor });
  expect(next).toMatchObject({ data: created.slice(2), next_cursor: null });
});

scenario('T-NO-UPDATE', async ({ world, account_id }) => {
  const path = `/12/accounts/${account_id}/targeting_criteria/abc`;
  const answer = await world.request({ method: 'PUT', path });
  expect(answer).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD, DELETE' } });
});

scenario('T-DELETE', async (stage) => {
  const lineItem = await someLineItem(stage);
  const { id: targeting_criterion_id, ...criterion } = await target(stage, lineItem, terms('LANGUAGE', 'de'));
  const gone = await stage.one('targeting_criteria.delete', { targeting_criterion_id });
  expect(gone).toEqual({ ...criterion, id: targeting_criterion_id, deleted: true, updated_at: expect.any(String) });
  const unknown = rejection('TARGETING_CRITERION_NOT_FOUND', 'targeting_criterion_id');
  expect(await stage.rejected('targeting_criteria.delete', { targeting_criterion_id }, 404)).toEqual(unknown);
  expect(await stage.rejected('targeting_criteria.get', { targeting_criterion_id }, 404)).toEqual(unknown);
  expect(await stage.one('targeting_criteria.get', { targeting_criterion_id, with_deleted: true })).toEqual(gone);
  expect(await listed(stage, lineItem)).toEqual([]);
  expect(await listed(stage, lineItem, { with_deleted: true })).toEqual([gone]);
  // A deleted criterion does not exclude another.
  const again = await target(stage, lineItem, terms('LANGUAGE', 'de'));
  expect(again.id).not.toBe(targeting_criterion_id);
});

scenario('T-UNKNOWN', async (stage) => {
  const lineItem = await someLineItem(stage);
  const what = terms('LANGUAGE', 'de');
  expect(await stage.rejected('targeting_criteria.create', { line_item_id: 'nosuch', ...what }, 404)).toEqual(
    rejection('LINE_ITEM_NOT_FOUND', 'line_item_id'),
  );
  const targeting_criterion_id = 'nosuch';
  const unknown = rejection('TARGETING_CRITERION_NOT_FOUND', 'targeting_criterion_id');
  expect(await stage.rejected('targeting_criteria.get', { targeting_criterion_id }, 404)).toEqual(unknown);
  expect(await stage.rejected('targeting_criteria.delete', { targeting_criterion_id }, 404)).toEqual(unknown);
  expect(
    await batchRejected(stage, [
      creation({ id: 'nosuch' }, what),
      creation(lineItem, what),
      deletion({ id: targeting_criterion_id }),
    ]),
  ).toEqual([rejection('LINE_ITEM_NOT_FOUND', 'line_item_id'), [], unknown]);
});

scenario('T-HIDDEN', async (stage) => {
  const campaign = await stage.campaign();
  const [one, two] = [await stage.lineItem(campaign), await stage.lineItem(campaign)];
  for (const [lineItem, hide] of [
    [one, () => stage.one('line_items.delete', { line_item_id: one.id })],
    [two, () => stage.one('campaigns.delete', { campaign_id: campaign.id })],
  ] as const) {
    const criterion = await target(stage, lineItem, terms('LANGUAGE', 'de'));
    const { id: targeting_criterion_id } = criterion;
    await hide();
    expect(await listed(stage, lineItem)).toEqual([]);
    expect(await listed(stage, lineItem, { with_deleted: true })).toEqual([criterion]);
    await stage.rejected('targeting_criteria.get', { targeting_criterion_id }, 404);
    expect(await stage.one('targeting_criteria.get', { targeting_criterion_id, with_deleted: true })).toEqual(
      criterion,
    );
    await stage.rejected('targeting_criteria.delete', { targeting_criterion_id }, 404);
    const create = { line_item_id: lineItem.id, ...terms('LANGUAGE', 'fr') };
    await stage.rejected('targeting_criteria.create', create, 404);
  }
});

scenario('T-AGAIN', async (stage) => {
  const lineItem = await someLineItem(stage);
  const first = await target(stage, lineItem, terms('INTEREST', '1001'));
  stage.world.clock.advance(60_000);
  expect(await target(stage, lineItem, terms('INTEREST', '1001', 'EQ'))).toEqual(first);
  const [again, other, twice] = await batch(stage, [
    creation(lineItem, terms('INTEREST', '1001')),
    creation(lineItem, terms('INTEREST', '1002')),
    creation(lineItem, terms('INTEREST', '1002')),
  ]);
  expect(again).toEqual(first);
  expect(twice).toEqual(other);
  expect(await listed(stage, lineItem)).toEqual([first, other]);
  const at_once = Array.from({ length: 8 }, () => target(stage, lineItem, terms('LANGUAGE', 'de')));
  expect(new Set((await Promise.all(at_once)).map(({ id }) => id)).size).toBe(1);
  expect(await listed(stage, lineItem)).toHaveLength(3);
});

/** Targeting criteria of categories and television: reference, targeting section 4. */
import { contentCategories, devices } from '@broadside/core/data';
import { expect } from 'vitest';
import { scenarios } from '../../support/scenario.ts';
import {
  batch,
  batchRejected,
  creation,
  curate,
  deletion,
  LUEBECK,
  listed,
  NEWSWATCH,
  rejection,
  someLineItem,
  type Terms,
  target,
  terms,
  USA,
} from './terms.ts';

const scenario = scenarios();

const category = (name: string) => contentCategories.find((known) => known.name === name)?.iab_categories ?? [];

scenario('T-IAB-WHOLE', async (stage) => {
  const lineItem = await someLineItem(stage);
  const create = (id: string) => creation(lineItem, terms('IAB_CATEGORY', id));
  const alone = { line_item_id: lineItem.id, ...terms('IAB_CATEGORY', 'IAB17') };
  expect(await stage.rejected('targeting_criteria.create', alone)).toEqual(
    rejection('INVALID_PARAMETER', 'targeting_type'),
  );
  const science = category('Science & Education');
  const finance = category('Financial & Business News');
  expect([science.length, finance.length]).toEqual([2, 3]);
  const errors = await batchRejected(stage, [create('IAB17'), ...finance.slice(1).map(create)]);
  expect(errors).toEqual([
    [],
    rejection('INVALID_PARAMETER', 'targeting_value'),
    rejection('INVALID_PARAMETER', 'targeting_value'),
  ]);
  expect(errors[1]?.[0]?.message).toContain(finance[0]);
  // An IAB category without content.
  expect(await batchRejected(stage, [create('IAB26')])).toEqual([rejection('INVALID_PARAMETER', 'targeting_value')]);
  const created = await batch(stage, [...science, ...finance].map(create));
  expect(created).toHaveLength(5);
  const [first, second] = created;
  if (!first || !second) throw new TypeError('five criteria');
  expect(await stage.rejected('targeting_criteria.delete', { targeting_criterion_id: first.id })).toEqual(
    rejection('INVALID_PARAMETER', 'targeting_criterion_id'),
  );
  expect(await batchRejected(stage, [deletion(first)])).toEqual([
    rejection('INVALID_PARAMETER', 'targeting_criterion_id'),
  ]);
  expect(await listed(stage, lineItem)).toHaveLength(5);
  await batch(stage, [deletion(first), deletion(second)]);
  expect(await listed(stage, lineItem)).toEqual(created.slice(2));
});

scenario('T-IAB-CURATED', async (stage) => {
  const lineItem = await someLineItem(stage);
  await curate(stage, lineItem);
  expect(await batchRejected(stage, [creation(lineItem, terms('IAB_CATEGORY', 'IAB17'))])).toEqual([
    rejection('INCOMPATIBLE_LINE_ITEM', 'line_item_id'),
  ]);
});

scenario('T-IAB-UNKNOWN', async (stage) => {
  const lineItem = await someLineItem(stage);
  const errors = await batchRejected(stage, [creation(lineItem, terms('IAB_CATEGORY', 'IAB99'))]);
  expect(errors).toEqual([rejection('INVALID_IAB_CATEGORY', 'targeting_value')]);
  const create = { line_item_id: lineItem.id, ...terms('IAB_CATEGORY', 'IAB99') };
  expect(await stage.rejected('targeting_criteria.create', create, 404)).toEqual([
    ...rejection('INVALID_IAB_CATEGORY', 'targeting_value'),
    ...rejection('INVALID_PARAMETER', 'targeting_type'),
  ]);
});

scenario('T-TV-LOCATION', async (stage) => {
  const lineItem = await someLineItem(stage);
  const show = terms('TV_SHOW', NEWSWATCH);
  const create = { line_item_id: lineItem.id, ...show };
  expect(await stage.rejected('targeting_criteria.create', create)).toEqual(
    rejection('INVALID_TV_SHOW_LOCATIONS', 'targeting_value'),
  );
  // Excluding a location is not targeting one.
  await target(stage, lineItem, terms('LOCATION', USA, 'NE'));
  expect(await stage.rejected('targeting_criteria.create', create)).toEqual(
    rejection('INVALID_TV_SHOW_LOCATIONS', 'targeting_value'),
  );
  await target(stage, lineItem, terms('LOCATION', LUEBECK));
  expect(await stage.rejected('targeting_criteria.create', create)).toEqual(
    rejection('TV_SHOW_OUTSIDE_MARKET', 'targeting_value'),
  );
  await target(stage, lineItem, terms('LOCATION', '3b77caf94bfc81fe'));
  expect(await target(stage, lineItem, show)).toMatchObject({ name: 'NewsWatch' });
  const other = await someLineItem(stage);
  // In a batch the order does not matter.
  await batch(stage, [creation(other, show), creation(other, terms('LOCATION', USA))]);
});

scenario('T-TV-KEEPS-LOCATION', async (stage) => {
  const lineItem = await someLineItem(stage);
  const [place, show] = await batch(stage, [
    creation(lineItem, terms('LOCATION', USA)),
    creation(lineItem, terms('TV_SHOW', NEWSWATCH)),
  ]);
  if (!place || !show) throw new TypeError('two criteria');
  expect(await stage.rejected('targeting_criteria.delete', { targeting_criterion_id: place.id })).toEqual(
    rejection('INVALID_TV_SHOW_LOCATIONS', 'targeting_criterion_id'),
  );
  expect(await batchRejected(stage, [creation(lineItem, terms('GENDER', '1')), deletion(place)])).toEqual([
    [],
    rejection('INVALID_TV_SHOW_LOCATIONS', 'targeting_criterion_id'),
  ]);
  await batch(stage, [deletion(place), deletion(show)]);
});

scenario('T-ENGAGEMENT', async (stage) => {
  const campaign = await stage.campaign();
  const lineItem = await stage.lineItem(campaign);
  const how = terms('ENGAGEMENT_TYPE', 'VIDEO_VIEW_PARTIAL');
  const create = { line_item_id: lineItem.id, ...how };
  const alone = rejection('INCLUSIVE_PARAMETERS', 'targeting_type');
  expect(await stage.rejected('targeting_criteria.create', create)).toEqual(alone);
  expect(await batchRejected(stage, [creation(lineItem, terms('GENDER', '1')), creation(lineItem, how)])).toEqual([
    [],
    alone,
  ]);
  const engagers = [
    terms('CAMPAIGN_ENGAGEMENT', campaign.id),
    terms('CAMPAIGN_ENGAGEMENT_LOOKALIKE', campaign.id),
    terms('USER_ENGAGEMENT', stage.user.user_id),
    terms('USER_ENGAGEMENT_LOOKALIKE', stage.user.user_id),
  ];
  for (const engager of engagers) {
    const ground = await stage.lineItem(campaign);
    const [type, with_] = await batch(stage, [creation(ground, how), creation(ground, engager)]);
    if (!type || !with_) throw new TypeError('two criteria');
    expect(await stage.rejected('targeting_criteria.delete', { targeting_criterion_id: with_.id })).toEqual(
      rejection('INCLUSIVE_PARAMETERS', 'targeting_criterion_id'),
    );
    const after = await stage.lineItem(campaign);
    await target(stage, after, engager);
    for (const value of ['IMPRESSION', 'ENGAGEMENT', 'VIDEO_VIEW', 'VIDEO_VIEW_PARTIAL', 'VIDEO_VIEW_COMPLETE']) {
      await target(stage, after, terms('ENGAGEMENT_TYPE', value));
    }
  }
});

scenario('T-DEVICE-PLATFORM', async (stage) => {
  const campaign = await stage.campaign();
  const lineItem = await stage.lineItem(campaign);
  const wrong = rejection('INVALID_PARAMETER', 'targeting_value');
  const rejected = (what: Terms) => stage.rejected('targeting_criteria.create', { line_item_id: lineItem.id, ...what });
  const android = devices.rows.find(({ os_type }) => os_type === 'Android')?.targeting_value ?? '';
  await target(stage, lineItem, terms('DEVICE', '1r'));
  expect(await rejected(terms('PLATFORM', '0'))).toEqual(wrong);
  await target(stage, lineItem, terms('PLATFORM', '1'));
  expect(await rejected(terms('DEVICE', android))).toEqual(wrong);
  await target(stage, lineItem, terms('DEVICE', android, 'NE'));
  await target(stage, lineItem, terms('PLATFORM_VERSION', '18'));
  await target(stage, lineItem, terms('PLATFORM', '4'));
});

/** Targeting criteria that depend on the objective and the app of a line item: reference, targeting section 4. */
import { expect } from 'vitest';
import { type Entity, lineItemOf, scenarios } from '../../support/scenario.ts';
import { keywords, listed, NEWSWATCH, type Params, rejection, someLineItem, target, terms, USA } from './terms.ts';

const scenario = scenarios();

scenario('T-CONTRADICTION', async (stage) => {
  const lineItem = await someLineItem(stage);
  for (const [here, there] of [
    ['EQ', 'NE'],
    ['NE', 'EQ'],
  ]) {
    const word = `word ${here}`;
    await target(stage, lineItem, terms('BROAD_KEYWORD', word, here));
    const create = { line_item_id: lineItem.id, ...terms('BROAD_KEYWORD', word, there) };
    expect(await stage.rejected('targeting_criteria.create', create)).toEqual(
      rejection('INVALID_PARAMETER', 'operator_type'),
    );
    await target(stage, lineItem, terms('PHRASE_KEYWORD', word, there));
  }
});

scenario('T-SEARCH', async (stage) => {
  const campaign = await stage.campaign();
  const { user_id } = stage.user;
  const rejectedTerms = [
    terms('FOLLOWERS_OF_USER', user_id),
    terms('SIMILAR_TO_FOLLOWERS_OF_USER', user_id),
    terms('INTEREST', '1001'),
    terms('LIVE_TV_EVENT', '1ex'),
    terms('USER_ENGAGEMENT', user_id),
    terms('CAMPAIGN_ENGAGEMENT', campaign.id),
    terms('USER_ENGAGEMENT_LOOKALIKE', user_id),
    terms('CAMPAIGN_ENGAGEMENT_LOOKALIKE', campaign.id),
  ];
  const search = await stage.lineItem(campaign, { placements: ['PLATFORM_SEARCH'] });
  const both = await stage.lineItem(campaign, { placements: ['PLATFORM_SEARCH', 'PLATFORM_TIMELINE'] });
  for (const what of rejectedTerms) {
    const create = { line_item_id: search.id, ...what };
    expect(await stage.rejected('targeting_criteria.create', create), what.targeting_type).toEqual(
      rejection('INVALID_PARAMETER', 'targeting_type'),
    );
    await target(stage, both, what);
  }
  const how = terms('ENGAGEMENT_TYPE', 'IMPRESSION');
  expect(await stage.rejected('targeting_criteria.create', { line_item_id: search.id, ...how })).toEqual(
    rejection('INVALID_PARAMETER', 'targeting_type'),
  );
  await target(stage, both, how);
  await target(stage, search, terms('LOCATION', USA));
  const show = { line_item_id: search.id, ...terms('TV_SHOW', NEWSWATCH) };
  expect(await stage.rejected('targeting_criteria.create', show)).toEqual(
    rejection('INVALID_PARAMETER', 'targeting_type'),
  );
  for (const type of keywords) await target(stage, search, terms(type, 'autumn'));
});

scenario('T-TIMELINE', async (stage) => {
  const campaign = await stage.campaign();
  const exact = terms('EXACT_KEYWORD', 'autumn');
  for (const placements of [['PLATFORM_TIMELINE'], ['PLATFORM_PROFILE', 'PLATFORM_TIMELINE']]) {
    const lineItem = await stage.lineItem(campaign, { placements });
    const create = { line_item_id: lineItem.id, ...exact };
    expect(await stage.rejected('targeting_criteria.create', create)).toEqual(
      rejection('INVALID_PARAMETER', 'targeting_type'),
    );
    await target(stage, lineItem, terms('PHRASE_KEYWORD', 'autumn'));
  }
  await target(stage, await stage.lineItem(campaign), exact);
});

scenario('T-APP-LIST', async (stage) => {
  const campaign = await stage.campaign();
  const list = terms('APP_LIST', '1', 'NE');
  const rejectedParameters = async (lineItem: Entity) => {
    const create = { line_item_id: lineItem.id, ...list };
    return (await stage.rejected('targeting_criteria.create', create)).map(({ parameter }) => parameter);
  };
  expect(await rejectedParameters(await stage.lineItem(campaign))).toEqual(['targeting_value', 'targeting_type']);
  const network = { placements: ['PUBLISHER_NETWORK'], advertiser_domain: 'example.com', categories: ['IAB1'] };
  // No interface makes app lists, so there is none to name.
  expect(await rejectedParameters(await stage.lineItem(campaign, network))).toEqual(['targeting_value']);
});

const appInstalls = { objective: 'APP_INSTALLS', ios_app_store_identifier: '333903271' };

const shown = (criteria: readonly Entity[]) => criteria.map(({ name, operator_type }) => `${operator_type} ${name}`);

scenario('T-APP-PLATFORM', async (stage) => {
  const campaign = await stage.campaign();
  const lineItem = await stage.lineItem(campaign, appInstalls);
  const line_item_id = lineItem.id;
  const [automatic] = await listed(stage, lineItem);
  expect(automatic).toMatchObject({ targeting_type: 'PLATFORM', targeting_value: '0', name: 'iOS', line_item_id });
  await stage.one('line_items.update', { line_item_id, android_app_store_identifier: 'com.example.app' });
  expect(shown(await listed(stage, lineItem))).toEqual(['EQ iOS', 'EQ Android']);
  await stage.one('line_items.update', { line_item_id, name: 'Renamed', ios_app_store_identifier: '444' });
  expect(shown(await listed(stage, lineItem))).toEqual(['EQ iOS', 'EQ Android']);
  await stage.one('line_items.update', { line_item_id, ios_app_store_identifier: null });
  expect(shown(await listed(stage, lineItem))).toEqual(['EQ Android']);
  const both = { ...appInstalls, android_app_store_identifier: 'com.example.app' };
  expect(shown(await listed(stage, await stage.lineItem(campaign, both))).sort()).toEqual(['EQ Android', 'EQ iOS']);
  const plain = await someLineItem(stage);
  expect(await listed(stage, plain)).toEqual([]);
});

scenario('T-APP-PLATFORM-KEPT', async (stage) => {
  const campaign = await stage.campaign();
  const android = { android_app_store_identifier: 'com.example.app' };
  const lineItem = await stage.lineItem(campaign, appInstalls);
  const line_item_id = lineItem.id;
  const [ios] = await listed(stage, lineItem);
  await stage.one('targeting_criteria.delete', { targeting_criterion_id: ios?.id });
  await stage.one('line_items.update', { line_item_id, ios_app_store_identifier: '444' });
  expect(await listed(stage, lineItem)).toEqual([]);
  // The advertiser's own, which does not go with the app.
  const own = await target(stage, lineItem, terms('PLATFORM', '1'));
  await stage.one('line_items.update', { line_item_id, ...android });
  expect(await listed(stage, lineItem)).toEqual([own]);
  await stage.one('line_items.update', { line_item_id, android_app_store_identifier: null });
  expect(await listed(stage, lineItem)).toEqual([own]);
  // Devices say more than the platform would.
  const narrow = await stage.lineItem(campaign, { objective: 'APP_INSTALLS', ...android });
  const device = await target(stage, narrow, terms('DEVICE', '1r'));
  await stage.one('line_items.update', { line_item_id: narrow.id, ios_app_store_identifier: '333903271' });
  expect(await listed(stage, narrow)).toEqual([expect.objectContaining({ name: 'Android' }), device]);
});

scenario('T-APP-PLATFORM-BATCH', async (stage) => {
  const campaign = await stage.campaign();
  const android = { android_app_store_identifier: 'com.example.app' };
  const create = (params: Params) => ({
    operation_type: 'Create',
    params: { ...lineItemOf(campaign), objective: 'APP_INSTALLS', ...params },
  });
  const made = await stage.many('line_items.batch', { operations: [create(appInstalls), create(android)] });
  const [ios, other] = made;
  if (!ios || !other) throw new TypeError('two line items');
  expect(shown(await listed(stage, ios))).toEqual(['EQ iOS']);
  expect(shown(await listed(stage, other))).toEqual(['EQ Android']);
  // One app takes the place of the other in one step.
  const params = { line_item_id: ios.id, ios_app_store_identifier: null, ...android };
  await stage.many('line_items.batch', { operations: [{ operation_type: 'Update', params }] });
  expect(shown(await listed(stage, ios))).toEqual(['EQ Android']);
  const excluded = await target(stage, other, terms('PLATFORM', '0', 'NE'));
  await stage.one('line_items.update', { line_item_id: other.id, ios_app_store_identifier: '333903271' });
  expect(shown(await listed(stage, other))).toEqual(['EQ Android', 'NE iOS']);
  // An app that comes again brings its platform again, though it was deleted meanwhile.
  await stage.one('targeting_criteria.delete', { targeting_criterion_id: excluded.id });
  for (const ios_app_store_identifier of [null, '444']) {
    await stage.one('line_items.update', { line_item_id: other.id, ios_app_store_identifier });
  }
  expect(shown(await listed(stage, other))).toEqual(['EQ Android', 'EQ iOS']);
});

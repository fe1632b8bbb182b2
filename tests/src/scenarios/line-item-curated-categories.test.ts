/** Line item curated categories: specification C; reference, campaign-management section 11. */
import { expect } from 'vitest';
import { curatedCategoryIn } from '../fixtures/curated-categories.ts';
import { lineItemWith, targetUnitedStates } from '../support/promotion.ts';
import { type Entity, type Stage, scenarios } from '../support/scenario.ts';

const scenario = scenarios();

const GREAT_BRITAIN = ['GB'];
const NORTH_AMERICA = ['CA', 'US'];

/** A PREROLL_VIEWS line item that targets the United States. */
async function american(stage: Stage): Promise<Entity> {
  const lineItem = await lineItemWith(stage, 'PREROLL_VIEWS', { product_type: 'MEDIA', categories: ['IAB2'] });
  await targetUnitedStates(stage, lineItem.id);
  return lineItem;
}

scenario('C-CURATED-ITEM-CREATE', async (stage) => {
  const line_item_id = (await american(stage)).id;
  const curated_category_id = await curatedCategoryIn(stage.world, NORTH_AMERICA);
  const given = await stage.one('line_item_curated_categories.create', { line_item_id, curated_category_id });
  expect(given).toEqual({
    id: expect.stringMatching(/^[0-9a-z]{2,9}$/),
    line_item_id,
    curated_category_id,
    created_at: expect.any(String),
    updated_at: given['created_at'],
    deleted: false,
  });
  const line_item_curated_category_id = given.id;
  expect(await stage.one('line_item_curated_categories.get', { line_item_curated_category_id })).toEqual(given);
  expect(await stage.many('line_item_curated_categories.list')).toEqual([given]);
});

scenario('C-CURATED-ITEM-REFUSED', async (stage) => {
  const { world } = stage;
  const curated_category_id = await curatedCategoryIn(world, NORTH_AMERICA);
  const lineItem = await lineItemWith(stage, 'PREROLL_VIEWS', { product_type: 'MEDIA', categories: ['IAB2'] });
  const line_item_id = lineItem.id;
  const create = (params: object = {}) =>
    stage.call('line_item_curated_categories.create', { line_item_id, curated_category_id, ...params });
  const incompatible = (about: string) => ({
    ok: false,
    status: 400,
    errors: [{ code: 'INCOMPATIBLE_LINE_ITEM', parameter: 'line_item_id', message: expect.stringContaining(about) }],
  });
  expect(await create()).toMatchObject(incompatible('must target a location'));
  const targeting_criterion_id = await targetUnitedStates(stage, line_item_id);
  const british = await curatedCategoryIn(world, GREAT_BRITAIN);
  expect(await create({ curated_category_id: british })).toMatchObject(incompatible('GB'));
  await stage.ok('targeting_criteria.delete', { targeting_criterion_id });
  expect(await create()).toMatchObject(incompatible('must target a location'));
  await targetUnitedStates(stage, line_item_id);
  expect(await create({ curated_category_id: 'nosuch' })).toMatchObject({
    status: 404,
    errors: [{ code: 'NOT_FOUND', parameter: 'curated_category_id', value: 'nosuch' }],
  });
  expect(await create({ line_item_id: 'nosuch' })).toMatchObject({
    status: 404,
    errors: [{ code: 'LINE_ITEM_NOT_FOUND', parameter: 'line_item_id', value: 'nosuch' }],
  });
  expect(await stage.many('line_item_curated_categories.list', { with_deleted: true })).toEqual([]);
  expect(await create()).toMatchObject({ ok: true });
  const other = await curatedCategoryIn(world, NORTH_AMERICA);
  expect(await create({ curated_category_id: other })).toMatchObject(incompatible('already'));
  // Content categories come first or not at all.
  const content = (await american(stage)).id;
  const operations = [
    {
      operation_type: 'Create',
      params: { line_item_id: content, targeting_type: 'IAB_CATEGORY', targeting_value: 'IAB2' },
    },
  ];
  await stage.ok('targeting_criteria.batch', { operations });
  expect(await create({ line_item_id: content })).toMatchObject(incompatible('IAB_CATEGORY'));
});

scenario('C-CURATED-ITEM-UPDATE', async (stage) => {
  const { world } = stage;
  const [first, second, taken] = [await american(stage), await american(stage), await american(stage)];
  const [one, two, british] = [
    await curatedCategoryIn(world, NORTH_AMERICA),
    await curatedCategoryIn(world, NORTH_AMERICA),
    await curatedCategoryIn(world, GREAT_BRITAIN),
  ];
  const before = await stage.one('line_item_curated_categories.create', {
    line_item_id: first.id,
    curated_category_id: one,
  });
  await stage.ok('line_item_curated_categories.create', { line_item_id: taken.id, curated_category_id: one });
  const line_item_curated_category_id = before.id;
  const update = (params: object) =>
    stage.call('line_item_curated_categories.update', { line_item_curated_category_id, ...params });
  world.clock.advance(2000);
  const changed = { ...before, curated_category_id: two, updated_at: expect.any(String) };
  expect(await update({ curated_category_id: two })).toMatchObject({ ok: true, data: changed });
  const moved = await update({ line_item_id: second.id });
  expect(moved).toMatchObject({ ok: true, data: { ...changed, line_item_id: second.id, deleted: false } });
  // The one that it has does not conflict with itself, and the first line item is free.
  expect(await update({ line_item_id: second.id, curated_category_id: two })).toMatchObject({ ok: true });
  await stage.ok('line_item_curated_categories.create', { line_item_id: first.id, curated_category_id: one });
  const untargeted = await lineItemWith(stage, 'PREROLL_VIEWS', { product_type: 'MEDIA', categories: ['IAB2'] });
  for (const [params, status, code] of [
    [{ line_item_id: taken.id }, 400, 'INCOMPATIBLE_LINE_ITEM'],
    [{ line_item_id: untargeted.id }, 400, 'INCOMPATIBLE_LINE_ITEM'],
    [{ curated_category_id: british }, 400, 'INCOMPATIBLE_LINE_ITEM'],
    [{ line_item_id: 'nosuch' }, 404, 'LINE_ITEM_NOT_FOUND'],
    [{ curated_category_id: 'nosuch' }, 404, 'NOT_FOUND'],
    [{ line_item_curated_category_id: 'nosuch' }, 404, 'NOT_FOUND'],
  ] as const) {
    expect(await update(params), JSON.stringify(params)).toMatchObject({ ok: false, status, errors: [{ code }] });
  }
  expect(await stage.one('line_item_curated_categories.get', { line_item_curated_category_id })).toMatchObject({
    line_item_id: second.id,
    curated_category_id: two,
  });
});

scenario('C-CURATED-ITEM-DELETE', async (stage) => {
  const line_item_id = (await american(stage)).id;
  const curated_category_id = await curatedCategoryIn(stage.world, NORTH_AMERICA);
  const params = { line_item_id, curated_category_id };
  const given = await stage.one('line_item_curated_categories.create', params);
  const line_item_curated_category_id = given.id;
  const gone = await stage.one('line_item_curated_categories.delete', { line_item_curated_category_id });
  expect(gone).toEqual({ ...given, deleted: true, updated_at: expect.any(String) });
  const notFound = [{ code: 'NOT_FOUND', parameter: 'line_item_curated_category_id' }];
  for (const id of ['get', 'update', 'delete'] as const) {
    const errors = await stage.rejected(`line_item_curated_categories.${id}`, { line_item_curated_category_id }, 404);
    expect(errors, id).toMatchObject(notFound);
  }
  expect(await stage.many('line_item_curated_categories.list')).toEqual([]);
  expect(await stage.many('line_item_curated_categories.list', { with_deleted: true })).toEqual([gone]);
  expect(
    await stage.one('line_item_curated_categories.get', { line_item_curated_category_id, with_deleted: true }),
  ).toEqual(gone);
  const anew = await stage.one('line_item_curated_categories.create', params);
  expect(anew.id).not.toBe(given.id);
});

scenario('C-CURATED-ITEM-OF-DELETED', async (stage) => {
  const curated_category_id = await curatedCategoryIn(stage.world, NORTH_AMERICA);
  const [one, other] = [await american(stage), await american(stage)];
  const give = (line_item_id: string) =>
    stage.one('line_item_curated_categories.create', { line_item_id, curated_category_id });
  const [a, b] = [await give(one.id), await give(other.id)];
  await stage.ok('line_items.delete', { line_item_id: one.id });
  expect(await stage.many('line_item_curated_categories.list')).toEqual([b]);
  await stage.ok('campaigns.delete', { campaign_id: other['campaign_id'] });
  expect(await stage.many('line_item_curated_categories.list')).toEqual([]);
  expect(await stage.many('line_item_curated_categories.list', { with_deleted: true })).toEqual([b, a]);
  for (const { id: line_item_curated_category_id } of [a, b]) {
    for (const verb of ['get', 'update', 'delete'] as const) {
      await stage.rejected(`line_item_curated_categories.${verb}`, { line_item_curated_category_id }, 404);
    }
  }
  const kept = await give((await american(stage)).id);
  for (const { id: line_item_id } of [one, other]) {
    const gone = [{ code: 'LINE_ITEM_NOT_FOUND', parameter: 'line_item_id', value: line_item_id }];
    const creation = { line_item_id, curated_category_id };
    expect(await stage.rejected('line_item_curated_categories.create', creation, 404)).toMatchObject(gone);
    const move = { line_item_curated_category_id: kept.id, line_item_id };
    expect(await stage.rejected('line_item_curated_categories.update', move, 404)).toMatchObject(gone);
  }
});

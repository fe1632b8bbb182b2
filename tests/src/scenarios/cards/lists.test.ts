/** Lists of generic cards: specification B, Cards, GET. */
import { expect } from 'vitest';
import { button, componentsOf } from '../../support/card-bodies.ts';
import { libraryMediaOf } from '../../support/library.ts';
import { type Entity, type Stage, scenarios } from '../../support/scenario.ts';

const scenario = scenarios();

/** Makes cards with these names, each a second after the one before. */
async function cardsNamed(stage: Stage, ...names: readonly string[]): Promise<Entity[]> {
  const media_key = await libraryMediaOf(stage.world, stage.account_id, 'wide_image');
  const made: Entity[] = [];
  for (const [index, name] of names.entries()) {
    stage.world.clock.advance(1000);
    const components = componentsOf(media_key, index % 2 === 0 ? undefined : button());
    made.push(await stage.one('cards.create', { name, components }));
  }
  return made;
}

async function names(stage: Stage, params: object): Promise<unknown[]> {
  return (await stage.many('cards.list', { ...params })).map(({ name }) => name);
}

scenario('B-CARDS-FILTER', async (stage) => {
  const [autumn, other, winter] = await cardsNamed(stage, 'Autumn', 'autumn apps', 'Ölfass', 'Winter');
  const by = (params: object) => names(stage, { sort_by: ['created_at-asc'], ...params });
  expect(await by({ card_types: ['IMAGE_WEBSITE'] })).toEqual(['Autumn', 'Ölfass']);
  expect(await by({ card_types: ['IMAGE_APP', 'VIDEO_APP'] })).toEqual(['autumn apps', 'Winter']);
  expect(await by({ card_types: ['VIDEO_APP'] })).toEqual([]);
  expect(await by({ card_id: [winter?.id, autumn?.id, '1'] })).toEqual(['Autumn', 'Ölfass']);
  const card_uris = [other?.['card_uri'], 'card://1', 'no uri', autumn?.id];
  expect(await by({ card_uris })).toEqual(['autumn apps']);
  expect(await by({ card_uris, card_id: [autumn?.id] })).toEqual([]);
  expect(await by({ q: 'AUTUMN' })).toEqual(['Autumn', 'autumn apps']);
  expect(await by({ q: 'autumn ' })).toEqual(['autumn apps']);
  expect(await by({ q: 'ölf' })).toEqual(['Ölfass']);
  expect(await by({ q: 'inter' })).toEqual([]);
  expect(await by({ q: '%' })).toEqual([]);
});

scenario('B-CARDS-LEGACY', async (stage) => {
  await cardsNamed(stage, 'One', 'Two');
  const all = await stage.many('cards.list');
  expect(all).toHaveLength(2);
  for (const include_legacy_cards of [true, false]) {
    expect(await stage.many('cards.list', { include_legacy_cards })).toEqual(all);
  }
});

scenario('B-CARDS-LIST', async (stage) => {
  const made = await cardsNamed(stage, 'b', 'a', 'c');
  expect(await names(stage, {})).toEqual(['c', 'a', 'b']);
  expect(await names(stage, { sort_by: ['name-asc'] })).toEqual(['a', 'b', 'c']);
  expect(await names(stage, { sort_by: ['name-desc'] })).toEqual(['c', 'b', 'a']);
  stage.world.clock.advance(1000);
  await stage.ok('cards.update', { card_id: made[0]?.id, name: 'b2' });
  await stage.ok('cards.delete', { card_id: made[1]?.id });
  expect(await names(stage, { sort_by: ['updated_at-desc', 'name-asc'] })).toEqual(['b2', 'c']);
  const deletedFirst = ['deleted-desc', 'name-asc'];
  expect(await names(stage, { sort_by: deletedFirst, with_deleted: true })).toEqual(['a', 'b2', 'c']);
  const first = await stage.call('cards.list', { count: 1, sort_by: ['name-asc'] });
  expect(first).toMatchObject({ data: [{ name: 'b2' }], next_cursor: expect.any(String), total_count: undefined });
  const second = await stage.call('cards.list', { count: 1, sort_by: ['name-asc'], cursor: first.next_cursor });
  expect(second).toMatchObject({ data: [{ name: 'c' }], next_cursor: null });
  await cardsNamed(stage, ...Array.from({ length: 99 }, (_, index) => `more ${index}`));
  const page = await stage.call('cards.list');
  expect(page.data).toHaveLength(100);
  expect(page.next_cursor).toEqual(expect.any(String));
  expect(await stage.many('cards.list', { count: 200 })).toHaveLength(101);
});

scenario('B-CARDS-BOUNDS', async (stage) => {
  const ids = (count: number) => Array.from({ length: count }, (_, index) => `${index + 1}`);
  const uris = (count: number) => ids(count).map((id) => `card://${id}`);
  const bounds: readonly (readonly [name: string, valid: unknown, invalid: unknown, code?: string])[] = [
    ['count', 200, 201],
    ['count', 1, 0],
    ['q', 'n'.repeat(80), 'n'.repeat(81)],
    ['card_id', ids(200), ids(201)],
    ['card_uris', uris(200), uris(201)],
    ['card_types', ['IMAGE_APP'], ['IMAGE_APP', 'POLL'], 'UNKNOWN_CARD_TYPE'],
    ['card_types', ['VIDEO_WEBSITE'], ['image_app'], 'UNKNOWN_CARD_TYPE'],
    ['include_legacy_cards', true, 'yes'],
  ];
  for (const [parameter, valid, invalid, code = 'INVALID_PARAMETER'] of bounds) {
    expect(await stage.many('cards.list', { [parameter]: valid })).toEqual([]);
    expect(await stage.rejected('cards.list', { [parameter]: invalid })).toMatchObject([{ code, parameter }]);
  }
  expect(await stage.rejected('cards.list', { with_total_count: true })).toMatchObject([
    { code: 'INVALID_PARAMETER', parameter: 'with_total_count' },
  ]);
});

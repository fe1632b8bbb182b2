/** Creating, reading, changing and deleting generic cards: specification B, Cards. */
import { expect } from 'vitest';
import { button, componentsOf, contentSent, details, slidesOf } from '../../support/card-bodies.ts';
import { libraryMediaOf } from '../../support/library.ts';
import { type Stage, scenarios } from '../../support/scenario.ts';

const scenario = scenarios();

const imageOf = (stage: Stage) => libraryMediaOf(stage.world, stage.account_id, 'wide_image');

scenario('B-CARDS-CREATE', async (stage) => {
  const components = componentsOf(await imageOf(stage));
  const card = await stage.one('cards.create', { name: 'Rain barrels', components });
  expect({ ...card, ...Object(contentSent(card)) }).toEqual({
    id: expect.stringMatching(/^[0-9]{15,19}$/),
    name: 'Rain barrels',
    components,
    card_uri: `card://${card.id}`,
    card_type: 'IMAGE_WEBSITE',
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    updated_at: card['created_at'],
    deleted: false,
  });
  expect(await stage.one('cards.get', { card_id: card.id })).toEqual(card);
  expect(await stage.many('cards.list')).toEqual([card]);
});

scenario('B-CARDS-NAME', async (stage) => {
  const components = componentsOf(await imageOf(stage));
  expect(await stage.rejected('cards.create', { components })).toMatchObject([
    { code: 'MISSING_PARAMETER', parameter: 'name' },
  ]);
  for (const name of ['', 'n'.repeat(81), 'a\0b']) {
    expect(await stage.rejected('cards.create', { name, components })).toMatchObject([{ parameter: 'name' }]);
  }
  const name = '🌧'.repeat(80);
  const { id: card_id } = await stage.one('cards.create', { name, components });
  expect(await stage.one('cards.create', { name, components })).toMatchObject({ name });
  expect(await stage.rejected('cards.update', { card_id, name: '' })).toMatchObject([{ parameter: 'name' }]);
  expect(await stage.one('cards.get', { card_id })).toMatchObject({ name });
});

scenario('B-CARDS-UPDATE', async (stage) => {
  const [one, other] = [await imageOf(stage), await imageOf(stage)];
  const before = await stage.one('cards.create', { name: 'Barrels', components: componentsOf(one) });
  const card_id = before.id;
  stage.world.clock.advance(2000);
  const renamed = await stage.one('cards.update', { card_id, name: 'Barrels of oak' });
  expect(renamed).toEqual({ ...before, name: 'Barrels of oak', updated_at: expect.any(String) });
  expect(renamed['updated_at']).not.toBe(before['updated_at']);
  // All components are replaced, not only those that differ.
  const components = componentsOf(other, button());
  const changed = await stage.one('cards.update', { card_id, components });
  expect(contentSent(changed)).toEqual({ components });
  expect(changed).toMatchObject({ name: 'Barrels of oak', card_type: 'IMAGE_APP' });
  const slides = slidesOf(one, other);
  const sliding = await stage.one('cards.update', { card_id, slides, name: 'Slides' });
  expect(contentSent(sliding)).toEqual({ slides });
  expect(sliding).toMatchObject({ name: 'Slides', card_type: 'IMAGE_MULTI_DEST_CAROUSEL_WEBSITE' });
  expect(sliding).not.toHaveProperty('components');
  const back = await stage.one('cards.update', { card_id, components: componentsOf([one, other]) });
  expect(back).toMatchObject({ name: 'Slides', card_type: 'IMAGE_CAROUSEL_WEBSITE' });
  expect(back).not.toHaveProperty('slides');
  expect(await stage.one('cards.get', { card_id })).toEqual(back);
  // What is rejected changes nothing.
  const wrong = { card_id, name: 'Wrong', components: [componentsOf(one)[0], details('', 'x')] };
  expect(await stage.rejected('cards.update', wrong)).toHaveLength(2);
  expect(await stage.one('cards.get', { card_id })).toEqual(back);
});

scenario('B-CARDS-AS-ANSWERED', async (stage) => {
  const [one, other] = [await imageOf(stage), await libraryMediaOf(stage.world, stage.account_id, 'wide_video')];
  for (const content of [
    { components: componentsOf(one) },
    { components: componentsOf([one, other], button()) },
    { slides: slidesOf(one, other) },
  ]) {
    const card = await stage.one('cards.create', { name: 'Barrels', ...content });
    const { id: card_id, name, components, slides } = card;
    const again = await stage.one('cards.update', { card_id, name, ...(components ? { components } : { slides }) });
    expect(again).toEqual({ ...card, updated_at: again['updated_at'] });
  }
  // Clients have recorded answers with a short address of the website.
  const [medium] = componentsOf(one);
  const { destination, ...rest } = details();
  const recorded = { ...rest, destination: { ...destination, tco_url: 'https://short.example.com/x' } };
  const odd = { ...medium, media_metadata: { anything: 'at all' } };
  const card = await stage.one('cards.create', { name: 'Barrels', components: [odd, recorded] });
  expect(contentSent(card)).toEqual({ components: componentsOf(one) });
});

scenario('B-CARDS-DELETE', async (stage) => {
  const components = componentsOf(await imageOf(stage));
  const card = await stage.one('cards.create', { name: 'Barrels', components });
  const card_id = card.id;
  stage.world.clock.advance(2000);
  const deleted = await stage.one('cards.delete', { card_id });
  expect(deleted).toEqual({ ...card, deleted: true, updated_at: expect.any(String) });
  const missing = [{ code: 'CARD_NOT_FOUND', parameter: 'card_id', value: card_id }];
  expect(await stage.rejected('cards.get', { card_id }, 404)).toMatchObject(missing);
  expect(await stage.rejected('cards.update', { card_id, name: 'x' }, 404)).toMatchObject(missing);
  expect(await stage.rejected('cards.delete', { card_id }, 404)).toMatchObject(missing);
  expect(await stage.many('cards.list')).toEqual([]);
  expect(await stage.many('cards.list', { with_deleted: true })).toEqual([deleted]);
  expect(await stage.one('cards.get', { card_id, with_deleted: true })).toEqual(deleted);
});

scenario('B-CARDS-FOREIGN', async (stage) => {
  const { world, user } = stage;
  const account_id = await world.createAccount('sandbox', user);
  const media_key = await libraryMediaOf(world, account_id, 'wide_image');
  const theirs = await stage.one('cards.create', { account_id, name: 'Theirs', components: componentsOf(media_key) });
  for (const card_id of [theirs.id, '1', '9223372036854775808']) {
    const missing = [{ code: 'CARD_NOT_FOUND', parameter: 'card_id', value: card_id }];
    expect(await stage.rejected('cards.get', { card_id, with_deleted: true }, 404)).toMatchObject(missing);
    expect(await stage.rejected('cards.update', { card_id, name: 'Ours' }, 404)).toMatchObject(missing);
    expect(await stage.rejected('cards.delete', { card_id }, 404)).toMatchObject(missing);
  }
  const card_uris = [String(theirs['card_uri'])];
  expect(await stage.many('cards.list', { card_id: [theirs.id], with_deleted: true })).toEqual([]);
  expect(await stage.many('cards.list', { card_uris, with_deleted: true })).toEqual([]);
  expect(await stage.one('cards.get', { account_id, card_id: theirs.id })).toEqual(theirs);
});

/** Cards of all kinds: specification B, Cards; reference, creatives section 3. */
import { expect } from 'vitest';
import { componentsOf } from '../support/card-bodies.ts';
import { leastConversation } from '../support/conversation-cards.ts';
import { libraryMediaOf } from '../support/library.ts';
import { type Entity, type Stage, scenarios } from '../support/scenario.ts';

const scenario = scenarios();

/** Makes a card of each kind, a generic one first. */
async function oneOfEach(stage: Stage): Promise<readonly [Entity, ...Entity[]]> {
  const { world, account_id } = stage;
  const media_key = await libraryMediaOf(world, account_id, 'wide_image');
  const film = await libraryMediaOf(world, account_id, 'wide_video');
  return [
    await stage.one('cards.create', { name: 'Barrels', components: componentsOf([media_key, film]) }),
    await stage.one('image_conversation_cards.create', { ...leastConversation, media_key }),
    await stage.one('video_conversation_cards.create', { ...leastConversation, media_key: film }),
    await stage.one('poll_cards.create', {
      name: 'Poll',
      duration_in_minutes: 60,
      first_choice: 'Yes',
      second_choice: 'No',
    }),
  ];
}

const urisOf = (cards: readonly Entity[]) => cards.map(({ card_uri }) => String(card_uri));
const numberOf = ({ card_uri }: Entity) => String(card_uri).slice('card://'.length);

scenario('B-ALL-CARDS-LIST', async (stage) => {
  const cards = await oneOfEach(stage);
  expect(await stage.many('all_cards.list', { card_uris: urisOf(cards) })).toEqual(cards);
  const turned = cards.toReversed();
  const card_uris = ['card://1', ...urisOf(turned), 'no uri', ...urisOf(cards)];
  expect(await stage.many('all_cards.list', { card_uris })).toEqual(turned);
  expect(await stage.many('all_cards.list', { card_uris: ['card://1'] })).toEqual([]);
  expect(cards.map(({ card_type }) => card_type)).toEqual([
    'MIXED_MEDIA_SINGLE_DEST_CAROUSEL_WEBSITE',
    'IMAGE_CONVERSATION',
    'VIDEO_CONVERSATION',
    'TEXT_POLLS',
  ]);
});

scenario('B-ALL-CARDS-GET', async (stage) => {
  for (const card of await oneOfEach(stage)) {
    expect(await stage.one('all_cards.get', { card_id: card.id })).toEqual(card);
    expect(await stage.one('all_cards.get', { card_id: numberOf(card) })).toEqual(card);
  }
  for (const card_id of ['nosuch', '1', '9223372036854775808']) {
    expect(await stage.rejected('all_cards.get', { card_id }, 404)).toMatchObject([
      { code: 'CARD_NOT_FOUND', parameter: 'card_id', value: card_id },
    ]);
  }
});

scenario('B-ALL-CARDS-BOUNDS', async (stage) => {
  const uris = (count: number) => Array.from({ length: count }, (_, index) => `card://${index + 1}`);
  expect(await stage.rejected('all_cards.list', {})).toMatchObject([
    { code: 'MISSING_PARAMETER', parameter: 'card_uris' },
  ]);
  for (const card_uris of [[], uris(201)]) {
    expect(await stage.rejected('all_cards.list', { card_uris })).toMatchObject([
      { code: 'INVALID_PARAMETER', parameter: 'card_uris' },
    ]);
  }
  const card = (await oneOfEach(stage))[0];
  const full = [...uris(199), String(card['card_uri'])];
  expect(await stage.many('all_cards.list', { card_uris: full })).toEqual([card]);
});

scenario('B-ALL-CARDS-DELETED', async (stage) => {
  const [generic, image, video, poll] = await oneOfEach(stage);
  const card_uris = urisOf([generic, ...[image, video, poll].flatMap((card) => card ?? [])]);
  const deleted = await stage.one('cards.delete', { card_id: generic.id });
  await stage.ok('image_conversation_cards.delete', { card_id: image?.id });
  await stage.ok('video_conversation_cards.delete', { card_id: video?.id });
  await stage.ok('poll_cards.delete', { card_id: poll?.id });
  expect(await stage.many('all_cards.list', { card_uris })).toEqual([]);
  expect(await stage.many('all_cards.list', { card_uris, with_deleted: true })).toEqual([deleted]);
  for (const card of [generic, image, video, poll]) {
    await stage.rejected('all_cards.get', { card_id: card?.id }, 404);
    if (card !== generic) await stage.rejected('all_cards.get', { card_id: card?.id, with_deleted: true }, 404);
  }
  expect(await stage.one('all_cards.get', { card_id: generic.id, with_deleted: true })).toEqual(deleted);
});

scenario('B-ALL-CARDS-FOREIGN', async (stage) => {
  const account_id = await stage.world.createAccount('sandbox', stage.user);
  const cards = await oneOfEach(stage);
  const elsewhere = { account_id, card_uris: urisOf(cards), with_deleted: true };
  expect(await stage.many('all_cards.list', elsewhere)).toEqual([]);
  for (const card of cards) {
    for (const card_id of [card.id, numberOf(card)]) {
      expect(await stage.rejected('all_cards.get', { account_id, card_id, with_deleted: true }, 404)).toMatchObject([
        { code: 'CARD_NOT_FOUND', parameter: 'card_id', value: card_id },
      ]);
    }
  }
});

scenario('B-ALL-CARDS-ENVELOPE', async (stage) => {
  const { world, account_id } = stage;
  const cards = await oneOfEach(stage);
  const path = `/12/accounts/${account_id}/cards/all`;
  const list = await world.request({ path, query: { card_uris: urisOf(cards).join() } });
  expect(Object.keys(Object(list.body)).sort()).toEqual(['data', 'request']);
  expect(list.body).toMatchObject({ request: { params: { account_id, card_uris: urisOf(cards) } } });
  const one = await world.request({ path: `${path}/${cards[0].id}` });
  expect(one.body).toMatchObject({
    request: { params: { account_id, card_id: cards[0].id } },
    data: { id: cards[0].id },
  });
});

scenario('B-CARDS-GENERIC-ONLY', async (stage) => {
  const [generic, ...others] = await oneOfEach(stage);
  expect(await stage.many('cards.list')).toEqual([generic]);
  expect(await stage.many('cards.list', { card_uris: urisOf(others), with_deleted: true })).toEqual([]);
  for (const card of others) {
    await stage.rejected('cards.get', { card_id: card.id }, 404);
    await stage.rejected('cards.get', { card_id: numberOf(card) }, 404);
  }
});

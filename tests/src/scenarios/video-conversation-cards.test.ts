/** Video conversation cards: specification B; reference, creatives section 5. */
import { expect } from 'vitest';
import { type CardKind, Cards, conversationPlays, echoesOf, leastConversation } from '../support/conversation-cards.ts';
import { scenarios } from '../support/scenario.ts';

const scenario = scenarios();
const kind: CardKind = {
  family: 'video_conversation_cards',
  card_type: 'VIDEO_CONVERSATION',
  file: 'wide_video',
};
const plays = conversationPlays(kind);

scenario('B-VIDEO-TALK-CREATE', plays.says);
scenario('B-VIDEO-TALK-REQUIRED', plays.requires);
scenario('B-VIDEO-TALK-PAIRS', plays.pairs);
scenario('B-VIDEO-TALK-BOUNDS', plays.bounds);
scenario('B-VIDEO-TALK-LIBRARY', plays.media);
scenario('B-VIDEO-TALK-UPDATE', plays.update);
scenario('B-VIDEO-TALK-DELETE', plays.delete);
scenario('B-VIDEO-TALK-LIST', plays.list);

const ADDRESS = /^http:\/\/api\.test\/media\/[\w-]+/;

scenario('B-VIDEO-TALK-VIDEO', async (stage) => {
  const cards = new Cards(stage, kind);
  const card = await cards.create();
  expect(card).toMatchObject({
    video_height: '9',
    video_width: '16',
    video_owner_id: stage.world.user.user_id,
    media_url: expect.stringMatching(ADDRESS),
    poster_media_url: expect.stringMatching(ADDRESS),
  });
  for (const name of ['image_display_height', 'image_display_width', 'poster_media_key']) {
    expect(card, name).not.toHaveProperty(name);
  }
  expect(await cards.create({ media_key: await cards.media('preroll_video') })).toMatchObject({ video_width: '16' });
  for (const file of ['square_video', 'wide_image', 'gif'] as const) {
    await cards.reject(card, { media_key: await cards.media(file) }, 'INVALID_MEDIA', 'media_key');
  }
});

scenario('B-VIDEO-TALK-UNLOCKED', async (stage) => {
  const cards = new Cards(stage, kind);
  const media = {
    poster_media_key: await cards.media('wide_image'),
    unlocked_image_media_key: await cards.media('square_image'),
    unlocked_video_media_key: await cards.media('square_video'),
  };
  const plain = await cards.create();
  const card = await cards.create({ ...media, media_key: plain['media_key'] });
  for (const name of Object.keys(media)) expect(card, name).not.toHaveProperty(name);
  const { poster_media_url, unlocked_image_url, unlocked_video_url } = card;
  const addresses = [poster_media_url, unlocked_image_url, unlocked_video_url];
  for (const address of addresses) expect(address).toMatch(ADDRESS);
  expect(new Set([...addresses, plain['poster_media_url'], card['media_url']]).size).toBe(5);
  const film = await cards.media();
  for (const name of ['poster_media_key', 'unlocked_image_media_key'] as const) {
    await cards.reject(card, { [name]: film }, 'INVALID_MEDIA', name);
    await cards.reject(card, { [name]: await cards.media('small_image') }, 'INVALID_IMAGE', name);
    await cards.reject(card, { [name]: '3_1' }, 'MEDIA_NOT_FOUND', name, 404);
  }
  const video = 'unlocked_video_media_key';
  await cards.reject(card, { [video]: media.poster_media_key }, 'INVALID_MEDIA', video);
  await cards.reject(card, { [video]: '7_1' }, 'MEDIA_NOT_FOUND', video, 404);
  const bare = Object.fromEntries(Object.keys(media).map((name) => [name, '']));
  const { id, card_uri, ...others } = plain;
  expect(await cards.update(card.id, bare)).toEqual({
    ...others,
    id: card.id,
    card_uri: card['card_uri'],
    created_at: card['created_at'],
    updated_at: expect.any(String),
  });
  expect(await cards.update(card.id, media)).toMatchObject({
    poster_media_url,
    unlocked_image_url,
    unlocked_video_url,
  });
});

scenario('B-VIDEO-TALK-ECHO', async (stage) => {
  const media_key = await new Cards(stage, kind).media();
  const { account_id } = stage;
  const echoes = await echoesOf(stage, kind.family, { ...leastConversation, media_key });
  const card_id = expect.any(String);
  expect(echoes).toEqual({
    create: { account_id, ...leastConversation, media_key, card_type: 'VIDEO_CONVERSATION' },
    update: { account_id, card_id, name: 'Other', card_type: 'VIDEO_CONVERSATION' },
    get: { account_id, card_id, card_type: 'video_conversation' },
    list: { account_id, count: 1, card_type: 'video_conversation' },
    delete: { account_id, card_id, card_type: 'video_conversation' },
  });
});

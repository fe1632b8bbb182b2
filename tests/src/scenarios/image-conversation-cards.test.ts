/** Image conversation cards: specification B; reference, creatives section 4. */
import { expect } from 'vitest';
import { type CardKind, Cards, conversationPlays, echoesOf, leastConversation } from '../support/conversation-cards.ts';
import { scenarios } from '../support/scenario.ts';

const scenario = scenarios();
const kind: CardKind = {
  family: 'image_conversation_cards',
  card_type: 'IMAGE_CONVERSATION',
  file: 'wide_image',
};
const plays = conversationPlays(kind);

scenario('B-IMAGE-TALK-CREATE', plays.says);
scenario('B-IMAGE-TALK-REQUIRED', plays.requires);
scenario('B-IMAGE-TALK-PAIRS', plays.pairs);
scenario('B-IMAGE-TALK-BOUNDS', plays.bounds);
scenario('B-IMAGE-TALK-LIBRARY', plays.media);
scenario('B-IMAGE-TALK-UPDATE', plays.update);
scenario('B-IMAGE-TALK-DELETE', plays.delete);
scenario('B-IMAGE-TALK-LIST', plays.list);

scenario('B-IMAGE-TALK-IMAGE', async (stage) => {
  const cards = new Cards(stage, kind);
  const card = await cards.create();
  expect(card).toMatchObject({ image_display_height: '418', image_display_width: '800' });
  expect(card['media_url']).toMatch(/^http:\/\/api\.test\/media\/[\w-]+/);
  for (const file of ['square_image', 'small_image', 'banner_image'] as const) {
    await cards.reject(card, { media_key: await cards.media(file) }, 'INVALID_IMAGE', 'media_key');
  }
  for (const file of ['wide_video', 'gif'] as const) {
    await cards.reject(card, { media_key: await cards.media(file) }, 'INVALID_MEDIA', 'media_key');
  }
  const banner = await cards.media('banner_image');
  const locked = await cards.create({ unlocked_image_media_key: banner });
  expect(locked).not.toHaveProperty('unlocked_image_media_key');
  expect(locked['unlocked_image_url']).toMatch(/^http:\/\/api\.test\/media\/[\w-]+/);
  expect(locked['unlocked_image_url']).not.toBe(locked['media_url']);
  const unlocked = 'unlocked_image_media_key';
  for (const file of ['square_image', 'small_image', 'wide_image'] as const) {
    await cards.reject(locked, { [unlocked]: await cards.media(file) }, 'INVALID_IMAGE', unlocked);
  }
  await cards.reject(locked, { [unlocked]: await cards.media('wide_video') }, 'INVALID_MEDIA', unlocked);
  await cards.reject(locked, { [unlocked]: '3_1' }, 'MEDIA_NOT_FOUND', unlocked, 404);
  const { unlocked_image_url, ...rest } = locked;
  expect(await cards.update(locked.id, { [unlocked]: '' })).toEqual({ ...rest, updated_at: expect.any(String) });
  expect(await cards.update(locked.id, { [unlocked]: banner })).toMatchObject({ unlocked_image_url });
  const other = await cards.media();
  expect(await cards.update(card.id, { media_key: other })).toMatchObject({ media_key: other });
});

scenario('B-IMAGE-TALK-ECHO', async (stage) => {
  const media_key = await new Cards(stage, kind).media();
  const { account_id } = stage;
  const echoes = await echoesOf(stage, kind.family, { ...leastConversation, media_key });
  const card_id = expect.any(String);
  expect(echoes).toEqual({
    create: { account_id, ...leastConversation, media_key, card_type: 'IMAGE_CONVERSATION' },
    update: { account_id, card_id, name: 'Other', card_type: 'IMAGE_CONVERSATION' },
    get: { account_id, card_id, card_type: 'image_conversation' },
    list: { account_id, count: 1, card_type: 'image_conversation' },
    delete: { account_id, card_id, card_type: 'image_conversation' },
  });
});

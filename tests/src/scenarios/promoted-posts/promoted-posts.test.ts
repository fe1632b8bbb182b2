/** Posts that can be promoted, and their states: specification C, Promoted posts and States. */
import { families } from '@broadside/server';
import { expect } from 'vitest';
import { freshText, posted } from '../../support/advertiser-posts.ts';
import { button, componentsOf } from '../../support/card-bodies.ts';
import { type LibraryFile, libraryMediaOf } from '../../support/library.ts';
import { lineItemWith, shownPost } from '../../support/promotion.ts';
import { type Entity, lineItemOf, scenarios } from '../../support/scenario.ts';
import { idsOf, posts, SERVER } from './posts.ts';

const scenario = scenarios();

scenario('C-POST-SUITS', async (stage) => {
  const { world } = stage;
  const file = (name: LibraryFile) => libraryMediaOf(world, stage.account_id, name);
  const [image, square, video] = [await file('wide_image'), await file('square_image'), await file('wide_video')];
  const card = async (media: string | readonly string[], description?: Parameters<typeof componentsOf>[1]) =>
    (await stage.one('cards.create', { name: 'Card', components: componentsOf(media, description) }))['card_uri'];
  const talk = { name: 'Talk', first_cta: '#Yes', first_cta_post: 'Yes', thank_you_text: 'Thanks', title: 'Well?' };
  const conversation = async (kind: 'image' | 'video', media_key: string) =>
    (await stage.one(`${kind}_conversation_cards.create`, { ...talk, media_key }))['card_uri'];
  const poll = { name: 'Poll', duration_in_minutes: 60, first_choice: 'A', second_choice: 'B' };
  const website = await card(image);
  const contents = {
    text: {},
    link: { text: `${freshText()} at https://books.example.com/autumn` },
    photo: { media_keys: [square] },
    gif: { media_keys: [await file('gif')] },
    video: { media_keys: [video] },
    website: { card_uri: website },
    both: { card_uri: website, text: `${freshText()} at https://books.example.com/autumn` },
    film: { card_uri: await card(video) },
    app: { card_uri: await card(image, button()) },
    otherApp: { card_uri: await card(video, button({ googleplay_app_id: 'com.example.other' })) },
    pictures: { card_uri: await conversation('image', image) },
    films: { card_uri: await conversation('video', video) },
    poll: { card_uri: (await stage.one('poll_cards.create', poll))['card_uri'] },
  };
  const made = new Map<string, Entity>();
  for (const [name, content] of Object.entries(contents)) made.set(name, await posted(stage, content));
  const names = Object.keys(contents);
  const app = { android_app_store_identifier: 'com.example.garden' };
  const suited: readonly (readonly [objective: string, posts: readonly string[], more?: object])[] = [
    ['ENGAGEMENTS', names],
    ['REACH', names],
    ['FOLLOWERS', names],
    ['VIDEO_VIEWS', ['gif', 'video', 'film', 'otherApp', 'films']],
    ['WEBSITE_CLICKS', ['link', 'website', 'film']],
    ['APP_INSTALLS', ['app'], app],
    ['APP_ENGAGEMENTS', ['app'], app],
  ];
  for (const [objective, fitting, more] of suited) {
    const line_item_id = (await lineItemWith(stage, objective, { ...more })).id;
    for (const [name, { id, id_str }] of made) {
      const outcome = await stage.call('promoted_posts.create', { line_item_id, post_ids: [id] });
      const rejection = [{ code: 'INVALID_POST', value: id, message: expect.stringContaining(objective) }];
      const suits = fitting.includes(name);
      expect(outcome, `${objective} ${name} ${id_str}`).toMatchObject(
        suits ? { ok: true } : { ok: false, status: 400, errors: rejection },
      );
    }
  }
  // A card that has been deleted is shown no more.
  const gone = await card(image);
  const post_ids = [(await posted(stage, { card_uri: gone })).id];
  await stage.ok('cards.delete', { card_id: String(gone).replace('card://', '') });
  const line_item_id = (await lineItemWith(stage, 'WEBSITE_CLICKS')).id;
  expect(await stage.rejected('promoted_posts.create', { line_item_id, post_ids })).toMatchObject([
    { code: 'INVALID_POST' },
  ]);
});

scenario('C-POST-LINE', async (stage) => {
  const post_ids = await posts(stage, 1);
  for (const [objective, more] of [
    ['PREROLL_VIEWS', { product_type: 'MEDIA', categories: ['IAB2'] }],
    ['WEBSITE_CLICKS', { product_type: 'MEDIA' }],
  ] as const) {
    const line_item_id = (await lineItemWith(stage, objective, more)).id;
    expect(await stage.rejected('promoted_posts.create', { line_item_id, post_ids })).toMatchObject([
      { code: 'INCOMPATIBLE_LINE_ITEM', parameter: 'line_item_id', value: line_item_id },
    ]);
  }
  const deleted = (await lineItemWith(stage, 'ENGAGEMENTS')).id;
  await stage.ok('line_items.delete', { line_item_id: deleted });
  for (const line_item_id of [deleted, 'nosuch']) {
    expect(await stage.rejected('promoted_posts.create', { line_item_id, post_ids }, 404)).toMatchObject([
      { code: 'LINE_ITEM_NOT_FOUND', parameter: 'line_item_id', value: line_item_id },
    ]);
  }
});

scenario('C-POST-FILTER', async (stage) => {
  const [one, other] = [await lineItemWith(stage, 'ENGAGEMENTS'), await lineItemWith(stage, 'REACH')];
  const [x = 0n, y = 0n] = await posts(stage, 2);
  const [a, b] = await stage.many('promoted_posts.create', { line_item_id: one.id, post_ids: [x, y] });
  const [c] = await stage.many('promoted_posts.create', { line_item_id: other.id, post_ids: [x] });
  const list = async (params: object) => idsOf(await stage.many('promoted_posts.list', { ...params }));
  expect(await list({})).toEqual([c?.id, b?.id, a?.id]);
  expect(await list({ line_item_ids: [one.id] })).toEqual([b?.id, a?.id]);
  expect(await list({ line_item_ids: [one.id, other.id], promoted_post_ids: [a?.id, c?.id, 'none'] })).toEqual([
    c?.id,
    a?.id,
  ]);
  expect(await list({ promoted_post_ids: [`${x}`] })).toEqual([]);
  const many = Array.from({ length: 201 }, (_, i) => `x${i}`);
  for (const name of ['line_item_ids', 'promoted_post_ids']) {
    expect(await stage.call('promoted_posts.list', { [name]: many })).toMatchObject({
      ok: false,
      errors: [{ parameter: name }],
    });
  }
});

scenario('C-POST-DELETE', async (stage) => {
  const { world } = stage;
  const line_item_id = (await lineItemWith(stage, 'ENGAGEMENTS')).id;
  const post_ids = await posts(stage, 1);
  const [promoted] = await stage.many('promoted_posts.create', { line_item_id, post_ids });
  const promoted_post_id = promoted?.id;
  world.clock.advance(2000);
  const gone = await stage.one('promoted_posts.delete', { promoted_post_id });
  expect(gone).toEqual({ ...promoted, deleted: true, updated_at: expect.any(String) });
  expect(gone['updated_at']).not.toBe(promoted?.['updated_at']);
  const notFound = [{ code: 'PROMOTED_POST_NOT_FOUND', parameter: 'promoted_post_id', value: promoted_post_id }];
  expect(await stage.rejected('promoted_posts.delete', { promoted_post_id }, 404)).toMatchObject(notFound);
  expect(await stage.rejected('promoted_posts.get', { promoted_post_id }, 404)).toMatchObject(notFound);
  // The id is that of the promoted post.
  await stage.rejected('promoted_posts.delete', { promoted_post_id: `${post_ids[0]}` }, 404);
  expect(await stage.many('promoted_posts.list')).toEqual([]);
  expect(await stage.many('promoted_posts.list', { with_deleted: true })).toEqual([gone]);
  expect(await stage.one('promoted_posts.get', { promoted_post_id, with_deleted: true })).toEqual(gone);
  expect(await shownPost(world, post_ids[0])).toBeDefined();
  // A detached one can be attached again.
  const [anew] = await stage.many('promoted_posts.create', { line_item_id, post_ids });
  expect(anew?.id).not.toBe(promoted_post_id);
  expect(idsOf(await stage.many('promoted_posts.list', { with_deleted: true, sort_by: ['paused-asc'] }))).toEqual([
    anew?.id,
    gone.id,
  ]);
});

scenario('C-POST-OF-DELETED', async (stage) => {
  for (const ended of ['line item', 'campaign']) {
    const campaign = await stage.campaign();
    const line_item_id = (await stage.lineItem(campaign)).id;
    const kept = (await stage.lineItem(await stage.campaign(), lineItemOf(await stage.campaign()))).id;
    const post_ids = await posts(stage, 1);
    const [promoted] = await stage.many('promoted_posts.create', { line_item_id, post_ids });
    const [other] = await stage.many('promoted_posts.create', { line_item_id: kept, post_ids });
    const promoted_post_id = promoted?.id;
    if (ended === 'campaign') await stage.ok('campaigns.delete', { campaign_id: campaign.id });
    else await stage.ok('line_items.delete', { line_item_id });
    const line_item_ids = [line_item_id, kept];
    expect(await stage.many('promoted_posts.list', { line_item_ids }), ended).toEqual([other]);
    const all = await stage.many('promoted_posts.list', { line_item_ids, with_deleted: true });
    expect(all, ended).toEqual([other, promoted]);
    expect(await stage.one('promoted_posts.get', { promoted_post_id, with_deleted: true })).toEqual(promoted);
    expect(promoted).toMatchObject({ deleted: false });
    for (const id of ['promoted_posts.get', 'promoted_posts.delete'] as const) {
      expect(await stage.rejected(id, { promoted_post_id }, 404)).toMatchObject([{ code: 'PROMOTED_POST_NOT_FOUND' }]);
    }
  }
});

scenario('C-POST-TIMELINE', async (stage) => {
  const { world } = stage;
  const lineItem = await lineItemWith(stage, 'FOLLOWERS', { placements: ['PLATFORM_TIMELINE'] });
  const line_item_id = lineItem.id;
  const place = (placements: ('PLATFORM_SEARCH' | 'ALL_ON_PLATFORM')[]) =>
    world.platform.ads.sandbox.account(stage.account_id).write(SERVER, async (writer) => {
      const row = await writer.of(families.line_items.lineItem).get(line_item_id);
      if (row) await writer.of(families.line_items.lineItem).update(row, { placements });
    });
  const placements = async () => (await stage.one('line_items.get', { line_item_id }))['placements'];
  await place(['PLATFORM_SEARCH']);
  await stage.ok('promoted_posts.create', { line_item_id, post_ids: await posts(stage, 1) });
  expect(await placements()).toEqual(['PLATFORM_SEARCH', 'PLATFORM_TIMELINE']);
  await place(['ALL_ON_PLATFORM']);
  await stage.ok('promoted_posts.create', { line_item_id, post_ids: await posts(stage, 1) });
  expect(await placements()).toEqual(['ALL_ON_PLATFORM']);
});

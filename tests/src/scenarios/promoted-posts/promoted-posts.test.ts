/** Posts that can be promoted, and their states: specification C, Promoted posts and States. */
import { families } from '@broadside/server';
import { expect } from 'vitest';
import { encodeGif, encodePng } from '../../../../apps/server/src/media/testing/images.ts';
import { encodeMp4 } from '../../../../apps/server/src/media/testing/videos.ts';
import { postBy } from '../../fixtures/promoted-posts.ts';
import { lineItemWith, shownPost, uploadedMedia } from '../../support/promotion.ts';
import { lineItemOf, scenarios } from '../../support/scenario.ts';
import { idsOf, posts, SERVER } from './posts.ts';

const scenario = scenarios();

scenario('C-POST-SUITS', async (stage) => {
  const { world, user } = stage;
  const upload = (bytes: Uint8Array) => uploadedMedia(world, user.user_id, bytes);
  const withMedia = async (bytes: Uint8Array) =>
    BigInt(
      await world.platform.posts.create(SERVER, {
        author_id: user.user_id,
        text: 'Look',
        source: 'Test',
        lang: 'en',
        media_keys: [await upload(bytes)],
      }),
    );
  const made = {
    text: await postBy(world, user.user_id, 'Just words'),
    link: await postBy(world, user.user_id, 'More at https://books.example.com/autumn'),
    app: await postBy(world, user.user_id, 'Get it: https://play.google.com/store/apps/details?id=com.example.app'),
    photo: await withMedia(encodePng(40, 30)),
    gif: await withMedia(encodeGif(20, 10, [5, 5, 5])),
    video: await withMedia(encodeMp4({ width: 320, height: 240, seconds: 2 })),
  };
  const names = Object.keys(made);
  const app = { android_app_store_identifier: 'com.example.app' };
  const suited: readonly (readonly [objective: string, posts: readonly string[], more?: object])[] = [
    ['ENGAGEMENTS', names],
    ['REACH', names],
    ['FOLLOWERS', names],
    ['VIDEO_VIEWS', ['gif', 'video']],
    ['WEBSITE_CLICKS', ['link', 'app']],
    ['APP_INSTALLS', ['app'], app],
    ['APP_ENGAGEMENTS', ['app'], app],
  ];
  for (const [objective, fitting, more] of suited) {
    const line_item_id = (await lineItemWith(stage, objective, { ...more })).id;
    for (const [name, id] of Object.entries(made)) {
      const outcome = await stage.call('promoted_posts.create', { line_item_id, post_ids: [id] });
      const rejection = [{ code: 'INVALID_POST', value: id, message: expect.stringContaining(objective) }];
      const suits = fitting.includes(name);
      expect(outcome, `${objective} ${name}`).toMatchObject(
        suits ? { ok: true } : { ok: false, status: 400, errors: rejection },
      );
    }
  }
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

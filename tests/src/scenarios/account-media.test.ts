/** Account media: specification B, Account media; reference, creatives section 2. */
import { expect } from 'vitest';
import { encodePng } from '../../../apps/server/src/media/testing/images.ts';
import { accountMediaOf } from '../fixtures/media-creatives.ts';
import { type LibraryFile, uploadedFile } from '../support/library.ts';
import { lineItemWith, uploadedMedia } from '../support/promotion.ts';
import { type Entity, type Stage, scenarios } from '../support/scenario.ts';

const scenario = scenarios();

const idsOf = (entities: readonly Entity[]) => entities.map(({ id }) => id);

async function added(stage: Stage, file: LibraryFile): Promise<string> {
  const media_key = await uploadedFile(stage.world, file);
  await stage.ok('media_library.create', { media_key });
  return media_key;
}

scenario('B-ACCOUNT-MEDIA-SOURCE', async (stage) => {
  for (const file of ['wide_image', 'gif', 'wide_video'] as const) await added(stage, file);
  expect(await stage.many('account_media.list')).toEqual([]);
  const video = await added(stage, 'preroll_video');
  const banner = await added(stage, 'display_banner');
  const tablet = await uploadedMedia(stage.world, stage.user.user_id, encodePng(1024, 768));
  await stage.ok('media_library.create', { media_key: tablet });
  const all = [
    { media_key: tablet, creative_type: 'INTERSTITIAL_LANDSCAPE_TABLET' },
    { media_key: banner, creative_type: 'BANNER' },
    { media_key: video, creative_type: 'PREROLL' },
  ];
  expect(await stage.many('account_media.list')).toMatchObject(all);
  // Adding again, and adding after removal from the library, makes no second one.
  await stage.ok('media_library.create', { media_key: video, name: 'Film' });
  await stage.ok('media_library.delete', { media_key: banner });
  expect(await stage.many('account_media.list')).toMatchObject(all);
  await stage.ok('media_library.create', { media_key: banner });
  expect(await stage.many('account_media.list')).toMatchObject(all);
});

scenario('B-ACCOUNT-MEDIA-OBJECT', async (stage) => {
  const video = await added(stage, 'preroll_video');
  const banner = await added(stage, 'display_banner');
  const [image, film] = await stage.many('account_media.list');
  const common = {
    id: expect.stringMatching(/^[0-9a-z]{2,9}$/),
    created_at: expect.any(String),
    updated_at: image?.['created_at'],
    deleted: false,
  };
  expect(film).toEqual({ ...common, creative_type: 'PREROLL', media_key: video, video_id: video, media_url: null });
  expect(image).toEqual({
    ...common,
    creative_type: 'BANNER',
    media_key: banner,
    video_id: null,
    media_url: expect.stringMatching(/^http:\/\/api\.test\/media\/[0-9a-z]+$/),
  });
  const bytes = await stage.world.request({
    listener: 'api',
    path: new URL(String(image?.['media_url'])).pathname,
    as: null,
  });
  expect([bytes.status, bytes.headers['content-type']]).toEqual([200, 'image/png']);
  expect(await stage.one('account_media.get', { account_media_id: film?.id })).toEqual(film);
  expect(await stage.rejected('account_media.get', { account_media_id: 'nosuch' }, 404)).toMatchObject([
    { code: 'ACCOUNT_MEDIA_NOT_FOUND', parameter: 'account_media_id', value: 'nosuch' },
  ]);
});

scenario('B-ACCOUNT-MEDIA-FILTER', async (stage) => {
  const { world, account_id } = stage;
  const made: string[] = [];
  for (const type of ['BANNER', 'PREROLL', 'BANNER'] as const) {
    made.push(await accountMediaOf(world, account_id, type));
    world.clock.advance(1000);
  }
  const [a = '', b = '', c = ''] = made;
  const list = async (params: object) => idsOf(await stage.many('account_media.list', { ...params }));
  expect(await list({})).toEqual([c, b, a]);
  expect(await list({ account_media_ids: [a, c, 'none'] })).toEqual([c, a]);
  expect(await list({ creative_types: ['BANNER'] })).toEqual([c, a]);
  expect(await list({ creative_types: ['PREROLL', 'VAST_PREROLL'] })).toEqual([b]);
  expect(await list({ creative_types: ['BANNER'], account_media_ids: [b] })).toEqual([]);
  expect(await list({ sort_by: ['created_at-asc'] })).toEqual([a, b, c]);
  const counted = await stage.call('account_media.list', { count: 2, with_total_count: true });
  expect(counted).toMatchObject({ total_count: 3, data: [{ id: c }, { id: b }] });
  expect(await list({ count: 2, cursor: counted.next_cursor })).toEqual([a]);
});

scenario('B-ACCOUNT-MEDIA-BOUNDS', async (stage) => {
  const ids = (count: number) => Array.from({ length: count }, (_, i) => `a${i}`);
  expect(await stage.many('account_media.list', { account_media_ids: ids(200), count: 1000 })).toEqual([]);
  for (const [parameter, value] of [
    ['account_media_ids', ids(201)],
    ['count', 0],
    ['count', 1001],
    ['creative_types', ['BANNERS']],
    ['sort_by', ['creative_type-asc']],
  ] as const) {
    expect(await stage.rejected('account_media.list', { [parameter]: value })).toMatchObject([
      { code: 'INVALID_PARAMETER', parameter },
    ]);
  }
});

scenario('B-ACCOUNT-MEDIA-DELETE', async (stage) => {
  const banner = await added(stage, 'display_banner');
  const other = await accountMediaOf(stage.world, stage.account_id, 'BANNER');
  const media = (await stage.many('account_media.list')).find(({ media_key }) => media_key === banner);
  const account_media_id = media?.id;
  const landing_url = 'https://example.com';
  const lineItem = async () => (await lineItemWith(stage, 'WEBSITE_CLICKS', { product_type: 'MEDIA' })).id;
  const show = async (line_item_id: string, id: unknown) =>
    stage.one('media_creatives.create', { line_item_id, account_media_id: id, landing_url });
  const [one, two] = [await lineItem(), await lineItem()];
  const hidden = [await show(one, account_media_id), await show(two, account_media_id)];
  const kept = await show(two, other);
  const gone = await stage.one('account_media.delete', { account_media_id });
  expect(gone).toEqual({ ...media, deleted: true, updated_at: expect.any(String) });
  const notFound = [{ code: 'ACCOUNT_MEDIA_NOT_FOUND', parameter: 'account_media_id' }];
  expect(await stage.rejected('account_media.delete', { account_media_id }, 404)).toMatchObject(notFound);
  expect(await stage.rejected('account_media.get', { account_media_id }, 404)).toMatchObject(notFound);
  expect(await stage.one('account_media.get', { account_media_id, with_deleted: true })).toEqual(gone);
  expect(idsOf(await stage.many('account_media.list'))).toEqual([other]);
  expect(await stage.many('account_media.list', { with_deleted: true })).toContainEqual(gone);
  // Media creatives that show them are hidden; their own state does not change.
  expect(idsOf(await stage.many('media_creatives.list'))).toEqual([kept.id]);
  expect(await stage.many('media_creatives.list', { with_deleted: true })).toEqual([kept, ...hidden.reverse()]);
  const media_creative_id = hidden[0]?.id;
  expect(await stage.rejected('media_creatives.get', { media_creative_id }, 404)).toMatchObject([
    { code: 'MEDIA_CREATIVE_NOT_FOUND' },
  ]);
  expect(
    await stage.rejected('media_creatives.create', { line_item_id: one, account_media_id, landing_url }, 404),
  ).toMatchObject(notFound);
  // Adding the media again makes new account media, which show nothing yet.
  await stage.ok('media_library.create', { media_key: banner });
  const [fresh] = await stage.many('account_media.list', { creative_types: ['BANNER'] });
  expect(fresh).toMatchObject({ media_key: banner, deleted: false });
  expect(fresh?.id).not.toBe(account_media_id);
  await show(one, fresh?.id);
});

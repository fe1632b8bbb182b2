/** Promotable users, promoted accounts, media creatives and account apps: specification C; reference 3, 13, 14 and 16. */
import { families } from '@broadside/server';
import { expect, test } from 'vitest';
import { accountMediaOf } from '../fixtures/media-creatives.ts';
import { lend, lineItemWith, somebody } from '../support/promotion.ts';
import { about, type Entity, scenarios } from '../support/scenario.ts';
import { createAccountFixture, openWorld } from '../support/world.ts';

const SERVER = { user_id: null, platform: 'SERVER' } as const;

const scenario = scenarios();

const idsOf = (entities: readonly Entity[]) => entities.map(({ id }) => id);

scenario('C-PROMOTABLE-FULL', async (stage) => {
  const [full, ...others] = await stage.many('promotable_users.list');
  expect(others).toEqual([]);
  expect(full).toEqual({
    id: expect.stringMatching(/^[0-9a-z]{2,9}$/),
    user_id: stage.user.user_id,
    promotable_user_type: 'FULL',
    created_at: expect.any(String),
    updated_at: full?.['created_at'],
    deleted: false,
  });
});

scenario('C-PROMOTABLE-LIST', async (stage) => {
  const { world, account_id } = stage;
  const [full] = await stage.many('promotable_users.list');
  const user_id = await somebody(stage);
  const promotable_user_id = await lend(stage, user_id);
  const lent = await stage.one('promotable_users.get', { promotable_user_id });
  expect(lent).toMatchObject({ id: promotable_user_id, user_id, promotable_user_type: 'REPOSTS_ONLY', deleted: false });
  const list = async (params: object) => idsOf(await stage.many('promotable_users.list', { ...params }));
  expect(await list({})).toEqual([promotable_user_id, full?.id]);
  expect(await list({ promotable_user_ids: [full?.id, 'none'] })).toEqual([full?.id]);
  await world.platform.ads.sandbox.account(account_id).write(SERVER, async (writer) => {
    const row = await writer.of(families.promotable_users.promotableUser).get(promotable_user_id);
    if (row) await writer.of(families.promotable_users.promotableUser).delete(row);
  });
  expect(await list({})).toEqual([full?.id]);
  expect(await list({ with_deleted: true })).toEqual([promotable_user_id, full?.id]);
  expect(await stage.rejected('promotable_users.get', { promotable_user_id }, 404)).toMatchObject([
    { code: 'PROMOTABLE_USER_NOT_FOUND', parameter: 'promotable_user_id', value: promotable_user_id },
  ]);
  expect(await stage.one('promotable_users.get', { promotable_user_id, with_deleted: true })).toMatchObject({
    deleted: true,
  });
});

scenario('C-PROMOTED-ACCOUNT-CREATE', async (stage) => {
  const { user_id } = stage.user;
  const line_item_id = (await lineItemWith(stage, 'FOLLOWERS')).id;
  const promoted = await stage.one('promoted_accounts.create', { line_item_id, user_id });
  expect(promoted).toEqual({
    id: expect.stringMatching(/^[0-9a-z]{2,9}$/),
    line_item_id,
    user_id,
    entity_status: 'ACTIVE',
    approval_status: 'ACCEPTED',
    created_at: expect.any(String),
    updated_at: promoted['created_at'],
    deleted: false,
  });
  expect(await stage.one('promoted_accounts.get', { promoted_account_id: promoted.id })).toEqual(promoted);
  expect(await stage.many('promoted_accounts.list')).toEqual([promoted]);
});

scenario('C-PROMOTED-ACCOUNT-AGAIN', async (stage) => {
  const { user_id } = stage.user;
  const line_item_id = (await lineItemWith(stage, 'FOLLOWERS')).id;
  const promoted = await stage.one('promoted_accounts.create', { line_item_id, user_id });
  stage.world.clock.advance(5000);
  expect(await stage.one('promoted_accounts.create', { line_item_id, user_id })).toEqual(promoted);
  expect(await stage.many('promoted_accounts.list', { with_deleted: true })).toEqual([promoted]);
});

scenario('C-PROMOTED-ACCOUNT-REFUSED', async (stage) => {
  const { user_id } = stage.user;
  const line_item_id = (await lineItemWith(stage, 'FOLLOWERS')).id;
  const other = (await lineItemWith(stage, 'ENGAGEMENTS')).id;
  const lent = await somebody(stage);
  await lend(stage, lent);
  for (const stranger of [await somebody(stage), lent, '1']) {
    expect(await stage.rejected('promoted_accounts.create', { line_item_id, user_id: stranger })).toMatchObject([
      { code: 'INVALID_USER', parameter: 'user_id', value: stranger },
    ]);
  }
  expect(await stage.rejected('promoted_accounts.create', { line_item_id: other, user_id })).toMatchObject([
    { code: 'INCOMPATIBLE_LINE_ITEM', parameter: 'line_item_id', value: other },
  ]);
  expect(await stage.rejected('promoted_accounts.create', { line_item_id: 'nosuch', user_id }, 404)).toMatchObject([
    { code: 'LINE_ITEM_NOT_FOUND', parameter: 'line_item_id' },
  ]);
  expect(await stage.many('promoted_accounts.list', { with_deleted: true })).toEqual([]);
});

scenario('C-PROMOTED-ACCOUNT-LIST', async (stage) => {
  const { user_id } = stage.user;
  const [a, b] = [await lineItemWith(stage, 'FOLLOWERS'), await lineItemWith(stage, 'FOLLOWERS')];
  const posts = await lineItemWith(stage, 'ENGAGEMENTS');
  const one = await stage.one('promoted_accounts.create', { line_item_id: a.id, user_id });
  const two = await stage.one('promoted_accounts.create', { line_item_id: b.id, user_id });
  const list = async (params: object) => idsOf(await stage.many('promoted_accounts.list', { ...params }));
  expect(await list({})).toEqual([two.id, one.id]);
  expect(await list({ line_item_ids: [a.id] })).toEqual([one.id]);
  expect(await list({ line_item_ids: [a.id, posts.id, 'none'] })).toEqual([one.id]);
  expect(await list({ promoted_account_ids: [two.id, 'none'] })).toEqual([two.id]);
  expect(await list({ line_item_ids: ['none'] })).toEqual([]);
  for (const line_item_ids of [[posts.id], [posts.id, 'none']]) {
    expect(await stage.rejected('promoted_accounts.list', { line_item_ids })).toMatchObject([
      { code: 'INCOMPATIBLE_LINE_ITEM', parameter: 'line_item_ids' },
    ]);
  }
});

scenario('C-PROMOTED-ACCOUNT-DELETE', async (stage) => {
  const { user_id } = stage.user;
  const line_item_id = (await lineItemWith(stage, 'FOLLOWERS')).id;
  const promoted = await stage.one('promoted_accounts.create', { line_item_id, user_id });
  const promoted_account_id = promoted.id;
  await stage.rejected('promoted_accounts.delete', { promoted_account_id: user_id }, 404);
  const gone = await stage.one('promoted_accounts.delete', { promoted_account_id });
  expect(gone).toEqual({ ...promoted, deleted: true, updated_at: expect.any(String) });
  const notFound = [{ code: 'PROMOTED_ACCOUNT_NOT_FOUND', parameter: 'promoted_account_id' }];
  expect(await stage.rejected('promoted_accounts.delete', { promoted_account_id }, 404)).toMatchObject(notFound);
  expect(await stage.rejected('promoted_accounts.get', { promoted_account_id }, 404)).toMatchObject(notFound);
  expect(await stage.many('promoted_accounts.list')).toEqual([]);
  expect(await stage.many('promoted_accounts.list', { with_deleted: true })).toEqual([gone]);
  expect(await stage.one('promoted_accounts.get', { promoted_account_id, with_deleted: true })).toEqual(gone);
  const anew = await stage.one('promoted_accounts.create', { line_item_id, user_id });
  expect(anew.id).not.toBe(promoted_account_id);
});

scenario('C-PROMOTED-ACCOUNT-OF-DELETED', async (stage) => {
  const { user_id } = stage.user;
  const lineItem = await lineItemWith(stage, 'FOLLOWERS');
  const promoted = await stage.one('promoted_accounts.create', { line_item_id: lineItem.id, user_id });
  const other = await lineItemWith(stage, 'FOLLOWERS');
  const second = await stage.one('promoted_accounts.create', { line_item_id: other.id, user_id });
  await stage.ok('line_items.delete', { line_item_id: lineItem.id });
  expect(await stage.many('promoted_accounts.list')).toEqual([second]);
  await stage.ok('campaigns.delete', { campaign_id: other['campaign_id'] });
  expect(await stage.many('promoted_accounts.list')).toEqual([]);
  expect(await stage.many('promoted_accounts.list', { with_deleted: true })).toEqual([second, promoted]);
  expect(promoted).toMatchObject({ deleted: false });
  for (const { id: promoted_account_id } of [promoted, second]) {
    for (const id of ['promoted_accounts.get', 'promoted_accounts.delete'] as const) {
      expect(await stage.rejected(id, { promoted_account_id }, 404)).toMatchObject([
        { code: 'PROMOTED_ACCOUNT_NOT_FOUND', parameter: 'promoted_account_id' },
      ]);
    }
  }
  for (const { id: line_item_id } of [lineItem, other]) {
    expect(await stage.rejected('promoted_accounts.create', { line_item_id, user_id }, 404)).toMatchObject([
      { code: 'LINE_ITEM_NOT_FOUND', parameter: 'line_item_id', value: line_item_id },
    ]);
  }
});

test(about('C-PROMOTED-ACCOUNT-WIRE'), async () => {
  await using world = await openWorld();
  const fixture = await createAccountFixture(world);
  const path = `/12/accounts/${fixture.account_id}/promoted_accounts`;
  const query = { line_item_id: fixture.line_item_id, user_id: '12' };
  const { text } = await world.request({ method: 'POST', path, query });
  expect(text).toContain('"user_id":"12"');
  expect((await world.request({ method: 'PUT', path: `${path}/abc` })).status).toBe(405);
});

const display = { product_type: 'MEDIA' } as const;
const preroll = { product_type: 'MEDIA', categories: ['IAB2'] } as const;
const landing_url = 'https://books.example.com/autumn?a=1&b=2#c';

scenario('C-CREATIVE-CREATE', async (stage) => {
  const { world, account_id } = stage;
  const line_item_id = (await lineItemWith(stage, 'WEBSITE_CLICKS', display)).id;
  const account_media_id = await accountMediaOf(world, account_id, 'BANNER');
  const creative = await stage.one('media_creatives.create', { line_item_id, account_media_id, landing_url });
  expect(creative).toEqual({
    id: expect.stringMatching(/^[0-9a-z]{2,9}$/),
    line_item_id,
    account_media_id,
    landing_url,
    creative_type: 'BANNER',
    entity_status: 'ACTIVE',
    approval_status: 'ACCEPTED',
    created_at: expect.any(String),
    updated_at: creative['created_at'],
    deleted: false,
  });
  expect(await stage.one('media_creatives.get', { media_creative_id: creative.id })).toEqual(creative);
  expect(await stage.many('media_creatives.list')).toEqual([creative]);
  expect(await stage.rejected('media_creatives.create', { line_item_id, account_media_id, landing_url })).toMatchObject(
    [{ code: 'INVALID_PARAMETER', parameter: 'account_media_id', message: expect.stringContaining(creative.id) }],
  );
});

scenario('C-CREATIVE-LANDING', async (stage) => {
  const { world, account_id } = stage;
  const banner = await accountMediaOf(world, account_id, 'BANNER');
  const video = await accountMediaOf(world, account_id, 'PREROLL');
  const web = (await lineItemWith(stage, 'WEBSITE_CLICKS', display)).id;
  const app = { ...display, ios_app_store_identifier: '333903271' };
  const installs = (await lineItemWith(stage, 'APP_INSTALLS', app)).id;
  const views = (await lineItemWith(stage, 'PREROLL_VIEWS', preroll)).id;
  const create = (line_item_id: string, account_media_id: string, url?: string) =>
    stage.call('media_creatives.create', { line_item_id, account_media_id, landing_url: url });
  expect(await create(web, banner)).toMatchObject({
    ok: false,
    errors: [{ code: 'MISSING_PARAMETER', parameter: 'landing_url' }],
  });
  for (const wrong of ['books.example.com', 'ftp://example.com', 'javascript:alert(1)', 'https://', 'https:// x']) {
    expect(await create(web, banner, wrong), wrong).toMatchObject({
      ok: false,
      errors: [{ parameter: 'landing_url' }],
    });
  }
  expect(await create(installs, banner)).toMatchObject({ ok: true, data: { landing_url: null } });
  expect(await create(views, video, landing_url)).toMatchObject({ ok: true, data: { landing_url: null } });
});

scenario('C-CREATIVE-LINE', async (stage) => {
  const { world, account_id } = stage;
  const banner = await accountMediaOf(world, account_id, 'BANNER');
  const video = await accountMediaOf(world, account_id, 'PREROLL');
  const web = (await lineItemWith(stage, 'WEBSITE_CLICKS', display)).id;
  const views = (await lineItemWith(stage, 'PREROLL_VIEWS', preroll)).id;
  const posts = (await lineItemWith(stage, 'ENGAGEMENTS')).id;
  for (const [line_item_id, account_media_id, code, parameter, status] of [
    [posts, banner, 'INCOMPATIBLE_LINE_ITEM', 'line_item_id', 400],
    [web, video, 'INVALID_PARAMETER', 'account_media_id', 400],
    [views, banner, 'INVALID_PARAMETER', 'account_media_id', 400],
    ['nosuch', banner, 'LINE_ITEM_NOT_FOUND', 'line_item_id', 404],
    [web, 'nosuch', 'ACCOUNT_MEDIA_NOT_FOUND', 'account_media_id', 404],
  ] as const) {
    const errors = await stage.rejected(
      'media_creatives.create',
      { line_item_id, account_media_id, landing_url },
      status,
    );
    expect(errors).toMatchObject([{ code, parameter }]);
  }
  await world.platform.ads.sandbox.account(account_id).write(SERVER, async (writer) => {
    const row = await writer.of(families.account_media.accountMedia).get(banner);
    if (row) await writer.of(families.account_media.accountMedia).delete(row);
  });
  const gone = { line_item_id: web, account_media_id: banner, landing_url };
  expect(await stage.rejected('media_creatives.create', gone, 404)).toMatchObject([
    { code: 'ACCOUNT_MEDIA_NOT_FOUND' },
  ]);
  expect(await stage.many('media_creatives.list', { with_deleted: true })).toEqual([]);
});

scenario('C-CREATIVE-FILTER', async (stage) => {
  const { world, account_id } = stage;
  const [one, other] = [
    await lineItemWith(stage, 'WEBSITE_CLICKS', display),
    await lineItemWith(stage, 'WEBSITE_CLICKS', display),
  ];
  const make = async ({ id }: Entity) => {
    const account_media_id = await accountMediaOf(world, account_id, 'BANNER');
    return stage.one('media_creatives.create', { line_item_id: id, account_media_id, landing_url });
  };
  const [a, b, c] = [await make(one), await make(one), await make(other)];
  const list = async (params: object) => idsOf(await stage.many('media_creatives.list', { ...params }));
  expect(await list({})).toEqual([c.id, b.id, a.id]);
  expect(await list({ campaign_id: one['campaign_id'] })).toEqual([b.id, a.id]);
  expect(await list({ campaign_id: one['campaign_id'], line_item_ids: [other.id] })).toEqual([]);
  expect(await list({ line_item_ids: [other.id] })).toEqual([c.id]);
  expect(await list({ media_creative_ids: [a.id, c.id, 'none'] })).toEqual([c.id, a.id]);
});

scenario('C-CREATIVE-DELETE', async (stage) => {
  const { world, account_id } = stage;
  const line_item_id = (await lineItemWith(stage, 'WEBSITE_CLICKS', display)).id;
  const account_media_id = await accountMediaOf(world, account_id, 'BANNER');
  const creative = await stage.one('media_creatives.create', { line_item_id, account_media_id, landing_url });
  const media_creative_id = creative.id;
  const gone = await stage.one('media_creatives.delete', { media_creative_id });
  expect(gone).toEqual({ ...creative, deleted: true, updated_at: expect.any(String) });
  const notFound = [{ code: 'MEDIA_CREATIVE_NOT_FOUND', parameter: 'media_creative_id' }];
  expect(await stage.rejected('media_creatives.delete', { media_creative_id }, 404)).toMatchObject(notFound);
  expect(await stage.rejected('media_creatives.get', { media_creative_id }, 404)).toMatchObject(notFound);
  expect(await stage.many('media_creatives.list')).toEqual([]);
  expect(await stage.many('media_creatives.list', { with_deleted: true })).toEqual([gone]);
  expect(await stage.one('media_creatives.get', { media_creative_id, with_deleted: true })).toEqual(gone);
  await stage.ok('media_creatives.create', { line_item_id, account_media_id, landing_url });
});

scenario('C-CREATIVE-OF-DELETED', async (stage) => {
  const { world, account_id } = stage;
  const [one, other] = [
    await lineItemWith(stage, 'WEBSITE_CLICKS', display),
    await lineItemWith(stage, 'WEBSITE_CLICKS', display),
  ];
  const account_media_id = await accountMediaOf(world, account_id, 'BANNER');
  const make = ({ id }: Entity) =>
    stage.one('media_creatives.create', { line_item_id: id, account_media_id, landing_url });
  const [a, b] = [await make(one), await make(other)];
  await stage.ok('line_items.delete', { line_item_id: one.id });
  expect(await stage.many('media_creatives.list')).toEqual([b]);
  await stage.ok('campaigns.delete', { campaign_id: other['campaign_id'] });
  expect(await stage.many('media_creatives.list')).toEqual([]);
  expect(await stage.many('media_creatives.list', { with_deleted: true })).toEqual([b, a]);
  expect(await stage.one('media_creatives.get', { media_creative_id: a.id, with_deleted: true })).toEqual(a);
  for (const { id: media_creative_id } of [a, b]) {
    for (const id of ['media_creatives.get', 'media_creatives.delete'] as const) {
      expect(await stage.rejected(id, { media_creative_id }, 404)).toMatchObject([
        { code: 'MEDIA_CREATIVE_NOT_FOUND', parameter: 'media_creative_id' },
      ]);
    }
  }
  for (const { id: line_item_id } of [one, other]) {
    const params = { line_item_id, account_media_id, landing_url };
    expect(await stage.rejected('media_creatives.create', params, 404)).toMatchObject([
      { code: 'LINE_ITEM_NOT_FOUND', parameter: 'line_item_id', value: line_item_id },
    ]);
  }
});

scenario('C-APPS-LIST', async (stage) => {
  const { world, account_id } = stage;
  expect(await stage.many('account_apps.list')).toEqual([]);
  const insert = (app_store_identifier: string, os_type: 'Android' | 'iOS', deleted: boolean) =>
    world.platform.ads.sandbox.account(account_id).write(SERVER, async (writer) => {
      const apps = writer.of(families.account_apps.accountApp);
      const app = await apps.insert({
        app_store_identifier,
        os_type,
        conversion_tracking_enabled: true,
        deep_link_pattern: os_type === 'iOS' ? 'example://' : null,
      });
      return deleted ? apps.delete(app) : app;
    });
  await insert('com.example.android', 'Android', false);
  await insert('333903271', 'iOS', false);
  await insert('com.example.gone', 'Android', true);
  const shared = {
    id: expect.stringMatching(/^[0-9a-z]{2,9}$/),
    conversion_tracking_enabled: true,
    created_at: expect.any(String),
    updated_at: expect.any(String),
  };
  const apps = [
    { ...shared, app_store_identifier: '333903271', os_type: 'iOS', deep_link_pattern: 'example://', deleted: false },
    {
      ...shared,
      app_store_identifier: 'com.example.android',
      os_type: 'Android',
      deep_link_pattern: null,
      deleted: false,
    },
  ];
  expect(await stage.many('account_apps.list')).toEqual(apps);
  expect(await stage.many('account_apps.list', { with_deleted: true })).toMatchObject([
    { app_store_identifier: 'com.example.gone', deleted: true },
    {},
    {},
  ]);
});

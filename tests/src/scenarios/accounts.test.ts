/** Accounts and features: specification C, Accounts and Account features. */
import { initialSandboxFeatures } from '@broadside/core/resources/features';
import { expect } from 'vitest';
import { scenarios } from '../support/scenario.ts';

const scenario = scenarios();

let users = 0;

scenario('C-ACCOUNT-CREATE', async (stage) => {
  const user = await stage.world.createUser(`founder${++users}`);
  const account = await stage.one('accounts.create', {}, user);
  expect(account).toEqual({
    id: expect.stringMatching(/^[1-9a-z][0-9a-z]{4,10}$/),
    name: 'Sandbox account',
    business_name: null,
    business_id: null,
    timezone: 'America/Los_Angeles',
    timezone_switch_at: null,
    approval_status: 'ACCEPTED',
    created_at: expect.any(String),
    updated_at: account['created_at'],
    deleted: false,
  });
  // Only an ACCOUNT_ADMIN may change the account.
  const account_id = account.id;
  expect(await stage.one('accounts.update', { account_id, name: 'Mine' }, user)).toMatchObject({ name: 'Mine' });
  expect(await stage.rejected('accounts.get', { account_id }, 403)).toMatchObject([{ code: 'ACCOUNT_NOT_FOUND' }]);
  const { database } = stage.world.platform.ads.sandbox;
  const promotable = await database.query(
    'SELECT "user_id", "promotable_user_type" FROM "promotable_users" WHERE "account_id" = ?',
    [account_id],
  );
  expect(promotable.map((row) => [...row])).toEqual([[user.user_id, 'FULL']]);
});

scenario('C-ACCOUNT-UPDATE', async (stage) => {
  const before = await stage.one('accounts.get');
  expect(before['industry_type']).toBeNull();
  stage.world.clock.advance(2000);
  const changed = await stage.one('accounts.update', { name: 'Harbour Books', industry_type: 'RETAIL' });
  expect(changed).toEqual({
    ...before,
    name: 'Harbour Books',
    industry_type: 'RETAIL',
    updated_at: expect.any(String),
  });
  expect(changed['updated_at']).not.toBe(before['updated_at']);
  expect(await stage.one('accounts.update', { industry_type: 'OTHER' })).toMatchObject({
    name: 'Harbour Books',
    industry_type: 'OTHER',
  });
  const [listed] = await stage.many('accounts.list', { account_ids: [stage.account_id] });
  expect(listed).toMatchObject({ name: 'Harbour Books' });
  expect(listed).not.toHaveProperty('industry_type');
});

scenario('C-ACCOUNT-LIST', async (stage) => {
  const { world } = stage;
  const user = await world.createUser(`lister${++users}`);
  const created: string[] = [];
  for (const name of ['Tide', 'tidal', 'Harbour']) {
    const account_id = await world.createAccount('sandbox', user);
    await stage.ok('accounts.update', { account_id, name }, user);
    created.push(account_id);
  }
  const idsOf = (accounts: readonly { id: string }[]) => accounts.map(({ id }) => id);
  expect(idsOf(await stage.many('accounts.list', {}, user))).toEqual([...created].reverse());
  const [first = '', second] = created;
  expect(idsOf(await stage.many('accounts.list', { q: 'TID', sort_by: ['name-asc'] }, user))).toEqual([second, first]);
  const account_ids = [first, stage.account_id];
  expect(idsOf(await stage.many('accounts.list', { account_ids }, user))).toEqual([first]);
  await world.grant(stage.account_id, user, ['ANALYST']);
  expect(idsOf(await stage.many('accounts.list', { account_ids }, user)).sort()).toEqual([...account_ids].sort());
  expect(await stage.call('accounts.list', { with_total_count: true, count: 1 }, user)).toMatchObject({
    total_count: 4,
  });
});

scenario('C-ACCOUNT-DELETE', async (stage) => {
  const account_ids = [stage.account_id];
  expect(await stage.one('accounts.delete')).toMatchObject({ id: stage.account_id, deleted: true });
  expect(await stage.rejected('accounts.get', {}, 404)).toMatchObject([{ code: 'ACCOUNT_NOT_FOUND' }]);
  expect(await stage.one('accounts.get', { with_deleted: true })).toMatchObject({ deleted: true });
  expect(await stage.many('accounts.list', { account_ids })).toEqual([]);
  expect(await stage.many('accounts.list', { account_ids, with_deleted: true })).toHaveLength(1);
  expect(await stage.rejected('accounts.delete', {}, 404)).toMatchObject([{ code: 'ACCOUNT_NOT_FOUND' }]);
  // Changes that were on their way find nothing to change any more.
  const { id: account_id } = await stage.one('accounts.create');
  const outcomes = await Promise.all([
    stage.call('accounts.delete', { account_id }),
    ...['a', 'b', 'c'].map((name) => stage.call('accounts.update', { account_id, name })),
    ...Array.from({ length: 5 }, () => stage.call('features.add', { account_id, feature_keys: ['AGE_TARGETING'] })),
  ]);
  const { database } = stage.world.platform.ads.sandbox;
  const [last] = await database.query(
    'SELECT "change_type" FROM "change_log" WHERE "account_id" = ? ORDER BY "seq" DESC LIMIT 1',
    [account_id],
  );
  expect(last?.[0]).toBe('DELETE');
  for (const { ok, errors } of outcomes) if (!ok) expect(errors).toMatchObject([{ code: 'ACCOUNT_NOT_FOUND' }]);
});

scenario('C-ACCOUNT-DELETED-BELOW', async (stage) => {
  const campaign = await stage.campaign();
  await stage.ok('accounts.delete');
  const rejections = [
    await stage.rejected('accounts.update', { name: 'x' }, 404),
    await stage.rejected('campaigns.list', { with_deleted: true }, 404),
    await stage.rejected('campaigns.get', { campaign_id: campaign.id, with_deleted: true }, 404),
    await stage.rejected('campaigns.delete', { campaign_id: campaign.id }, 404),
    await stage.rejected('features.list', {}, 404),
    await stage.rejected('funding_instruments.list', {}, 404),
  ];
  for (const errors of rejections)
    expect(errors).toMatchObject([{ code: 'ACCOUNT_NOT_FOUND', parameter: 'account_id' }]);
});

scenario('C-FEATURES-INITIAL', async (stage) => {
  const { id: account_id } = await stage.one('accounts.create');
  expect(await stage.ok('features.list', { account_id })).toEqual([
    'ALLOW_SKIPPABLE_VIDEOS_FOR_PREROLL_VIEWS_OBJECTIVE',
    'AWARENESS_OBJECTIVE',
    'CPI_CHARGING',
    'EVENT_TARGETING',
    'INSTALLED_APP_CATEGORY_TARGETING',
    'MOBILE_CONVERSION_TRANSACTION_VALUE',
    'OPTIMIZED_ACTION_BIDDING',
    'VIDEO_APP_DOWNLOAD_CARD',
  ]);
});

scenario('C-FEATURES-ADD', async (stage) => {
  const feature_keys = ['REACH_FREQUENCY_CAP', 'AGE_TARGETING'];
  const expected = [...initialSandboxFeatures, ...feature_keys].sort();
  expect(await stage.ok('features.add', { feature_keys })).toEqual(expected);
  expect(await stage.ok('features.add', { feature_keys: [...feature_keys, 'CPI_CHARGING'] })).toEqual(expected);
  expect(await stage.ok('features.list')).toEqual(expected);
});

scenario('C-FEATURES-REMOVE', async (stage) => {
  const feature_keys = ['CPI_CHARGING', 'EVENT_TARGETING'];
  const expected = initialSandboxFeatures.filter((key) => !feature_keys.includes(key));
  expect(await stage.ok('features.remove', { feature_keys })).toEqual(expected);
  expect(await stage.ok('features.remove', { feature_keys })).toEqual(expected);
  expect(await stage.ok('features.list')).toEqual(expected);
});

// Specification C, Account features: the keys that the sandbox adds and removes.
const SANDBOX_KEYS =
  'AGE_TARGETING ALLOW_SKIPPABLE_VIDEOS_FOR_PREROLL_VIEWS_OBJECTIVE AWARENESS_OBJECTIVE BRAND_TPN CHARGE_FOR_GOOD_CLICK CONVERSATION_CARD CONVERSATION_CARD_FOUR_OPTIONS CONVERSATION_CARD_UNLOCK CPI_CHARGING DIRECT_MESSAGE_CARD DR_TAP ENGAGER_RETARGETING EVENT_TARGETING INSTALLED_APP_CATEGORY_TARGETING MOBILE_CONVERSION_TRANSACTION_VALUE OPTIMIZED_ACTION_BIDDING REACH_AND_FREQUENCY_ANALYTICS REACH_FREQUENCY_CAP VALIDATED_AGE_TARGETING VIDEO_VIEWS_MIDROLL_OBJECTIVE PREROLL_VIEWS_OBJECTIVE VIDEO_APP_DOWNLOAD_CARD'.split(
    ' ',
  );

scenario('C-FEATURES-EVERY', async (stage) => {
  expect(await stage.ok('features.add', { feature_keys: SANDBOX_KEYS })).toEqual([...SANDBOX_KEYS].sort());
  for (const key of SANDBOX_KEYS) {
    expect(await stage.ok('features.remove', { feature_keys: [key] })).not.toContain(key);
  }
  expect(await stage.ok('features.list')).toEqual([]);
});

scenario('C-FEATURES-FILTER', async (stage) => {
  const feature_keys = ['REACH_FREQUENCY_CAP', 'CPI_CHARGING', 'WEBSITE_CLICKS_CPM_BILLING'];
  expect(await stage.ok('features.list', { feature_keys })).toEqual(['CPI_CHARGING']);
  expect(await stage.ok('features.list', { feature_keys: ['REACH_AND_FREQUENCY_ANALYTICS'] })).toEqual([]);
});

scenario('C-FEATURES-UNKNOWN', async (stage) => {
  const before = await stage.ok('features.list');
  for (const feature_keys of [
    ['NO_SUCH_FEATURE'],
    ['AGE_TARGETING', 'NO_SUCH_FEATURE'],
    ['WEBSITE_CLICKS_CPM_BILLING'],
  ]) {
    for (const id of ['features.add', 'features.remove'] as const) {
      const outcome = await stage.call(id, { feature_keys });
      expect(outcome).toMatchObject({ ok: false, errors: [{ parameter: 'feature_keys' }] });
    }
  }
  expect(await stage.call('features.list', { feature_keys: ['NO_SUCH_FEATURE'] })).toMatchObject({ ok: false });
  expect(await stage.ok('features.list')).toEqual(before);
});

// Specification C, Accounts, PUT: the industries.
const INDUSTRIES =
  'AGENCY BUSINESS_TO_BUSINESS ONLINE_SERVICES EDUCATION FINANCIAL HEALTH GOVERNMENT MEDIA MOBILE RESTAURANT RETAIL TECHNOLOGY TRAVEL OTHER'.split(
    ' ',
  );

scenario('C-ACCOUNT-INDUSTRIES', async (stage) => {
  for (const industry_type of INDUSTRIES) {
    expect(await stage.one('accounts.update', { industry_type })).toMatchObject({ industry_type });
    expect(await stage.one('accounts.get')).toMatchObject({ industry_type });
  }
  for (const industry_type of ['FISHING', 'retail']) {
    const outcome = await stage.call('accounts.update', { industry_type });
    expect(outcome, industry_type).toMatchObject({ ok: false, errors: [{ parameter: 'industry_type' }] });
  }
  expect(await stage.one('accounts.get')).toMatchObject({ industry_type: 'OTHER' });
});

scenario('C-FEATURES-REQUIRED', async (stage) => {
  for (const id of ['features.add', 'features.remove'] as const) {
    expect(await stage.rejected(id, {})).toMatchObject([{ code: 'MISSING_PARAMETER', parameter: 'feature_keys' }]);
  }
  expect(await stage.ok('features.list')).toEqual(initialSandboxFeatures);
});

/** Permissions on an account, and who grants them: specification C, authenticated user access; A, Authentication 5, 6. */
import { expect } from 'vitest';
import { scenarios } from '../support/scenario.ts';

const scenario = scenarios();

let users = 0;

scenario('C-ACCESS-OWN', async (stage) => {
  const { world, account_id } = stage;
  expect(await stage.ok('authenticated_user_access.get')).toEqual({
    user_id: world.user.user_id,
    permissions: ['ACCOUNT_ADMIN'],
  });
  const colleague = await world.createUser(`part${++users}`);
  expect(await stage.rejected('authenticated_user_access.get', {}, 403, colleague)).toMatchObject([
    { code: 'ACCOUNT_NOT_FOUND' },
  ]);
  await world.grant(account_id, colleague, ['CREATIVE_MANAGER', 'POST_COMPOSER']);
  expect(await stage.ok('authenticated_user_access.get', {}, colleague)).toEqual({
    user_id: colleague.user_id,
    permissions: ['CREATIVE_MANAGER', 'POST_COMPOSER'],
  });
});

scenario('C-ACCESS-GRANT', async (stage) => {
  const { world } = stage;
  const colleague = await world.createUser(`part${++users}`);
  const { user_id } = colleague;
  expect(await stage.ok('user_access.grant', { user_id, permissions: ['CAMPAIGN_ANALYST'] })).toEqual({
    user_id,
    permissions: ['CAMPAIGN_ANALYST'],
  });
  const { funding_instrument_id } = stage;
  expect(await stage.many('campaigns.list', {}, colleague)).toEqual([]);
  await stage.rejected('campaigns.create', { funding_instrument_id, name: 'Mine' }, 403, colleague);
  await stage.rejected('user_access.grant', { user_id, permissions: ['ACCOUNT_ADMIN'] }, 403, colleague);
  await stage.ok('user_access.grant', { user_id, permissions: ['AD_MANAGER'] });
  await stage.one('campaigns.create', { funding_instrument_id, name: 'Mine' }, colleague);
  await stage.rejected('user_access.list', {}, 403, colleague);
  expect(await stage.ok('user_access.list')).toEqual([
    { user_id: world.user.user_id, permissions: ['ACCOUNT_ADMIN'] },
    { user_id, permissions: ['AD_MANAGER'] },
  ]);
  expect(await stage.rejected('user_access.grant', { user_id: '42', permissions: ['ANALYST'] }, 403)).toMatchObject([
    { code: 'USER_NOT_FOUND', parameter: 'user_id', value: '42' },
  ]);
});

scenario('C-ACCESS-REVOKE', async (stage) => {
  const colleague = await stage.world.createUser(`part${++users}`);
  const { user_id } = colleague;
  await stage.ok('user_access.grant', { user_id, permissions: ['AD_MANAGER', 'POST_COMPOSER'] });
  await stage.many('campaigns.list', {}, colleague);
  expect(await stage.ok('user_access.revoke', { user_id })).toEqual({
    user_id,
    permissions: ['AD_MANAGER', 'POST_COMPOSER'],
  });
  expect(await stage.rejected('campaigns.list', {}, 403, colleague)).toMatchObject([{ code: 'ACCOUNT_NOT_FOUND' }]);
  expect(await stage.rejected('user_access.revoke', { user_id }, 404)).toMatchObject([
    { code: 'NOT_FOUND', parameter: 'user_id' },
  ]);
});

scenario('C-ACCESS-LAST-ADMIN', async (stage) => {
  const { world } = stage;
  const { user_id } = world.user;
  const expected = [{ code: 'ACTION_NOT_ALLOWED', parameter: 'user_id' }];
  expect(await stage.rejected('user_access.revoke', { user_id }, 403)).toMatchObject(expected);
  expect(await stage.rejected('user_access.grant', { user_id, permissions: ['ANALYST'] }, 403)).toMatchObject(expected);
  const second = await world.createUser(`part${++users}`);
  await stage.ok('user_access.grant', { user_id: second.user_id, permissions: ['ACCOUNT_ADMIN'] });
  // Each may leave, but not both: the second one stays.
  const outcomes = await Promise.all([
    stage.call('user_access.revoke', { user_id }),
    stage.call('user_access.revoke', { user_id: second.user_id }, second),
  ]);
  expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
  expect(await world.platform.ads.sandbox.members(stage.account_id)).toMatchObject([
    { permissions: ['ACCOUNT_ADMIN'] },
  ]);
});

scenario('C-ACCESS-COMPOSER', async (stage) => {
  const { user_id } = await stage.world.createUser(`part${++users}`);
  for (const permissions of [['POST_COMPOSER'], ['POST_COMPOSER', 'ANALYST'], ['POST_COMPOSER', 'CAMPAIGN_ANALYST']]) {
    expect(await stage.rejected('user_access.grant', { user_id, permissions }, 400)).toMatchObject([
      { code: 'INCLUSIVE_PARAMETERS', parameter: 'permissions' },
    ]);
  }
  for (const beside of ['ACCOUNT_ADMIN', 'AD_MANAGER', 'CREATIVE_MANAGER'] as const) {
    const permissions = [beside, 'POST_COMPOSER'];
    expect(await stage.ok('user_access.grant', { user_id, permissions })).toEqual({ user_id, permissions });
  }
});

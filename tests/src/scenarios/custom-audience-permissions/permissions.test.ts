/** Permissions on audiences: specification B, Tailored audience permissions; reference, audiences section 2. */
import { families } from '@broadside/server';
import { expect } from 'vitest';
import { type Entity, type Stage, scenarios } from '../../support/scenario.ts';
import { inOneBusiness, sibling } from '../../support/sharing.ts';

const scenario = scenarios();

const OPERATOR = { user_id: null, platform: 'OPERATOR' } as const;

async function audience(stage: Stage, name = 'Readers'): Promise<string> {
  return (await stage.one('custom_audiences.create', { name })).id;
}

function share(stage: Stage, custom_audience_id: string, granted_account_id: string, level = 'READ_ONLY') {
  const params = { custom_audience_id, granted_account_id, permission_level: level };
  return stage.one('custom_audience_permissions.create', params);
}

scenario('B-SHARE-CREATE', async (stage) => {
  const custom_audience_id = await audience(stage);
  const granted_account_id = await sibling(stage);
  for (const permission_level of ['READ_ONLY', 'READ_WRITE']) {
    const other = permission_level === 'READ_ONLY' ? granted_account_id : await sibling(stage);
    const made = await share(stage, custom_audience_id, other, permission_level);
    expect(made).toEqual({
      id: expect.stringMatching(/^[0-9a-z]{2,9}$/),
      custom_audience_id,
      granted_account_id: other,
      permission_level,
      created_at: expect.any(String),
      updated_at: made['created_at'],
      deleted: false,
    });
  }
});

scenario('B-SHARE-AGAIN', async (stage) => {
  const custom_audience_id = await audience(stage);
  const granted_account_id = await sibling(stage);
  const made = await share(stage, custom_audience_id, granted_account_id);
  stage.world.clock.advance(1000);
  const again = await share(stage, custom_audience_id, granted_account_id, 'READ_WRITE');
  expect(again).toEqual({ ...made, permission_level: 'READ_WRITE', updated_at: expect.any(String) });
  expect(again['updated_at']).not.toBe(made['updated_at']);
  expect(await stage.many('custom_audience_permissions.list', { custom_audience_id })).toEqual([again]);
});

scenario('B-SHARE-LIST', async (stage) => {
  const custom_audience_id = await audience(stage);
  const made: Entity[] = [];
  for (let i = 0; i < 4; i++) {
    stage.world.clock.advance(1000);
    made.unshift(await share(stage, custom_audience_id, await sibling(stage)));
  }
  const other = await audience(stage, 'Others');
  await share(stage, other, String(made[0]?.['granted_account_id']));
  const list = (params: object = {}) =>
    stage.many('custom_audience_permissions.list', { custom_audience_id, ...params });
  expect(await list()).toEqual(made);
  expect(await list({ sort_by: ['created_at-asc'] })).toEqual(made.toReversed());
  const [first, second, third] = made;
  const granted_account_ids = [first, third, { granted_account_id: '1nosuchacct' }].map((one) =>
    String(one?.['granted_account_id']),
  );
  expect(await list({ granted_account_ids })).toEqual([first, third]);
  const ids = [second?.id, 'nosuch'];
  expect(await list({ custom_audience_permission_ids: ids })).toEqual([second]);
  expect(await list({ custom_audience_permission_ids: ids, granted_account_ids })).toEqual([]);
  await stage.ok('custom_audience_permissions.delete', {
    custom_audience_id,
    custom_audience_permission_id: first?.id,
  });
  expect(await list()).toEqual(made.slice(1));
  expect(await stage.call('custom_audience_permissions.list', { custom_audience_id, count: 2 })).toMatchObject({
    data: made.slice(1, 3),
  });
});

scenario('B-SHARE-OWNER', async (stage) => {
  const custom_audience_id = await audience(stage);
  const [one, other] = [await sibling(stage), await sibling(stage)];
  for (const level of ['READ_ONLY', 'READ_WRITE']) {
    const [mine, theirs] = [
      await share(stage, custom_audience_id, one, level),
      await share(stage, custom_audience_id, other, level),
    ];
    const as = { account_id: one, custom_audience_id };
    expect(await stage.many('custom_audience_permissions.list', as)).toEqual([mine]);
    expect(await stage.many('custom_audience_permissions.list', { ...as, granted_account_ids: [one, other] })).toEqual([
      mine,
    ]);
    expect(await stage.many('custom_audience_permissions.list', { ...as, granted_account_ids: [other] })).toEqual([]);
    const notAllowed = [
      {
        code: 'ACTION_NOT_ALLOWED',
        parameter: 'custom_audience_id',
        value: custom_audience_id,
        message: expect.stringContaining(stage.account_id),
      },
    ];
    const further = { ...as, granted_account_id: await sibling(stage), permission_level: 'READ_ONLY' };
    expect(await stage.rejected('custom_audience_permissions.create', further, 403)).toMatchObject(notAllowed);
    for (const { id: custom_audience_permission_id } of [mine, theirs]) {
      const params = { ...as, custom_audience_permission_id };
      expect(await stage.rejected('custom_audience_permissions.delete', params, 403)).toMatchObject(notAllowed);
    }
  }
  expect(await stage.many('custom_audience_permissions.list', { custom_audience_id })).toHaveLength(2);
});

scenario('B-SHARE-STRANGER', async (stage) => {
  const custom_audience_id = await audience(stage);
  const [granted_account_id, member] = [await sibling(stage), await sibling(stage)];
  const { id: custom_audience_permission_id } = await share(stage, custom_audience_id, granted_account_id);
  const outsider = await stage.world.createAccount('sandbox', stage.user);
  for (const account_id of [member, outsider]) {
    const of12 = { account_id, custom_audience_id };
    const of5 = { account_id, tailored_audience_id: custom_audience_id };
    const terms = { granted_account_id, permission_level: 'READ_WRITE' };
    const notFound = [{ code: 'NOT_FOUND', parameter: 'custom_audience_id', value: custom_audience_id }];
    const missing = [{ code: 'TAILORED_AUDIENCE_NOT_FOUND', parameter: 'tailored_audience_id' }];
    expect(await stage.rejected('custom_audience_permissions.list', of12, 404)).toMatchObject(notFound);
    expect(await stage.rejected('custom_audience_permissions.create', { ...of12, ...terms }, 404)).toMatchObject(
      notFound,
    );
    const deletion = { ...of12, custom_audience_permission_id };
    expect(await stage.rejected('custom_audience_permissions.delete', deletion, 404)).toMatchObject(notFound);
    expect(await stage.rejected('tailored_audience_permissions.list', of5, 404)).toMatchObject(missing);
    expect(await stage.rejected('tailored_audience_permissions.create', { ...of5, ...terms }, 404)).toMatchObject(
      missing,
    );
    const deletion5 = { ...of5, tailored_audience_permission_id: custom_audience_permission_id };
    expect(await stage.rejected('tailored_audience_permissions.delete', deletion5, 404)).toMatchObject(missing);
  }
  expect(await stage.many('custom_audience_permissions.list', { custom_audience_id })).toMatchObject([
    { granted_account_id, permission_level: 'READ_ONLY' },
  ]);
});

scenario('B-SHARE-BUSINESS', async (stage) => {
  const { world, account_id } = stage;
  const custom_audience_id = await audience(stage);
  const outsider = await world.createAccount('sandbox', stage.user);
  const create = (granted_account_id: string) =>
    stage.call('custom_audience_permissions.create', {
      custom_audience_id,
      granted_account_id,
      permission_level: 'READ_ONLY',
    });
  const notAllowed = (message: string) => ({
    ok: false,
    status: 403,
    errors: [
      {
        code: 'ACTION_NOT_ALLOWED',
        parameter: 'granted_account_id',
        message: expect.stringContaining(message),
      },
    ],
  });
  // Neither of the two is in a business, which makes them no more of the same one.
  expect(await create(outsider)).toMatchObject(notAllowed('belongs to no business'));
  const member = await sibling(stage);
  expect(await create(outsider)).toMatchObject(notAllowed(`an account of the same business as ${account_id}`));
  const rival = await world.createAccount('sandbox', stage.user);
  await inOneBusiness(world, [rival, outsider]);
  expect(await create(outsider)).toMatchObject(notAllowed('SHARE_AUDIENCE_OUTSIDE_BUSINESS'));
  expect(await create(member)).toMatchObject({ ok: true });
  const { addFeatures } = families.features;
  // The feature of the account that would be granted changes nothing.
  await world.platform.ads.sandbox
    .account(outsider)
    .write(OPERATOR, (writer) => addFeatures(writer, ['SHARE_AUDIENCE_OUTSIDE_BUSINESS']));
  expect(await create(outsider)).toMatchObject(notAllowed('SHARE_AUDIENCE_OUTSIDE_BUSINESS'));
  await world.platform.ads.sandbox
    .account(account_id)
    .write(OPERATOR, (writer) => addFeatures(writer, ['SHARE_AUDIENCE_OUTSIDE_BUSINESS']));
  expect(await create(outsider)).toMatchObject({ ok: true });
});

scenario('B-SHARE-UNKNOWN', async (stage) => {
  const { world } = stage;
  const custom_audience_id = await audience(stage);
  await sibling(stage);
  const outsider = await world.createAccount('sandbox', stage.user);
  const deleted = await sibling(stage);
  await stage.ok('accounts.delete', { account_id: deleted });
  const answer = async (granted_account_id: string) => {
    const params = { custom_audience_id, granted_account_id, permission_level: 'READ_ONLY' };
    const errors = await stage.rejected('custom_audience_permissions.create', params, 403);
    return JSON.stringify(errors).replaceAll(granted_account_id, 'ID');
  };
  const [foreign, unknown, ended] = [await answer(outsider), await answer('1nosuchacct'), await answer(deleted)];
  expect(unknown).toBe(foreign);
  expect(ended).toBe(foreign);
});

scenario('B-SHARE-SELF', async (stage) => {
  const custom_audience_id = await audience(stage);
  await sibling(stage);
  const params = { custom_audience_id, granted_account_id: stage.account_id, permission_level: 'READ_ONLY' };
  expect(await stage.rejected('custom_audience_permissions.create', params)).toMatchObject([
    { code: 'INVALID_PARAMETER', parameter: 'granted_account_id', value: stage.account_id },
  ]);
});

scenario('B-SHARE-REVOKE', async (stage) => {
  const custom_audience_id = await audience(stage);
  const granted_account_id = await sibling(stage);
  const made = await share(stage, custom_audience_id, granted_account_id);
  const params = { custom_audience_id, custom_audience_permission_id: made.id };
  // Under another audience the permission does not exist.
  const other = await audience(stage, 'Others');
  const elsewhere = { ...params, custom_audience_id: other };
  const missing = [{ code: 'NOT_FOUND', parameter: 'custom_audience_permission_id', value: made.id }];
  expect(await stage.rejected('custom_audience_permissions.delete', elsewhere, 404)).toMatchObject(missing);
  const revoked = await stage.one('custom_audience_permissions.delete', params);
  expect(revoked).toEqual({ ...made, deleted: true, updated_at: expect.any(String) });
  expect(await stage.rejected('custom_audience_permissions.delete', params, 404)).toMatchObject(missing);
  const seen = { account_id: granted_account_id, custom_audience_id };
  await stage.rejected('custom_audiences.get', seen, 404);
  const anew = await share(stage, custom_audience_id, granted_account_id);
  expect(anew.id).not.toBe(made.id);
  expect(await stage.many('custom_audience_permissions.list', { custom_audience_id })).toEqual([anew]);
  await stage.ok('custom_audiences.get', seen);
});

scenario('B-SHARE-VERSIONS', async (stage) => {
  const tailored_audience_id = await audience(stage);
  const [one, two] = [await sibling(stage), await sibling(stage)];
  const made = await stage.one('tailored_audience_permissions.create', {
    tailored_audience_id,
    granted_account_id: one,
    permission_level: 'READ_WRITE',
  });
  const { id, created_at } = made;
  const rest = { granted_account_id: one, permission_level: 'READ_WRITE', created_at, updated_at: created_at };
  expect(made).toEqual({ id, tailored_audience_id, ...rest, deleted: false });
  const custom_audience_id = tailored_audience_id;
  const same = { id, custom_audience_id, ...rest, deleted: false };
  expect(await stage.many('custom_audience_permissions.list', { custom_audience_id })).toEqual([same]);
  const other = await share(stage, custom_audience_id, two);
  expect(await stage.many('tailored_audience_permissions.list', { tailored_audience_id })).toMatchObject([
    { id: other.id, tailored_audience_id },
    { id, tailored_audience_id },
  ]);
  const tailored_audience_permission_ids = [id];
  expect(
    await stage.many('tailored_audience_permissions.list', { tailored_audience_id, tailored_audience_permission_ids }),
  ).toEqual([made]);
  const ends12 = { custom_audience_id, custom_audience_permission_id: id };
  expect(await stage.one('custom_audience_permissions.delete', ends12)).toMatchObject({ id, deleted: true });
  const ends5 = { tailored_audience_id, tailored_audience_permission_id: other.id };
  expect(await stage.one('tailored_audience_permissions.delete', ends5)).toMatchObject({
    id: other.id,
    tailored_audience_id,
    deleted: true,
  });
  expect(await stage.rejected('tailored_audience_permissions.delete', ends5, 404)).toMatchObject([
    { code: 'NOT_FOUND', parameter: 'tailored_audience_permission_id' },
  ]);
  expect(await stage.many('custom_audience_permissions.list', { custom_audience_id })).toEqual([]);
});

scenario('B-SHARE-DELETED', async (stage) => {
  const custom_audience_id = await audience(stage);
  const granted_account_id = await sibling(stage);
  const { id: custom_audience_permission_id } = await share(
    stage,
    custom_audience_id,
    granted_account_id,
    'READ_WRITE',
  );
  await stage.ok('custom_audiences.delete', { custom_audience_id });
  const as = { account_id: granted_account_id };
  for (const with_deleted of [false, true]) {
    await stage.rejected('custom_audiences.get', { ...as, custom_audience_id, with_deleted }, 404);
    const list = { ...as, permission_scope: 'SHARED', with_deleted };
    expect(await stage.many('custom_audiences.list', list)).toEqual([]);
  }
  const notFound = [{ code: 'NOT_FOUND', parameter: 'custom_audience_id' }];
  for (const account_id of [stage.account_id, granted_account_id]) {
    const params = { account_id, custom_audience_id };
    expect(await stage.rejected('custom_audience_permissions.list', params, 404)).toMatchObject(notFound);
    const deletion = { ...params, custom_audience_permission_id };
    expect(await stage.rejected('custom_audience_permissions.delete', deletion, 404)).toMatchObject(notFound);
    const further = { ...params, granted_account_id: await sibling(stage), permission_level: 'READ_ONLY' };
    expect(await stage.rejected('custom_audience_permissions.create', further, 404)).toMatchObject(notFound);
  }
});

scenario('B-SHARE-LEFT', async (stage) => {
  const { world } = stage;
  const custom_audience_id = await audience(stage);
  const granted_account_id = await sibling(stage);
  await share(stage, custom_audience_id, granted_account_id);
  const none = { business_id: null, business_name: null };
  await world.platform.ads.sandbox.updateAccount(OPERATOR, granted_account_id, () => none);
  const seen = { account_id: granted_account_id, custom_audience_id };
  await stage.ok('custom_audiences.get', seen);
  const terms = { custom_audience_id, granted_account_id, permission_level: 'READ_WRITE' };
  // Sharing again is sharing: the rules are those of the moment.
  await stage.rejected('custom_audience_permissions.create', terms, 403);
  await stage.ok('accounts.delete', { account_id: stage.account_id });
  await stage.rejected('custom_audiences.get', seen, 404);
  const list = { account_id: granted_account_id, permission_scope: 'SHARED' };
  expect(await stage.many('custom_audiences.list', list)).toEqual([]);
});

scenario('B-SHARE-RACES', async (stage) => {
  const custom_audience_id = await audience(stage);
  const granted_account_id = await sibling(stage);
  const create = (permission_level: string) =>
    stage.call('custom_audience_permissions.create', { custom_audience_id, granted_account_id, permission_level });
  const list = () => stage.many('custom_audience_permissions.list', { custom_audience_id });
  for (let round = 0; round < 5; round++) {
    const answers = await Promise.all(['READ_ONLY', 'READ_WRITE', 'READ_ONLY'].map(create));
    expect(answers.map(({ ok }) => ok)).toEqual([true, true, true]);
    const [held, ...others] = await list();
    expect(others).toEqual([]);
    const custom_audience_permission_id = held?.id;
    const [revoked, again, twice] = await Promise.all([
      stage.call('custom_audience_permissions.delete', { custom_audience_id, custom_audience_permission_id }),
      create('READ_WRITE'),
      stage.call('custom_audience_permissions.delete', { custom_audience_id, custom_audience_permission_id }),
    ]);
    // One of the two ends the permission. Sharing found it, or came after its end and made another one.
    expect([revoked.status, twice.status].toSorted()).toEqual([200, 404]);
    expect(again.ok).toBe(true);
    const left = await list();
    expect(left.length).toBeLessThanOrEqual(1);
    expect(left.map(({ id }) => id)).not.toContain(custom_audience_permission_id);
  }
  // An audience that is deleted meanwhile leaves no permission, whichever of the two comes first.
  const [, deleted] = await Promise.all([
    create('READ_ONLY'),
    stage.call('custom_audiences.delete', { custom_audience_id }),
  ]);
  expect(deleted.ok).toBe(true);
  const scope = { account_id: granted_account_id, permission_scope: 'SHARED' };
  expect(await stage.many('custom_audiences.list', scope)).toEqual([]);
  const { database } = stage.world.platform.ads.sandbox;
  const live = await database.query(
    'SELECT "id" FROM "audience_grants" WHERE "custom_audience_id" = ? AND "deleted" = 0 AND "parent_deleted" = 0',
    [custom_audience_id],
  );
  expect(live).toEqual([]);
});

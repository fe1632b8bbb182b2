/** Custom audiences, one at a time: specification B, Custom audiences; reference, audiences section 3. */
import { families } from '@broadside/server';
import { expect } from 'vitest';
import { member } from '../../support/body.ts';
import { scenarios } from '../../support/scenario.ts';
import { countedAs } from '../../support/sharing.ts';

const scenario = scenarios();

scenario('B-AUDIENCE-CREATE', async (stage) => {
  const audience = await stage.one('custom_audiences.create', { name: 'Readers', description: 'By post' });
  expect(audience).toEqual({
    id: expect.stringMatching(/^[0-9a-z]{2,9}$/),
    name: 'Readers',
    description: 'By post',
    audience_type: 'CRM',
    audience_size: null,
    targetable: false,
    targetable_types: ['CRM', 'EXCLUDED_CRM'],
    reasons_not_targetable: ['PROCESSING', 'TOO_SMALL'],
    permission_level: 'READ_WRITE',
    owner_account_id: stage.account_id,
    is_owner: true,
    partner_source: 'OTHER',
    created_at: expect.any(String),
    updated_at: audience['created_at'],
    deleted: false,
  });
  expect(await stage.one('custom_audiences.get', { custom_audience_id: audience.id })).toEqual(audience);
  expect(await stage.one('custom_audiences.create', { name: 'Writers' })).toMatchObject({ description: null });
});

scenario('B-AUDIENCE-BOUNDS', async (stage) => {
  const { id: custom_audience_id } = await stage.one('custom_audiences.create', { name: 'x' });
  for (const character of ['a', 'é', '日', '🎈']) {
    const [longest, longer] = [character.repeat(255), character.repeat(256)];
    const made = await stage.one('custom_audiences.create', { name: longest, description: longest });
    expect(await stage.one('custom_audiences.get', { custom_audience_id: made.id })).toMatchObject({
      name: longest,
      description: longest,
    });
    const wrong = [
      { code: 'INVALID_PARAMETER', parameter: 'name', details: 'invalid length' },
      { code: 'INVALID_PARAMETER', parameter: 'description' },
    ];
    const params = { name: longer, description: longer };
    expect(await stage.rejected('custom_audiences.create', params)).toMatchObject(wrong);
    expect(await stage.rejected('custom_audiences.update', { custom_audience_id, ...params })).toMatchObject(wrong);
  }
  expect(await stage.rejected('custom_audiences.create', {})).toMatchObject([
    { code: 'MISSING_PARAMETER', parameter: 'name' },
  ]);
  for (const name of ['', 'a\0b']) {
    expect(await stage.rejected('custom_audiences.create', { name })).toMatchObject([{ parameter: 'name' }]);
    expect(await stage.rejected('custom_audiences.update', { custom_audience_id, name })).toMatchObject([
      { parameter: 'name' },
    ]);
  }
});

scenario('B-AUDIENCE-UPDATE', async (stage) => {
  const created = await stage.one('custom_audiences.create', { name: 'Readers', description: 'By post' });
  const custom_audience_id = created.id;
  stage.world.clock.advance(1000);
  const update = (params: Record<string, unknown>) =>
    stage.one('custom_audiences.update', { custom_audience_id, ...params });
  const renamed = await update({ name: 'Writers' });
  expect(renamed).toEqual({ ...created, name: 'Writers', updated_at: expect.any(String) });
  expect(renamed['updated_at']).not.toBe(created['updated_at']);
  expect(await update({ description: 'On line' })).toMatchObject({ name: 'Writers', description: 'On line' });
  expect(await update({ description: stage.adapter.name === 'rest' ? '' : null })).toMatchObject({
    name: 'Writers',
    description: null,
  });
  expect(await update({})).toMatchObject({ name: 'Writers', description: null });
  expect(await stage.one('custom_audiences.get', { custom_audience_id })).toMatchObject({ name: 'Writers' });
  expect(
    await stage.rejected('custom_audiences.update', { custom_audience_id: 'nosuch', name: 'x' }, 404),
  ).toMatchObject([{ code: 'NOT_FOUND', parameter: 'custom_audience_id', value: 'nosuch' }]);
});

scenario('B-AUDIENCE-ECHO', async ({ world, account_id }) => {
  const path = `/12/accounts/${account_id}/custom_audiences`;
  const query = { name: 'Readers', description: 'By post' };
  const created = await world.request({ method: 'POST', path, query });
  expect(created.body).toEqual({ request: { params: { account_id, ...query } }, data: expect.any(Object) });
  const id = String(member(member(created.body, 'data'), 'id'));
  const updated = await world.request({ method: 'PUT', path: `${path}/${id}`, query: { description: '' } });
  expect(member(updated.body, 'request')).toEqual({
    params: { account_id, custom_audience_id: id, description: null },
  });
  const listed = await world.request({
    path,
    query: { custom_audience_ids: id, q: 'read', permission_scope: 'OWNER' },
  });
  expect(member(listed.body, 'request')).toEqual({
    params: { account_id, custom_audience_ids: [id], q: 'read', permission_scope: 'OWNER' },
  });
});

scenario('B-AUDIENCE-STATE', async (stage) => {
  const { id: custom_audience_id } = await stage.one('custom_audiences.create', { name: 'Readers' });
  const tooSmall = { targetable: false, reasons_not_targetable: ['TOO_SMALL'], audience_size: null };
  for (const [matched, state] of [
    [0, tooSmall],
    [99, tooSmall],
    [100, { targetable: true, reasons_not_targetable: [], audience_size: 100 }],
    [12_345, { targetable: true, reasons_not_targetable: [], audience_size: 12_000 }],
  ] as const) {
    await countedAs(stage.world, stage.account_id, custom_audience_id, matched);
    expect(await stage.one('custom_audiences.get', { custom_audience_id })).toMatchObject(state);
    expect(await stage.many('custom_audiences.list')).toMatchObject([state]);
  }
  const account = stage.world.platform.ads.sandbox.account(stage.account_id);
  await account.write({ user_id: null, platform: 'SERVER' }, (writer) =>
    writer.of(families.custom_audiences.customAudience).derive(custom_audience_id, { processing: true }),
  );
  expect(await stage.one('custom_audiences.get', { custom_audience_id })).toMatchObject({
    targetable: true,
    reasons_not_targetable: ['PROCESSING'],
    audience_size: 12_000,
  });
  expect(await stage.one('custom_audiences.delete', { custom_audience_id })).toMatchObject(tooSmall);
});

scenario('B-AUDIENCE-DELETE', async (stage) => {
  const { id: custom_audience_id } = await stage.one('custom_audiences.create', { name: 'Readers' });
  const kept = await stage.one('custom_audiences.create', { name: 'Writers' });
  const deleted = await stage.one('custom_audiences.delete', { custom_audience_id });
  expect(deleted).toMatchObject({
    id: custom_audience_id,
    deleted: true,
    targetable: false,
    reasons_not_targetable: ['TOO_SMALL'],
    audience_size: null,
  });
  expect(await stage.many('custom_audiences.list')).toEqual([kept]);
  expect(await stage.many('custom_audiences.list', { with_deleted: true })).toEqual([kept, deleted]);
  expect(await stage.one('custom_audiences.get', { custom_audience_id, with_deleted: true })).toEqual(deleted);
  const gone = [{ code: 'NOT_FOUND', parameter: 'custom_audience_id', value: custom_audience_id }];
  expect(await stage.rejected('custom_audiences.get', { custom_audience_id }, 404)).toMatchObject(gone);
  expect(await stage.rejected('custom_audiences.update', { custom_audience_id, name: 'x' }, 404)).toMatchObject(gone);
  expect(await stage.rejected('custom_audiences.delete', { custom_audience_id }, 404)).toMatchObject(gone);
});

scenario('B-AUDIENCE-DELETE-MEMBERS', async (stage) => {
  const { members, jobs } = stage.world.platform;
  const now_s = Math.floor(stage.world.clock.now() / 1000);
  const create = async (name: string) => (await stage.one('custom_audiences.create', { name })).id;
  const [one, two, kept] = [await create('one'), await create('two'), await create('kept')];
  // One user with one key.
  const users = Uint8Array.from([1, 0, 1, ...Array.from({ length: 15 }, (_, i) => i)]);
  const times = { effective_s: now_s, expires_s: now_s + 3600, default_effective: true, default_expires: false };
  const operations = [{ operation_type: 'Update', ...times, user_count: 1 }] as const;
  for (const id of [one, two, kept]) await members.append(`sandbox/${id}`, { operations, users }, now_s);
  const held = async (id: string) => {
    const { keys, pending } = await members.figures(`sandbox/${id}`);
    return keys + pending;
  };
  await stage.ok('custom_audiences.delete', { custom_audience_id: one });
  const deletion = { operation_type: 'Delete', params: { custom_audience_id: two } };
  await stage.ok('custom_audiences.batch', { operations: [deletion] });
  await jobs.runDue();
  expect([await held(one), await held(two)]).toEqual([0, 0]);
  expect(await held(kept)).toBeGreaterThan(0);
  // A deletion that fails with its batch removes nothing.
  const operationsThatFail = [{ ...deletion, params: { custom_audience_id: kept } }, deletion];
  expect(await stage.call('custom_audiences.batch', { operations: operationsThatFail })).toMatchObject({ ok: false });
  await jobs.runDue();
  expect(await held(kept)).toBeGreaterThan(0);
});

scenario('B-AUDIENCE-HISTORY', async (stage) => {
  const { world, account_id } = stage;
  const account = world.platform.ads.sandbox.account(account_id);
  await account.write({ user_id: null, platform: 'OPERATOR' }, (writer) =>
    families.features.addFeatures(writer, ['ACCOUNT_HISTORY']),
  );
  const hour_ms = 3_600_000;
  world.clock.advance(hour_ms - (world.clock.now() % hour_ms));
  const timestamp = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`;
  const span = { start_time: timestamp(world.clock.now()), end_time: timestamp(world.clock.now() + hour_ms) };
  const { id } = await stage.one('custom_audiences.create', { name: 'Readers' });
  await stage.ok('custom_audiences.update', { custom_audience_id: id, name: 'Writers' });
  await countedAs(world, account_id, id, 4_321);
  await stage.ok('custom_audiences.delete', { custom_audience_id: id });
  const records = await stage.ok('account_history.list', { entity_type: 'CUSTOM_AUDIENCE', entity_id: id, ...span });
  const common = { entity: 'CUSTOM_AUDIENCE', entity_id: id, change_by: { user_id: stage.user.user_id } };
  expect(records).toMatchObject([
    { ...common, change_type: 'DELETE', changes: { deleted: { before: false, after: true } } },
    { ...common, change_type: 'UPDATE', changes: { name: { before: 'Readers', after: 'Writers' } } },
    { ...common, change_type: 'CREATE', entity_data: { id, name: 'Readers', audience_type: 'CRM' } },
  ]);
  const log = JSON.stringify(await stage.rows('change_log'), (_, value) =>
    typeof value === 'bigint' ? `${value}` : value,
  );
  expect(log).toContain('Writers');
  for (const internal of ['4321', 'matched_count', 'processing', 'name_folded', 'name_collated'])
    expect(log).not.toContain(internal);
});

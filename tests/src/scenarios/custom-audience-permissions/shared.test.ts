/** Shared audiences as the accounts see them that they are shared with: specification B; reference, audiences section 2. */
import { expect } from 'vitest';
import * as z from 'zod';
import { type Entity, type Stage, scenarios } from '../../support/scenario.ts';
import { sibling, targetableAudience } from '../../support/sharing.ts';

const scenario = scenarios();

const Entities = z.array(z.looseObject({ id: z.string() }));

function share(stage: Stage, owner: string, custom_audience_id: string, to: string, permission_level = 'READ_ONLY') {
  const terms = { granted_account_id: to, permission_level };
  return stage.one('custom_audience_permissions.create', { account_id: owner, custom_audience_id, ...terms });
}

scenario('B-SHARED-SEEN', async (stage) => {
  const own = await targetableAudience(stage, 'Readers');
  const hidden = await targetableAudience(stage, 'Writers');
  const [reader, writer] = [await sibling(stage), await sibling(stage)];
  await share(stage, stage.account_id, own.id, reader, 'READ_ONLY');
  await share(stage, stage.account_id, own.id, writer, 'READ_WRITE');
  expect(own).toMatchObject({ is_owner: true, permission_level: 'READ_WRITE', targetable: true });
  for (const [account_id, permission_level] of [
    [reader, 'READ_ONLY'],
    [writer, 'READ_WRITE'],
  ] as const) {
    const seen = await stage.one('custom_audiences.get', { account_id, custom_audience_id: own.id });
    // The size is told less precisely to those who do not own the audience.
    expect(seen).toEqual({ ...own, is_owner: false, permission_level, audience_size: expect.any(Number) });
    expect(await stage.many('custom_audiences.list', { account_id, permission_scope: 'SHARED' })).toEqual([seen]);
    expect(await stage.many('custom_audiences.list', { account_id })).toEqual([]);
    expect(await stage.many('custom_audiences.list', { account_id, permission_scope: 'OWNER' })).toEqual([]);
    await stage.rejected('custom_audiences.get', { account_id, custom_audience_id: hidden.id }, 404);
    const both = { account_id, permission_scope: 'SHARED', custom_audience_ids: [own.id, hidden.id] };
    expect(await stage.many('custom_audiences.list', both)).toEqual([seen]);
  }
  expect(await stage.many('custom_audiences.list', { permission_scope: 'SHARED' })).toEqual([]);
});

scenario('B-SHARED-LIST', async (stage) => {
  const { account_id, world } = stage;
  const owners = [await sibling(stage), await sibling(stage), await sibling(stage)];
  // Names that sort differently by UTF-16 than by the bytes that the database compares.
  const names = ['b', 'a', 'C', '\u{ff5e}', '\u{1f600}', 'Ä', 'd'];
  const made: string[] = [];
  for (const [i, name] of names.entries()) {
    if (i !== 2) world.clock.advance(1000);
    const owner = owners[i % owners.length] ?? '';
    const { id } = await stage.one('custom_audiences.create', { account_id: owner, name });
    await share(stage, owner, id, account_id);
    made.push(id);
  }
  const all = async (params: object): Promise<Entity[]> => {
    const found: Entity[] = [];
    let cursor: string | undefined;
    do {
      const page = await stage.call('custom_audiences.list', {
        permission_scope: 'SHARED',
        count: 2,
        ...params,
        ...(cursor === undefined ? {} : { cursor }),
      });
      expect(page.ok, JSON.stringify(page.errors)).toBe(true);
      found.push(...Entities.parse(page.data));
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    return found;
  };
  const ids = async (params: object) => (await all(params)).map(({ id }) => id);
  expect(await ids({})).toEqual(made.toReversed());
  expect(await ids({ sort_by: ['created_at-asc'] })).toEqual(made);
  const byName = (await all({ sort_by: ['name-asc'] })).map(({ name }) => name);
  expect(byName).toEqual(['a', 'Ä', 'b', 'C', 'd', '～', '😀']);
  expect((await all({ sort_by: ['name-desc'] })).map(({ name }) => name)).toEqual(byName.toReversed());
  expect((await all({ q: 'ä' })).map(({ name }) => name)).toEqual(['Ä']);
  const some = [made[4], made[0], 'nosuch'];
  expect(await ids({ custom_audience_ids: some })).toEqual([made[4], made[0]]);
  const counted = { permission_scope: 'SHARED', count: 3, with_total_count: true };
  expect(await stage.call('custom_audiences.list', counted)).toMatchObject({ total_count: names.length });
  for (const lonely of [account_id, await sibling(stage)]) {
    const params = { account_id: lonely, permission_scope: 'SHARED', cursor: 'nocursor' };
    expect(await stage.rejected('custom_audiences.list', params)).toMatchObject([{ parameter: 'cursor' }]);
  }
});

scenario('B-SHARED-WRITE', async (stage) => {
  const own = await targetableAudience(stage, 'Readers');
  const taken = await targetableAudience(stage, 'Taken');
  const custom_audience_id = own.id;
  const [reader, writer] = [await sibling(stage), await sibling(stage)];
  await share(stage, stage.account_id, custom_audience_id, reader, 'READ_ONLY');
  await share(stage, stage.account_id, custom_audience_id, writer, 'READ_WRITE');
  const notAllowed = [{ code: 'ACTION_NOT_ALLOWED', parameter: 'custom_audience_id', value: custom_audience_id }];
  const rename = { custom_audience_id, name: 'Friends' };
  const asReader = { ...rename, account_id: reader };
  expect(await stage.rejected('custom_audiences.update', asReader, 403)).toMatchObject(notAllowed);
  const asWriter = { ...rename, account_id: writer };
  const renamed = await stage.one('custom_audiences.update', { ...asWriter, description: 'By post' });
  expect(renamed).toMatchObject({ name: 'Friends', description: 'By post', is_owner: false });
  expect(await stage.one('custom_audiences.get', { custom_audience_id })).toMatchObject({
    name: 'Friends',
    description: 'By post',
    is_owner: true,
  });
  // Names are unique in the account of the owner, of whose other audiences nothing is told.
  const clash = await stage.rejected('custom_audiences.update', { ...asWriter, name: 'TAKEN' });
  expect(clash).toMatchObject([{ code: 'INVALID_PARAMETER', parameter: 'name' }]);
  expect(JSON.stringify(clash)).not.toContain(taken.id);
  expect(await stage.one('custom_audiences.create', { account_id: writer, name: 'Friends' })).toBeDefined();
  for (const account_id of [reader, writer]) {
    const params = { account_id, custom_audience_id };
    expect(await stage.rejected('custom_audiences.delete', params, 403)).toMatchObject(notAllowed);
  }
  const stranger = { account_id: await sibling(stage), custom_audience_id };
  await stage.rejected('custom_audiences.update', { ...stranger, name: 'Mine' }, 404);
  await stage.rejected('custom_audiences.delete', stranger, 404);
  // The change is one of the owner's account, made by the user of the other.
  const { database } = stage.world.platform.ads.sandbox;
  const recorded = await database.query(
    `SELECT "account_id", "change_by_user_id" FROM "change_log"
     WHERE "entity" = 'CUSTOM_AUDIENCE' AND "entity_id" = ? AND "change_type" = 'UPDATE'`,
    [custom_audience_id],
  );
  expect(recorded).toEqual([[stage.account_id, stage.user.user_id]]);
});

/** Do-not-reach lists: specification B, Do-not-reach lists; reference, audiences section 8. */
import { expect } from 'vitest';
import { hashed, knowPeople, membersOf } from '../support/members.ts';
import { type Entity, type Stage, scenarios } from '../support/scenario.ts';

const scenario = scenarios();

const people = {
  '201': { email: 'ada@example.com', phone_number: '+15005550201' },
  '202': { email: 'bob@example.com' },
};
const ada = { email: [hashed('ada@example.com')] };
const bob = { email: [hashed('bob@example.com')] };
const adaByPhone = { phone_number: [hashed('+15005550201')] };

const update = (users: readonly unknown[], times: object = {}) => ({
  operation_type: 'Update',
  params: { users, ...times },
});
const remove = (users: readonly unknown[]) => ({ operation_type: 'Delete', params: { users } });

async function listOf(stage: Stage): Promise<Entity> {
  await knowPeople(stage.world, people);
  return stage.one('do_not_reach_lists.create');
}

const send = (stage: Stage, { id }: Entity, ...operations: unknown[]) =>
  stage.call('do_not_reach_lists.users', { do_not_reach_list_id: id, operations } as never);

async function accepted(stage: Stage, list: Entity, ...operations: unknown[]): Promise<unknown> {
  const outcome = await send(stage, list, ...operations);
  expect([outcome.errors, outcome.operation_errors]).toEqual([[], undefined]);
  return outcome.data;
}

const ids = async (stage: Stage, { id }: Entity) => (await membersOf(stage.world, id)).map(({ user_id }) => user_id);

scenario('B-REACH-CREATE', async (stage) => {
  const list = await stage.one('do_not_reach_lists.create', { description: 'Asked us' });
  expect(list).toEqual({
    id: expect.stringMatching(/^[0-9a-z]{2,9}$/),
    name: 'Do Not Reach List',
    description: 'Asked us',
    list_size: null,
    targetable: false,
    reasons_not_targetable: ['PROCESSING', 'TOO_SMALL'],
    created_at: expect.any(String),
    updated_at: list['created_at'],
    deleted: false,
  });
  const account_id = await stage.world.createAccount();
  expect(await stage.one('do_not_reach_lists.create', { account_id })).toMatchObject({ description: null });
  stage.world.clock.advance(10_000);
  const reasons = async () => {
    await stage.world.runJobs();
    const [processed] = await stage.many('do_not_reach_lists.list');
    return processed?.['reasons_not_targetable'];
  };
  await expect.poll(reasons).toEqual(['TOO_SMALL']);
});

scenario('B-REACH-ONE', async (stage) => {
  const { id } = await stage.one('do_not_reach_lists.create');
  expect(await stage.rejected('do_not_reach_lists.create', { description: 'Another' })).toMatchObject([
    { code: 'INVALID_PARAMETER', parameter: 'account_id', message: expect.stringContaining(id) },
  ]);
  await stage.ok('do_not_reach_lists.delete', { do_not_reach_list_id: id });
  const next = await stage.one('do_not_reach_lists.create');
  expect(next.id).not.toBe(id);
});

scenario('B-REACH-RACE', async (stage) => {
  const outcomes = await Promise.all(Array.from({ length: 10 }, () => stage.call('do_not_reach_lists.create')));
  expect(outcomes.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 400)]);
  expect(await stage.many('do_not_reach_lists.list')).toHaveLength(1);
});

scenario('B-REACH-LIST', async (stage) => {
  expect(await stage.many('do_not_reach_lists.list')).toEqual([]);
  const first = await stage.one('do_not_reach_lists.create');
  expect(await stage.many('do_not_reach_lists.list')).toEqual([first]);
  const gone = await stage.one('do_not_reach_lists.delete', { do_not_reach_list_id: first.id });
  const second = await stage.one('do_not_reach_lists.create');
  expect(await stage.many('do_not_reach_lists.list')).toEqual([second]);
  expect(await stage.many('do_not_reach_lists.list', { with_deleted: true })).toEqual([gone, second]);
});

scenario('B-REACH-ENVELOPE', async (stage) => {
  const { id: do_not_reach_list_id } = await stage.one('do_not_reach_lists.create');
  const { account_id, world, user: as } = stage;
  const path = `/12/accounts/${account_id}/do_not_reach_lists`;
  const params = { account_id };
  expect((await world.request({ path, as })).body).toMatchObject({ request: { params }, next_cursor: null });
  const expires_at = '2026-03-01T00:00:00Z';
  const json = [update([ada, bob], { expires_at }), remove([bob])];
  const batch = `/12/batch/accounts/${account_id}/do_not_reach_lists/${do_not_reach_list_id}/users`;
  const answer = await world.request({ method: 'POST', path: batch, json, as });
  const ids = { account_id, do_not_reach_list_id };
  expect(answer.body).toEqual({
    request: [
      { params: { expires_at, ...ids }, operation_type: 'Update' },
      { params: ids, operation_type: 'Delete' },
    ],
    data: [
      { success_count: 2, total_count: 2 },
      { success_count: 1, total_count: 1 },
    ],
  });
});

scenario('B-REACH-DELETE', async (stage) => {
  const list = await listOf(stage);
  await accepted(stage, list, update([ada]));
  const do_not_reach_list_id = list.id;
  expect(await stage.one('do_not_reach_lists.delete', { do_not_reach_list_id })).toMatchObject({
    deleted: true,
    list_size: null,
    reasons_not_targetable: ['TOO_SMALL'],
  });
  const missing = { status: 404, errors: [{ code: 'NOT_FOUND', parameter: 'do_not_reach_list_id' }] };
  expect(await stage.call('do_not_reach_lists.delete', { do_not_reach_list_id })).toMatchObject(missing);
  expect(await send(stage, list, update([bob]))).toMatchObject(missing);
  stage.world.clock.advance(10_000);
  const stored = async () => {
    await stage.world.runJobs();
    return stage.world.platform.members.figures(`sandbox/${list.id}`);
  };
  await expect.poll(stored).toMatchObject({ keys: 0, bytes: 0 });
});

scenario('B-REACH-USERS', async (stage) => {
  const list = await listOf(stage);
  expect(await accepted(stage, list, update([ada, bob]), remove([adaByPhone]))).toEqual([
    { success_count: 2, total_count: 2 },
    { success_count: 1, total_count: 1 },
  ]);
  expect(await ids(stage, list)).toEqual(['202']);
  await accepted(stage, list, update([{ ...adaByPhone, email: [hashed('other@example.com')] }]));
  expect(await ids(stage, list)).toEqual(['201', '202']);
});

scenario('B-REACH-KINDS', async (stage) => {
  const list = await listOf(stage);
  for (const [operation, parameter] of [
    [update([{ handle: [hashed('ada')] }]), 'params.users[0]'],
    [update([{ partner_user_id: ['1'] }]), 'params.users[0]'],
    [update([{ email: ['ada@example.com'] }]), 'params.users[0].email[0]'],
    [update([ada], { effective_at: '2026-01-01T00:00:00Z' }), 'effective_at'],
  ] as const) {
    expect((await send(stage, list, operation)).operation_errors).toMatchObject([
      [{ code: 'INVALID_PARAMETER', parameter }],
    ]);
  }
});

scenario('B-REACH-EXPIRES', async (stage) => {
  const list = await listOf(stage);
  const now = stage.world.clock.now();
  const end = new Date(now);
  end.setUTCMonth(end.getUTCMonth() + 13);
  const time = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`;
  const last = time(end.getTime() - 1000);
  await accepted(stage, list, update([ada]), update([bob], { expires_at: last }));
  expect(await membersOf(stage.world, list.id)).toEqual([
    { user_id: '201', from: time(now), to: time(end.getTime()) },
    { user_id: '202', from: time(now), to: last },
  ]);
  for (const expires_at of [time(now), '2020-01-01', time(end.getTime() + 1000), '2100-01-01']) {
    expect((await send(stage, list, update([ada], { expires_at }))).operation_errors).toMatchObject([
      [{ code: 'INVALID_TIME_WINDOW', parameter: 'expires_at' }],
    ]);
  }
});

scenario('B-REACH-ALL-OR-NOTHING', async (stage) => {
  const list = await listOf(stage);
  const outcome = await send(stage, list, update([ada]), update([{}]));
  expect(outcome).toMatchObject({ status: 400, operation_errors: [[], [{ parameter: 'params.users[0]' }]] });
  expect(await ids(stage, list)).toEqual([]);
});

scenario('B-REACH-PRIVACY', async (stage) => {
  const list = await listOf(stage);
  await accepted(stage, list, update([ada]));
  const { database } = stage.world.platform.ads.sandbox;
  const log = JSON.stringify(await database.query('SELECT * FROM "change_log"'), (_, value: unknown) =>
    typeof value === 'bigint' ? `${value}` : value,
  );
  expect(log).toContain(list.id);
  for (const secret of ada.email) expect(log).not.toContain(secret);
});

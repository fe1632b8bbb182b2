/** Users of custom audiences: specification B, Custom audience users; reference, audiences section 4. */
import { expect } from 'vitest';
import { member } from '../../support/body.ts';
import { hashed, knowPeople, membersOf } from '../../support/members.ts';
import { type Entity, type Stage, scenarios } from '../../support/scenario.ts';

const scenario = scenarios();

const people = {
  '101': { email: 'ada@example.com', handle: 'ada', phone_number: '+15005550101' },
  '102': { email: 'bob@example.com', platform_id: '102' },
  '103': { device_id: 'af3802a465767e36', partner_user_id: 'three' },
};
const ada = { email: [hashed('ada@example.com')] };
const bob = { platform_id: [hashed('102')] };
const three = { partner_user_id: ['three'] };

type Operation = Readonly<Record<string, unknown>>;
const update = (users: readonly unknown[], times: object = {}): Operation => ({
  operation_type: 'Update',
  params: { users, ...times },
});
const remove = (users: readonly unknown[], times: object = {}): Operation => ({
  ...update(users, times),
  operation_type: 'Delete',
});

async function audienceOf(stage: Stage): Promise<Entity> {
  await knowPeople(stage.world, people);
  return stage.one('custom_audiences.create', { name: 'People' });
}

const send = (stage: Stage, { id }: Entity, ...operations: unknown[]) =>
  stage.call('custom_audiences.users', { custom_audience_id: id, operations } as never);

/** Sends operations that must be accepted. */
async function accepted(stage: Stage, audience: Entity, ...operations: unknown[]): Promise<unknown> {
  const outcome = await send(stage, audience, ...operations);
  expect([outcome.errors, outcome.operation_errors]).toEqual([[], undefined]);
  return outcome.data;
}

const ids = async (stage: Stage, { id }: Entity) => (await membersOf(stage.world, id)).map(({ user_id }) => user_id);

scenario('B-USERS-COUNTS', async (stage) => {
  const audience = await audienceOf(stage);
  const counts = await accepted(stage, audience, update([ada, bob]), remove([three, three]));
  expect(counts).toEqual({ success_count: 4, total_count: 4 });
});

scenario('B-USERS-ENVELOPE', async (stage) => {
  const { id: custom_audience_id } = await audienceOf(stage);
  const { account_id, world } = stage;
  const path = `/12/accounts/${account_id}/custom_audiences/${custom_audience_id}/users`;
  const params = { account_id, custom_audience_id };
  const good = await world.request({ method: 'POST', path, json: [update([ada])], as: stage.user });
  expect(good.body).toEqual({ request: { params }, data: { success_count: 1, total_count: 1 } });
  const bad = await world.request({ method: 'POST', path, json: [update([])], as: stage.user });
  expect(bad.body).toEqual({ request: { params }, operation_errors: [[expect.any(Object)]] });
});

scenario('B-USERS-UPDATE', async (stage) => {
  const audience = await audienceOf(stage);
  // Bob is known by an id of the platform, three by an id of the partner.
  await accepted(stage, audience, update([ada, bob, three, { handle: [hashed('nobody')] }]));
  expect(await ids(stage, audience)).toEqual(['101', '102', '103']);
  // The stranger turns out to be Ada, so a Delete by either identifier removes her.
  await accepted(stage, audience, update([{ handle: [hashed('nobody')], phone_number: [hashed('+15005550101')] }]));
  await accepted(stage, audience, remove([{ handle: [hashed('nobody')] }]));
  expect(await ids(stage, audience)).toEqual(['102', '103']);
});

scenario('B-USERS-DELETE', async (stage) => {
  const audience = await audienceOf(stage);
  await accepted(stage, audience, update([{ ...ada, partner_user_id: ['customer 1'] }, bob]));
  await accepted(
    stage,
    audience,
    remove([{ partner_user_id: ['customer 1'] }], { expires_at: '2030-01-01T00:00:00Z' }),
  );
  expect(await ids(stage, audience)).toEqual(['102']);
  // An Update afterwards brings the person back.
  await accepted(stage, audience, update([ada]));
  expect(await ids(stage, audience)).toEqual(['101', '102']);
});

scenario('B-USERS-ORDER', async (stage) => {
  const audience = await audienceOf(stage);
  await accepted(stage, audience, update([ada]), remove([ada]), remove([bob]), update([bob]), update([three]));
  expect(await ids(stage, audience)).toEqual(['102', '103']);
});

scenario('B-USERS-ALL-OR-NOTHING', async (stage) => {
  const audience = await audienceOf(stage);
  const outcome = await send(stage, audience, update([ada]), update([bob, { email: ['bob'] }]), update([three]));
  expect(outcome).toMatchObject({
    ok: false,
    status: 400,
    operation_errors: [[], [{ code: 'INVALID_PARAMETER', parameter: 'params.users[1].email[0]' }], []],
  });
  const late = update([ada], { expires_at: '2020-01-01T00:00:00Z' });
  expect((await send(stage, audience, update([bob]), late)).operation_errors).toMatchObject([
    [],
    [{ code: 'INVALID_TIME_WINDOW', parameter: 'expires_at' }],
  ]);
  expect(await ids(stage, audience)).toEqual([]);
});

scenario('B-USERS-TIMES', async (stage) => {
  const audience = await audienceOf(stage);
  const now = new Date(stage.world.clock.now()).toISOString();
  const later = new Date(stage.world.clock.now());
  later.setUTCMonth(later.getUTCMonth() + 13);
  const second = (time: string) => `${time.slice(0, 19)}Z`;
  const from = '2026-06-01T00:00:00Z';
  await accepted(stage, audience, update([ada]), update([bob], { effective_at: from, expires_at: '2030-01-01' }));
  expect(await membersOf(stage.world, audience.id)).toEqual([
    { user_id: '101', from: second(now), to: second(later.toISOString()) },
    { user_id: '102', from, to: '2030-01-01T00:00:00Z' },
  ]);
  for (const times of [
    { effective_at: from, expires_at: from },
    { effective_at: '2026-06-02', expires_at: '2026-06-01' },
    { expires_at: now },
    { effective_at: '2040-01-01' },
  ]) {
    for (const operation of [update([three], times), remove([three], times)]) {
      expect((await send(stage, audience, operation)).operation_errors).toMatchObject([
        [{ code: 'INVALID_TIME_WINDOW', parameter: 'expires_at' }],
      ]);
    }
  }
  for (const time of ['yesterday', '2026-02-30', 5]) {
    expect((await send(stage, audience, update([three], { effective_at: time }))).operation_errors).toMatchObject([
      [{ code: 'INVALID_PARAMETER', parameter: 'effective_at' }],
    ]);
  }
});

scenario('B-USERS-TYPE', async (stage) => {
  const audience = await audienceOf(stage);
  const { operation_type: _, ...untyped } = update([ada]);
  for (const [operation, code] of [
    [untyped, 'MISSING_PARAMETER'],
    [{ ...untyped, operation_type: 'Create' }, 'INVALID_PARAMETER'],
    [{ ...untyped, operation_type: 'update' }, 'INVALID_PARAMETER'],
  ] as const) {
    const { operation_errors } = await send(stage, audience, operation);
    expect(operation_errors).toMatchObject([[{ code, parameter: 'operation_type' }]]);
  }
});

scenario('B-USERS-PARAMS', async (stage) => {
  const audience = await audienceOf(stage);
  const all = {
    email: ada.email,
    device_id: [hashed('af3802a465767e36')],
    handle: [hashed('ada')],
    platform_id: [hashed('101')],
    phone_number: [hashed('+15005550101'), hashed('+15005550102')],
    partner_user_id: ['one', 'eins'],
  };
  expect(await accepted(stage, audience, update([all]))).toEqual({ success_count: 1, total_count: 1 });
  for (const [operation, parameter] of [
    [{ operation_type: 'Update' }, 'params'],
    [{ operation_type: 'Update', params: {} }, 'users'],
    [update([ada, {}]), 'params.users[1]'],
  ] as const) {
    expect((await send(stage, audience, operation)).operation_errors).toMatchObject([[{ parameter }]]);
  }
});

scenario('B-USERS-HASHED', async (stage) => {
  const audience = await audienceOf(stage);
  const capital = hashed('ada@example.com').toUpperCase();
  await accepted(stage, audience, update([{ email: [capital] }]));
  expect(await ids(stage, audience)).toEqual(['101']);
  for (const [record, words] of [
    [{ email: ['Ada@Example.com'] }, /e-mail address is not hashed.*small letters.*SHA-256/],
    [{ handle: ['@ada'] }, /handle is not hashed.*@/],
    [{ phone_number: ['+1 500 555 0101'] }, /telephone number is not hashed/],
    [{ platform_id: ['102'] }, /not hashed/],
    [{ email: [capital.slice(1)] }, /64 hex digits/],
    [{ email: [`${capital}0`] }, /64 hex digits/],
    [{ email: [capital.replace(/./, 'g')] }, /64 hex digits/],
  ] as const) {
    const { operation_errors } = await send(stage, audience, update([record]));
    expect(operation_errors).toMatchObject([[{ code: 'INVALID_PARAMETER', message: expect.stringMatching(words) }]]);
    for (const [value] of Object.values(record)) expect(JSON.stringify(operation_errors)).not.toContain(value);
  }
});

scenario('B-USERS-JSON', async (stage) => {
  const { id } = await audienceOf(stage);
  const path = `/12/accounts/${stage.account_id}/custom_audiences/${id}/users`;
  const body = JSON.stringify([update([ada])]);
  const request = { method: 'POST', path, as: stage.user } as const;
  for (const [type, status] of [
    ['application/json', 200],
    ['Application/JSON; charset=utf-8', 200],
    ['text/plain', 415],
    ['application/x-www-form-urlencoded', 415],
    ['application/jsonl', 415],
  ] as const) {
    const sent = type.includes('form') ? { form: { a: 'b' } } : { body };
    const answer = await stage.world.request({ ...request, ...sent, headers: { 'content-type': type } });
    expect(answer.status, type).toBe(status);
  }
  expect((await stage.world.request(request)).status).toBe(415);
});

scenario('B-USERS-OPERATIONS', async (stage) => {
  const audience = await audienceOf(stage);
  const many = Array.from({ length: 2500 }, () => update([ada]));
  expect(await accepted(stage, audience, ...many)).toEqual({ success_count: 2500, total_count: 2500 });
  for (const operations of [[...many, update([ada])], []]) {
    const outcome = await send(stage, audience, ...operations);
    expect([outcome.status, outcome.errors]).toMatchObject([400, [{ code: 'REQUEST_TOO_COMPLEX' }]]);
  }
});

scenario('B-USERS-SIZE', async (stage) => {
  const { id } = await audienceOf(stage);
  const users = Array.from({ length: 60_000 }, (_, i) => ({ partner_user_id: [`a customer of mine, number ${i}`] }));
  const start = JSON.stringify([update(users)]);
  const path = `/12/accounts/${stage.account_id}/custom_audiences/${id}/users`;
  const request = { method: 'POST', path, as: stage.user, headers: { 'content-type': 'application/json' } } as const;
  const whole = await stage.world.request({ ...request, body: start.padEnd(5_000_000) });
  expect(member(whole.body, 'data')).toEqual({ success_count: users.length, total_count: users.length });
  const larger = await stage.world.request({ ...request, body: start.padEnd(5_000_001) });
  expect([larger.status, larger.body]).toMatchObject([413, { errors: [{ code: 'REQUEST_TOO_LARGE' }] }]);
});

scenario('B-USERS-PROCESSING', async (stage) => {
  const audience = await audienceOf(stage);
  const read = () => stage.one('custom_audiences.get', { custom_audience_id: audience.id });
  const processed = async () => {
    await stage.world.runJobs();
    return (await read())['reasons_not_targetable'];
  };
  stage.world.clock.advance(10_000);
  await expect.poll(processed).toEqual(['TOO_SMALL']);
  await accepted(stage, audience, update([ada]));
  expect(await read()).toMatchObject({ reasons_not_targetable: ['PROCESSING', 'TOO_SMALL'] });
  stage.world.clock.advance(10_000);
  await expect.poll(processed).toEqual(['TOO_SMALL']);
});

scenario('B-USERS-FLEXIBLE', async (stage) => {
  const { id: custom_audience_id } = await audienceOf(stage);
  const segments = { boolean_operator: 'OR', child_segments: [{ custom_audience_id }] };
  const [flexible] = await stage.many('custom_audiences.batch', {
    operations: [{ operation_type: 'Create', params: { name: 'Flexible', audience_type: 'FLEXIBLE', segments } }],
  } as never);
  if (!flexible) throw new TypeError('no flexible audience was created');
  expect(await send(stage, flexible, update([ada]))).toMatchObject({
    status: 400,
    errors: [{ code: 'INVALID_PARAMETER', parameter: 'custom_audience_id' }],
  });
});

scenario('B-USERS-PRIVACY', async (stage) => {
  const audience = await audienceOf(stage);
  const secrets = [...ada.email, 'customer 1', hashed('customer 1')];
  await accepted(stage, audience, update([{ ...ada, partner_user_id: ['customer 1'] }]));
  const { database } = stage.world.platform.ads.sandbox;
  const log = JSON.stringify(await database.query('SELECT * FROM "change_log"'), (_, value: unknown) =>
    typeof value === 'bigint' ? `${value}` : value,
  );
  expect(log).toContain(audience.id);
  for (const secret of secrets) expect(log).not.toContain(secret);
});

scenario('B-USERS-STRICT', async (stage) => {
  const audience = await audienceOf(stage);
  for (const [operation, parameter] of [
    [{ ...update([ada]), comment: '' }, 'comment'],
    [update([ada], { expire_at: '2030-01-01' }), 'expire_at'],
    [update([{ emails: ada.email }]), 'params.users[0]'],
    [update([{ email: [] }]), 'params.users[0].email'],
    [update([{ email: [5] }]), 'params.users[0].email[0]'],
    [update([{ partner_user_id: [5] }]), 'params.users[0].partner_user_id[0]'],
    [update([ada.email]), 'params.users[0]'],
    [7, undefined],
  ] as const) {
    const [[issue] = []] = (await send(stage, audience, operation)).operation_errors ?? [];
    expect([issue?.code, issue?.parameter]).toEqual(['INVALID_PARAMETER', parameter]);
  }
  expect(await ids(stage, audience)).toEqual([]);
});

/** Scheduling posts: specification B; reference, creatives section 8. */
import { expect } from 'vitest';
import { minutesAhead } from '../../fixtures/scheduled-posts.ts';
import { colleagueOf, newText } from '../../support/drafting.ts';
import { libraryMediaOf } from '../../support/library.ts';
import { lend, somebody } from '../../support/promotion.ts';
import { type Entity, scenarios } from '../../support/scenario.ts';
import { MINUTE_MS, now, reach, schedule } from './setting.ts';

const scenario = scenarios();

scenario('B-SCHEDULED-CREATE', async (stage) => {
  const text = newText();
  const created = await schedule(stage, 5, { text });
  expect(created).toEqual({
    id: expect.stringMatching(/^\d{1,19}$/),
    name: null,
    text,
    user_id: stage.user.user_id,
    scheduled_at: minutesAhead(stage.world, 5),
    scheduled_status: 'SCHEDULED',
    completed_at: null,
    post_id: null,
    nullcast: true,
    card_uri: null,
    media_keys: [],
    created_at: expect.any(String),
    updated_at: created['created_at'],
  });
  const media_keys = [await libraryMediaOf(stage.world, stage.account_id, 'small_image')];
  const other = await schedule(stage, 10, { text: undefined, media_keys, nullcast: false, name: 'First day' });
  expect(other).toMatchObject({ text: '', media_keys, nullcast: false, name: 'First day' });
  for (const one of [created, other]) expect(await now(stage, one)).toEqual(one);
  expect(await stage.many('scheduled_posts.list')).toEqual([other, created]);
});

scenario('B-SCHEDULED-ENVELOPE', async (stage) => {
  const { world, account_id, user } = stage;
  const path = `/12/accounts/${account_id}/scheduled_posts`;
  const query = { as_user_id: user.user_id, text: newText(), scheduled_at: '2026-12-24' };
  const created = await world.request({ method: 'POST', path, query });
  expect(created.status, created.text).toBe(200);
  expect(created.text).toContain(`"as_user_id":${user.user_id}`);
  expect(created.body).toMatchObject({
    request: { params: { account_id, scheduled_at: '2026-12-24T00:00:00Z' } },
    data: { scheduled_at: '2026-12-24T00:00:00Z' },
  });
  const listed = await world.request({ path, query: { user_id: user.user_id } });
  expect(listed.body).toMatchObject({ request: { params: { user_id: user.user_id } }, next_cursor: null });
  const [, id] = /"data":\{"id":"(\d+)"/.exec(created.text) ?? [];
  const read = await world.request({ path: `${path}/${id}` });
  expect(read.body).toMatchObject({ request: { params: { account_id, scheduled_post_id: id } }, data: { id } });
});

scenario('B-SCHEDULED-TIME', async (stage) => {
  for (const [scheduled_at, stored] of [
    ['2026-06-01T10:20:59Z', '2026-06-01T10:20:00Z'],
    ['2026-06-01T10:20:30+0200', '2026-06-01T08:20:00Z'],
    ['2026-06-02', '2026-06-02T00:00:00Z'],
  ]) {
    const post = await schedule(stage, 5, { scheduled_at });
    expect(post['scheduled_at'], scheduled_at).toBe(stored);
    expect(await now(stage, post)).toEqual(post);
  }
});

scenario('B-SCHEDULED-HORIZON', async (stage) => {
  const { world } = stage;
  // Away from a whole minute, so that the one that has begun is in the past.
  world.clock.advance(30_000 - (world.clock.now() % MINUTE_MS));
  const create = { as_user_id: stage.user.user_id, text: newText() };
  for (const minutes of [0, -1, 365 * 24 * 60 + 1]) {
    const scheduled_at = minutesAhead(world, minutes);
    expect(await stage.rejected('scheduled_posts.create', { ...create, scheduled_at }), scheduled_at).toMatchObject([
      { code: 'INVALID_PARAMETER', parameter: 'scheduled_at', value: scheduled_at },
    ]);
  }
  const next = await schedule(stage, 1);
  await schedule(stage, 365 * 24 * 60);
  const scheduled_at = minutesAhead(world, 365 * 24 * 60 + 1);
  const errors = await stage.rejected('scheduled_posts.update', { scheduled_post_id: next.id, scheduled_at });
  expect(errors).toMatchObject([{ code: 'INVALID_PARAMETER', parameter: 'scheduled_at' }]);
  expect(await now(stage, next)).toEqual(next);
});

scenario('B-SCHEDULED-DENSITY', async (stage) => {
  const { world } = stage;
  const full = (minutes: number) => ({
    code: 'SCHEDULED_POST_LIMIT_EXCEEDED',
    parameter: 'scheduled_at',
    value: minutesAhead(world, minutes),
  });
  const refused = async (minutes: number, params: object = {}) => {
    const creation = { as_user_id: stage.user.user_id, text: newText(), ...params };
    const scheduled_at = minutesAhead(world, minutes);
    expect(await stage.rejected('scheduled_posts.create', { ...creation, scheduled_at })).toMatchObject([
      full(minutes),
    ]);
  };
  // Twenty at one end of the window around minute 100, ten at the other.
  const early: Entity[] = [];
  for (let i = 0; i < 20; i++) early.push(await schedule(stage, 93));
  for (let i = 0; i < 10; i++) await schedule(stage, 107);
  await refused(100);
  const beside = await schedule(stage, 101);
  expect(
    await stage.rejected('scheduled_posts.update', {
      scheduled_post_id: beside.id,
      scheduled_at: minutesAhead(world, 100),
    }),
  ).toMatchObject([full(100)]);
  // Its own time does not count against itself, and a deleted one makes room.
  const [first, second] = early;
  expect(
    await stage.one('scheduled_posts.update', { scheduled_post_id: first?.id, scheduled_at: minutesAhead(world, 94) }),
  ).toMatchObject({
    scheduled_status: 'SCHEDULED',
  });
  await stage.one('scheduled_posts.delete', { scheduled_post_id: second?.id });
  await stage.one('scheduled_posts.delete', { scheduled_post_id: beside.id });
  await schedule(stage, 100);
  await refused(100);
  // Another account has a limit of its own.
  const account_id = await world.createAccount('sandbox', stage.user);
  await schedule(stage, 100, { account_id });
  // Published ones count, and failed ones do not.
  const failing = await schedule(stage, 1, {
    media_keys: [
      await libraryMediaOf(world, stage.account_id, 'small_image'),
      await libraryMediaOf(world, stage.account_id, 'gif'),
    ],
  });
  for (let i = 0; i < 29; i++) await schedule(stage, 1);
  await refused(2);
  await reach(world, failing['scheduled_at']);
  expect(await now(stage, failing)).toMatchObject({ scheduled_status: 'FAILED' });
  await schedule(stage, 1);
  await refused(1);
});

scenario('B-SCHEDULED-DENSITY-RACE', async (stage) => {
  for (let i = 0; i < 20; i++) await schedule(stage, 30);
  const scheduled_at = minutesAhead(stage.world, 32);
  const creation = { as_user_id: stage.user.user_id, scheduled_at };
  const calls = Array.from({ length: 25 }, () =>
    stage.call('scheduled_posts.create', { ...creation, text: newText() }),
  );
  const outcomes = await Promise.all(calls);
  expect(outcomes.filter(({ ok }) => ok)).toHaveLength(10);
  for (const { ok, errors } of outcomes) {
    if (!ok) expect(errors).toMatchObject([{ code: 'SCHEDULED_POST_LIMIT_EXCEEDED' }]);
  }
});

scenario('B-SCHEDULED-CONTENT', async (stage) => {
  const { world, account_id } = stage;
  const create = { as_user_id: stage.user.user_id, scheduled_at: minutesAhead(world, 5) };
  for (const [params, status, code, parameter] of [
    [{}, 400, 'MISSING_PARAMETER', 'text'],
    [{ text: ' ' }, 400, 'POST_CANNOT_BE_BLANK', 'text'],
    [{ text: 'a'.repeat(281) }, 400, 'INVALID_POST', 'text'],
    [{ media_keys: ['3_1'] }, 404, 'MEDIA_NOT_FOUND', 'media_keys'],
    [{ text: newText(), card_uri: 'card://1' }, 404, 'CARD_NOT_FOUND', 'card_uri'],
    [{ card_uri: 'card://1', media_keys: ['3_1'] }, 400, 'EXCLUSIVE_PARAMETERS', 'card_uri'],
  ] as const) {
    const errors = await stage.rejected('scheduled_posts.create', { ...create, ...params }, status);
    expect(errors, JSON.stringify(params)).toMatchObject([{ code, parameter }]);
  }
  const five = await stage.call('scheduled_posts.create', {
    ...create,
    media_keys: ['3_1', '3_2', '3_3', '3_4', '3_5'],
  });
  expect(five).toMatchObject({ ok: false, errors: [{ parameter: 'media_keys' }] });
  expect(await stage.many('scheduled_posts.list')).toEqual([]);
  // Which media go together is found out at the time only.
  const media_keys = [
    await libraryMediaOf(world, account_id, 'gif'),
    await libraryMediaOf(world, account_id, 'wide_video'),
  ];
  expect(await schedule(stage, 5, { media_keys })).toMatchObject({ media_keys, scheduled_status: 'SCHEDULED' });
});

scenario('B-SCHEDULED-NAME', async (stage) => {
  expect(await schedule(stage, 5, { name: 'n'.repeat(80) })).toMatchObject({ name: 'n'.repeat(80) });
  const create = { as_user_id: stage.user.user_id, scheduled_at: minutesAhead(stage.world, 5), text: newText() };
  expect(await stage.rejected('scheduled_posts.create', { ...create, name: 'n'.repeat(81) })).toMatchObject([
    { code: 'INVALID_PARAMETER', parameter: 'name' },
  ]);
});

scenario('B-SCHEDULED-COMPOSER', async (stage) => {
  const { world, user } = stage;
  const create = { as_user_id: user.user_id, scheduled_at: minutesAhead(world, 5), text: newText() };
  const manager = await colleagueOf(stage);
  expect(await stage.rejected('scheduled_posts.create', create, 403, manager)).toMatchObject([
    { code: 'ACTION_NOT_ALLOWED', parameter: 'as_user_id' },
  ]);
  const composer = await colleagueOf(stage, ['CREATIVE_MANAGER', 'POST_COMPOSER']);
  const { id: scheduled_post_id } = await stage.one('scheduled_posts.create', create, composer);
  for (const [id, more] of [
    ['scheduled_posts.create', create],
    ['scheduled_posts.update', { scheduled_post_id }],
  ] as const) {
    expect(await stage.rejected(id, { ...more, nullcast: false }, 403, composer), id).toMatchObject([
      { code: 'ACTION_NOT_ALLOWED', parameter: 'nullcast' },
    ]);
  }
  await stage.rejected('scheduled_posts.update', { scheduled_post_id, name: 'Renamed' }, 403, manager);
  expect(
    await stage.rejected('scheduled_posts.create', { ...create, as_user_id: await somebody(stage) }),
  ).toMatchObject([{ code: 'INVALID_USER_ID', parameter: 'as_user_id' }]);
  await lend(stage, manager.user_id);
  const lent = { ...create, as_user_id: manager.user_id };
  await stage.rejected('scheduled_posts.create', lent, 403, composer);
  expect(await stage.one('scheduled_posts.create', lent, manager)).toMatchObject({ user_id: manager.user_id });
});

scenario('B-SCHEDULED-LIST', async (stage) => {
  const { world } = stage;
  const other = await colleagueOf(stage);
  await lend(stage, other.user_id);
  const as_other = { as_user_id: other.user_id, scheduled_at: minutesAhead(world, 5), text: newText() };
  const lent = await stage.one('scheduled_posts.create', as_other, other);
  const mine: Entity[] = [];
  for (let i = 0; i < 102; i++) mine.unshift(await schedule(stage, 20 + i));
  const first = await stage.call('scheduled_posts.list');
  expect(first.data).toEqual(mine.slice(0, 100));
  expect(await stage.call('scheduled_posts.list', { cursor: first.next_cursor })).toMatchObject({
    data: mine.slice(100),
    next_cursor: null,
  });
  expect(await stage.call('scheduled_posts.list', { count: 200 })).toMatchObject({ data: mine, next_cursor: null });
  expect(await stage.many('scheduled_posts.list', { user_id: other.user_id })).toEqual([lent]);
  expect(await stage.rejected('scheduled_posts.list', { user_id: '1' })).toMatchObject([
    { code: 'INVALID_USER_ID', parameter: 'user_id', value: '1' },
  ]);
});

scenario('B-SCHEDULED-COUNT', async (stage) => {
  for (const count of [0, 201]) {
    expect(await stage.rejected('scheduled_posts.list', { count })).toMatchObject([
      { code: 'INVALID_PARAMETER', parameter: 'count' },
    ]);
  }
});

scenario('B-SCHEDULED-TENANCY', async (stage) => {
  const { id: scheduled_post_id } = await schedule(stage, 365 * 24 * 30);
  const account_id = await stage.world.createAccount('sandbox', stage.user);
  expect(await stage.many('scheduled_posts.list', { account_id })).toEqual([]);
  for (const verb of ['get', 'update', 'delete'] as const) {
    await stage.rejected(`scheduled_posts.${verb}`, { account_id, scheduled_post_id }, 404);
  }
  await stage.one('scheduled_posts.get', { scheduled_post_id });
});

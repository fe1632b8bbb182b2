/** Draft posts: specification B; reference, creatives section 7. */
import { expect } from 'vitest';
import { cardOf, colleagueOf, newText } from '../support/drafting.ts';
import { libraryMediaOf } from '../support/library.ts';
import { lend, somebody } from '../support/promotion.ts';
import { type Entity, type Stage, scenarios } from '../support/scenario.ts';

const scenario = scenarios();

function draft(stage: Stage, params: object = {}): Promise<Entity> {
  return stage.one('draft_posts.create', { as_user_id: stage.user.user_id, text: newText(), ...params });
}

scenario('B-DRAFT-CREATE', async (stage) => {
  const text = newText();
  const created = await draft(stage, { text });
  expect(created).toEqual({
    id: expect.stringMatching(/^\d{1,19}$/),
    name: null,
    text,
    user_id: stage.user.user_id,
    nullcast: true,
    card_uri: null,
    media_keys: [],
    created_at: expect.any(String),
    updated_at: created['created_at'],
  });
  const media_keys = [await libraryMediaOf(stage.world, stage.account_id, 'small_image')];
  const other = await stage.one('draft_posts.create', {
    as_user_id: stage.user.user_id,
    media_keys,
    nullcast: false,
    name: 'Second idea',
  });
  expect(other).toMatchObject({ text: '', media_keys, nullcast: false, name: 'Second idea' });
  for (const one of [created, other]) {
    expect(await stage.one('draft_posts.get', { draft_post_id: one.id })).toEqual(one);
  }
  expect(await stage.many('draft_posts.list')).toEqual([other, created]);
  // Nobody but the advertiser sees anything of it.
  const { body } = await stage.world.request({ listener: 'api', path: '/2/posts', query: { ids: created.id } });
  expect(body).toMatchObject({ errors: [{ resource_id: created.id }] });
});

scenario('B-DRAFT-ENVELOPE', async (stage) => {
  const { world, account_id, user } = stage;
  const path = `/12/accounts/${account_id}/draft_posts`;
  const media_key = await libraryMediaOf(world, account_id, 'small_image');
  const query = { as_user_id: user.user_id, text: 'Autumn', media_keys: media_key, nullcast: true };
  const created = await world.request({ method: 'POST', path, query });
  expect(created.status, created.text).toBe(200);
  expect(created.body).toMatchObject({
    request: {
      params: { account_id, as_user_id: user.user_id, text: 'Autumn', media_keys: [media_key], nullcast: true },
    },
  });
  const [draft_post_id] = /\d{10,19}/.exec(created.text.slice(created.text.indexOf('"data"'))) ?? [];
  const listed = await world.request({ path, query: { user_id: user.user_id, count: 2 } });
  expect(listed.body).toMatchObject({
    request: { params: { account_id, user_id: user.user_id, count: 2 } },
    next_cursor: null,
    data: [{ id: draft_post_id }],
  });
  const changed = await world.request({ method: 'PUT', path: `${path}/${draft_post_id}`, query: { media_keys: '' } });
  expect(changed.body).toMatchObject({
    request: { params: { account_id, draft_post_id, media_keys: null } },
    data: { media_keys: [] },
  });
});

scenario('B-DRAFT-SAYS-SOMETHING', async (stage) => {
  const as_user_id = stage.user.user_id;
  for (const [params, code] of [
    [{}, 'MISSING_PARAMETER'],
    [{ card_uri: 'card://1' }, 'MISSING_PARAMETER'],
    [{ text: ' \n' }, 'POST_CANNOT_BE_BLANK'],
    [{ text: 'a'.repeat(281) }, 'INVALID_POST'],
    [{ text: '書'.repeat(141) }, 'INVALID_POST'],
  ] as const) {
    const errors = await stage.rejected('draft_posts.create', { as_user_id, ...params });
    expect(errors, JSON.stringify(params)).toMatchObject([{ code, parameter: 'text' }]);
  }
  expect(await stage.many('draft_posts.list')).toEqual([]);
  await draft(stage, { text: 'a'.repeat(280) });
  await draft(stage, { text: `${'a'.repeat(256)} https://example.com/${'b'.repeat(300)}` });
});

scenario('B-DRAFT-MEDIA', async (stage) => {
  const { world, account_id } = stage;
  const images = [];
  for (let i = 0; i < 5; i++) images.push(await libraryMediaOf(world, account_id, 'small_image'));
  const gif = await libraryMediaOf(world, account_id, 'gif');
  const video = await libraryMediaOf(world, account_id, 'wide_video');
  for (const media_keys of [images.slice(0, 4), [gif], [video]]) {
    expect(await draft(stage, { media_keys })).toMatchObject({ media_keys });
  }
  const as_user_id = stage.user.user_id;
  for (const media_keys of [
    [gif, images[0]],
    [images[0], video],
    [gif, video],
  ]) {
    expect(await stage.rejected('draft_posts.create', { as_user_id, media_keys })).toMatchObject([
      { code: 'INVALID_MEDIA', parameter: 'media_keys' },
    ]);
  }
  const five = await stage.call('draft_posts.create', { as_user_id, media_keys: images });
  expect(five).toMatchObject({ ok: false, errors: [{ parameter: 'media_keys' }] });
  const elsewhere = await libraryMediaOf(world, await world.createAccount('sandbox'), 'small_image');
  for (const media_key of ['3_1', elsewhere]) {
    const errors = await stage.rejected('draft_posts.create', { as_user_id, media_keys: [images[0], media_key] }, 404);
    expect(errors).toMatchObject([{ code: 'MEDIA_NOT_FOUND', parameter: 'media_keys', value: media_key }]);
  }
});

scenario('B-DRAFT-CARD', async (stage) => {
  const { account_id, world } = stage;
  const card = await cardOf(stage);
  const { card_uri } = card;
  const created = await draft(stage, { card_uri });
  expect(created).toMatchObject({ card_uri });
  const draft_post_id = created.id;
  expect(await stage.one('draft_posts.update', { draft_post_id, card_uri: null })).toMatchObject({ card_uri: null });
  expect(await stage.one('draft_posts.update', { draft_post_id, card_uri })).toMatchObject({ card_uri });
  const media_keys = [await libraryMediaOf(world, account_id, 'small_image')];
  for (const [id, params] of [
    ['draft_posts.create', { as_user_id: stage.user.user_id, text: newText(), card_uri, media_keys }],
    ['draft_posts.update', { draft_post_id, media_keys }],
  ] as const) {
    expect(await stage.rejected(id, params), id).toMatchObject([
      { code: 'EXCLUSIVE_PARAMETERS', parameter: 'card_uri' },
    ]);
  }
  expect(await stage.one('draft_posts.update', { draft_post_id, media_keys, card_uri: null })).toMatchObject({
    media_keys,
    card_uri: null,
  });
  const elsewhere = await cardOf(stage, await world.createAccount('sandbox', stage.user));
  const deleted = await cardOf(stage);
  await stage.ok('cards.delete', { card_id: deleted.id });
  for (const { card_uri: wrong } of [elsewhere, deleted, { card_uri: 'card://1' }]) {
    const params = { as_user_id: stage.user.user_id, text: newText(), card_uri: wrong };
    expect(await stage.rejected('draft_posts.create', params, 404)).toMatchObject([
      { code: 'CARD_NOT_FOUND', parameter: 'card_uri', value: wrong },
    ]);
  }
});

scenario('B-DRAFT-NAME', async (stage) => {
  expect(await draft(stage, { name: '書'.repeat(80) })).toMatchObject({ name: '書'.repeat(80) });
  const params = { as_user_id: stage.user.user_id, text: newText(), name: 'n'.repeat(81) };
  expect(await stage.rejected('draft_posts.create', params)).toMatchObject([
    { code: 'INVALID_PARAMETER', parameter: 'name' },
  ]);
});

scenario('B-DRAFT-COMPOSER', async (stage) => {
  const as_user_id = stage.user.user_id;
  const manager = await colleagueOf(stage);
  const params = { as_user_id, text: newText() };
  expect(await stage.rejected('draft_posts.create', params, 403, manager)).toMatchObject([
    { code: 'ACTION_NOT_ALLOWED', parameter: 'as_user_id' },
  ]);
  const composer = await colleagueOf(stage, ['CREATIVE_MANAGER', 'POST_COMPOSER']);
  const written = await stage.one('draft_posts.create', params, composer);
  const draft_post_id = written.id;
  expect(written).toMatchObject({ user_id: as_user_id, nullcast: true });
  for (const [id, more] of [
    ['draft_posts.create', params],
    ['draft_posts.update', { draft_post_id }],
  ] as const) {
    expect(await stage.rejected(id, { ...more, nullcast: false }, 403, composer), id).toMatchObject([
      { code: 'ACTION_NOT_ALLOWED', parameter: 'nullcast' },
    ]);
  }
  const name = 'Renamed';
  expect(await stage.one('draft_posts.update', { draft_post_id, name }, composer)).toMatchObject({ name });
  await stage.rejected('draft_posts.update', { draft_post_id, name: 'Renamed again' }, 403, manager);
  // What the user made organic stays the user's.
  expect(await stage.one('draft_posts.update', { draft_post_id, nullcast: false })).toMatchObject({ nullcast: false });
  await stage.rejected('draft_posts.update', { draft_post_id, text: newText() }, 403, composer);
  const stranger = await somebody(stage);
  for (const user_id of [stranger, '1']) {
    expect(await stage.rejected('draft_posts.create', { ...params, as_user_id: user_id })).toMatchObject([
      { code: 'INVALID_USER_ID', parameter: 'as_user_id', value: user_id },
    ]);
  }
  // In the name of another promotable user writes that user alone.
  await lend(stage, manager.user_id);
  const lent = { as_user_id: manager.user_id, text: newText() };
  await stage.rejected('draft_posts.create', lent, 403, composer);
  expect(await stage.one('draft_posts.create', lent, manager)).toMatchObject({ user_id: manager.user_id });
});

scenario('B-DRAFT-UPDATE', async (stage) => {
  const { world, account_id } = stage;
  const [one, other] = [
    await libraryMediaOf(world, account_id, 'small_image'),
    await libraryMediaOf(world, account_id, 'gif'),
  ];
  const before = await draft(stage, { media_keys: [one], name: 'First' });
  const draft_post_id = before.id;
  const update = (params: object) => stage.one('draft_posts.update', { draft_post_id, ...params });
  world.clock.advance(2000);
  const text = newText();
  const changed = await update({ text });
  expect(changed).toEqual({ ...before, text, updated_at: expect.any(String) });
  expect(changed['updated_at']).not.toBe(before['updated_at']);
  expect(await update({})).toMatchObject({ text });
  expect(await update({ media_keys: [other], name: 'Second' })).toMatchObject({ media_keys: [other], name: 'Second' });
  expect(await update({ name: null })).toMatchObject({ name: null });
  expect(await update({ text: null })).toMatchObject({ text: '', media_keys: [other] });
  for (const [params, status, code, parameter] of [
    [{ media_keys: null }, 400, 'POST_CANNOT_BE_BLANK', 'text'],
    [{ card_uri: 'card://1' }, 400, 'EXCLUSIVE_PARAMETERS', 'card_uri'],
    [{ text: 'a'.repeat(281) }, 400, 'INVALID_POST', 'text'],
    [{ media_keys: [one, other] }, 400, 'INVALID_MEDIA', 'media_keys'],
    [{ media_keys: ['3_1'] }, 404, 'MEDIA_NOT_FOUND', 'media_keys'],
    [{ text, media_keys: null, card_uri: 'card://1' }, 404, 'CARD_NOT_FOUND', 'card_uri'],
    [{ draft_post_id: '1', text }, 404, 'NOT_FOUND', 'draft_post_id'],
  ] as const) {
    const errors = await stage.rejected('draft_posts.update', { draft_post_id, ...params }, status);
    expect(errors, JSON.stringify(params)).toMatchObject([{ code, parameter }]);
  }
  expect(await stage.one('draft_posts.get', { draft_post_id })).toMatchObject({ text: '', media_keys: [other] });
  expect(await update({ text, media_keys: null })).toMatchObject({ text, media_keys: [] });
});

scenario('B-DRAFT-DELETE', async (stage) => {
  const created = await draft(stage);
  const draft_post_id = created.id;
  stage.world.clock.advance(1000);
  expect(await stage.one('draft_posts.delete', { draft_post_id })).toEqual({
    ...created,
    updated_at: expect.any(String),
    status: 'DELETED',
  });
  for (const verb of ['get', 'update', 'delete'] as const) {
    const errors = await stage.rejected(`draft_posts.${verb}`, { draft_post_id }, 404);
    expect(errors, verb).toMatchObject([{ code: 'NOT_FOUND', parameter: 'draft_post_id', value: draft_post_id }]);
  }
  expect(await stage.many('draft_posts.list')).toEqual([]);
});

scenario('B-DRAFT-LIST', async (stage) => {
  const other = await colleagueOf(stage);
  await lend(stage, other.user_id);
  const lent = await stage.one('draft_posts.create', { as_user_id: other.user_id, text: newText() }, other);
  const mine: Entity[] = [];
  for (let i = 0; i < 102; i++) mine.unshift(await draft(stage, { name: `Idea ${i}` }));
  const first = await stage.call('draft_posts.list');
  expect(first.data).toEqual(mine.slice(0, 100));
  expect(await stage.call('draft_posts.list', { cursor: first.next_cursor })).toMatchObject({
    data: mine.slice(100),
    next_cursor: null,
  });
  expect(await stage.call('draft_posts.list', { count: 200 })).toMatchObject({ data: mine, next_cursor: null });
  expect(await stage.many('draft_posts.list', { count: 1, user_id: stage.user.user_id })).toEqual(mine.slice(0, 1));
  expect(await stage.many('draft_posts.list', { user_id: other.user_id })).toEqual([lent]);
  const stranger = await somebody(stage);
  expect(await stage.rejected('draft_posts.list', { user_id: stranger })).toMatchObject([
    { code: 'INVALID_USER_ID', parameter: 'user_id', value: stranger },
  ]);
});

scenario('B-DRAFT-COUNT', async (stage) => {
  for (const count of [0, 201]) {
    expect(await stage.rejected('draft_posts.list', { count })).toMatchObject([
      { code: 'INVALID_PARAMETER', parameter: 'count' },
    ]);
  }
});

scenario('B-DRAFT-TENANCY', async (stage) => {
  const { id: draft_post_id } = await draft(stage);
  const account_id = await stage.world.createAccount('sandbox', stage.user);
  expect(await stage.many('draft_posts.list', { account_id })).toEqual([]);
  for (const verb of ['get', 'update', 'delete'] as const) {
    await stage.rejected(`draft_posts.${verb}`, { account_id, draft_post_id }, 404);
  }
  await stage.one('draft_posts.get', { draft_post_id });
});

scenario('B-DRAFT-RECORDED', async (stage) => {
  const { id: draft_post_id } = await draft(stage);
  await stage.one('draft_posts.update', { draft_post_id, name: 'Renamed' });
  await stage.one('draft_posts.delete', { draft_post_id });
  const { database } = stage.world.platform.ads.sandbox;
  const rows = await database.query(
    'SELECT "entity", "change_type", "change_by_user_id" FROM "change_log" WHERE "account_id" = ? AND "entity_id" = ? ORDER BY "seq"',
    [stage.account_id, draft_post_id],
  );
  expect(rows.map((row) => [...row])).toEqual(
    ['CREATE', 'UPDATE', 'DELETE'].map((type) => ['DRAFT_POST', type, stage.user.user_id]),
  );
});

scenario('B-DRAFT-PREVIEW', async (stage) => {
  const { world, user } = stage;
  const { notifications, sessions } = world.platform;
  const text = newText();
  const { id } = await draft(stage, { text });
  const before = await notifications.summary(user.user_id);
  const signedIn = await sessions.count(user.user_id);
  for (const browsers of [signedIn, signedIn + 1, signedIn + 2]) {
    if (browsers > signedIn) await sessions.begin(user.user_id);
    const { data } = await stage.call('draft_posts.preview', { draft_post_id: id });
    const expected = ['No browser', 'the browser in', `${browsers} browsers`][Math.min(browsers, 2)];
    expect(data).toEqual({ message: expect.stringContaining(expected ?? '') });
    expect(data).toEqual({ message: expect.stringContaining('/notifications') });
  }
  const told = await notifications.after(user.user_id, before.latest, 10);
  expect(told).toMatchObject(
    Array.from({ length: 3 }, () => ({ draft_post_id: id, title: text, account_id: stage.account_id, read_ms: null })),
  );
  // A colleague is told when they ask for it, and their draft is the same.
  const colleague = await colleagueOf(stage);
  await stage.call('draft_posts.preview', { draft_post_id: id }, colleague);
  expect(await notifications.after(colleague.user_id, 0, 10)).toMatchObject([{ draft_post_id: id }]);
  expect(await notifications.after(user.user_id, before.latest, 10)).toHaveLength(3);
  expect(await stage.rejected('draft_posts.preview', { draft_post_id: '1' }, 404)).toMatchObject([
    { code: 'NOT_FOUND' },
  ]);
});

scenario('B-DRAFT-PREVIEW-ENVELOPE', async (stage) => {
  const { world, account_id } = stage;
  const { id } = await draft(stage);
  const path = `/12/accounts/${account_id}/draft_posts/preview/${id}`;
  const { status, body } = await world.request({ method: 'POST', path });
  expect(status).toBe(200);
  expect(body).toEqual({ request: { params: { account_id, draft_post_id: id } }, message: expect.any(String) });
});

scenario('B-DRAFT-PREVIEW-ALONE', async (stage) => {
  const { world, user } = stage;
  const text = newText();
  const { id } = await draft(stage, { text });
  await stage.call('draft_posts.preview', { draft_post_id: id });
  const { latest } = await world.platform.notifications.summary(user.user_id);
  const colleague = await colleagueOf(stage);
  const seenBy = async (user_id: string) => {
    const cookie = `broadside_session=${await world.platform.sessions.begin(user_id)}`;
    const url = `${world.urls.api}/notifications/${latest}`;
    return world.send('api', { method: 'GET', url, headers: { cookie }, body: undefined });
  };
  const own = await seenBy(user.user_id);
  expect(own.status).toBe(200);
  expect(own.text).toContain('Draft: only you see this');
  expect(own.text).toContain(text);
  const others = await seenBy(colleague.user_id);
  expect(others.status).toBe(404);
  expect(others.text).not.toContain(text);
});

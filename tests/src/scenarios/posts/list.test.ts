/** Lists of the posts of advertisers, and their names: specification B, Posts; reference, creatives section 10. */
import { expect } from 'vitest';
import { callerWith, freshName, freshText, idsIn, listed, posted } from '../../support/advertiser-posts.ts';
import { OPERATOR } from '../../support/operator.ts';
import { lend, somebody } from '../../support/promotion.ts';
import { type Entity, type Stage, scenarios } from '../../support/scenario.ts';

const scenario = scenarios();
const SERVER = { user_id: null, platform: 'SERVER' } as const;

/** Posts something that is not an advertiser's. */
async function said(stage: Stage, author_id: string, text: string, more: object = {}): Promise<string> {
  return stage.world.platform.posts.create(SERVER, { author_id, text, source: 'Test', lang: 'en', ...more });
}

scenario('B-POST-LIST', async (stage) => {
  const text = `${freshText()} #autumn`;
  const name = freshName();
  const post = await posted(stage, { text, name });
  const [found] = await listed(stage, { post_ids: idsIn([post]) });
  const { text: _, ...shared } = post;
  expect(found).toEqual({
    ...shared,
    post_id: post['id_str'],
    full_text: text,
    display_text_range: [0, text.length],
    nullcast: true,
    post_type: 'PUBLISHED',
    scheduled_at: null,
    conversation_settings: 'EVERYONE',
  });
  await stage.world.platform.posts.like(OPERATOR, stage.user.user_id, String(post['id_str']), true);
  const [liked] = await listed(stage, { post_ids: idsIn([post]) });
  expect(liked).toMatchObject({ favorite_count: 1, favorited: true, reposted: false });
});

scenario('B-POST-LIST-TIMELINE', async (stage) => {
  const hidden = await posted(stage);
  const open = await posted(stage, { nullcast: false });
  const post_ids = idsIn([hidden, open]);
  expect(idsIn(await listed(stage, { post_ids }))).toEqual(idsIn([hidden]));
  expect(idsIn(await listed(stage, { post_ids, timeline_type: 'NULLCAST' }))).toEqual(idsIn([hidden]));
  expect(idsIn(await listed(stage, { post_ids, timeline_type: 'ORGANIC' }))).toEqual(idsIn([open]));
  expect(idsIn(await listed(stage, { post_ids, timeline_type: 'ALL' }))).toEqual(idsIn([open, hidden]));
  for (const [timeline_type, first] of [
    ['NULLCAST', hidden],
    ['ORGANIC', open],
    ['ALL', open],
  ] as const) {
    expect(idsIn(await listed(stage, { timeline_type, count: 1 }).catch(() => []))).toEqual(idsIn([first]));
  }
});

scenario('B-POST-LIST-MENTIONS', async (stage) => {
  const plain = await posted(stage);
  const mention = await posted(stage, { text: `${freshText()} with @${stage.user.screen_name}` });
  const nobody = await posted(stage, { text: `${freshText()} at c@fé` });
  const parent = await said(stage, stage.user.user_id, freshText());
  const reply = await said(stage, stage.user.user_id, freshText(), { replied_to_id: parent, nullcast: true });
  const post_ids = [...idsIn([plain, mention, nobody]), reply];
  expect(idsIn(await listed(stage, { post_ids }))).toEqual(idsIn([nobody, plain]));
  const all = await listed(stage, { post_ids, include_mentions_and_replies: true });
  expect(idsIn(all)).toEqual([reply, ...idsIn([nobody, mention, plain])]);
  expect(all[0]).toMatchObject({
    in_reply_to_status_id: BigInt(parent),
    in_reply_to_status_id_str: parent,
    in_reply_to_user_id_str: stage.user.user_id,
    in_reply_to_screen_name: stage.user.screen_name,
  });
  const [newest] = await listed(stage, { count: 1, include_mentions_and_replies: true });
  expect(newest?.['id_str']).toBe(reply);
  expect(idsIn(await listed(stage, { count: 1 }))).toEqual(idsIn([nobody]));
});

scenario('B-POST-LIST-NAME', async (stage) => {
  const name = freshName();
  const one = await posted(stage, { name: `${name}Straße` });
  const two = await posted(stage, { name: `${name}STRASSE 2`, nullcast: false });
  await posted(stage, { name: `Not ${name}` });
  expect(idsIn(await listed(stage, { name: `${name.toLowerCase()}stras`, timeline_type: 'ALL' }))).toEqual(
    idsIn([two, one]),
  );
  expect(idsIn(await listed(stage, { name }))).toEqual(idsIn([one]));
  expect(idsIn(await listed(stage, { name, post_ids: idsIn([two, one]) }))).toEqual(idsIn([one]));
  expect(await listed(stage, { name: `${name}%` })).toEqual([]);
  expect(await stage.rejected('posts.list', { post_type: 'PUBLISHED', name: 'n'.repeat(81) })).toMatchObject([
    { code: 'INVALID_PARAMETER', parameter: 'name' },
  ]);
});

scenario('B-POST-LIST-IDS', async (stage) => {
  const [one, two] = [await posted(stage), await posted(stage)];
  const ids = idsIn([one, two]);
  const post_ids = ['1', ...ids, ids[0], '9223372036854775808'];
  expect(idsIn(await listed(stage, { post_ids }))).toEqual(idsIn([two, one]));
  for (const post_type of ['DRAFT', 'SCHEDULED']) {
    expect(await stage.many('posts.list', { post_type, post_ids })).toEqual([]);
  }
  const many = Array.from({ length: 201 }, (_, i) => `${i + 1}`);
  expect(await listed(stage, { post_ids: many.slice(1) })).toEqual([]);
  expect(await stage.rejected('posts.list', { post_type: 'PUBLISHED', post_ids: many })).toMatchObject([
    { code: 'INVALID_PARAMETER', parameter: 'post_ids' },
  ]);
});

scenario('B-POST-LIST-USER', async (stage) => {
  const lent = await somebody(stage);
  const theirs = await said(stage, lent, freshText());
  const user_id = lent;
  const rejection = [{ code: 'INVALID_USER_ID', parameter: 'user_id', value: lent }];
  expect(await stage.rejected('posts.list', { post_type: 'PUBLISHED', user_id })).toMatchObject(rejection);
  await lend(stage, lent);
  const found = await listed(stage, { user_id, timeline_type: 'ORGANIC' });
  expect(found).toMatchObject([{ id_str: theirs, user: { id_str: lent } }]);
  const own = await posted(stage);
  for (const full of [undefined, stage.user.user_id]) {
    const [first] = await listed(stage, { user_id: full, count: 1 });
    expect(first?.['id_str']).toBe(own['id_str']);
  }
});

scenario('B-POST-LIST-PAGES', async (stage) => {
  const lent = await somebody(stage);
  await lend(stage, lent);
  const name = freshName();
  const made: string[] = [];
  for (let i = 0; i < 7; i++) {
    made.unshift(await said(stage, lent, freshText(), { name: `${name}${i}`, nullcast: i % 3 === 0 }));
  }
  const params = { post_type: 'PUBLISHED', user_id: lent, timeline_type: 'ALL' };
  for (const more of [{}, { name }, { post_ids: made }]) {
    const read: unknown[] = [];
    let cursor: unknown;
    for (let page = 0; page < 3; page++) {
      const outcome = await stage.call('posts.list', { ...params, ...more, count: 3, cursor });
      expect(outcome.ok).toBe(true);
      const data: readonly Entity[] = Array.isArray(outcome.data) ? outcome.data : [];
      read.push(...idsIn(data));
      // What comes later is on no later page.
      if (page === 0) await said(stage, lent, freshText(), { name: `${name}x` });
      cursor = outcome.next_cursor;
    }
    expect(read).toEqual(made);
    expect(cursor).toBeNull();
    made.unshift(...(await newestOf(stage, lent)));
  }
  for (const count of [0, 1001]) {
    expect(await stage.rejected('posts.list', { ...params, count })).toMatchObject([{ parameter: 'count' }]);
  }
  expect(await stage.rejected('posts.list', { ...params, cursor: 'bogus' })).toMatchObject([
    { code: 'INVALID_PARAMETER', parameter: 'cursor' },
  ]);
});

async function newestOf(stage: Stage, user_id: string): Promise<string[]> {
  return idsIn(await listed(stage, { user_id, timeline_type: 'ALL', count: 1 })).map(String);
}

scenario('B-POST-LIST-GONE', async (stage) => {
  const { world } = stage;
  const post = await posted(stage, { name: freshName() });
  const name = post['name'];
  await world.platform.posts.delete(SERVER, String(post['id_str']));
  for (const more of [{ post_ids: idsIn([post]) }, { name }]) expect(await listed(stage, more)).toEqual([]);
  const lent = await somebody(stage);
  await lend(stage, lent);
  const theirs = await said(stage, lent, freshText());
  await world.platform.identity.users.update(SERVER, lent, { protected: true });
  const params = { user_id: lent, timeline_type: 'ALL' };
  expect(await listed(stage, params)).toEqual([]);
  await world.platform.follows.follow(OPERATOR, stage.user.user_id, lent);
  await world.platform.follows.approve(OPERATOR, stage.user.user_id, lent);
  expect(idsIn(await listed(stage, params))).toEqual([theirs]);
});

scenario('B-POST-RENAME', async (stage) => {
  const post = await posted(stage);
  const post_id = post.id;
  for (const name of ['Autumn', 'n'.repeat(80)]) {
    const renamed = await stage.one('posts.rename', { post_id, name });
    const [found] = await listed(stage, { post_ids: idsIn([post]) });
    expect(renamed).toMatchObject({ name, post_type: 'PUBLISHED' });
    expect(renamed).toEqual(found);
  }
  expect(await stage.one('posts.rename', { post_id })).toMatchObject({ name: 'n'.repeat(80) });
  expect(await stage.one('posts.rename', { post_id, name: '' })).toMatchObject({ name: null });
  expect(await stage.rejected('posts.rename', { post_id, name: 'n'.repeat(81) })).toMatchObject([
    { code: 'INVALID_PARAMETER', parameter: 'name' },
  ]);
});

scenario('B-POST-RENAME-OTHERS', async (stage) => {
  const gone = await posted(stage);
  await stage.world.platform.posts.delete(SERVER, String(gone['id_str']));
  const stranger = await somebody(stage);
  for (const id of [await said(stage, stranger, freshText()), String(gone['id_str']), '1']) {
    const post_id = BigInt(id);
    expect(await stage.rejected('posts.rename', { post_id, name: 'Mine' }, 404)).toMatchObject([
      { code: 'POST_NOT_FOUND', parameter: 'post_id' },
    ]);
  }
  const post = await posted(stage);
  const analyst = await callerWith(stage, 'CAMPAIGN_ANALYST');
  await stage.rejected('posts.rename', { post_id: post.id, name: 'Mine' }, 403, analyst);
});

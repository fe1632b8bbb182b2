/** Posts of advertisers: specification B, Posts; reference, creatives section 10. */
import { expect } from 'vitest';
import { callerWith, freshName, freshText, idsIn, listed, posted } from '../../support/advertiser-posts.ts';
import { member } from '../../support/body.ts';
import { lend, shownPost, somebody } from '../../support/promotion.ts';
import { scenarios } from '../../support/scenario.ts';

const scenario = scenarios();

scenario('B-POST-CREATE', async (stage) => {
  const text = freshText();
  const name = freshName();
  const post = await posted(stage, { text, name });
  const { user_id } = stage.user;
  expect(post).toEqual({
    id: BigInt(String(post['id_str'])),
    id_str: expect.stringMatching(/^\d{16,19}$/),
    created_at: expect.stringMatching(/^[A-Z][a-z]{2} [A-Z][a-z]{2} \d\d \d\d:\d\d:\d\d \+0000 \d{4}$/),
    truncated: false,
    text,
    name,
    entities: { hashtags: [], symbols: [], user_mentions: [], urls: [] },
    source: expect.stringMatching(/^<a href="http[^"<>]+" rel="nofollow">Broadside Ads<\/a>$/),
    lang: 'en',
    favorite_count: 0,
    repost_count: 0,
    favorited: false,
    reposted: false,
    in_reply_to_status_id: null,
    in_reply_to_status_id_str: null,
    in_reply_to_user_id: null,
    in_reply_to_user_id_str: null,
    in_reply_to_screen_name: null,
    geo: null,
    coordinates: null,
    place: null,
    contributors: null,
    scopes: { followers: false },
    user: expect.objectContaining({
      id: BigInt(user_id),
      id_str: user_id,
      screen_name: stage.user.screen_name,
      protected: false,
      followers_count: expect.any(Number),
      created_at: expect.stringMatching(/ \+0000 \d{4}$/),
      lang: null,
      following: null,
      withheld_in_countries: [],
    }),
  });
});

scenario('B-POST-TEXT', async (stage) => {
  const as_user_id = BigInt(stage.user.user_id);
  const rejection = async (params: object) => {
    const [error] = await stage.rejected('posts.create', { as_user_id, ...params });
    return [error?.code, error?.parameter];
  };
  expect(await rejection({})).toEqual(['MISSING_PARAMETER', 'text']);
  expect(await rejection({ text: ' ' })).toEqual(['POST_CANNOT_BE_BLANK', 'text']);
  expect(await rejection({ text: 'a'.repeat(281) })).toEqual(['INVALID_POST', 'text']);
  expect(await rejection({ text: '書'.repeat(141) })).toEqual(['INVALID_POST', 'text']);
  const text = `${freshText()} `;
  const full = text + 'a'.repeat(280 - text.length);
  expect(await posted(stage, { text: full, post_mode: 'extended' })).toMatchObject({ full_text: full });
});

scenario('B-POST-MODE', async (stage) => {
  const long = `${freshText()} ${'word '.repeat(40)}end`;
  const cut = await posted(stage, { text: long });
  expect(cut).toMatchObject({ truncated: true });
  expect(cut).not.toHaveProperty('full_text');
  expect(cut).not.toHaveProperty('display_text_range');
  const text = String(cut['text']);
  expect(Array.from(text).length).toBeLessThanOrEqual(140);
  const [kept = '', link] = text.split('… ');
  expect(long.startsWith(kept)).toBe(true);
  expect(member(member(cut, 'entities'), 'urls')).toMatchObject([
    { url: link, expanded_url: expect.stringContaining(`/${stage.user.screen_name}/status/${cut['id_str']}`) },
  ]);
  const short = await posted(stage);
  expect(short).toMatchObject({ truncated: false, text: expect.any(String) });
  const other = `${freshText()} ${'word '.repeat(40)}end`;
  const whole = await posted(stage, { text: other, post_mode: 'extended' });
  expect(whole).toMatchObject({ truncated: false, full_text: other, display_text_range: [0, other.length] });
  expect(whole).not.toHaveProperty('text');
});

scenario('B-POST-TRIM', async (stage) => {
  const { user_id } = stage.user;
  const user = { id: BigInt(user_id), id_str: user_id };
  const post = await posted(stage, { trim_user: true });
  expect(post['user']).toEqual(user);
  const post_ids = [post['id_str']];
  const [trimmed] = await listed(stage, { post_ids, trim_user: true });
  expect(trimmed?.['user']).toEqual(user);
  const [whole] = await listed(stage, { post_ids });
  expect(whole?.['user']).toMatchObject({ ...user, screen_name: stage.user.screen_name });
});

scenario('B-POST-CONVERSATION', async (stage) => {
  for (const conversation_settings of ['EVERYONE', 'FOLLOWING', 'MENTIONED_USERS', undefined]) {
    const post = await posted(stage, { conversation_settings });
    for (const name of ['conversation_settings', 'nullcast', 'post_type']) expect(post).not.toHaveProperty(name);
    const [found] = await listed(stage, { post_ids: [post['id_str']] });
    expect(found).toMatchObject({ conversation_settings: conversation_settings ?? 'EVERYONE' });
  }
  const params = { as_user_id: BigInt(stage.user.user_id), text: freshText(), conversation_settings: 'NOBODY' };
  expect(await stage.rejected('posts.create', params)).toMatchObject([
    { code: 'INVALID_PARAMETER', parameter: 'conversation_settings' },
  ]);
});

scenario('B-POST-NAME', async (stage) => {
  const name = 'n'.repeat(80);
  expect(await posted(stage, { name })).toMatchObject({ name });
  expect(await posted(stage)).toMatchObject({ name: null });
  const params = { as_user_id: BigInt(stage.user.user_id), text: freshText(), name: `${name}n` };
  expect(await stage.rejected('posts.create', params)).toMatchObject([
    { code: 'INVALID_PARAMETER', parameter: 'name' },
  ]);
});

scenario('B-POST-NULLCAST', async (stage) => {
  const countIn = (post: unknown) => Number(member(member(post, 'user'), 'statuses_count'));
  const [first, hidden] = [await posted(stage), await posted(stage)];
  expect(countIn(hidden)).toBe(countIn(first));
  const open = await posted(stage, { nullcast: false });
  expect(countIn(open)).toBe(countIn(first) + 1);
  const found = await listed(stage, { timeline_type: 'ALL', post_ids: [hidden['id_str'], open['id_str']] });
  expect(found).toMatchObject([
    { id_str: open['id_str'], nullcast: false },
    { id_str: hidden['id_str'], nullcast: true },
  ]);
});

scenario('B-POST-ORGANIC', async (stage) => {
  const composer = await callerWith(stage, 'CREATIVE_MANAGER', 'POST_COMPOSER');
  const params = { as_user_id: BigInt(stage.user.user_id), text: freshText(), nullcast: false };
  expect(await stage.rejected('posts.create', params, 403, composer)).toMatchObject([
    { code: 'ACTION_NOT_ALLOWED', parameter: 'nullcast' },
  ]);
  expect(await posted(stage, { nullcast: false })).toMatchObject({ id_str: expect.any(String) });
});

scenario('B-POST-AS', async (stage) => {
  const stranger = await somebody(stage);
  for (const id of [stranger, '1']) {
    const params = { as_user_id: BigInt(id), text: freshText() };
    expect(await stage.rejected('posts.create', params)).toMatchObject([
      { code: 'INVALID_USER_ID', parameter: 'as_user_id', value: id },
    ]);
  }
});

scenario('B-POST-COMPOSER', async (stage) => {
  const manager = await callerWith(stage, 'AD_MANAGER');
  const composer = await callerWith(stage, 'CREATIVE_MANAGER', 'POST_COMPOSER');
  const params = { as_user_id: BigInt(stage.user.user_id), text: freshText() };
  expect(await stage.rejected('posts.create', params, 403, manager)).toMatchObject([
    { code: 'ACTION_NOT_ALLOWED', parameter: 'as_user_id' },
  ]);
  expect(await posted(stage, {}, composer)).toMatchObject({ contributors: [BigInt(composer.user_id)] });
  // What another promotable user posts is theirs to post.
  await lend(stage, manager.user_id);
  const own = { as_user_id: BigInt(manager.user_id), text: freshText() };
  expect(await stage.one('posts.create', own, manager)).toMatchObject({ contributors: null });
  expect(await stage.rejected('posts.create', own, 403, composer)).toMatchObject([{ code: 'ACTION_NOT_ALLOWED' }]);
});

scenario('B-POST-DUPLICATE', async (stage) => {
  const first = { as_user_id: BigInt(stage.user.user_id), text: freshText() };
  const post = await posted(stage, first);
  expect(await stage.rejected('posts.create', first)).toMatchObject([
    { code: 'DUPLICATE_POST', parameter: 'text', message: expect.stringContaining(String(post['id_str'])) },
  ]);
  expect(await stage.rejected('posts.create', { ...first, name: 'Another' })).toMatchObject([
    { code: 'DUPLICATE_POST' },
  ]);
  // Of those in public it is the first.
  await posted(stage, { ...first, nullcast: false });
  expect(await stage.rejected('posts.create', first)).toMatchObject([{ code: 'DUPLICATE_POST' }]);
  await posted(stage);
  const again = await posted(stage, first);
  await stage.world.platform.posts.delete({ user_id: null, platform: 'SERVER' }, String(again['id_str']));
  await posted(stage, first);
});

scenario('B-POST-READABLE', async (stage) => {
  const post = await posted(stage, { text: `${freshText()} #autumn` });
  expect(await shownPost(stage.world, post['id_str'])).toMatchObject({
    id: post['id_str'],
    text: post['text'],
    author_id: stage.user.user_id,
  });
});

scenario('B-POST-PROMOTED', async (stage) => {
  const posts = [await posted(stage), await posted(stage, { nullcast: false })];
  const campaign = await stage.campaign();
  const { id: line_item_id } = await stage.lineItem(campaign);
  const post_ids = posts.map((post) => post.id);
  const promoted = await stage.many('promoted_posts.create', { line_item_id, post_ids });
  expect(promoted.map((one) => one['post_id'])).toEqual(idsIn(posts));
});

/** Cards, entities, drafts and scheduled posts in the posts of advertisers: specification B, Posts. */
import { families } from '@broadside/server';
import { expect } from 'vitest';
import { freshText, idsIn, listed, posted } from '../../support/advertiser-posts.ts';
import { member } from '../../support/body.ts';
import { componentsOf } from '../../support/card-bodies.ts';
import { libraryMediaOf } from '../../support/library.ts';
import { somebody } from '../../support/promotion.ts';
import { type Entity, type Stage, scenarios } from '../../support/scenario.ts';

const scenario = scenarios();
const SERVER = { user_id: null, platform: 'SERVER' } as const;

/** A card of the stage's account. */
async function cardOf(stage: Stage): Promise<Entity> {
  const media_key = await libraryMediaOf(stage.world, stage.account_id, 'wide_image');
  return stage.one('cards.create', { name: 'Barrels', components: componentsOf(media_key) });
}

scenario('B-POST-CARD', async (stage) => {
  const { card_uri } = await cardOf(stage);
  const post = await posted(stage, { card_uri });
  expect(post).toMatchObject({ card_uri });
  const plain = await posted(stage);
  expect(plain).not.toHaveProperty('card_uri');
  const found = await listed(stage, { post_ids: idsIn([post, plain]) });
  expect(found.map((one) => one['card_uri'])).toEqual([undefined, card_uri]);
  // A card does not take the place of a text.
  expect(await stage.rejected('posts.create', { as_user_id: BigInt(stage.user.user_id), card_uri })).toMatchObject([
    { code: 'MISSING_PARAMETER', parameter: 'text' },
  ]);
});

scenario('B-POST-CARD-OTHERS', async (stage) => {
  const gone = await cardOf(stage);
  await stage.ok('cards.delete', { card_id: gone.id });
  const account_id = await stage.world.createAccount('sandbox', stage.user);
  const media_key = await libraryMediaOf(stage.world, account_id, 'wide_image');
  const foreign = await stage.one('cards.create', { account_id, name: 'Theirs', components: componentsOf(media_key) });
  const as_user_id = BigInt(stage.user.user_id);
  for (const card_uri of [gone['card_uri'], foreign['card_uri'], 'card://1', 'nothing']) {
    const params = { as_user_id, text: freshText(), card_uri };
    expect(await stage.rejected('posts.create', params, 404)).toMatchObject([
      { code: 'CARD_NOT_FOUND', parameter: 'card_uri', value: card_uri },
    ]);
  }
});

scenario('B-POST-CARD-MEDIA', async (stage) => {
  const { card_uri } = await cardOf(stage);
  const media_keys = [await libraryMediaOf(stage.world, stage.account_id, 'small_image')];
  const params = { as_user_id: BigInt(stage.user.user_id), text: freshText(), card_uri, media_keys };
  expect(await stage.rejected('posts.create', params)).toMatchObject([
    { code: 'EXCLUSIVE_PARAMETERS', parameter: 'card_uri' },
  ]);
});

scenario('B-POST-ENTITIES', async (stage) => {
  const { user_id, screen_name } = stage.user;
  const text = `👋 ${freshText()} @${screen_name} @nobody_here_1 #日本 $ACME https://books.example.com/höst/a?x=1 e\u0301`;
  const post = await posted(stage, { text, post_mode: 'extended' });
  const full = String(post['full_text']);
  expect(full).toBe(text.normalize('NFC'));
  const cut = (entity: unknown) => {
    const [start, end] = member(entity, 'indices') as [number, number];
    return [...full].slice(start, end).join('');
  };
  const entities = member(post, 'entities');
  const named = (name: string) => member(entities, name) as unknown[];
  expect(named('user_mentions')).toMatchObject([{ screen_name, id: BigInt(user_id), id_str: user_id }]);
  expect(named('user_mentions').map(cut)).toEqual([`@${screen_name}`]);
  expect(named('hashtags')).toMatchObject([{ text: '日本' }]);
  expect(named('hashtags').map(cut)).toEqual(['#日本']);
  expect(named('symbols')).toMatchObject([{ text: 'ACME' }]);
  expect(named('symbols').map(cut)).toEqual(['$ACME']);
  expect(named('urls').map(cut)).toEqual(['https://books.example.com/höst/a?x=1']);
  expect(post).toMatchObject({ possibly_sensitive: false });
});

scenario('B-POST-LIST-TYPES', async (stage) => {
  const { platform } = stage.world;
  const content = { name: 'Idea', text: `${freshText()} #autumn`, user_id: stage.user.user_id, card_uri: null };
  const ids = {
    draft: platform.snowflakes.next(),
    public: platform.snowflakes.next(),
    scheduled: platform.snowflakes.next(),
  };
  const media_keys = [await libraryMediaOf(stage.world, stage.account_id, 'small_image')];
  await platform.ads.sandbox.account(stage.account_id).write(SERVER, async (writer) => {
    const drafts = writer.of(families.draft_posts.draftPost);
    await drafts.insert({ ...content, media_keys: [], nullcast: true }, ids.draft);
    await drafts.insert({ ...content, media_keys, nullcast: false }, ids.public);
    await writer.of(families.scheduled_posts.scheduledPost).insert(
      {
        ...content,
        media_keys: [],
        nullcast: true,
        scheduled_at: '2026-06-01T08:00:00Z',
        scheduled_status: 'SCHEDULED',
        completed_at: null,
        post_id: null,
        failure: null,
        contributor_id: null,
      },
      ids.scheduled,
    );
  });
  const shape = Object.keys((await listed(stage, { post_ids: idsIn([await posted(stage)]) }))[0] ?? {}).sort();
  const of = async (post_type: string, params: object = {}) => {
    const found = await stage.many('posts.list', { post_type, ...params });
    for (const one of found) expect(Object.keys(one)).toEqual(expect.arrayContaining(shape));
    return found;
  };
  expect(await of('DRAFT')).toMatchObject([
    {
      id: BigInt(ids.draft),
      post_type: 'DRAFT',
      full_text: content.text,
      name: 'Idea',
      nullcast: true,
      scheduled_at: null,
      conversation_settings: 'EVERYONE',
      entities: { hashtags: [{ text: 'autumn' }] },
      user: { id_str: stage.user.user_id, screen_name: stage.user.screen_name },
    },
  ]);
  const [open] = await of('DRAFT', { timeline_type: 'ORGANIC' });
  expect(open).toMatchObject({ id_str: ids.public, nullcast: false, possibly_sensitive: false });
  expect(String(open?.['full_text'])).toContain(`${content.text} http`);
  expect(idsIn(await of('DRAFT', { timeline_type: 'ALL', name: 'ide', count: 1 }))).toEqual([ids.public]);
  expect(await of('SCHEDULED', { trim_user: true })).toMatchObject([
    {
      id_str: ids.scheduled,
      post_type: 'SCHEDULED',
      scheduled_at: '2026-06-01T08:00:00Z',
      scheduled_status: 'SCHEDULED',
    },
  ]);
  expect(await of('SCHEDULED', { post_ids: [ids.draft] })).toEqual([]);
  expect(await of('PUBLISHED', { post_ids: Object.values(ids), timeline_type: 'ALL' })).toEqual([]);
  expect(await stage.rejected('posts.list', {})).toMatchObject([{ code: 'MISSING_PARAMETER', parameter: 'post_type' }]);
});

scenario('B-POST-ECHO', async (stage) => {
  const { world, account_id, user } = stage;
  const text = freshText();
  const query = { as_user_id: user.user_id, text, nullcast: 'true', name: 'Autumn' };
  const path = `/12/accounts/${account_id}`;
  const made = await world.request({ method: 'POST', path: `${path}/post`, query });
  expect(made).toMatchObject({ status: 200 });
  const as_user_id = BigInt(user.user_id);
  expect(Object(made.body).request).toEqual({
    params: { account_id, as_user_id, text, nullcast: true, name: 'Autumn' },
  });
  expect(made.body).not.toHaveProperty('next_cursor');
  const id_str = String(member(member(made.body, 'data'), 'id_str'));
  // Digits that no double has.
  expect(made.text).toContain(`"id":${id_str},"id_str":"${id_str}"`);
  const listQuery = { post_type: 'PUBLISHED', post_ids: id_str, user_id: user.user_id, trim_user: 'true' };
  const list = await world.request({ path: `${path}/posts`, query: listQuery });
  expect(list).toMatchObject({
    status: 200,
    body: {
      request: {
        params: { account_id, post_type: 'PUBLISHED', post_ids: [id_str], user_id: user.user_id, trim_user: true },
      },
      next_cursor: null,
      data: [{ post_id: id_str, name: 'Autumn' }],
    },
  });
  const renamed = await world.request({ method: 'PUT', path: `${path}/posts/${id_str}/name`, query: { name: '' } });
  expect(renamed).toMatchObject({
    status: 200,
    body: { request: { params: { account_id, post_id: BigInt(id_str), name: null } }, data: { name: null } },
  });
  const stranger = await somebody(stage);
  const other = await world.request({ path: `${path}/posts`, query: { ...listQuery, user_id: stranger } });
  expect(other.status).toBe(400);
});

/** Expansions and includes of data retrieval, the links and texts of what posts show, and the order of posts: specification A. */
import { postExpansionNames } from '@broadside/core/resources/posts';
import type { TestUser, TestWorld } from '@broadside/testkit';
import { afterAll, beforeAll, expect } from 'vitest';
import * as z from 'zod';
import { closeSetting, linkTo, openSetting, PHOTO, POLL, type Posts, saidBy, scenariosOf } from './setting.ts';

let world: TestWorld;
let anna: TestUser;
let ben: TestUser;
let posts: Posts;

beforeAll(async () => {
  ({ world, anna, ben, posts } = await openSetting());
});
afterAll(() => closeSetting(world));

const scenario = scenariosOf(() => world);

const sorted = (names: readonly string[]) => [...names].sort();

scenario('A-POST-EXPANSIONS', async ({ ok }) => {
  const users = (...people: TestUser[]) => ({
    users: people.map(({ user_id, screen_name }) => expect.objectContaining({ id: user_id, username: screen_name })),
  });
  const included = (...ids: string[]) => ({ posts: ids.map((id) => expect.objectContaining({ id })) });
  const media = { media: [{ media_key: PHOTO, type: 'photo' }] };
  const table: readonly (readonly [post: string, expansion: string, adds: string | undefined, fills: object])[] = [
    [posts.rich, 'author_id', 'author_id', users(anna)],
    [posts.reply, 'in_reply_to_user_id', 'in_reply_to_user_id', users(anna)],
    [posts.rich, 'entities.mentions.username', 'entities', users(ben)],
    [posts.rich, 'entities.note.mentions.username', undefined, {}],
    [posts.reply, 'referenced_posts', 'referenced_posts', included(posts.rich)],
    [posts.quote, 'referenced_posts.id', 'referenced_posts', included(posts.rich)],
    [posts.repost, 'referenced_posts.id.author_id', 'referenced_posts', { ...included(posts.rich), ...users(anna) }],
    [
      posts.reply,
      'referenced_posts.id.attachments.media_keys',
      'referenced_posts',
      { ...included(posts.rich), ...media },
    ],
    [posts.rich, 'attachments.media_keys', 'attachments', media],
    [posts.rich, 'attachments.media_source_post', 'attachments', {}],
    [posts.rich, 'attachments.poll_ids', 'attachments', { polls: [expect.objectContaining({ id: POLL })] }],
    [posts.rich, 'geo.place_id', 'geo', { places: [expect.objectContaining({ id: '00aa11bb22cc33dd' })] }],
    [posts.rich, 'edit_history_post_ids', 'edit_history_post_ids', included(posts.rich)],
    [posts.rich, 'article.cover_media', undefined, {}],
    [posts.rich, 'article.media_entities', undefined, {}],
  ];
  expect(sorted(table.map(([, expansion]) => expansion))).toEqual(sorted(postExpansionNames));
  for (const [id, expansion, adds, fills] of table) {
    const { data, includes, errors } = await ok({ ids: [id], expansions: [expansion] });
    expect(Object.keys(data?.[0] ?? {}), expansion).toEqual(['id', 'text', ...(adds === undefined ? [] : [adds])]);
    expect([includes ?? {}, errors], expansion).toEqual([fills, undefined]);
  }
  // The member that leads on from an included post is in that post.
  const on = await ok({ ids: [posts.reply], expansions: ['referenced_posts.id.author_id', 'author_id'] });
  expect(on.includes?.['posts']).toEqual([{ id: posts.rich, text: saidBy(posts), author_id: anna.user_id }]);
  // Fields hold for included objects of their kind too.
  const wide = await ok({ ids: [posts.reply], expansions: ['referenced_posts.id'], 'post.fields': ['lang'] });
  expect(wide.includes?.['posts']).toEqual([{ id: posts.rich, text: saidBy(posts), lang: 'sv' }]);
});

scenario('A-POST-INCLUDES', async ({ ok }) => {
  const ids = [posts.reply, posts.quote, posts.repost, posts.rich];
  const { includes } = await ok({ ids, expansions: [...postExpansionNames] });
  const keys = Object.values(includes ?? {}).map((list) => list.map((one) => String(one['id'] ?? one['media_key'])));
  for (const list of keys) expect(new Set(list).size).toBe(list.length);
  expect(includes?.['posts']).toHaveLength(4);
  expect(includes?.['users']).toHaveLength(2);
  expect(Object.keys(includes ?? {}).sort()).toEqual(['media', 'places', 'polls', 'posts', 'users']);
  const some = await ok({ ids: [posts.plain], expansions: ['author_id', 'attachments.media_keys'] });
  expect(Object.keys(some.includes ?? {})).toEqual(['users']);
  const none = await ok({ ids: [posts.plain], expansions: ['attachments.media_keys', 'geo.place_id'] });
  expect(Object.keys(none)).toEqual(['data']);
  const fields = { 'user.fields': ['url'], 'media.fields': ['url'], 'poll.fields': ['id'], 'place.fields': ['name'] };
  expect(Object.keys(await ok({ ids: [posts.rich], ...fields }))).toEqual(['data']);
});

scenario('A-POST-ORDER', async ({ ok }) => {
  const idsOf = async (ids: readonly string[]) => (await ok({ ids })).data?.map(({ id }) => id);
  const { rich, plain, reply } = posts;
  expect(await idsOf([reply, rich, plain])).toEqual([reply, rich, plain]);
  expect(await idsOf([plain, reply, rich])).toEqual([plain, reply, rich]);
  expect(await idsOf([rich, plain, rich, plain, rich])).toEqual([rich, plain]);
  // Zeros in front do not make another id.
  expect(await idsOf(['042', rich, '42', '0042'])).toEqual(['42', rich]);
});

scenario('A-POST-MEDIA-LINK', async ({ ok }) => {
  const { data: [whole] = [] } = await ok({ ids: [posts.rich], 'post.fields': ['entities'] });
  const { urls } = z
    .object({ urls: z.array(z.looseObject({ start: z.number(), end: z.number() })) })
    .parse(whole?.['entities']);
  expect(whole?.text).toBe(saidBy(posts));
  expect(urls.map(({ media_key }) => media_key)).toEqual([undefined, PHOTO]);
  expect(urls.map(({ start, end }) => [...saidBy(posts)].slice(start, end).join(''))).toEqual(
    urls.map(({ url }) => url),
  );
  // Wherever a post is shown it says the same, and one without media has no link.
  const { includes } = await ok({ ids: [posts.quote], expansions: ['referenced_posts.id'] });
  expect(includes?.['posts']).toEqual([{ id: posts.rich, text: saidBy(posts) }]);
  expect((await ok({ ids: [posts.plain] })).data).toEqual([{ id: posts.plain, text: 'Nothing but words' }]);
});

scenario('A-POST-REPOST-TEXT', async ({ ok }) => {
  const { data } = await ok({ ids: [posts.repost], 'post.fields': ['entities', 'attachments'] });
  const lead = 'RT @anna: ';
  expect(data).toMatchObject([
    {
      text: `${lead}${saidBy(posts)}`,
      attachments: { media_keys: [PHOTO] },
      entities: {
        urls: [{ start: 16 + lead.length }, { start: 61 + lead.length, url: linkTo(posts.rich), media_key: PHOTO }],
      },
    },
  ]);
});

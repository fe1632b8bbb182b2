/** Fields of posts, users and media in data retrieval: specification A, Post, User and Media. */
import { MediaObject } from '@broadside/core/resources/media';
import { laterPostFields, Post } from '@broadside/core/resources/posts';
import { laterUserFields, UserObject } from '@broadside/core/resources/users';
import type { TestUser, TestWorld } from '@broadside/testkit';
import { afterAll, beforeAll, expect } from 'vitest';
import { operatorOf } from '../../support/reading.ts';
import { closeSetting, linkTo, openSetting, PHOTO, POLL, type Posts, saidBy, scenariosOf, VIDEO } from './setting.ts';

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
const postFields = Object.keys(Post.shape);
const privateFields = ['non_public_metrics', 'organic_metrics', 'promoted_metrics'];

/** Returns the value of each field of `rich`, as its author sees it. */
const ofRich = (): Readonly<Record<string, unknown>> => ({
  attachments: { media_keys: [PHOTO], poll_ids: [POLL] },
  author_id: anna.user_id,
  context_annotations: [
    { domain: { id: '47', name: 'Brand' }, entity: { id: '1', name: 'Acme', description: 'A firm' } },
  ],
  conversation_id: posts.rich,
  created_at: '2026-01-15T08:00:00.000Z',
  edit_controls: { editable_until: '2026-01-15T08:00:00.000Z', edits_remaining: 0, is_edit_eligible: false },
  edit_history_post_ids: [posts.rich],
  entities: {
    mentions: [{ start: 6, end: 10, username: 'ben', id: ben.user_id }],
    urls: [
      {
        start: 16,
        end: 46,
        url: 'https://books.example.com/höst',
        expanded_url: 'https://books.example.com/höst',
        display_url: 'books.example.com/höst',
      },
      {
        start: 61,
        end: 93,
        url: linkTo(posts.rich),
        expanded_url: `http://api.test/anna/status/${posts.rich}`,
        display_url: expect.stringMatching(/^api\.test\/s\/p/),
        media_key: PHOTO,
      },
    ],
    hashtags: [{ start: 47, end: 54, tag: 'böcker' }],
    cashtags: [{ start: 55, end: 60, tag: 'ACME' }],
  },
  geo: { place_id: '00aa11bb22cc33dd', coordinates: { type: 'Point', coordinates: [13.19, 55.7] } },
  lang: 'sv',
  non_public_metrics: { impression_count: 1000, url_link_clicks: 10, user_profile_clicks: 20 },
  organic_metrics: {
    impression_count: 1000,
    url_link_clicks: 10,
    user_profile_clicks: 20,
    like_count: 0,
    reply_count: 2,
    repost_count: 1,
  },
  possibly_sensitive: true,
  public_metrics: { repost_count: 1, reply_count: 2, like_count: 0, quote_count: 1 },
  reply_settings: 'following',
  source: 'Test desk',
  withheld: { copyright: true, country_codes: ['XY'], scope: 'post' },
});

scenario('A-POST-MINIMAL', async ({ ok }) => {
  expect(await ok({ ids: [posts.rich] })).toEqual({ data: [{ id: posts.rich, text: saidBy(posts) }] });
  const { includes } = await ok({
    ids: [posts.reply, posts.rich],
    expansions: ['author_id', 'referenced_posts.id', 'attachments.media_keys', 'attachments.poll_ids', 'geo.place_id'],
  });
  expect(includes).toEqual({
    users: expect.arrayContaining([
      { id: anna.user_id, name: 'Anna Ek', username: 'anna' },
      { id: ben.user_id, name: 'ben', username: 'ben' },
    ]),
    posts: [{ id: posts.rich, text: saidBy(posts) }],
    media: [{ media_key: PHOTO, type: 'photo' }],
    polls: [
      {
        id: POLL,
        options: [
          { position: 1, label: 'Ja', votes: 2 },
          { position: 2, label: 'Nej', votes: 0 },
        ],
      },
    ],
    places: [{ id: '00aa11bb22cc33dd', full_name: 'Lund, Sverige' }],
  });
});

scenario('A-POST-FIELDS', async ({ ok }) => {
  const own: Readonly<Record<string, unknown>> = { id: posts.rich, text: saidBy(posts), ...ofRich() };
  for (const field of postFields) {
    const { data, errors } = await ok({ ids: [posts.rich], 'post.fields': [field] }, anna);
    expect([data, errors], field).toEqual([
      [{ id: posts.rich, text: saidBy(posts), ...(field in own ? { [field]: own[field] } : {}) }],
      undefined,
    ]);
  }
  const all = { 'post.fields': postFields };
  expect((await ok({ ids: [posts.rich], ...all }, anna)).data).toEqual([own]);
  const { data: [reply, quote, repost] = [] } = await ok(
    { ids: [posts.reply, posts.quote, posts.repost], ...all },
    ben,
  );
  expect(reply).toMatchObject({
    conversation_id: posts.rich,
    in_reply_to_user_id: anna.user_id,
    referenced_posts: [{ type: 'replied_to', id: posts.rich }],
    reply_settings: 'everyone',
    possibly_sensitive: false,
  });
  expect(quote).toMatchObject({
    conversation_id: posts.quote,
    referenced_posts: [{ type: 'quoted', id: posts.rich }],
  });
  expect(quote).not.toHaveProperty('in_reply_to_user_id');
  expect(repost).toMatchObject({
    text: `RT @anna: ${saidBy(posts)}`,
    attachments: { media_keys: [PHOTO] },
    referenced_posts: [{ type: 'reposted', id: posts.rich }],
    source: 'Broadside',
  });
  // Whatever a post does not have is left out, never null.
  const plain = (await ok({ ids: [posts.plain], ...all }, ben)).data?.[0] ?? {};
  expect(sorted(Object.keys(plain))).toEqual(
    sorted(
      postFields.filter(
        (name) =>
          ![
            'attachments',
            'context_annotations',
            'entities',
            'geo',
            'in_reply_to_user_id',
            'promoted_metrics',
            'referenced_posts',
            'withheld',
          ].includes(name),
      ),
    ),
  );
});

scenario('A-USER-FIELDS', async ({ ok }) => {
  const defaults = { id: anna.user_id, name: 'Anna Ek', username: 'anna' };
  const own: Readonly<Record<string, unknown>> = {
    ...defaults,
    created_at: '2026-01-15T08:00:00.000Z',
    description: 'Reads #books with @ben',
    entities: {
      url: { urls: [expect.objectContaining({ start: 0, end: 24, expanded_url: 'https://anna.example.com' })] },
      description: {
        hashtags: [{ start: 6, end: 12, tag: 'books' }],
        mentions: [expect.objectContaining({ start: 18, end: 22, username: 'ben' })],
      },
    },
    location: 'Lund',
    pinned_post_id: posts.rich,
    profile_image_url: 'https://img.example.com/a.png',
    protected: false,
    public_metrics: { followers_count: 0, following_count: 2, post_count: 1, listed_count: 4 },
    url: 'https://anna.example.com',
    verified: true,
    withheld: { country_codes: ['DE'], scope: 'user' },
  };
  const names = Object.keys(UserObject.shape);
  expect(sorted(Object.keys(own))).toEqual(sorted(names));
  const read = async (fields: readonly string[], id = posts.rich) =>
    (await ok({ ids: [id], expansions: ['author_id'], 'user.fields': fields })).includes?.['users'];
  for (const field of names) expect(await read([field]), field).toEqual([{ ...defaults, [field]: own[field] }]);
  expect(await read(names)).toEqual([own]);
  const [bare] = (await read(names, posts.plain)) ?? [];
  expect(sorted(Object.keys(bare ?? {}))).toEqual(
    sorted(['id', 'name', 'username', 'created_at', 'description', 'protected', 'public_metrics', 'verified']),
  );
});

scenario('A-MEDIA-FIELDS', async ({ ok, world: { urls } }) => {
  const names = Object.keys(MediaObject.shape);
  const photo: Readonly<Record<string, unknown>> = {
    media_key: PHOTO,
    type: 'photo',
    alt_text: 'A shelf',
    height: 480,
    width: 640,
    url: `${urls.api}/media/blob7001.png`,
  };
  const video: Readonly<Record<string, unknown>> = {
    media_key: VIDEO,
    type: 'video',
    duration_ms: 1234,
    height: 480,
    width: 640,
    preview_image_url: `${urls.api}/media/clip.png`,
    public_metrics: { view_count: 17 },
    variants: [{ bit_rate: 832_000, content_type: 'video/mp4', url: `${urls.api}/media/clip.mp4` }],
  };
  const operator = operatorOf(world);
  const { id } = await operator.posts.create.mutate({ user_id: anna.user_id, text: '', media_keys: [VIDEO] });
  for (const [post, whole] of [
    [posts.rich, photo],
    [id, video],
  ] as const) {
    const read = async (fields: readonly string[]) =>
      (await ok({ ids: [post], expansions: ['attachments.media_keys'], 'media.fields': fields }, anna)).includes;
    const { media_key, type } = whole;
    for (const field of names) {
      const more = field in whole ? { [field]: whole[field] } : {};
      expect(await read([field]), field).toEqual({ media: [{ media_key, type, ...more }] });
    }
    expect(await read(names)).toEqual({ media: [whole] });
  }
  await operator.posts.delete.mutate({ post_id: id });
});

scenario('A-POST-LATER-FIELDS', async ({ ok }) => {
  const query = { ids: [posts.rich], expansions: ['author_id'] };
  expect(await ok({ ...query, 'post.fields': [...laterPostFields], 'user.fields': [...laterUserFields] })).toEqual(
    await ok(query),
  );
});

scenario('A-POST-OWN-METRICS', async ({ ok }) => {
  const query = { ids: [posts.rich], 'post.fields': privateFields };
  const own = ofRich();
  expect(await ok(query, anna)).toEqual({
    data: [
      {
        id: posts.rich,
        text: saidBy(posts),
        non_public_metrics: own['non_public_metrics'],
        organic_metrics: own['organic_metrics'],
      },
    ],
  });
  const problem = (field: string, section = 'data') => ({
    value: posts.rich,
    resource_id: posts.rich,
    resource_type: 'post',
    parameter: 'post.fields',
    field,
    section,
    title: 'Field Authorization Error',
    detail: expect.stringContaining(field),
    type: `${world.urls.api}/2/problems/not-authorized-for-field`,
  });
  for (const as of ['app', ben] as const) {
    expect(await ok(query, as)).toEqual({
      data: [{ id: posts.rich, text: saidBy(posts) }],
      errors: privateFields.map((field) => problem(field)),
    });
  }
  const through = await ok(
    { ids: [posts.reply], expansions: ['referenced_posts.id'], 'post.fields': ['organic_metrics'] },
    ben,
  );
  expect(through.errors).toEqual([problem('organic_metrics', 'includes')]);
  const media = { ids: [posts.rich], expansions: ['attachments.media_keys'], 'media.fields': ['organic_metrics'] };
  expect((await ok(media)).errors).toEqual([
    { ...problem('organic_metrics', 'includes'), ...mediaProblem('organic_metrics') },
  ]);
  expect((await ok(media, anna)).errors).toBeUndefined();
});

const mediaProblem = (field: string) => ({
  value: PHOTO,
  resource_id: PHOTO,
  resource_type: 'media',
  parameter: 'media.fields',
  field,
});

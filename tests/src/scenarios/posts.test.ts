/** Data retrieval: specification A, Post, User, Media, includes and `GET /2/posts`. */
import { MediaObject } from '@broadside/core/resources/media';
import { laterPostFields, Post, postExpansionNames } from '@broadside/core/resources/posts';
import { laterUserFields, UserObject } from '@broadside/core/resources/users';
import type { Answer, TestUser, TestWorld } from '@broadside/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import {
  get,
  insertRows,
  mediaRow,
  openReadingWorld,
  operatorOf,
  type ReadingStage,
  readingScenario,
  requestOf,
  updateRow,
} from '../support/reading.ts';
import { about } from '../support/scenario.ts';

const ACTOR = { user_id: null, platform: 'SERVER' } as const;
const QUARTER_HOUR_MS = 15 * 60_000;
const PHOTO = '3_7001';
const VIDEO = '3_7002';
const TEXT = 'Hej 👋 @ben, läs https://books.example.com/höst #böcker $ACME';
/** A post that shows media ends with a short link to them. */
const LINK = 'http://api.test/s/blob7001';
const SAID = `${TEXT} ${LINK}`;

let world: TestWorld;
let anna: TestUser;
let ben: TestUser;
/** Protected. */
let carla: TestUser;
let approved: TestUser;
let requested: TestUser;

interface Posts {
  /** Of anna, with everything that a text and its settings can bring. */
  readonly rich: string;
  /** Of ben, with nothing. */
  readonly plain: string;
  /** Of ben, to `rich`. */
  readonly reply: string;
  /** Of ben, of `rich`. */
  readonly quote: string;
  /** Of ben, of `rich`. */
  readonly repost: string;
  /** Of carla, who is protected. */
  readonly hidden: string;
  /** Of carla, to `rich`. */
  readonly guarded: string;
  readonly deleted: string;
  /** Of ben, to what is deleted. */
  readonly orphan: string;
  /** Of ben, to `hidden`, from before carla was protected. */
  readonly blind: string;
}
let posts: Posts;

/** Reposts around somebody who became protected later. */
interface Reposts {
  readonly shy: TestUser;
  /** Follows `shy`. */
  readonly fan: TestUser;
  /** Of `shy`, of a post that everybody sees. */
  readonly byShy: string;
  /** Of `fan`, of a post of `shy`. */
  readonly ofShy: string;
  /** Of `fan`, of `byShy`. */
  readonly quoting: string;
}
let reposts: Reposts;

beforeAll(async () => {
  world = await openReadingWorld();
  anna = await world.createUser('anna');
  ben = await world.createUser('ben');
  carla = await world.createUser('carla');
  approved = await world.createUser('approved');
  requested = await world.createUser('requested');
  posts = await write();
  reposts = await passOn();
});
afterAll(async () => {
  expect(world.failures).toEqual([]);
  await world.close();
});

async function write(): Promise<Posts> {
  const operator = operatorOf(world);
  insertRows(world, 'media', [
    mediaRow(7001n, anna, { alt_text: 'A shelf' }),
    mediaRow(7002n, anna, {
      kind: 'video',
      content_type: 'video/mp4',
      category: 'post_video',
      duration_ms: 1234,
      bit_rate: 832_000,
      blob_key: 'clip.mp4',
      preview_blob_key: 'clip.png',
      view_count: 17,
    }),
  ]);
  insertRows(world, 'posts', [
    {
      id: 42n,
      author_id: BigInt(ben.user_id),
      created_ms: 1_768_464_000_000,
      text: 'Early',
      lang: 'en',
      source: 'Test desk',
      conversation_id: 42n,
      possibly_sensitive: 0,
      reply_settings: 'everyone',
      nullcast: 0,
    },
  ]);
  const post = async (author: TestUser, text: string, more: object = {}) =>
    (await operator.posts.create.mutate({ user_id: author.user_id, text, lang: 'sv', source: 'Test desk', ...more }))
      .id;
  const rich = await post(anna, TEXT, {
    media_keys: [PHOTO],
    possibly_sensitive: true,
    reply_settings: 'following',
  });
  await operator.follows.create.mutate({ user_id: anna.user_id, followed_user_id: ben.user_id });
  await operator.follows.create.mutate({ user_id: anna.user_id, followed_user_id: carla.user_id });
  const plain = await post(ben, 'Nothing but words');
  const reply = await post(ben, 'An answer', { replied_to_id: rich });
  const quote = await post(ben, 'Look at this', { quoted_id: rich, media_keys: undefined });
  const { id: repost } = await operator.posts.repost.mutate({ user_id: ben.user_id, post_id: rich });
  const guarded = await post(carla, 'A guarded answer', { replied_to_id: rich });
  const hidden = await post(carla, 'For friends');
  const blind = await post(ben, 'To a friend', { replied_to_id: hidden });
  const deleted = await post(anna, 'Gone soon');
  const orphan = await post(ben, 'To nobody', { replied_to_id: deleted });
  await operator.posts.delete.mutate({ post_id: deleted });
  await operator.users.update.mutate({ user_id: carla.user_id, protected: true });
  await operator.users.update.mutate({
    user_id: anna.user_id,
    name: 'Anna Ek',
    description: 'Reads #books with @ben',
    location: 'Lund',
    url: 'https://anna.example.com',
    verified: true,
  });
  updateRow(world, 'users', anna.user_id, {
    profile_image_url: 'https://img.example.com/a.png',
    pinned_post_id: BigInt(rich),
    listed_count: 4,
    withheld: '{"country_codes":["DE"],"scope":"user"}',
  });
  for (const person of [approved, requested]) {
    const follow = { user_id: person.user_id, followed_user_id: carla.user_id };
    expect(await operator.follows.create.mutate(follow)).toEqual({ state: 'requested' });
    if (person === approved) expect(await operator.follows.approve.mutate(follow)).toEqual({ changed: true });
  }
  const context = '[{"domain":{"id":"47","name":"Brand"},"entity":{"id":"1","name":"Acme","description":"A firm"}}]';
  updateRow(world, 'posts', BigInt(rich), {
    context_annotations: context,
    coordinates: '{"type":"Point","coordinates":[13.19,55.7]}',
    place: '{"id":"00aa11bb22cc33dd","full_name":"Lund, Sverige","country":"Sverige","place_type":"city"}',
    poll: '{"id":"88","options":[{"position":1,"label":"Ja","votes":2}],"duration_minutes":60,"voting_status":"open"}',
    withheld: '{"copyright":true,"country_codes":["XY"],"scope":"post"}',
    impression_count: 1000,
    url_link_clicks: 10,
    user_profile_clicks: 20,
  });
  return { rich, plain, reply, quote, repost, hidden, guarded, deleted, orphan, blind };
}

async function passOn(): Promise<Reposts> {
  const operator = operatorOf(world);
  const shy = await world.createUser('shy');
  const fan = await world.createUser('fan');
  await operator.follows.create.mutate({ user_id: fan.user_id, followed_user_id: shy.user_id });
  const { id: own } = await operator.posts.create.mutate({ user_id: shy.user_id, text: 'Open until now' });
  const { id: byShy } = await operator.posts.repost.mutate({ user_id: shy.user_id, post_id: posts.plain });
  const { id: ofShy } = await operator.posts.repost.mutate({ user_id: fan.user_id, post_id: own });
  const quote = { user_id: fan.user_id, text: 'What they pass on', quoted_id: byShy };
  const { id: quoting } = await operator.posts.create.mutate(quote);
  await operator.users.update.mutate({ user_id: shy.user_id, protected: true });
  return { shy, fan, byShy, ofShy, quoting };
}

const scenario = (id: Parameters<typeof readingScenario>[0], play: (stage: ReadingStage) => Promise<void>) =>
  readingScenario(id, () => world, play);

const sorted = (names: readonly string[]) => [...names].sort();
const postFields = Object.keys(Post.shape);
const privateFields = ['non_public_metrics', 'organic_metrics', 'promoted_metrics'];

/** What `rich` has of each field, as its author sees it. */
const ofRich = (): Readonly<Record<string, unknown>> => ({
  attachments: { media_keys: [PHOTO], poll_ids: ['88'] },
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
        end: 87,
        url: LINK,
        expanded_url: 'http://api.test/media/blob7001.png',
        display_url: 'api.test/s/blob7001',
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
  expect(await ok({ ids: [posts.rich] })).toEqual({ data: [{ id: posts.rich, text: SAID }] });
  const { includes } = await ok({
    ids: [posts.reply, posts.rich],
    expansions: ['author_id', 'referenced_posts.id', 'attachments.media_keys', 'attachments.poll_ids', 'geo.place_id'],
  });
  expect(includes).toEqual({
    users: expect.arrayContaining([
      { id: anna.user_id, name: 'Anna Ek', username: 'anna' },
      { id: ben.user_id, name: 'ben', username: 'ben' },
    ]),
    posts: [{ id: posts.rich, text: SAID }],
    media: [{ media_key: PHOTO, type: 'photo' }],
    polls: [{ id: '88', options: [{ position: 1, label: 'Ja', votes: 2 }] }],
    places: [{ id: '00aa11bb22cc33dd', full_name: 'Lund, Sverige' }],
  });
});

scenario('A-POST-FIELDS', async ({ ok }) => {
  const own: Readonly<Record<string, unknown>> = { id: posts.rich, text: SAID, ...ofRich() };
  for (const field of postFields) {
    const { data, errors } = await ok({ ids: [posts.rich], 'post.fields': [field] }, anna);
    expect([data, errors], field).toEqual([
      [{ id: posts.rich, text: SAID, ...(field in own ? { [field]: own[field] } : {}) }],
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
    text: `RT @anna: ${SAID}`,
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
    [posts.rich, 'attachments.poll_ids', 'attachments', { polls: [expect.objectContaining({ id: '88' })] }],
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
  // What leads on from an included post stands in that post.
  const on = await ok({ ids: [posts.reply], expansions: ['referenced_posts.id.author_id', 'author_id'] });
  expect(on.includes?.['posts']).toEqual([{ id: posts.rich, text: SAID, author_id: anna.user_id }]);
  // Fields hold for included objects of their kind too.
  const wide = await ok({ ids: [posts.reply], expansions: ['referenced_posts.id'], 'post.fields': ['lang'] });
  expect(wide.includes?.['posts']).toEqual([{ id: posts.rich, text: SAID, lang: 'sv' }]);
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

const notFound = (id: string, parameter = 'ids') => ({
  value: id,
  detail: `Could not find post with ${parameter}: [${id}].`,
  title: 'Not Found Error',
  resource_type: 'post',
  parameter,
  resource_id: id,
  type: `${world.urls.api}/2/problems/resource-not-found`,
});

const notAuthorized = (id: string, parameter = 'ids', section = 'data') => ({
  value: id,
  detail: expect.stringContaining(id),
  title: 'Authorization Error',
  resource_type: 'post',
  parameter,
  resource_id: id,
  section,
  type: `${world.urls.api}/2/problems/not-authorized-for-resource`,
});

scenario('A-POST-MISSING', async ({ ok }) => {
  expect(await ok({ ids: ['1', posts.plain, posts.deleted, '9999999999999999999'] })).toEqual({
    data: [{ id: posts.plain, text: 'Nothing but words' }],
    errors: [notFound('1'), notFound(posts.deleted), notFound('9999999999999999999')],
  });
  for (const expansion of ['referenced_posts', 'referenced_posts.id', 'referenced_posts.id.author_id']) {
    const { data, includes, errors } = await ok({ ids: [posts.orphan, posts.blind], expansions: [expansion] });
    expect(data).toHaveLength(2);
    expect([includes, errors]).toEqual([
      undefined,
      [notFound(posts.deleted, expansion), notAuthorized(posts.hidden, expansion, 'includes')],
    ]);
  }
  // Without the expansion nobody asked for them.
  expect((await ok({ ids: [posts.orphan], 'post.fields': ['referenced_posts'] })).errors).toBeUndefined();
});

scenario('A-POST-NONE', async ({ ok }) => {
  expect(await ok({ ids: ['1', posts.hidden], expansions: ['author_id'] })).toEqual({
    errors: [notFound('1'), notAuthorized(posts.hidden)],
  });
});

scenario('A-POST-PROTECTED', async ({ ok }) => {
  const ids = [posts.hidden, posts.guarded];
  const refused = { errors: [notAuthorized(posts.hidden), notAuthorized(posts.guarded)] };
  for (const as of ['app', ben, requested] as const) expect(await ok({ ids }, as)).toEqual(refused);
  // Anna has followed since before approval was needed.
  for (const as of [carla, approved, anna]) {
    const { data, errors } = await ok({ ids }, as);
    expect([data?.map(({ id }) => id), errors]).toEqual([ids, undefined]);
  }
  const { includes } = await ok({ ids: [posts.blind], expansions: ['referenced_posts.id'] }, approved);
  expect(includes?.['posts']).toEqual([{ id: posts.hidden, text: 'For friends' }]);
});

scenario('A-POST-MEDIA-LINK', async ({ ok }) => {
  const { data: [whole] = [] } = await ok({ ids: [posts.rich], 'post.fields': ['entities'] });
  const { urls } = z
    .object({ urls: z.array(z.looseObject({ start: z.number(), end: z.number() })) })
    .parse(whole?.['entities']);
  expect(whole?.text).toBe(SAID);
  expect(urls.map(({ media_key }) => media_key)).toEqual([undefined, PHOTO]);
  expect(urls.map(({ start, end }) => [...SAID].slice(start, end).join(''))).toEqual(urls.map(({ url }) => url));
  // Wherever a post is shown it says the same, and one without media has no link.
  const { includes } = await ok({ ids: [posts.quote], expansions: ['referenced_posts.id'] });
  expect(includes?.['posts']).toEqual([{ id: posts.rich, text: SAID }]);
  expect((await ok({ ids: [posts.plain] })).data).toEqual([{ id: posts.plain, text: 'Nothing but words' }]);
});

scenario('A-POST-REPOST-TEXT', async ({ ok }) => {
  const { data } = await ok({ ids: [posts.repost], 'post.fields': ['entities', 'attachments'] });
  const lead = 'RT @anna: ';
  expect(data).toMatchObject([
    {
      text: `${lead}${SAID}`,
      attachments: { media_keys: [PHOTO] },
      entities: { urls: [{ start: 16 + lead.length }, { start: 61 + lead.length, url: LINK, media_key: PHOTO }] },
    },
  ]);
});

scenario('A-POST-PROTECTED-REPOST', async ({ ok }) => {
  const { shy, fan, byShy, ofShy, quoting } = reposts;
  const ids = [byShy, ofShy, quoting];
  const expansions = ['referenced_posts.id'];
  for (const as of ['app', ben] as const) {
    // The quote is of somebody whom everybody sees; what it quotes is not.
    expect(await ok({ ids, expansions }, as)).toEqual({
      data: [{ id: quoting, text: 'What they pass on', referenced_posts: [{ type: 'quoted', id: byShy }] }],
      errors: [notAuthorized(byShy), notAuthorized(ofShy), notAuthorized(byShy, 'referenced_posts.id', 'includes')],
    });
  }
  // A fan has followed since before approval was needed.
  for (const as of [shy, fan]) {
    const { data, errors } = await ok({ ids, expansions }, as);
    expect([data?.map(({ id }) => id), errors]).toEqual([ids, undefined]);
  }
});

scenario('A-POST-OWN-METRICS', async ({ ok }) => {
  const query = { ids: [posts.rich], 'post.fields': privateFields };
  const own = ofRich();
  expect(await ok(query, anna)).toEqual({
    data: [
      {
        id: posts.rich,
        text: SAID,
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
      data: [{ id: posts.rich, text: SAID }],
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

scenario('A-POST-REFUSED', async ({ refused }) => {
  const id = posts.plain;
  const empty = 'The `ids` query parameter can not be empty';
  expect(await refused({})).toEqual([empty]);
  expect(await refused({ ids: [] })).toEqual([empty]);
  const malformed = (value: string) => `The \`ids\` query parameter value [${value}] does not match ^[0-9]{1,19}$`;
  expect(await refused({ ids: ['abc'] })).toEqual([malformed('abc')]);
  expect(await refused({ ids: [id, '-1', '1.0', '12345678901234567890'] })).toEqual(
    ['-1', '1.0', '12345678901234567890'].map(malformed),
  );
  const many = Array.from({ length: 101 }, (_, index) => `${index + 1}`);
  for (const ids of [many, Array<string>(101).fill(id)]) {
    expect(await refused({ ids })).toEqual([
      'The number of values in the `ids` query parameter list [101] is not between 1 and 100',
    ]);
  }
  const unknown = (name: string, values: readonly string[]) =>
    `The \`${name}\` query parameter value [bogus] is not one of [${values.join(',')}]`;
  const valid: Readonly<Record<string, readonly string[]>> = {
    'post.fields': sorted([...postFields, ...laterPostFields]),
    'user.fields': sorted([...Object.keys(UserObject.shape), ...laterUserFields]),
    'media.fields': sorted(Object.keys(MediaObject.shape)),
    'poll.fields': ['duration_minutes', 'end_datetime', 'id', 'options', 'voting_status'],
    'place.fields': ['contained_within', 'country', 'country_code', 'full_name', 'geo', 'id', 'name', 'place_type'],
    expansions: [...postExpansionNames],
  };
  for (const [name, values] of Object.entries(valid)) {
    expect(await refused({ ids: [id], [name]: ['bogus'] })).toEqual([unknown(name, values)]);
    expect(await refused({ ids: [id], [name]: [values[0], 'bogus'] })).toEqual([unknown(name, values)]);
    expect(await refused({ ids: [id], [name]: [] })).toEqual([`The \`${name}\` query parameter can not be empty`]);
  }
  const names = 'ids,post.fields,expansions,media.fields,user.fields,poll.fields,place.fields';
  expect(await refused({ ids: [id], tweet: 'x' })).toEqual([`The query parameter [tweet] is not one of [${names}]`]);
  // Each fault is told.
  expect(await refused({ ids: ['x'], expansions: ['bogus'], other: '1' })).toHaveLength(3);
});

const PROBLEM = 'application/problem+json; charset=utf-8';
const problem = (status: number, title: string, more: object = {}) => ({
  status,
  headers: { 'content-type': PROBLEM },
  body: { title, detail: title, type: 'about:blank', status, ...more },
});
const unauthorized = () => problem(401, 'Unauthorized');

/** A world in production mode says nothing beyond the reference. */
async function inProduction(play: (world: TestWorld) => Promise<void>): Promise<void> {
  await using strict = await openReadingWorld({ mode: 'production' });
  await play(strict);
  expect(strict.failures).toEqual([]);
}

test(about('A-POST-REFUSED-BODY'), async () => {
  const bodyOf = async (query: Readonly<Record<string, string>>) => {
    const { status, headers, body } = await get(world, query);
    expect([status, headers['content-type']]).toEqual([400, PROBLEM]);
    return body;
  };
  const invalid = (...errors: object[]) => ({
    errors,
    title: 'Invalid Request',
    detail: 'One or more parameters to your request was invalid.',
    type: `${world.urls.api}/2/problems/invalid-request`,
  });
  const error = (parameters: object) => ({ parameters, message: expect.any(String) });
  expect(await bodyOf({})).toEqual(invalid(error({ ids: [] })));
  expect(await bodyOf({ ids: '' })).toEqual(invalid(error({ ids: [] })));
  expect(await bodyOf({ ids: '1,abc,2' })).toEqual(invalid(error({ ids: ['abc'] })));
  const many = Array.from({ length: 101 }, () => '1').join(',');
  expect(await bodyOf({ ids: many })).toEqual(invalid(error({ ids: [many] })));
  expect(await bodyOf({ ids: '1', 'post.fields': 'bogus', expansions: 'wrong', x: 'y' })).toEqual(
    invalid(error({ 'post.fields': ['bogus'] }), error({ expansions: ['wrong'] }), error({ x: ['y'] })),
  );
  const twice = await world.request({
    ...requestOf(world, {}, 'app'),
    query: [
      ['ids', '1'],
      ['ids', '2'],
    ],
  });
  expect(twice).toMatchObject({ status: 400, body: { errors: [{ parameters: { ids: ['2'] } }] } });
});

test(about('A-POST-BEARER'), () =>
  inProduction(async (strict) => {
    const ask = (authorization: string) =>
      strict.request({ listener: 'api', path: '/2/posts', query: { ids: '1' }, as: null, headers: { authorization } });
    const { bearer_token } = strict.credentials;
    expect(await ask(`Bearer ${bearer_token}`)).toMatchObject({
      status: 200,
      headers: { 'content-type': 'application/json; charset=utf-8', 'x-content-type-options': 'nosniff' },
    });
    expect((await ask(`bearer  ${bearer_token}`)).status).toBe(200);
    const app = await strict.platform.identity.apps.byKey(strict.user.consumer_key);
    await strict.platform.bearerTokens.invalidate(ACTOR, app?.id ?? '', bearer_token);
    expect(await ask(`Bearer ${bearer_token}`)).toEqual(exactly(unauthorized()));
    const next = await strict.platform.bearerTokens.tokenOf(ACTOR, app?.id ?? '');
    expect(next).not.toBe(bearer_token);
    expect((await ask(`Bearer ${next}`)).status).toBe(200);
  }),
);

/** Status, type and the whole body. */
const exactly = ({ status, headers, body }: ReturnType<typeof problem>) =>
  expect.objectContaining({ status, headers: expect.objectContaining(headers), body });

test(about('A-POST-OAUTH'), () =>
  inProduction(async (strict) => {
    const reader = await strict.createUser('reader', 'read');
    expect((await get(strict, { ids: '1' }, reader)).status).toBe(200);
    await strict.revokeToken(reader);
    const revoked = await get(strict, { ids: '1' }, reader);
    expect(revoked).toEqual(
      exactly(
        problem(401, 'Unauthorized', {
          errors: [{ code: 89, message: expect.stringMatching(/invalid or expired token/i) }],
        }),
      ),
    );
    const signed = await strict.sign(requestOf(strict, { ids: '1' }, strict.user));
    expect((await strict.send('api', signed)).status).toBe(200);
    expect(await strict.send('api', signed)).toEqual(exactly(unauthorized()));
  }),
);

test(about('A-POST-UNAUTHORIZED'), () =>
  inProduction(async (strict) => {
    const { bearer_token, consumer_key, consumer_secret } = strict.credentials;
    const basic = Buffer.from(`${consumer_key}:${consumer_secret}`).toString('base64');
    const base = { ...requestOf(strict, { ids: '1' }, 'app'), as: null };
    const bad: readonly (string | undefined)[] = [
      undefined,
      'Bearer',
      'Bearer wrong',
      `Bearer ${bearer_token}x`,
      `Bearer ${bearer_token.toLowerCase()}`,
      `Bearer ${strict.user.access_token}`,
      `Basic ${basic}`,
      bearer_token,
    ];
    for (const authorization of bad) {
      const { headers: _, ...rest } = base;
      const answer: Answer = await strict.request(
        authorization === undefined ? rest : { ...rest, headers: { authorization } },
      );
      expect(answer, authorization).toEqual(exactly(unauthorized()));
    }
    const wrong = await strict.request({ ...requestOf(strict, { ids: '1' }, strict.user), sign: { tokenSecret: 'x' } });
    expect(wrong).toEqual(exactly(unauthorized()));
    // Who is not known learns nothing about the parameters.
    expect(await strict.request({ listener: 'api', path: '/2/posts', query: { x: 'y' }, as: null })).toEqual(
      exactly(unauthorized()),
    );
  }),
);

test(about('A-POST-SUSPENDED'), () =>
  inProduction(async (strict) => {
    const app = await strict.platform.identity.apps.byKey(strict.user.consumer_key);
    await strict.platform.identity.apps.update(ACTOR, app?.id ?? '', { suspended: true });
    for (const as of ['app', strict.user] as const) {
      expect(await get(strict, { ids: '1' }, as)).toMatchObject({
        status: 403,
        headers: { 'content-type': PROBLEM },
        body: {
          title: 'Client Forbidden',
          detail: expect.stringContaining('suspended'),
          status: 403,
          type: `${strict.urls.api}/2/problems/client-forbidden`,
          reason: 'client-suspended',
          client_id: app?.id,
          required_enrollment: 'Active app',
          registration_url: `${strict.urls.api}/settings`,
        },
      });
    }
  }),
);

test(about('A-POST-RATE'), async () => {
  const limitsOf = ({ headers }: Answer) =>
    ['limit', 'remaining', 'reset'].map((name) => headers[`x-rate-limit-${name}`]);
  {
    await using published = await openReadingWorld({ rateLimits: {} });
    const reset = `${(published.wallClock.now() + QUARTER_HOUR_MS) / 1000}`;
    expect(limitsOf(await get(published, { ids: '1' }))).toEqual(['3500', '3499', reset]);
    expect(limitsOf(await get(published, { ids: '1' }, published.user))).toEqual(['5000', '4999', reset]);
    // The count is that of the app, and that of the person: neither takes from the other.
    expect(limitsOf(await get(published, { ids: 'x' }))).toEqual(['3500', '3498', reset]);
  }
  await using world = await openReadingWorld({ rateLimits: { 'data.posts': { limit: 1 } } });
  expect((await get(world, { ids: '1' })).status).toBe(200);
  expect(await get(world, { ids: '1' })).toEqual(exactly(problem(429, 'Too Many Requests')));
  expect((await get(world, { ids: '1' }, world.user)).status).toBe(200);
  world.wallClock.advance(QUARTER_HOUR_MS);
  expect((await get(world, { ids: '1' })).status).toBe(200);
});

test(about('A-POST-METHOD'), async () => {
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD']) {
    const answer = await world.request({ listener: 'api', method, path: '/2/posts', as: null });
    expect([answer.status, answer.headers['allow']], method).toEqual([405, 'GET']);
    if (method !== 'HEAD') expect(answer).toMatchObject(problem(405, 'Method Not Allowed'));
  }
});

test('several lookups in one tRPC request share one signature', async () => {
  const input = encodeURIComponent(JSON.stringify({ 0: { ids: [posts.rich] }, 1: { ids: [posts.plain] } }));
  const path = `/trpc/posts.lookup,posts.lookup`;
  const answer = await world.request({
    listener: 'api',
    path,
    query: [
      ['batch', '1'],
      ['input', decodeURIComponent(input)],
    ],
    as: anna,
  });
  expect(answer, answer.text).toMatchObject({
    status: 200,
    body: [{ result: { data: { data: [{ id: posts.rich }] } } }, { result: { data: { data: [{ id: posts.plain }] } } }],
  });
});

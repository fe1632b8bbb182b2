/**
 * Any combination of fields and expansions brings what it names and nothing else. What is right is worked out here from the
 * rows that were stored, without the code of the server. And whatever else comes as a parameter, no answer is a 5xx.
 */
import { dataContract } from '@broadside/core';
import { MediaObject } from '@broadside/core/resources/media';
import { Post, postExpansionNames } from '@broadside/core/resources/posts';
import { UserObject } from '@broadside/core/resources/users';
import type { TestUser, TestWorld } from '@broadside/testkit';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { get, insertRows, mediaRow, openReadingWorld, type Reader, updateRow } from '../support/reading.ts';

const CREATED_MS = 1_700_000_000_123;

type Members = Readonly<Record<string, unknown>>;

/** A post as it was put into the table, and what all its fields are. */
interface Stored {
  readonly id: string;
  readonly author: string;
  readonly deleted: boolean;
  readonly references: readonly { readonly type: string; readonly id: string }[];
  readonly answered: string | undefined;
  readonly mentioned: readonly string[];
  readonly media: readonly string[];
  readonly poll: Members | undefined;
  readonly place: Members | undefined;
  /** Absent members are those that the post does not have. Private metrics are not among them. */
  readonly members: Members;
  readonly own: Members;
}

let world: TestWorld;
let people: readonly TestUser[];
let users: ReadonlyMap<string, Members>;
let media: ReadonlyMap<string, Members & { readonly owner: string }>;
let stored: readonly Stored[];
/** The one whose posts only approved followers see; the first person is one. */
let guarded: string;

const POSTS = 24;
const UNKNOWN = ['1', '77', '9223372036854775807', '9999999999999999999'];

beforeAll(async () => {
  world = await openReadingWorld();
  people = [
    await world.createUser('one'),
    await world.createUser('two'),
    await world.createUser('three'),
    await world.createUser('four'),
  ];
  guarded = personAt(3).user_id;
  const store = makeWorld();
  users = store.users;
  media = store.media;
  stored = store.posts;
});
afterAll(async () => {
  expect(world.failures).toEqual([]);
  await world.close();
});

function personAt(index: number): TestUser {
  const person = people[index % people.length];
  if (!person) throw new RangeError('there are people');
  return person;
}

function makeWorld() {
  const { api } = world.urls;
  const users = new Map<string, Members>();
  for (const [index, { user_id, screen_name }] of people.entries()) {
    const has = (bit: number) => (index & bit) !== 0;
    const metrics = { followers_count: index, following_count: 2 * index, post_count: 3, listed_count: 4 };
    const entities = { description: { hashtags: [{ start: 0, end: 2, tag: 'a' }] } };
    updateRow(world, 'users', user_id, {
      description: `I am ${index}`,
      location: has(1) ? 'Lund' : null,
      url: has(2) ? 'https://me.example.com' : null,
      profile_image_url: has(1) ? 'https://img.example.com/x.png' : null,
      pinned_post_id: has(2) ? 1002n : null,
      entities: has(1) ? JSON.stringify(entities) : null,
      withheld: has(2) ? '{"country_codes":["DE"]}' : null,
      verified: has(1) ? 1 : 0,
      protected: user_id === guarded ? 1 : 0,
      ...metrics,
    });
    users.set(user_id, {
      id: user_id,
      name: screen_name,
      username: screen_name,
      created_at: '2026-01-15T08:00:00.000Z',
      description: `I am ${index}`,
      ...(has(1) ? { location: 'Lund', profile_image_url: 'https://img.example.com/x.png', entities } : {}),
      ...(has(2) ? { url: 'https://me.example.com', pinned_post_id: '1002', withheld: { country_codes: ['DE'] } } : {}),
      protected: user_id === guarded,
      public_metrics: metrics,
      verified: has(1),
    });
  }
  insertRows(world, 'follows', [
    { follower_id: BigInt(personAt(0).user_id), followed_id: BigInt(guarded), state: 'approved', created_ms: 1 },
    { follower_id: BigInt(personAt(1).user_id), followed_id: BigInt(guarded), state: 'requested', created_ms: 1 },
  ]);
  const owner = personAt(0);
  insertRows(world, 'media', [
    mediaRow(1n, owner, { alt_text: 'Words' }),
    mediaRow(2n, owner, {
      media_key: '7_2',
      kind: 'video',
      content_type: 'video/mp4',
      duration_ms: 5,
      bit_rate: null,
      preview_blob_key: 'p.png',
      view_count: 3,
    }),
    mediaRow(3n, owner, { media_key: '16_3', kind: 'animated_gif', content_type: 'video/mp4', bit_rate: 9 }),
    mediaRow(4n, owner, { state: 'in_progress' }),
  ]);
  const size = { height: 480, width: 640 };
  const url = (id: number) => `${api}/media/blob${id}.png`;
  const media = new Map<string, Members & { readonly owner: string }>([
    ['3_1', { owner: owner.user_id, media_key: '3_1', type: 'photo', alt_text: 'Words', url: url(1), ...size }],
    [
      '7_2',
      {
        owner: owner.user_id,
        media_key: '7_2',
        type: 'video',
        duration_ms: 5,
        preview_image_url: `${api}/media/p.png`,
        public_metrics: { view_count: 3 },
        variants: [{ content_type: 'video/mp4', url: url(2) }],
        ...size,
      },
    ],
    [
      '16_3',
      {
        owner: owner.user_id,
        media_key: '16_3',
        type: 'animated_gif',
        variants: [{ bit_rate: 9, content_type: 'video/mp4', url: url(3) }],
        ...size,
      },
    ],
  ]);
  const posts = Array.from({ length: POSTS }, (_, index) => makePost(index));
  return { users, media, posts };
}

/** The bits of the index decide what a post has, so that most combinations occur. */
function makePost(index: number): Stored {
  const id = 1000 + index;
  const has = (divisor: number) => index % divisor === 0;
  const author = personAt(index).user_id;
  // Also what comes later, and posts that nobody has.
  const other = has(5) ? 77 : 1000 + ((index * 7) % POSTS);
  const kind = ['none', 'replied_to', 'reposted', 'quoted', 'both'][index % 5];
  const references = [
    ...(kind === 'reposted' ? [{ type: 'reposted', id: `${other}` }] : []),
    ...(kind === 'quoted' || kind === 'both' ? [{ type: 'quoted', id: `${other}` }] : []),
    ...(kind === 'replied_to' || kind === 'both' ? [{ type: 'replied_to', id: '1003' }] : []),
  ];
  const idOf = (type: string) => references.find((one) => one.type === type)?.id;
  const big = (text: string | undefined) => (text === undefined ? null : BigInt(text));
  const answered = idOf('replied_to') === undefined ? undefined : personAt(index + 1).user_id;
  const mentioned = has(3) ? [personAt(index + 2).user_id] : [];
  const entities = {
    ...(has(3)
      ? {
          mentions: [
            { start: 0, end: 4, username: 'two', id: mentioned[0] },
            { start: 5, end: 9, username: 'nobody' },
          ],
        }
      : {}),
    ...(has(2) ? { hashtags: [{ start: 1, end: 3, tag: 'x' }] } : {}),
  };
  const keys = has(4) ? ['3_1', '7_2'] : has(3) ? ['16_3'] : has(7) ? ['3_4'] : [];
  const said = `Post ${index} 👋`;
  const link = linkTo(keys[0], [...said].length + 1);
  const poll = has(6) ? { id: `p${index % 2}`, options: [], voting_status: 'open' } : undefined;
  const place = has(8) ? { id: 'aa', full_name: 'Lund', country: 'Sverige' } : undefined;
  const coordinates = has(9) ? { type: 'Point', coordinates: [1.5, -2] } : undefined;
  const context = [{ domain: { id: '1', name: 'A' }, entity: { id: '2', name: 'B' } }];
  const withheld = { copyright: false, country_codes: ['DE'] };
  const metrics = { repost_count: index, reply_count: 2, like_count: 3, quote_count: 4 };
  const own = { impression_count: 10 + index, url_link_clicks: 5, user_profile_clicks: 6 };
  const json = (value: unknown, there: boolean) => (there ? JSON.stringify(value) : null);
  insertRows(world, 'posts', [
    {
      id: BigInt(id),
      author_id: BigInt(author),
      created_ms: CREATED_MS + index,
      text: said,
      lang: 'en',
      source: `App ${index}`,
      conversation_id: 1000n,
      in_reply_to_user_id: big(answered),
      replied_to_id: big(idOf('replied_to')),
      quoted_id: big(idOf('quoted')),
      reposted_id: big(idOf('reposted')),
      possibly_sensitive: has(2) ? 1 : 0,
      reply_settings: has(2) ? 'everyone' : 'mentionedUsers',
      nullcast: 0,
      entities: json(entities, Object.keys(entities).length > 0),
      context_annotations: json(context, has(4)),
      media_keys: json(keys, keys.length > 0),
      poll: json(poll, poll !== undefined),
      place: json(place, place !== undefined),
      coordinates: json(coordinates, coordinates !== undefined),
      withheld: json(withheld, has(10)),
      ...metrics,
      ...own,
      deleted_ms: has(11) ? 1 : null,
    },
  ]);
  const created_at = new Date(CREATED_MS + index).toISOString();
  const geo = { ...(place ? { place_id: place.id } : {}), ...(coordinates ? { coordinates } : {}) };
  const attachments = { ...(keys.length > 0 ? { media_keys: keys } : {}), ...(poll ? { poll_ids: [poll.id] } : {}) };
  const unlessEmpty = (name: string, value: object) => (Object.keys(value).length > 0 ? { [name]: value } : {});
  const { like_count, reply_count, repost_count } = metrics;
  return {
    id: `${id}`,
    author,
    deleted: has(11),
    references,
    answered,
    mentioned,
    media: keys,
    poll,
    place,
    members: {
      id: `${id}`,
      text: link === undefined ? said : `${said} ${link.url}`,
      author_id: author,
      conversation_id: '1000',
      created_at,
      edit_controls: { editable_until: created_at, edits_remaining: 0, is_edit_eligible: false },
      edit_history_post_ids: [`${id}`],
      lang: 'en',
      possibly_sensitive: has(2),
      public_metrics: metrics,
      reply_settings: has(2) ? 'everyone' : 'mentionedUsers',
      source: `App ${index}`,
      ...(answered === undefined ? {} : { in_reply_to_user_id: answered }),
      ...(references.length > 0 ? { referenced_posts: references } : {}),
      ...(has(4) ? { context_annotations: context } : {}),
      ...(has(10) ? { withheld } : {}),
      ...unlessEmpty('entities', link === undefined ? entities : { ...entities, urls: [link] }),
      ...unlessEmpty('geo', geo),
      ...unlessEmpty('attachments', attachments),
    },
    own: { non_public_metrics: own, organic_metrics: { ...own, like_count, reply_count, repost_count } },
  };
}

/** The link that a text ends with, unless the media are not ready. */
function linkTo(media_key: string | undefined, start: number) {
  const number = media_key === undefined || media_key === '3_4' ? undefined : media_key.slice(-1);
  if (number === undefined) return undefined;
  const { api } = world.urls;
  const url = `${api}/s/blob${number}`;
  const display_url = url.replace('http://', '');
  const expanded_url = `${api}/media/blob${number}.png`;
  return { start, end: start + url.length, url, expanded_url, display_url, media_key };
}

interface Query {
  readonly ids: readonly string[];
  readonly 'post.fields': readonly string[];
  readonly 'user.fields': readonly string[];
  readonly 'media.fields': readonly string[];
  readonly 'poll.fields': readonly string[];
  readonly 'place.fields': readonly string[];
  readonly expansions: readonly string[];
}

/** Which member of the posts asked for leads to what an expansion brings. */
const LINKS: Readonly<Record<string, string>> = {
  author_id: 'author_id',
  in_reply_to_user_id: 'in_reply_to_user_id',
  'entities.mentions.username': 'entities',
  referenced_posts: 'referenced_posts',
  'referenced_posts.id': 'referenced_posts',
  'referenced_posts.id.author_id': 'referenced_posts',
  'referenced_posts.id.attachments.media_keys': 'referenced_posts',
  'attachments.media_keys': 'attachments',
  'attachments.media_source_post': 'attachments',
  'attachments.poll_ids': 'attachments',
  'geo.place_id': 'geo',
  edit_history_post_ids: 'edit_history_post_ids',
};
const PRIVATE = ['non_public_metrics', 'organic_metrics', 'promoted_metrics'];

function pick(members: Members, names: readonly string[]): Members {
  return Object.fromEntries(Object.entries(members).filter(([name]) => names.includes(name)));
}

const unique = (values: readonly string[]) => [...new Set(values)];

/** What the answer holds, with lists of what is included and of problems in the order of their ids. */
function expected(query: Query, viewer: string | undefined) {
  const asked = (name: string) => query.expansions.includes(name);
  const problems: string[] = [];
  const follower = viewer === personAt(0).user_id || viewer === guarded;
  const visible = (id: string, parameter: string): Stored[] => {
    const post = stored.find((one) => one.id === id);
    const slug = !post || post.deleted ? 'resource-not-found' : 'not-authorized-for-resource';
    const original = post?.references.find(({ type }) => type === 'reposted')?.id;
    const isGuarded = [id, original].some((one) => stored.find((other) => other.id === one)?.author === guarded);
    if (post && !post.deleted && (!isGuarded || follower)) return [post];
    problems.push(`${slug} ${parameter} ${id}`);
    return [];
  };
  const show = (post: Stored, names: readonly string[], section: string): Members => {
    const own = post.author === viewer;
    for (const field of PRIVATE.filter((name) => names.includes(name) && !own)) {
      problems.push(`not-authorized-for-field post.fields ${post.id} ${field} ${section}`);
    }
    return pick({ ...post.members, ...(own ? post.own : {}) }, ['id', 'text', ...names]);
  };
  const links = query.expansions.flatMap((name) => LINKS[name] ?? []);
  const primary = unique(query.ids).flatMap((id) => visible(id, 'ids'));
  const through = ['referenced_posts', 'referenced_posts.id', 'referenced_posts.id.author_id'];
  const goes = [...through, 'referenced_posts.id.attachments.media_keys'].find(asked);
  const referenced =
    goes === undefined
      ? []
      : unique(primary.flatMap(({ references }) => references.map(({ id }) => id))).flatMap((id) => visible(id, goes));
  const userIds = unique([
    ...primary.flatMap(({ author, answered, mentioned }) => [
      ...(asked('author_id') ? [author] : []),
      ...(asked('in_reply_to_user_id') && answered !== undefined ? [answered] : []),
      ...(asked('entities.mentions.username') ? mentioned : []),
    ]),
    ...(asked('referenced_posts.id.author_id') ? referenced.map(({ author }) => author) : []),
  ]);
  const keys = unique([
    ...(asked('attachments.media_keys') ? primary : []).flatMap((post) => post.media),
    ...(asked('referenced_posts.id.attachments.media_keys') ? referenced : []).flatMap((post) => post.media),
  ]);
  const further = [
    ...query['post.fields'],
    ...(asked('referenced_posts.id.author_id') ? ['author_id'] : []),
    ...(asked('referenced_posts.id.attachments.media_keys') ? ['attachments'] : []),
  ];
  const posts = [...new Set([...referenced, ...(asked('edit_history_post_ids') ? primary : [])])];
  const objects = (name: string, list: readonly (Members | undefined)[], fields: readonly string[]) =>
    asked(name)
      ? [...new Map(list.flatMap((one) => (one ? [[one['id'], pick(one, fields)] as const] : []))).values()]
      : [];
  const lists: Readonly<Record<string, readonly Members[]>> = {
    users: userIds.map((id) => pick(users.get(id) ?? {}, ['id', 'name', 'username', ...query['user.fields']])),
    media: keys.flatMap((key) => {
      const one = media.get(key);
      if (!one) return [];
      for (const field of PRIVATE.filter((name) => query['media.fields'].includes(name) && one.owner !== viewer)) {
        problems.push(`not-authorized-for-field media.fields ${key} ${field} includes`);
      }
      return [pick(one, ['media_key', 'type', ...query['media.fields']])];
    }),
    posts: posts.map((post) => show(post, further, 'includes')),
    polls: objects(
      'attachments.poll_ids',
      primary.map(({ poll }) => poll),
      ['id', 'options', ...query['poll.fields']],
    ),
    places: objects(
      'geo.place_id',
      primary.map(({ place }) => place),
      ['id', 'full_name', ...query['place.fields']],
    ),
  };
  const data = primary.map((post) => show(post, [...query['post.fields'], ...links], 'data'));
  return {
    data,
    includes: Object.fromEntries(
      Object.entries(lists)
        .filter(([, list]) => list.length > 0)
        .map(inOrder),
    ),
    problems: problems.sort(),
  };
}

function inOrder([name, list]: readonly [string, readonly Members[]]): [string, unknown[]] {
  const key = (one: Members) => String(one['id'] ?? one['media_key']);
  return [name, list.toSorted((one, other) => (key(one) < key(other) ? -1 : 1))];
}

interface Body {
  readonly data?: readonly Members[];
  readonly includes?: Readonly<Record<string, readonly Members[]>>;
  readonly errors?: readonly Members[];
}

/** An answer in the form of {@link expected}. */
function found({ data = [], includes = {}, errors = [] }: Body) {
  const problems = errors.map(({ type, parameter, resource_id, field, section }) => {
    const slug = String(type).replace(/^.*\//, '');
    return [slug, parameter, resource_id, ...(field === undefined ? [] : [field, section])].join(' ');
  });
  return { data, includes: Object.fromEntries(Object.entries(includes).map(inOrder)), problems: problems.sort() };
}

const some = (names: readonly string[]) => fc.subarray([...names]);
const { shape } = dataContract.posts.lookup.params;
const queries: fc.Arbitrary<Query> = fc.record({
  ids: fc.array(
    fc.oneof(
      fc.nat(POSTS - 1).map((index) => `${1000 + index}`),
      fc.constantFrom(...UNKNOWN),
    ),
    {
      minLength: 1,
      maxLength: 30,
    },
  ),
  'post.fields': some(Object.keys(Post.shape)),
  'user.fields': some(Object.keys(UserObject.shape)),
  'media.fields': some(Object.keys(MediaObject.shape)),
  'poll.fields': some(['id', 'options', 'voting_status', 'duration_minutes']),
  'place.fields': some(['id', 'full_name', 'country', 'geo']),
  expansions: some(postExpansionNames),
});

test('any combination of fields and expansions, of ids in any order, returns exactly what it names', async () => {
  await fc.assert(
    fc.asyncProperty(queries, fc.nat(4), async (query, who) => {
      const reader: Reader = who === 4 ? 'app' : personAt(who);
      const sent = Object.fromEntries(Object.entries(query).filter(([, list]) => list.length > 0));
      const { status, text } = await get(world, sent, reader);
      expect(status, text).toBe(200);
      const body: Body = JSON.parse(text);
      expect(found(body)).toEqual(expected(query, reader === 'app' ? undefined : reader.user_id));
      expect(Object.values(body).some((member) => Array.isArray(member) && member.length === 0)).toBe(false);
    }),
    { numRuns: 600, seed: 20_261_121 },
  );
});

const strange = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom(
    '',
    ',',
    ',,',
    '__proto__',
    'constructor',
    '1,__proto__',
    "1' OR 1=1 --",
    '\0',
    '%',
    '[]',
    '-1',
    '1e3',
  ),
  fc.array(fc.constantFrom(...postExpansionNames, ...Object.keys(Post.shape), 'x'), { maxLength: 50 }).map(String),
  fc.array(fc.bigInt(0n, 2n ** 70n).map(String), { maxLength: 120 }).map(String),
);
const names = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...Object.keys(shape)) },
  { weight: 1, arbitrary: fc.constantFrom('__proto__', 'constructor', 'toString', 'ids[]', 'oauth_token') },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
);

test('whatever comes as a parameter is answered or refused in the words of a problem', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(names, strange), { maxLength: 6 }), fc.boolean(), async (pairs, signed) => {
      const proof = signed
        ? { as: personAt(0) }
        : { as: null, headers: { authorization: `Bearer ${world.credentials.bearer_token}` } };
      const { status, body } = await world.request({ listener: 'api', path: '/2/posts', query: pairs, ...proof });
      expect([200, 400, 401]).toContain(status);
      if (status === 400) expect(body).toMatchObject({ title: 'Invalid Request', errors: expect.any(Array) });
    }),
    { numRuns: 600, seed: 20_261_121 },
  );
});

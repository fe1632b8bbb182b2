/** A world with posts in most combinations of their members, and what the server is to return of each. */
import { displayUrl } from '@broadside/core/text';
import type { TestUser, TestWorld } from '@broadside/testkit';
import { insertRows, mediaRow, openReadingWorld, updateRow } from '../../support/reading.ts';

const CREATED_MS = 1_700_000_000_123;

export type Members = Readonly<Record<string, unknown>>;

/** A post as it was put into the table, and what all its fields are. */
export interface Stored {
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

/** A world and everything that was stored in it. */
export interface Store {
  readonly world: TestWorld;
  readonly people: readonly TestUser[];
  readonly users: ReadonlyMap<string, Members>;
  readonly media: ReadonlyMap<string, Members & { readonly owner: string }>;
  readonly posts: readonly Stored[];
  /** The one whose posts only approved followers see; the first person is one. */
  readonly guarded: string;
}

export const POSTS = 24;

export async function openStore(): Promise<Store> {
  const world = await openReadingWorld();
  const people = [
    await world.createUser('one'),
    await world.createUser('two'),
    await world.createUser('three'),
    await world.createUser('four'),
  ];
  const guarded = personAt(people, 3).user_id;
  const users = storeUsers(world, people, guarded);
  const media = storeMedia(world, personAt(people, 0));
  storePolls(world);
  const posts = Array.from({ length: POSTS }, (_, index) => storePost(world, people, index));
  return { world, people, users, media, posts, guarded };
}

export function personAt(people: readonly TestUser[], index: number): TestUser {
  const person = people[index % people.length];
  if (!person) throw new RangeError('there are people');
  return person;
}

function storeUsers(world: TestWorld, people: readonly TestUser[], guarded: string): Map<string, Members> {
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
    {
      follower_id: BigInt(personAt(people, 0).user_id),
      followed_id: BigInt(guarded),
      state: 'approved',
      created_ms: 1,
    },
    {
      follower_id: BigInt(personAt(people, 1).user_id),
      followed_id: BigInt(guarded),
      state: 'requested',
      created_ms: 1,
    },
  ]);
  return users;
}

function storeMedia(world: TestWorld, owner: TestUser): Map<string, Members & { readonly owner: string }> {
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
  const { api } = world.urls;
  const size = { height: 480, width: 640 };
  const url = (id: number) => `${api}/media/blob${id}.png`;
  return new Map([
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
}

/** Two polls: one that is open for ever, and one that has closed. */
const polls = ['open', 'closed'].map((voting_status, index) => ({
  number: 880n + BigInt(index),
  end_ms: voting_status === 'open' ? 9_000_000_000_000 : CREATED_MS,
  shown: {
    id: `${880 + index}`,
    options: [
      { position: 1, label: 'Yes', votes: 4 },
      { position: 2, label: 'No', votes: index },
    ],
    duration_minutes: 60 + index,
    voting_status,
  },
}));

function storePolls(world: TestWorld): void {
  for (const { number, end_ms, shown } of polls) {
    insertRows(world, 'polls', [
      {
        id: number,
        choices: '["Yes","No"]',
        duration_minutes: shown.duration_minutes,
        start_ms: CREATED_MS - 1,
        end_ms,
        votes_1: 4,
        votes_2: number - 880n,
      },
    ]);
  }
}

function pollAt(index: number): Members & { readonly id: string } {
  const poll = polls[index];
  if (!poll) throw new RangeError('there are two polls');
  return { ...poll.shown, end_datetime: new Date(poll.end_ms).toISOString() };
}

/** The bits of the index decide what a post has, so that most combinations occur. */
function storePost(world: TestWorld, people: readonly TestUser[], index: number): Stored {
  const id = 1000 + index;
  const has = (divisor: number) => index % divisor === 0;
  const author = personAt(people, index).user_id;
  // Also later posts, and unknown ones.
  const other = has(5) ? 77 : 1000 + ((index * 7) % POSTS);
  const kind = ['none', 'replied_to', 'reposted', 'quoted', 'both'][index % 5];
  const references = [
    ...(kind === 'reposted' ? [{ type: 'reposted', id: `${other}` }] : []),
    ...(kind === 'quoted' || kind === 'both' ? [{ type: 'quoted', id: `${other}` }] : []),
    ...(kind === 'replied_to' || kind === 'both' ? [{ type: 'replied_to', id: '1003' }] : []),
  ];
  const idOf = (type: string) => references.find((one) => one.type === type)?.id;
  const big = (text: string | undefined) => (text === undefined ? null : BigInt(text));
  const answered = idOf('replied_to') === undefined ? undefined : personAt(people, index + 1).user_id;
  const mentioned = has(3) ? [personAt(people, index + 2).user_id] : [];
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
  const shown = Number(idOf('reposted') ?? id);
  const isKnown = shown >= 1000 && shown < 1000 + POSTS;
  const { screen_name } = personAt(people, isKnown ? shown - 1000 : index);
  const link = linkTo(world, { id: shown, screen_name }, keys[0], [...said].length + 1);
  const poll = has(6) ? pollAt(index % 2) : undefined;
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
      card_uri: poll ? `card://${poll.id}` : null,
      card_type: poll ? 'IMAGE_POLLS' : null,
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
function linkTo(
  world: TestWorld,
  { id, screen_name }: { readonly id: number; readonly screen_name: string },
  media_key: string | undefined,
  start: number,
) {
  if (media_key === undefined || media_key === '3_4') return undefined;
  const { api } = world.urls;
  const url = `${api}/s/p${id.toString(36).padStart(13, '0')}`;
  const display_url = displayUrl(url);
  const expanded_url = `${api}/${screen_name}/status/${id}`;
  return { start, end: start + url.length, url, expanded_url, display_url, media_key };
}

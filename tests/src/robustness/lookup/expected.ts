/** The response to a lookup, worked out from the rows that were stored, without the code of the server. */
import { type Members, personAt, type Store, type Stored } from './store.ts';

export interface Query {
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

/** Returns the expected response, with included objects and problems in the order of their ids. */
export function expected(
  { people, users, media, posts: stored, guarded }: Store,
  query: Query,
  viewer: string | undefined,
) {
  const asked = (name: string) => query.expansions.includes(name);
  const problems: string[] = [];
  const follower = viewer === personAt(people, 0).user_id || viewer === guarded;
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

export interface Body {
  readonly data?: readonly Members[];
  readonly includes?: Readonly<Record<string, readonly Members[]>>;
  readonly errors?: readonly Members[];
}

/** Returns a response in the form of {@link expected}. */
export function found({ data = [], includes = {}, errors = [] }: Body) {
  const problems = errors.map(({ type, parameter, resource_id, field, section }) => {
    const slug = String(type).replace(/^.*\//, '');
    return [slug, parameter, resource_id, ...(field === undefined ? [] : [field, section])].join(' ');
  });
  return { data, includes: Object.fromEntries(Object.entries(includes).map(inOrder)), problems: problems.sort() };
}

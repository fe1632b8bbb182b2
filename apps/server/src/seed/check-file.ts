/** Checks of a seed file beyond its schema: references that resolve, texts that a post can have. */
import { checkCallbackUrls } from '@broadside/core/resources/apps';
import { weightedLength } from '@broadside/core/text';
import type { Breathe } from '../members/worker/breathe.ts';
import { checkAccounts } from './file-accounts.ts';
import type { FilePost, SeedFile } from './file-format.ts';
import type { FileIssue, FilePath } from './file-issue.ts';
import { meant } from './file-words.ts';

/** Names that a file can reference besides its own. */
export interface OnPlatform {
  /** Lower-case screen names. */
  readonly users: ReadonlySet<string>;
  /** Ids. */
  readonly posts: ReadonlySet<string>;
}

/** No text of a post has more code units. */
const LONGEST_TEXT = 65_536;

const ID = /^\d{1,19}$/;

/** Returns the screen names of users, and the ids of posts, that a file references but does not define. */
export function namedElsewhere({ users, apps, follows, posts, accounts }: SeedFile): {
  users: string[];
  posts: string[];
} {
  const own = new Set(users.map((user) => folded(user.screen_name)));
  const people = [
    ...users.map((user) => user.screen_name),
    ...apps.map((app) => app.owner),
    ...follows.flatMap(({ follower, followed }) => [follower, followed]),
    ...posts.flatMap(({ author, likes = [], poll }) => [author, ...likes, ...votersOf(poll)]),
    ...accounts.flatMap(({ owner, access }) => [owner, ...access.map(({ user }) => user)]),
  ].map(folded);
  const references = posts.flatMap(({ reposts, reply_to, quotes }) => [reposts, reply_to, quotes]);
  return {
    users: [...new Set(people)].filter((name) => !own.has(name)),
    posts: [...new Set(references)].filter((name): name is string => name !== undefined && ID.test(name)),
  };
}

/** Returns all issues of a file. */
export async function checkSeedFile(file: SeedFile, platform: OnPlatform, breathe: Breathe): Promise<FileIssue[]> {
  const people = new Set([...platform.users, ...file.users.map((user) => folded(user.screen_name))]);
  const issues: FileIssue[] = [
    ...repeated(
      file.users,
      ({ screen_name }) => folded(screen_name),
      (i) => ['users', i, 'screen_name'],
    ),
    ...repeated(
      file.apps,
      ({ name }) => folded(name),
      (i) => ['apps', i, 'name'],
    ),
    ...repeated(
      file.posts,
      ({ as }) => as,
      (i) => ['posts', i, 'as'],
    ),
    ...repeated(file.posts, sameness, (i) => ['posts', i]),
  ];
  const known = (name: string, path: FilePath) => {
    if (!people.has(folded(name)))
      issues.push({ path, message: `no user "${name}" in this file or on the platform${meant(folded(name), people)}` });
  };
  for (const [index, { owner, callback_urls = [] }] of file.apps.entries()) {
    known(owner, ['apps', index, 'owner']);
    for (const [at, url] of callback_urls.entries()) {
      for (const { message = 'this cannot be a callback URL' } of checkCallbackUrls([url]))
        issues.push({ path: ['apps', index, 'callback_urls', at], message });
    }
  }
  for (const [index, { follower, followed }] of file.follows.entries()) {
    known(follower, ['follows', index, 'follower']);
    known(followed, ['follows', index, 'followed']);
    if (folded(follower) === folded(followed))
      issues.push({ path: ['follows', index], message: 'nobody follows themselves' });
  }
  const all = new Set(file.posts.flatMap(({ as }) => as ?? []));
  const before = new Set<string>();
  for (const [index, post] of file.posts.entries()) {
    const path = ['posts', index];
    known(post.author, [...path, 'author']);
    for (const [at, name] of (post.likes ?? []).entries()) known(name, [...path, 'likes', at]);
    for (const [at, { user, choice }] of (post.poll?.votes ?? []).entries()) {
      const place = [...path, 'poll', 'votes', at];
      known(user, [...place, 'user']);
      const count = post.poll?.choices.length ?? 0;
      if (choice > count) issues.push({ path: [...place, 'choice'], message: `the poll has ${count} choices` });
    }
    issues.push(
      ...repeated(
        post.poll?.votes ?? [],
        ({ user }) => folded(user),
        (i) => [...path, 'poll', 'votes', i, 'user'],
      ),
    );
    for (const member of ['reposts', 'reply_to', 'quotes'] as const) {
      const message = misled(post[member], { before, all, platform });
      if (message !== undefined) issues.push({ path: [...path, member], message });
    }
    issues.push(...checkText(post, path));
    if (post.as !== undefined) before.add(post.as);
    await breathe();
  }
  for (const [index, { owner, access }] of file.accounts.entries()) {
    known(owner, ['accounts', index, 'owner']);
    for (const [at, { user }] of access.entries()) known(user, ['accounts', index, 'access', at, 'user']);
  }
  const names = [...file.users.map(({ screen_name }) => screen_name), ...before];
  issues.push(...(await checkAccounts(file.accounts, new Set(names), breathe)));
  return issues;
}

/** Returns the key that two equal posts have in common. */
function sameness({ author, text = '', reposts, reply_to, quotes, media = [] }: FilePost): string {
  const files = media.map(({ file }) => file);
  // A text that is too long is reported; it need not be normalized, which is quadratic in some lengths.
  const said = text.length > LONGEST_TEXT ? text : text.normalize('NFC');
  return JSON.stringify([folded(author), said, reposts, reply_to, quotes, files]);
}

function repeated<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string | undefined,
  pathOf: (index: number) => FilePath,
): FileIssue[] {
  const first = new Map<string, number>();
  return items.flatMap((item, index) => {
    const key = keyOf(item);
    if (key === undefined) return [];
    const earlier = first.get(key);
    if (earlier === undefined) first.set(key, index);
    return earlier === undefined
      ? []
      : [{ path: pathOf(index), message: `the same stands in item ${earlier} already` }];
  });
}

/** Returns the reason why a reference does not resolve to a post, if it does not. */
function misled(
  name: string | undefined,
  { before, all, platform }: { before: ReadonlySet<string>; all: ReadonlySet<string>; platform: OnPlatform },
): string | undefined {
  if (name === undefined || before.has(name) || platform.posts.has(name)) return undefined;
  if (all.has(name)) return `the post "${name}" stands further down; move it before this one`;
  return ID.test(name)
    ? `no post has the id ${name}`
    : `no post is named "${name}" before this one${meant(name, before)}`;
}

function checkText(
  { text, reposts, reply_to, quotes, reply_settings, lang, possibly_sensitive, media, poll }: FilePost,
  path: FilePath,
): FileIssue[] {
  if (reposts !== undefined) {
    const said = { text, reply_to, quotes, reply_settings, lang, possibly_sensitive, media, poll };
    return Object.entries(said).flatMap(([member, value]) =>
      value === undefined
        ? []
        : [{ path: [...path, member], message: 'what passes on a post says nothing of its own' }],
    );
  }
  if (media !== undefined && poll !== undefined) {
    return [{ path: [...path, 'poll'], message: 'a post shows media or a poll, not both' }];
  }
  const isBlank = text === undefined || text.trim() === '';
  if (isBlank && media !== undefined) return [];
  if (text === undefined) return [{ path, message: 'a post has a text, shows media, or reposts another' }];
  const { valid, weighted_length } = weightedLength(text);
  if (valid && !isBlank) return [];
  const message =
    weighted_length > 280
      ? `the text has a length of ${weighted_length}; a post has up to 280`
      : 'the text is empty, or holds characters that a post cannot hold';
  return [{ path: [...path, 'text'], message }];
}

function votersOf(poll: FilePost['poll']): string[] {
  return (poll?.votes ?? []).map(({ user }) => user);
}

function folded(name: string): string {
  return name.toLowerCase();
}

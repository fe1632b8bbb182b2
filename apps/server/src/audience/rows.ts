/** Rows of the platform's store in the form of the audience index: all of them, page by page, and the changed ones. */
import { type MarkedWords, markedWordsOf } from '@broadside/core/resources/audience-estimate';
import { and, asc, gt, lt, sql } from 'drizzle-orm';
import type { Reader } from '../db/database.ts';
import { query } from '../db/query-builder.ts';
import { rows, statement } from '../db/statement.ts';
import { orNull, types } from '../db/value-types.ts';
import { follows } from '../follows/platform-table.ts';
import type { IdentifiedUser } from '../identity/identifiers.ts';
import { users } from '../identity/platform-table.ts';
import { identifyingColumns } from '../identity/user-columns.ts';
import { posts } from '../posts/platform-table.ts';
import { snowflakeAt } from '../world/ids.ts';
import { personColumns, personOf } from './person-row.ts';
import type { Person } from './traits.ts';

/** Indexed properties of a post. */
export interface PostToIndex extends MarkedWords {
  readonly id: bigint;
  readonly author_id: bigint;
  readonly created_ms: number;
  readonly lang: string;
}

/** A follow. */
export interface FollowToIndex {
  readonly follower_id: bigint;
  readonly followed_id: bigint;
}

/** Rows per read: small enough that nothing waits for it noticeably. */
export const PAGE = 500;
export const SMALL_PAGE = 200;

/** Yields to other work; awaited after each page. */
export type Step = () => Promise<void>;

/** The order in which people came. */
export const rowid = sql`rowid`.mapWith(types.long);
const pageOfPeople = statement({ after: types.long }, ({ after }) =>
  query
    .select({ at: rowid, ...personColumns })
    .from(users)
    .where(gt(rowid, after))
    .orderBy(rowid)
    .limit(PAGE),
);

/** Reads all people. */
export async function scanPeople(reader: Reader, take: (person: Person) => void, step: Step): Promise<void> {
  for (let after: bigint | undefined = 0n; after !== undefined; ) {
    const page: Awaited<ReturnType<typeof pageOfPeople.all>> = await pageOfPeople.all(reader, { after });
    for (const person of page) take(personOf(person));
    after = page.at(-1)?.at;
    await step();
  }
}

const pageOfIdentified = statement({ after: types.long }, ({ after }) =>
  query
    .select({ at: rowid, ...identifyingColumns })
    .from(users)
    .where(gt(rowid, after))
    .orderBy(rowid)
    .limit(PAGE),
);

/** Reads the identifiers of all people. */
export async function scanIdentified(
  reader: Reader,
  take: (people: readonly IdentifiedUser[]) => Promise<void>,
): Promise<void> {
  for (let after: bigint | undefined = 0n; after !== undefined; ) {
    const page: Awaited<ReturnType<typeof pageOfIdentified.all>> = await pageOfIdentified.all(reader, { after });
    if (page.length > 0) await take(page);
    after = page.at(-1)?.at;
  }
}

const pageOfFollows = statement(
  { follower_id: follows.follower_id, followed_id: follows.followed_id },
  ({ follower_id, followed_id }) =>
    query
      .select({ follower_id: follows.follower_id, followed_id: follows.followed_id, state: follows.state })
      .from(follows)
      .where(sql`(${follows.follower_id}, ${follows.followed_id}) > (${follower_id}, ${followed_id})`)
      .orderBy(asc(follows.follower_id), asc(follows.followed_id))
      .limit(PAGE),
);

/** Reads all active follows. */
export async function scanFollows(reader: Reader, take: (follow: FollowToIndex) => void, step: Step): Promise<void> {
  for (let last: FollowToIndex | undefined = { follower_id: -1n, followed_id: -1n }; last; ) {
    const { follower_id, followed_id }: FollowToIndex = last;
    const page: Awaited<ReturnType<typeof pageOfFollows.all>> = await pageOfFollows.all(reader, {
      follower_id,
      followed_id,
    });
    for (const follow of page) if (follow.state === 'approved') take(follow);
    last = page.at(-1);
    await step();
  }
}

const counts = sql`${posts.reposted_id} IS NULL AND ${posts.nullcast} = 0 AND ${posts.deleted_ms} IS NULL AND ${posts.taken_down_ms} IS NULL`;
const pageOfPosts = statement(
  { after: posts.id, before: posts.id, since_ms: types.int },
  ({ after, before, since_ms }) =>
    query
      .select({
        id: posts.id,
        author_id: posts.author_id,
        created_ms: posts.created_ms,
        lang: posts.lang,
        // Posts that do not count are read without their text, rather than skipped: this bounds a page however few posts count.
        text: sql`CASE WHEN ${posts.created_ms} >= ${since_ms} AND ${counts} THEN ${posts.text} END`.mapWith(
          orNull(types.text),
        ),
      })
      .from(posts)
      .where(and(gt(posts.id, after), lt(posts.id, before)))
      .orderBy(posts.id)
      .limit(SMALL_PAGE),
);

/** Called with the author and the time of each post that is read, whether or not it counts. */
export type Seen = (author_id: bigint, created_ms: number) => void;

/** Reads all posts that count and were written since a time. */
export async function scanPosts(
  reader: Reader,
  since_ms: number,
  take: (post: PostToIndex) => void,
  step: Step,
  seen?: Seen,
): Promise<void> {
  const first = snowflakeAt(Math.max(0, since_ms), 0n);
  await scanIds(reader, { first, before: LAST_ID, since_ms }, take, step, seen);
}

/** Reads all posts that count and were written in a period. */
export async function scanPostsBetween(
  reader: Reader,
  from_ms: number,
  to_ms: number,
  take: (post: PostToIndex) => void,
  step: Step,
): Promise<void> {
  const [first, end] = [snowflakeAt(from_ms, 0n), snowflakeAt(to_ms, 0n)];
  const takeWithin = (post: PostToIndex) => {
    if (post.created_ms < to_ms) take(post);
  };
  // Posts from before the first id have ids of its millisecond.
  const before = end < FIRST_MS_END ? FIRST_MS_END : end;
  await scanIds(reader, { first: first - 1n, before, since_ms: from_ms }, takeWithin, step);
}

const FIRST_MS_END = snowflakeAt(0, 0n) + (1n << 22n);
const LAST_ID = 2n ** 63n - 1n;

/** Ids encode the time, so posts of other times are not read at all. */
async function scanIds(
  reader: Reader,
  { first, before, since_ms }: { readonly first: bigint; readonly before: bigint; readonly since_ms: number },
  take: (post: PostToIndex) => void,
  step: Step,
  seen?: Seen,
): Promise<void> {
  for (let after: bigint | undefined = first; after !== undefined; ) {
    const page: Awaited<ReturnType<typeof pageOfPosts.all>> = await pageOfPosts.all(reader, {
      after,
      before,
      since_ms,
    });
    for (const post of page) takePost(post, take, seen);
    after = page.at(-1)?.id;
    await step();
  }
}

const listPeople = statement({ ids: types.texts }, ({ ids }) =>
  rows(
    personColumns,
    (columns) =>
      sql`SELECT ${columns} FROM json_each(${ids}) AS wanted CROSS JOIN ${users} ON ${users.id} = wanted.value`,
  ),
);

/** Reads the existing people with these ids. */
export async function readChangedPeople(reader: Reader, ids: readonly bigint[]): Promise<Person[]> {
  if (ids.length === 0) return [];
  return (await listPeople.all(reader, { ids: ids.map(String) })).map(personOf);
}

const listIdentified = statement({ ids: types.texts }, ({ ids }) =>
  rows(
    identifyingColumns,
    (columns) =>
      sql`SELECT ${columns} FROM json_each(${ids}) AS wanted CROSS JOIN ${users} ON ${users.id} = wanted.value`,
  ),
);

/** Reads the identifiers of the existing people with these ids. */
export async function readIdentified(reader: Reader, ids: readonly bigint[]): Promise<IdentifiedUser[]> {
  return ids.length === 0 ? [] : listIdentified.all(reader, { ids: ids.map(String) });
}

const listFollows = statement({ wanted: types.text }, ({ wanted }) =>
  rows(
    { follower_id: follows.follower_id, followed_id: follows.followed_id },
    (columns) => sql`SELECT ${columns} FROM json_each(${wanted}) AS wanted
      CROSS JOIN ${follows} ON ${follows.follower_id} = json_extract(wanted.value, '$[0]')
        AND ${follows.followed_id} = json_extract(wanted.value, '$[1]')
      WHERE ${follows.state} = 'approved'`,
  ),
);

/** Reads the active ones of these follows. */
export async function readChangedFollows(reader: Reader, changed: readonly FollowToIndex[]): Promise<FollowToIndex[]> {
  if (changed.length === 0) return [];
  // As text, because JSON numbers of SQLite are exact, and those of JavaScript are not.
  const wanted = `[${changed.map(({ follower_id, followed_id }) => `[${follower_id},${followed_id}]`).join()}]`;
  return listFollows.all(reader, { wanted });
}

const listPosts = statement({ ids: types.longs }, ({ ids }) =>
  rows(
    {
      id: posts.id,
      author_id: posts.author_id,
      created_ms: posts.created_ms,
      lang: posts.lang,
      text: sql`CASE WHEN ${counts} THEN ${posts.text} END`.mapWith(orNull(types.text)),
    },
    (columns) => sql`SELECT ${columns} FROM json_each(${ids}) AS wanted
      CROSS JOIN ${posts} ON ${posts.id} = CAST(wanted.value AS INTEGER)`,
  ),
);

/** Reads those of these posts that count. */
export async function readChangedPosts(reader: Reader, ids: readonly bigint[], seen?: Seen): Promise<PostToIndex[]> {
  if (ids.length === 0) return [];
  const found: PostToIndex[] = [];
  for (const post of await listPosts.all(reader, { ids })) takePost(post, (indexed) => found.push(indexed), seen);
  return found;
}

/** Emits a post, unless it does not count. */
function takePost(
  { text, ...post }: Omit<PostToIndex, keyof MarkedWords> & { readonly text: string | null },
  take: (post: PostToIndex) => void,
  seen?: Seen,
): void {
  seen?.(post.author_id, post.created_ms);
  if (text !== null) take({ ...post, ...markedWordsOf(text) });
}

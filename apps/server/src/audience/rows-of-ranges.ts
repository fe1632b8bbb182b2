/** Rows of the platform's store of the people in some ranges, found by indexes: nobody else's are read. */
import { sql } from 'drizzle-orm';
import type { Reader } from '../db/database.ts';
import { rows, statement } from '../db/statement.ts';
import { types } from '../db/value-types.ts';
import { follows } from '../follows/platform-table.ts';
import { rangeOfPerson, users } from '../identity/platform-table.ts';
import { posts } from '../posts/platform-table.ts';
import { snowflakeAt } from '../world/ids.ts';
import { IdList } from './id-list.ts';
import { personColumns, personOf } from './person-row.ts';
import { type Ranges, rangesIn } from './ranges.ts';
import {
  type FollowToIndex,
  PAGE,
  type PostToIndex,
  readChangedPosts,
  type Seen,
  SMALL_PAGE,
  type Step,
} from './rows.ts';
import type { Person } from './traits.ts';

/** Ids of posts per read. */
const IDS = 10_000;

/** What is taken of rows. */
interface Takers {
  readonly person: (person: Person) => void;
  readonly follow: (follow: FollowToIndex) => void;
  /** Called once, after people and follows. */
  readonly seal: () => Promise<void>;
  /** In the order of ids. */
  readonly post: (post: PostToIndex) => void;
  readonly seen: Seen;
}

/*
 * Each statement goes through a list by one index, and goes on after what was read last. CROSS JOIN has the list be the outer loop, so
 * rows come in the order of the list; a sorter would read everything for each page.
 */
const pageOfPeople = statement({ ranges: types.longs, after: types.long }, ({ ranges, after }) =>
  rows(
    { range: sql`wanted.range`.mapWith(types.long), at: sql`${users}.rowid`.mapWith(types.long), ...personColumns },
    (columns) => sql`SELECT ${columns} FROM (SELECT key AS place, value AS range FROM json_each(${ranges})) AS wanted
      CROSS JOIN ${users} ON ${rangeOfPerson} = wanted.range
        AND ${users}.rowid > CASE wanted.place WHEN 0 THEN ${after} ELSE 0 END
      LIMIT ${sql.raw(`${PAGE}`)}`,
  ),
);

const pageOfFollows = statement({ people: types.longs, after: types.long }, ({ people, after }) =>
  rows(
    { follower_id: follows.follower_id, followed_id: follows.followed_id, state: follows.state },
    (columns) => sql`SELECT ${columns} FROM (SELECT key AS place, value AS person FROM json_each(${people})) AS wanted
      CROSS JOIN ${follows} ON ${follows.follower_id} = wanted.person
        AND ${follows.followed_id} > CASE wanted.place WHEN 0 THEN ${after} ELSE -1 END
      LIMIT ${sql.raw(`${PAGE}`)}`,
  ),
);

const pageOfPostIds = statement({ people: types.longs, after: posts.id, first: posts.id }, ({ people, after, first }) =>
  rows(
    { author_id: posts.author_id, id: posts.id },
    (columns) => sql`SELECT ${columns} FROM (SELECT key AS place, value AS person FROM json_each(${people})) AS wanted
      CROSS JOIN ${posts} ON ${posts.author_id} = wanted.person
        AND ${posts.id} > CASE wanted.place WHEN 0 THEN ${after} ELSE ${first} END
      LIMIT ${sql.raw(`${IDS}`)}`,
  ),
);

/** Reads the people of some ranges, whom they follow, and those of their posts that count and were written since a time. */
export async function scanRanges(
  reader: Reader,
  { ranges, since_ms }: { readonly ranges: Ranges; readonly since_ms: number },
  take: Takers,
  step: Step,
): Promise<void> {
  const first = snowflakeAt(Math.max(0, since_ms), 0n);
  const found = new IdList();
  const readPostIds = (people: readonly bigint[]) =>
    forEachPage(people, first, IDS, async (left, after) => {
      const page = await pageOfPostIds.all(reader, { people: left, after, first });
      for (const { id } of page) found.pushId(id);
      await step();
      const last = page.at(-1);
      return last && { length: page.length, item: last.author_id, after: last.id };
    });
  const readFollows = (people: readonly bigint[]) =>
    forEachPage(people, -1n, PAGE, async (left, after) => {
      const page = await pageOfFollows.all(reader, { people: left, after });
      for (const follow of page) if (follow.state === 'approved') take.follow(follow);
      await step();
      const last = page.at(-1);
      return last && { length: page.length, item: last.follower_id, after: last.followed_id };
    });
  await forEachPage(rangesIn(ranges).map(BigInt), 0n, PAGE, async (left, after) => {
    const page = (await pageOfPeople.all(reader, { ranges: left, after })).map((row) => ({
      ...row,
      person: personOf(row),
    }));
    for (const { person } of page) take.person(person);
    await step();
    const people = page.map(({ person }) => person.id);
    await readFollows(people);
    await readPostIds(people);
    const last = page.at(-1);
    return last && { length: page.length, item: last.range, after: last.at };
  });
  await take.seal();
  const ids = found.sort();
  for (let from = 0; from < ids.length; from += SMALL_PAGE) {
    const page = await readChangedPosts(reader, [...ids.subarray(from, from + SMALL_PAGE)], take.seen);
    page.sort((one, other) => (one.id < other.id ? -1 : 1));
    for (const post of page) if (post.created_ms >= since_ms) take.post(post);
    await step();
  }
}

/** Where a page ends. */
interface PageEnd {
  readonly length: number;
  /** The item of the list to which its last row belongs, */
  readonly item: bigint;
  /** and what the row has in the order of those of the item. */
  readonly after: bigint;
}

/**
 * Reads what belongs to the items of a list, page by page.
 * @param first what all rows of an item come after
 * @param size of a page; a shorter one is the last
 * @param read reads a page of what belongs to these items, of the first of them what comes after something
 */
async function forEachPage(
  items: readonly bigint[],
  first: bigint,
  size: number,
  read: (items: readonly bigint[], after: bigint) => Promise<PageEnd | undefined>,
): Promise<void> {
  let left = items;
  let after = first;
  while (left.length > 0) {
    const end = await read(left, after);
    if (!end || end.length < size) return;
    left = left.slice(left.indexOf(end.item));
    after = end.after;
  }
}

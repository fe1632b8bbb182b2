/** Rows of the platform's store as the audience index takes them: all of them, page by page, and those that changed. */
import { findCountry, placesAround, wordsOf } from '@broadside/core/rules';
import { bigOf, textOrNull } from '../db/cells.ts';
import type { Arg, Reader, Row, Value } from '../db/database.ts';
import { snowflakeAt } from '../world/ids.ts';
import { traitKey } from './traits.ts';

/** What the platform knows of a person. */
export interface Person {
  readonly id: bigint;
  /** See {@link traitKey}. */
  readonly traits: readonly string[];
  readonly birth_date: string | undefined;
}

/** A post as the index takes it. */
export interface PostToIndex {
  readonly id: bigint;
  readonly author_id: bigint;
  readonly created_ms: number;
  readonly words: readonly string[];
}

/** Somebody follows somebody. */
export interface FollowToIndex {
  readonly follower_id: bigint;
  readonly followed_id: bigint;
}

/** Rows of one read: small enough that nobody waits for it. */
const PAGE = 500;
const SMALL_PAGE = 200;

/** Gives way to other work; awaited after each page. */
type Step = () => Promise<void>;

const PERSON = `"id", "country", "place", "birth_date", "gender", "languages", "platforms", "interests"`;

/** All people. */
export async function scanPeople(reader: Reader, take: (person: Person) => void, step: Step): Promise<void> {
  const sql = `SELECT rowid, ${PERSON} FROM "users" WHERE rowid > ? ORDER BY rowid LIMIT ${PAGE}`;
  await scan(reader, sql, 0n, ([, ...cells]) => take(personOf(cells)), step);
}

const SCAN_FOLLOWS = `SELECT "follower_id", "followed_id", "state" FROM "follows"
  WHERE ("follower_id", "followed_id") > (?, ?) ORDER BY "follower_id", "followed_id" LIMIT ${PAGE}`;

/** All follows that hold. */
export async function scanFollows(reader: Reader, take: (follow: FollowToIndex) => void, step: Step): Promise<void> {
  for (let last: FollowToIndex | undefined = { follower_id: -1n, followed_id: -1n }; last; ) {
    const rows: readonly Row[] = await reader.query(SCAN_FOLLOWS, [last.follower_id, last.followed_id]);
    last = undefined;
    for (const [follower, followed, state] of rows) {
      last = { follower_id: bigOf(follower), followed_id: bigOf(followed) };
      if (state === 'approved') take(last);
    }
    await step();
  }
}

// What does not count is read without its text, rather than left out: a page then has an end however few of it count.
const COUNTS = `"created_ms" >= ? AND "reposted_id" IS NULL AND "nullcast" = 0 AND "deleted_ms" IS NULL`;
const SCAN_POSTS = `SELECT "id", "author_id", "created_ms", CASE WHEN ${COUNTS} THEN "text" END FROM "posts"
  WHERE "id" > ? ORDER BY "id" LIMIT ${SMALL_PAGE}`;

/** All posts that count and were written since a time. */
export async function scanPosts(
  reader: Reader,
  since_ms: number,
  take: (post: PostToIndex) => void,
  step: Step,
): Promise<void> {
  // Ids tell the time, so what is older is not read at all.
  const first = snowflakeAt(Math.max(0, since_ms), 0n);
  await scan(reader, SCAN_POSTS, first, (row) => takePost(row, take), step, [since_ms]);
}

async function scan(
  reader: Reader,
  sql: string,
  after: bigint,
  take: (row: Row) => void,
  step: Step,
  args: readonly Arg[] = [],
): Promise<void> {
  for (let last: bigint | undefined = after; last !== undefined; ) {
    const rows: readonly Row[] = await reader.query(sql, [...args, last]);
    for (const row of rows) take(row);
    const end = rows.at(-1)?.[0];
    last = end === undefined ? undefined : bigOf(end);
    await step();
  }
}

const CHANGED_PEOPLE = `SELECT ${PERSON.replace('"id"', '"users"."id"')} FROM json_each(?) AS wanted
  CROSS JOIN "users" ON "users"."id" = wanted.value`;

/** The people with these ids that there are. */
export async function readChangedPeople(reader: Reader, ids: readonly bigint[]): Promise<Person[]> {
  if (ids.length === 0) return [];
  return (await reader.query(CHANGED_PEOPLE, [JSON.stringify(ids.map(String))])).map(personOf);
}

const CHANGED_FOLLOWS = `SELECT "follower_id", "followed_id" FROM json_each(?) AS wanted
  CROSS JOIN "follows" ON "follower_id" = json_extract(wanted.value, '$[0]') AND "followed_id" = json_extract(wanted.value, '$[1]')
  WHERE "state" = 'approved'`;

/** Those of these follows that hold. */
export async function readChangedFollows(reader: Reader, follows: readonly FollowToIndex[]): Promise<FollowToIndex[]> {
  if (follows.length === 0) return [];
  // As text, because JSON numbers of SQLite are exact, and those of JavaScript are not.
  const wanted = `[${follows.map(({ follower_id, followed_id }) => `[${follower_id},${followed_id}]`).join()}]`;
  const rows = await reader.query(CHANGED_FOLLOWS, [wanted]);
  return rows.map(([follower, followed]) => ({ follower_id: bigOf(follower), followed_id: bigOf(followed) }));
}

const CHANGED_POSTS = `SELECT "posts"."id", "author_id", "created_ms", "text" FROM json_each(?) AS wanted
  CROSS JOIN "posts" ON "posts"."id" = CAST(wanted.value AS INTEGER)
  WHERE "reposted_id" IS NULL AND "nullcast" = 0 AND "deleted_ms" IS NULL`;

/** Those of these posts that count. */
export async function readChangedPosts(reader: Reader, ids: readonly bigint[]): Promise<PostToIndex[]> {
  if (ids.length === 0) return [];
  const posts: PostToIndex[] = [];
  for (const row of await reader.query(CHANGED_POSTS, [`[${ids.join()}]`])) takePost(row, (post) => posts.push(post));
  return posts;
}

function takePost([id, author, created_ms, text]: Row, take: (post: PostToIndex) => void): void {
  if (typeof text !== 'string') return;
  take({ id: bigOf(id), author_id: bigOf(author), created_ms: Number(created_ms), words: wordsOf(text) });
}

function personOf([id, country, place, birth_date, gender, languages, platforms, interests]: Row): Person {
  return {
    id: BigInt(String(id)),
    birth_date: typeof birth_date === 'string' ? birth_date : undefined,
    traits: [
      ...locationsOf(textOrNull(country), textOrNull(place)),
      ...(gender === null || gender === undefined ? [] : [traitKey('gender', `${gender}`)]),
      ...valuesOf(languages).map((value) => traitKey('language', value)),
      ...valuesOf(platforms).map((value) => traitKey('platform', value)),
      ...valuesOf(interests).map((value) => traitKey('interest', value)),
    ],
  };
}

const locationKeys = new Map<string, readonly string[]>();

/** Whoever is in a place is in all that it lies in, so that a query for any of them is one look. */
function locationsOf(country: string | null, place: string | null): readonly string[] {
  const key = `${country} ${place}`;
  const known = locationKeys.get(key);
  if (known) return known;
  const home = country === null ? undefined : findCountry(country)?.targeting_value;
  const around = place === null ? [] : placesAround(place).map(({ targeting_value }) => targeting_value);
  const values = around.length > 0 ? around : home === undefined ? [] : [home];
  const made = values.map((value) => traitKey('location', value));
  locationKeys.set(key, made);
  return made;
}

function valuesOf(json: Value | undefined): readonly string[] {
  const values: unknown = typeof json === 'string' ? JSON.parse(json) : [];
  return Array.isArray(values) ? values.map(String) : [];
}

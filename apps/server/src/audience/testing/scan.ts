/** Counts people by scanning every row: the reference for the index. */

import { ageRangeOf, findCountry, placesAround } from '@broadside/core/data';
import type { AudienceQuery, Trait } from '@broadside/core/resources/audience-estimate';
import type { Database } from '../../db/database.ts';

interface Person {
  readonly id: string;
  readonly places: ReadonlySet<string>;
  readonly birth_date: string | null;
  readonly gender: string;
  readonly languages: readonly string[];
  readonly platforms: readonly string[];
  readonly interests: readonly string[];
}

/** Everything that a count can depend on. */
export interface Rows {
  readonly people: readonly Person[];
  /** In the order in which people joined: the ids of those whom each follows. */
  readonly follows: ReadonlyMap<string, ReadonlySet<string>>;
  /** By author. */
  readonly posts: ReadonlyMap<string, readonly Wording[]>;
}

interface Wording {
  readonly author: string;
  readonly text: string;
  readonly created_ms: number;
}

const list = (json: unknown): string[] => (typeof json === 'string' ? JSON.parse(json) : []);

/** Reads all rows. */
export async function readRows(database: Database): Promise<Rows> {
  const users = await database.query(
    'SELECT id, country, place, birth_date, gender, languages, platforms, interests FROM users ORDER BY rowid',
  );
  const follows = await database.query(
    `SELECT CAST(follower_id AS TEXT), CAST(followed_id AS TEXT) FROM follows WHERE state = 'approved'`,
  );
  const posts = await database.query(
    `SELECT CAST(author_id AS TEXT), text, created_ms FROM posts
     WHERE deleted_ms IS NULL AND reposted_id IS NULL AND nullcast = 0`,
  );
  const people = users.map(([id, country, place, birth_date, gender, languages, platforms, interests]): Person => {
    const around = typeof place === 'string' ? placesAround(place) : [];
    const home = typeof country === 'string' ? findCountry(country) : undefined;
    const places = around.length > 0 ? around : home ? [home] : [];
    return {
      id: String(id),
      places: new Set(places.map((row) => row.targeting_value)),
      birth_date: typeof birth_date === 'string' ? birth_date : null,
      gender: String(gender),
      languages: list(languages),
      platforms: list(platforms),
      interests: list(interests),
    };
  });
  const followed = new Map<string, Set<string>>(people.map(({ id }) => [id, new Set()]));
  for (const [follower, other] of follows) followed.get(String(follower))?.add(String(other));
  return {
    people,
    follows: followed,
    posts: Map.groupBy(
      posts.map(([author, text, created]) => ({
        author: String(author),
        text: String(text),
        created_ms: Number(created),
      })),
      ({ author }) => author,
    ),
  };
}

const YEAR_MS = 365 * 86_400_000;

/** Counts the matching people. */
export function countByScan(rows: Rows, { all, none }: AudienceQuery, now_ms: number): number {
  const holds = (person: Person) => (trait: Trait) => has(rows, person, trait, now_ms);
  return rows.people.filter((person) => all.every((traits) => traits.some(holds(person))) && !none.some(holds(person)))
    .length;
}

function has(rows: Rows, person: Person, trait: Trait, now_ms: number): boolean {
  switch (trait.kind) {
    case 'location':
      return person.places.has(trait.value);
    case 'language':
      return person.languages.includes(trait.value);
    case 'platform':
      return person.platforms.includes(trait.value);
    case 'gender':
      return person.gender === trait.value;
    case 'interest':
      return person.interests.includes(trait.value);
    case 'age': {
      if (person.birth_date === null) return false;
      const age = ageOn(person.birth_date, new Date(now_ms).toISOString().slice(0, 10));
      return age >= trait.from && (trait.to === null || age <= trait.to);
    }
    case 'followers_of':
      return rows.follows.get(person.id)?.has(trait.user_id) ?? false;
    case 'similar_to_followers_of':
      return isSimilar(rows, person.id, trait.user_id);
    case 'wrote':
      return written(rows, person, now_ms).some((words) =>
        trait.groups.every((group) => ` ${words.join(' ')} `.includes(` ${group.join(' ')} `)),
      );
    case 'wrote_exactly':
      return written(rows, person, now_ms).some((words) => words.join(' ') === trait.words.join(' '));
    case 'custom_audience':
    case 'unknown':
      return false;
  }
}

/** Completed years of age. */
function ageOn(birth: string, today: string): number {
  const years = Number(today.slice(0, 4)) - Number(birth.slice(0, 4));
  return today.slice(5) < birth.slice(5) ? years - 1 : years;
}

/** Returns the words of the posts of a person that count. The posts of these tests have spaces between their words. */
function written({ posts }: Rows, { id }: Person, now_ms: number): string[][] {
  return (posts.get(id) ?? [])
    .filter(({ created_ms }) => created_ms >= now_ms - YEAR_MS)
    .map(({ text }) => text.split(' '));
}

const commonOf = new WeakMap<Rows, Map<string, readonly string[]>>();

function isSimilar(rows: Rows, person: string, user: string): boolean {
  const followed = rows.follows.get(person);
  if (!followed || person === user || followed.has(user)) return false;
  const known = commonOf.get(rows) ?? new Map<string, readonly string[]>();
  commonOf.set(rows, known);
  const common = known.get(user) ?? commonAccounts(rows, user);
  known.set(user, common);
  return common.filter((id) => followed.has(id)).length >= 2;
}

/** Returns the ten accounts that the followers of a user follow most. */
function commonAccounts({ people, follows }: Rows, user: string): readonly string[] {
  const followed = (id: string) => follows.get(id) ?? new Set();
  const followers = people.filter(({ id }) => followed(id).has(user));
  return people
    .map(({ id }, place) => ({ id, place, count: followers.filter((one) => followed(one.id).has(id)).length }))
    .filter(({ id, count }) => id !== user && count > 0)
    .sort((one, other) => other.count - one.count || one.place - other.place)
    .slice(0, 10)
    .map(({ id }) => id);
}

/** Age buckets as traits. */
export function ageTrait(bucket: string): Trait {
  const range = ageRangeOf(bucket);
  if (!range) throw new TypeError(`${bucket} is no bucket`);
  return { kind: 'age', ...range };
}

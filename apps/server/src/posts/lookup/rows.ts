/** Rows of data retrieval, and the statements that read them: many by their keys at once, each table for itself. */
import type { JsonText } from '@broadside/core';
import { sql } from 'drizzle-orm';
import { chain } from '../../awaitable.ts';
import { rows, statement } from '../../db/statement.ts';
import { types } from '../../db/value-types.ts';
import { mediaIdOf } from '../../media/media-id.ts';
import { pollNumber, type StoredPoll, storedPolls } from '../../polls/polls.ts';
import { posts } from '../platform-table.ts';
import { advertiserColumns, ownColumns, ownCounts, publicCounts } from '../post-columns.ts';
import { listMedia, listUsers, type MediaRow, type UserRow, wordsOf } from '../store.ts';
import type { KeptTable } from './kept-rows.ts';

/** About what an object, its members and its place in a map take, in bytes. */
const OVERHEAD = 600;
/** Texts have one or two bytes for a character. */
const BYTES = 2;

/** A text that was made of a row, and what it was made for. */
interface Made {
  readonly members: number;
  readonly base: string;
  readonly by: string;
  readonly text: JsonText;
}

/** About what a post in the form of version 1.1 takes, with its JSON. */
const LISTED = 12_000;

/** Of each row the texts of this many different queries are kept. */
const TEXTS = 2;

/** The texts that were made of a row. */
export class Texts {
  readonly #made: Made[] = [];
  #weight: number;

  /** @param characters of the row */
  constructor(characters: number) {
    this.#weight = OVERHEAD + BYTES * characters;
  }

  /** The size of row and texts in memory, about, in bytes. */
  get weight(): number {
    return this.#weight;
  }

  /**
   * The text with some members, if it was made before.
   * @param base the address of the platform, where the text depends on it
   * @param by what else the text depends on
   */
  find(members: number, base: string, by: string): JsonText | undefined {
    for (const made of this.#made) {
      if (made.members === members && made.base === base && made.by === by) return made.text;
    }
    return undefined;
  }

  /** Adds what is made of the row besides. @returns by how many bytes the weight has grown */
  grow(bytes: number): number {
    this.#weight += bytes;
    return bytes;
  }

  /** Keeps a text. @returns by how many bytes the weight has grown */
  keep(members: number, base: string, by: string, text: JsonText): number {
    const gone = this.#made.length === TEXTS ? this.#made.shift() : undefined;
    this.#made.push({ members, base, by, text });
    const grown = BYTES * (text.text.length - (gone?.text.text.length ?? 0));
    this.#weight += grown;
    return grown;
  }
}

const listPosts = statement({ ids: types.texts }, ({ ids }) =>
  rows(
    {
      ...ownColumns,
      ...publicCounts,
      ...ownCounts,
      deleted: sql`${posts.deleted_ms} IS NOT NULL`.mapWith(types.flag),
      taken_down: sql`${posts.taken_down_ms} IS NOT NULL`.mapWith(types.flag),
      ...advertiserColumns,
    },
    (columns) => sql`SELECT ${columns} FROM json_each(${ids}) AS wanted
      CROSS JOIN ${posts} ON ${posts.id} = CAST(wanted.value AS INTEGER)`,
  ),
);

/** A post as stored, without anything of other rows. */
export type StoredPost = Awaited<ReturnType<typeof listPosts.all>>[number];

/** A reference of a post to another. */
export interface Reference {
  readonly type: 'reposted' | 'quoted' | 'replied_to';
  readonly id: string;
}

/** A post, with what is found in it. */
export class LookedUpPost {
  readonly row: StoredPost;
  readonly id: string;
  readonly author_id: string;
  readonly in_reply_to_user_id: string | undefined;
  /** The post that it passes on. */
  readonly original_id: string | undefined;
  readonly references: readonly Reference[];
  readonly media_keys: readonly string[];
  /** The number of its poll. */
  readonly poll: string | undefined;
  readonly texts: Texts;
  #mentioned: readonly string[] | undefined;
  #listed = false;

  constructor(row: StoredPost) {
    this.row = row;
    this.id = `${row.id}`;
    this.author_id = `${row.author_id}`;
    this.in_reply_to_user_id = row.in_reply_to_user_id === null ? undefined : `${row.in_reply_to_user_id}`;
    this.original_id = row.reposted_id === null ? undefined : `${row.reposted_id}`;
    this.references = referencesOf(row);
    this.media_keys = wordsOf(row.media_keys);
    const poll = pollNumber(row);
    this.poll = poll === undefined ? undefined : `${poll}`;
    const { text, entities, context_annotations, place } = row;
    this.texts = new Texts(
      text.length + (entities?.length ?? 0) + (context_annotations?.length ?? 0) + (place?.length ?? 0),
    );
  }

  get weight(): number {
    return this.texts.weight;
  }

  get taken_down(): boolean {
    return this.row.taken_down;
  }

  /** To be called when the post is shown to advertisers. @returns by how many bytes its weight has grown */
  listed(): number {
    if (this.#listed) return 0;
    this.#listed = true;
    return this.texts.grow(LISTED);
  }

  /** The mentioned users that exist: their ids are in the entities of the post. */
  get mentioned(): readonly string[] {
    this.#mentioned ??= mentionedIn(this.row.entities);
    return this.#mentioned;
  }
}

function referencesOf({ reposted_id, quoted_id, replied_to_id }: StoredPost): readonly Reference[] {
  if (reposted_id === null && quoted_id === null && replied_to_id === null) return none;
  const references: Reference[] = [];
  if (reposted_id !== null) references.push({ type: 'reposted', id: `${reposted_id}` });
  if (quoted_id !== null) references.push({ type: 'quoted', id: `${quoted_id}` });
  if (replied_to_id !== null) references.push({ type: 'replied_to', id: `${replied_to_id}` });
  return references;
}

const none: readonly never[] = [];
const MENTION_ID = /"id":"(\d+)"/g;

function mentionedIn(entities: string | null): readonly string[] {
  if (entities === null || !entities.includes('"mentions"')) return none;
  const value: unknown = JSON.parse(entities);
  const mentions = typeof value === 'object' && value !== null && 'mentions' in value ? value.mentions : [];
  // As numbers, so that each has one text.
  return [...JSON.stringify(mentions).matchAll(MENTION_ID)].map(([, id = '0']) => `${BigInt(id)}`);
}

const largest = `${2n ** 63n - 1n}`;

/** The text of an id as the store has it; `undefined` for one that no row can have: 19 digits can exceed 64 bits. */
export function canonicalId(id: string): string | undefined {
  const digits = id.startsWith('0') ? `${BigInt(id)}` : id;
  return digits.length < largest.length || (digits.length === largest.length && digits <= largest) ? digits : undefined;
}

/** Posts by their ids. */
export const lookedUpPosts: KeptTable<LookedUpPost> = {
  name: 'posts',
  idOf: (id) => id,
  read: (database, ids) =>
    chain(listPosts.all(database, { ids }), (found) =>
      found.map((row) => {
        const post = new LookedUpPost(row);
        return [post.id, post];
      }),
    ),
};

/** A person as data retrieval shows them. */
export class LookedUpUser {
  readonly row: UserRow;
  readonly texts: Texts;

  constructor(row: UserRow) {
    this.row = row;
    this.texts = new Texts(row.description.length + (row.entities?.length ?? 0));
  }

  get weight(): number {
    return this.texts.weight;
  }
}

/** People by their ids. */
export const lookedUpUsers: KeptTable<LookedUpUser> = {
  name: 'users',
  idOf: (id) => id,
  read: (database, ids) =>
    chain(listUsers.all(database, { ids }), (found) => found.map((row) => [row.id, new LookedUpUser(row)])),
};

/** Media that can be shown. */
export class LookedUpMedia {
  readonly row: MediaRow;
  readonly texts: Texts;

  constructor(row: MediaRow) {
    this.row = row;
    this.texts = new Texts(row.alt_text?.length ?? 0);
  }

  get weight(): number {
    return this.texts.weight;
  }
}

/** Media by their keys, which end with their ids. */
export const lookedUpMedia: KeptTable<LookedUpMedia> = {
  name: 'media',
  idOf: mediaIdOf,
  read: (database, keys) =>
    chain(listMedia.all(database, { keys }), (found) =>
      found.map((row) => [row.media_key, new LookedUpMedia({ ...row, kind: row.kind ?? 'photo' })]),
    ),
};

/** A poll, open or closed. */
export class LookedUpPoll {
  readonly row: StoredPoll;
  readonly texts: Texts;

  constructor(row: StoredPoll) {
    this.row = row;
    this.texts = new Texts(200);
  }

  get weight(): number {
    return this.texts.weight;
  }
}

/** Polls by their numbers. */
export const lookedUpPolls: KeptTable<LookedUpPoll> = {
  name: 'polls',
  idOf: (number) => number,
  read: (database, numbers) =>
    chain(storedPolls(database, numbers.map(BigInt)), (found) =>
      found.map((row) => [`${row.id}`, new LookedUpPoll(row)]),
    ),
};

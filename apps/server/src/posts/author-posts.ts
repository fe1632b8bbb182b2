/** The posts of an author, the newest first, a page at a time: the cost is that of the page, however many posts there are. */
import { and, desc, eq, gte, isNotNull, isNull, lt, sql } from 'drizzle-orm';
import { type Awaitable, chain } from '../awaitable.ts';
import type { Reader } from '../db/database.ts';
import { foldName } from '../db/fold-name.ts';
import { query } from '../db/query-builder.ts';
import { statement } from '../db/statement.ts';
import { types } from '../db/value-types.ts';
import { posts } from './platform-table.ts';
import { isRowId, readPosts } from './store.ts';

/** Which posts of an author, and how many of them. */
export interface AuthorQuery {
  readonly author_id: bigint;
  /** Promoted only, in public, or both. */
  readonly timeline: 'ALL' | 'NULLCAST' | 'ORGANIC';
  /** True where posts that mention or answer somebody are among them. */
  readonly addressed: boolean;
  /** Only names that begin with this text. */
  readonly name?: string | undefined;
  readonly ids?: readonly bigint[] | undefined;
  /** Only older posts than this one. */
  readonly before?: bigint | undefined;
  readonly count: number;
}

/** As many posts are found by their names; more are found faster in the order of their ids. */
const NAMED_AT_ONCE = 2000;
/** So many entries of the index are searched for a name at once, before other work has its turn. */
const SEARCHED_AT_ONCE = 20_000;

const isThere = isNull(posts.deleted_ms);

const listPart = statement(
  { author_id: posts.author_id, timeline: posts.timeline, before: types.long, count: types.int },
  ({ author_id, timeline, before, count }) =>
    query
      .select({ id: posts.id })
      .from(posts)
      .where(and(eq(posts.author_id, author_id), eq(posts.timeline, timeline), lt(posts.id, before), isThere))
      .orderBy(desc(posts.id))
      .limit(count.placeholder),
);
const findEnd = statement(
  { author_id: posts.author_id, timeline: posts.timeline, before: types.long },
  ({ author_id, timeline, before }) =>
    query
      .select({ id: posts.id })
      .from(posts)
      .where(and(eq(posts.author_id, author_id), eq(posts.timeline, timeline), lt(posts.id, before), isThere))
      .orderBy(desc(posts.id))
      .limit(1)
      .offset(SEARCHED_AT_ONCE),
);
// The plus signs keep SQLite from reading the names in their own order, and sorting all that fit.
const searchPart = statement(
  {
    author_id: posts.author_id,
    timeline: posts.timeline,
    before: types.long,
    end: types.long,
    from: types.text,
    to: types.text,
    count: types.int,
  },
  ({ author_id, timeline, before, end, from, to, count }) =>
    query
      .select({ id: posts.id })
      .from(posts)
      .where(
        and(
          eq(posts.author_id, author_id),
          eq(posts.timeline, timeline),
          lt(posts.id, before),
          gte(posts.id, end),
          sql`+${posts.name_folded} >= ${from}`,
          sql`+${posts.name_folded} < ${to}`,
          isThere,
        ),
      )
      .orderBy(desc(posts.id))
      .limit(count.placeholder),
);
const listNamed = statement(
  { author_id: posts.author_id, from: types.text, to: types.text, count: types.int },
  ({ author_id, from, to, count }) =>
    query
      .select({ id: posts.id, timeline: posts.timeline, deleted_ms: posts.deleted_ms })
      .from(posts)
      .where(
        and(
          eq(posts.author_id, author_id),
          gte(posts.name_folded, from),
          lt(posts.name_folded, to),
          isNotNull(posts.name_folded),
        ),
      )
      .limit(count.placeholder),
);

const AFTER_ALL = 2n ** 63n - 1n;

/** Returns the ids of posts of an author, the newest first. */
export function listByAuthor(reader: Reader, asked: AuthorQuery): Awaitable<bigint[]> {
  const { author_id, ids, name, before = AFTER_ALL, count } = asked;
  if (!isRowId(author_id)) return [];
  const parts = partsOf(asked);
  const from = name === undefined ? undefined : foldName(name);
  if (ids) return chain(known(reader, { ...asked, ids }, parts, from), (found) => page(found, before, count));
  if (from === undefined) return newest(reader, author_id, parts, before, count);
  const names = { from, to: `${from}\u{10ffff}` };
  return chain(listNamed.all(reader, { author_id, ...names, count: NAMED_AT_ONCE + 1 }), (named) => {
    if (named.length > NAMED_AT_ONCE) {
      const found = inEach(parts, (timeline) => searched(reader, { author_id, timeline, ...names }, before, count));
      return chain(found, (all) => page(all, before, count));
    }
    const fitting = named.filter(({ timeline, deleted_ms }) => deleted_ms === null && parts.includes(timeline ?? 0));
    return page(
      fitting.map(({ id }) => id),
      before,
      count,
    );
  });
}

/** The posts found in each part of a timeline, one after the other. */
function inEach(parts: readonly number[], find: (part: number) => Awaitable<readonly bigint[]>): Awaitable<bigint[]> {
  const [first, ...others] = parts;
  if (first === undefined) return [];
  return chain(find(first), (found) => chain(inEach(others, find), (more) => [...found, ...more]));
}

/** The parts of the timeline, as the table numbers them. */
function partsOf({ timeline, addressed }: AuthorQuery): readonly number[] {
  const base = { ALL: [0, 2], NULLCAST: [2], ORGANIC: [0] }[timeline];
  return addressed ? base.flatMap((part) => [part, part + 1]) : base;
}

function page(ids: readonly bigint[], before: bigint, count: number): bigint[] {
  const older = ids.filter((id) => id < before);
  return older.sort((one, other) => (one < other ? 1 : -1)).slice(0, count);
}

/** Those of the posts that are asked for. */
function known(
  reader: Reader,
  { author_id, ids }: { readonly author_id: bigint; readonly ids: readonly bigint[] },
  parts: readonly number[],
  from: string | undefined,
): Awaitable<bigint[]> {
  return chain(readPosts(reader, [...new Set(ids)]), (found) =>
    found.flatMap((row) => {
      if (row.deleted || row.author_id !== author_id || !parts.includes(row.timeline)) return [];
      if (from !== undefined && !(row.name !== null && foldName(row.name).startsWith(from))) return [];
      return [row.id];
    }),
  );
}

function newest(
  reader: Reader,
  author_id: bigint,
  parts: readonly number[],
  before: bigint,
  count: number,
): Awaitable<bigint[]> {
  const found = inEach(parts, (timeline) =>
    chain(listPart.all(reader, { author_id, timeline, before, count }), (rows) => rows.map(({ id }) => id)),
  );
  return chain(found, (all) => page(all, before, count));
}

/** Searches a part for a name that very many posts have, a stretch of the index at a time, until there are enough. */
async function searched(
  reader: Reader,
  part: { readonly author_id: bigint; readonly timeline: number; readonly from: string; readonly to: string },
  first: bigint,
  count: number,
): Promise<bigint[]> {
  const { author_id, timeline } = part;
  const found: bigint[] = [];
  let before: bigint | undefined = first;
  while (before !== undefined && found.length < count) {
    const [last]: { id: bigint }[] = await findEnd.all(reader, { author_id, timeline, before });
    const stretch = { ...part, before, end: last?.id ?? 0n, count: count - found.length };
    for (const { id } of await searchPart.all(reader, stretch)) found.push(id);
    before = last?.id;
  }
  return found;
}

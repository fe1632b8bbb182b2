/** Lists of a library, newest first: all of it, or the records that have some terms. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { decodeCursor, encodeCursor, type Page } from '@broadside/core';
import type { LibraryMediaType } from '@broadside/core/resources/media-library';
import { and, desc, eq, getTableColumns, lt, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { type Awaitable, chain } from '../../awaitable.ts';
import { pageOf } from '../../db/page.ts';
import { query } from '../../db/query-builder.ts';
import { rows, statement } from '../../db/statement.ts';
import { types } from '../../db/value-types.ts';
import type { AccountReader } from '../../world/account-store.ts';
import type { LibraryMediaRow } from './entity.ts';
import { libraryMediaTable, libraryTerms } from './table.ts';
import { termsOfQuery } from './terms.ts';

const ORDER = 'library';
/** After the first page a cursor says where to go on; before it everything is. */
const START = 2n ** 63n - 1n;
const MAX_PROBES = 4_000;
/** Up to which number the records of a term are counted, to begin with the rarest. */
const MAX_COUNTED = 200;

const { account_id } = libraryMediaTable;
const columns = getTableColumns(libraryMediaTable);
const lead = alias(libraryTerms, 'lead');

const listAll = statement({ account_id, before: types.long, limit: types.int }, (args) =>
  query
    .select(columns)
    .from(libraryMediaTable)
    .where(
      and(
        eq(account_id, args.account_id),
        // A literal, without which the partial index does not apply.
        sql`${libraryMediaTable.deleted} = 0`,
        lt(libraryMediaTable.seq, args.before),
      ),
    )
    .orderBy(desc(libraryMediaTable.seq))
    .limit(args.limit.placeholder),
);

const countTerms = statement({ account_id, terms: types.texts, most: types.int }, (args) =>
  rows(
    {
      term: sql`"wanted".value`.mapWith(types.text),
      count: sql`(SELECT count(*) FROM (SELECT 1 FROM ${libraryTerms}
        WHERE ${libraryTerms.account_id} = ${args.account_id} AND ${libraryTerms.term} = "wanted".value
        LIMIT ${args.most}))`.mapWith(types.int),
    },
    (selected) => sql`SELECT ${selected} FROM json_each(${args.terms}) AS "wanted" ORDER BY 2`,
  ),
);

/** The place of the last row of the index that one statement looks at. */
const findEnd = statement({ account_id, term: libraryTerms.term, before: types.long, size: types.int }, (args) =>
  rows(
    { seq: libraryTerms.seq },
    (selected) => sql`SELECT ${selected} FROM ${libraryTerms}
        WHERE ${libraryTerms.account_id} = ${args.account_id} AND ${libraryTerms.term} = ${args.term}
          AND ${libraryTerms.seq} < ${args.before}
        ORDER BY ${libraryTerms.seq} DESC LIMIT 1 OFFSET ${args.size}`,
  ),
);

const listMatching = statement(
  {
    account_id,
    term: libraryTerms.term,
    second: libraryTerms.term,
    others: types.texts,
    before: types.long,
    from: types.long,
    limit: types.int,
  },
  (args) =>
    rows(
      columns,
      // The order of the tables and conditions is that of the work: each row of the index is looked at once, and most fail at
      // the second term, without the cost of a list.
      (selected) => sql`SELECT ${selected} FROM ${libraryTerms} AS ${lead}
        CROSS JOIN ${libraryMediaTable} ON ${account_id} = ${args.account_id}
          AND ${libraryMediaTable.deleted} = 0 AND ${libraryMediaTable.seq} = ${lead.seq}
        WHERE ${lead.account_id} = ${args.account_id} AND ${lead.term} = ${args.term}
          AND ${lead.seq} < ${args.before} AND ${lead.seq} >= ${args.from}
          AND EXISTS (SELECT 1 FROM ${libraryTerms} WHERE ${libraryTerms.account_id} = ${args.account_id}
            AND ${libraryTerms.term} = ${args.second} AND ${libraryTerms.seq} = ${lead.seq})
          AND NOT EXISTS (SELECT 1 FROM json_each(${args.others}) AS "other" WHERE NOT EXISTS (
            SELECT 1 FROM ${libraryTerms} WHERE ${libraryTerms.account_id} = ${args.account_id}
              AND ${libraryTerms.term} = "other".value AND ${libraryTerms.seq} = ${lead.seq}))
        ORDER BY ${lead.seq} DESC LIMIT ${args.limit}`,
    ),
);

/** The parameters of a list. */
export interface LibraryQuery {
  readonly count: number;
  readonly cursor?: string | undefined;
  readonly media_type?: LibraryMediaType | undefined;
  readonly q?: string | undefined;
}

/**
 * Returns a page of the library.
 * @param probes how many rows of the index one statement looks at, at most; it holds the process while it runs
 * @throws ApiError INVALID_PARAMETER when the cursor is of another list
 */
export function listLibrary(
  account: AccountReader,
  { count, cursor, media_type, q }: LibraryQuery,
  probes = MAX_PROBES,
): Awaitable<Page<LibraryMediaRow>> {
  const before = startOf(cursor);
  if (before === undefined) return pageOf<LibraryMediaRow>(undefined, cursor);
  const words = q === undefined ? [] : termsOfQuery(q);
  // A query without a word matches nothing.
  if (q !== undefined && words.length === 0) return { data: [], next_cursor: null };
  const terms = [...words, ...(media_type === undefined ? [] : [media_type])];
  // One row more than the page holds shows whether there is a further one.
  return chain(matching(account, { terms, before, limit: count + 1, probes }), (found) => {
    const data = found.slice(0, count);
    const last = found.length > count ? data.at(-1) : undefined;
    return { data, next_cursor: last ? encodeCursor({ order: ORDER, after: [last.seq] }) : null };
  });
}

function startOf(cursor: string | undefined): bigint | undefined {
  if (cursor === undefined) return START;
  const read = decodeCursor(cursor);
  const [seq, ...more] = read?.after ?? [];
  return read?.order === ORDER && more.length === 0 && typeof seq === 'bigint' ? seq : undefined;
}

interface Search {
  readonly terms: readonly string[];
  readonly before: bigint;
  readonly limit: number;
  readonly probes: number;
}

/** Returns the records with all terms, newest first. The rows of the rarest term are looked at, in portions. */
function matching(account: AccountReader, { terms, before, limit, probes }: Search): Awaitable<LibraryMediaRow[]> {
  const size = Math.max(1, Math.floor(probes / terms.length));
  return chain(rarestFirst(account, terms), ([term, second, ...others]) => {
    if (term === undefined) return account.all(listAll, { before, limit });
    const search = (start: bigint, found: LibraryMediaRow[]): Awaitable<LibraryMediaRow[]> =>
      chain(second === undefined ? [] : account.all(findEnd, { term, before: start, size }), ([end]) => {
        const from = end?.seq ?? 0n;
        const part = { term, second: second ?? term, others, before: start, from, limit: limit - found.length };
        return chain(account.all(listMatching, part), (more) => {
          const all = found.length === 0 ? more : [...found, ...more];
          return all.length === limit || from === 0n ? all : chain(nextTurn(), () => search(from, all));
        });
      });
    return search(before, []);
  });
}

function rarestFirst(account: AccountReader, terms: readonly string[]): Awaitable<readonly string[]> {
  if (terms.length < 2) return terms;
  return chain(account.all(countTerms, { terms, most: MAX_COUNTED }), (counted) => counted.map(({ term }) => term));
}

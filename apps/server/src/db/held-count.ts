import { and, eq } from 'drizzle-orm';
import { type Awaitable, chain } from '../awaitable.ts';
import type { Reader } from './access.ts';
import { listCounts } from './list-count-table.ts';
import { query } from './query-builder.ts';
import { statement } from './statement.ts';

const { account_id, list } = listCounts;

// The class of rows that are neither deleted nor hidden, in a table without drafts.
const readHeld = statement({ account_id, list }, (args) =>
  query
    .select({ count: listCounts.count })
    .from(listCounts)
    .where(
      and(
        eq(account_id, args.account_id),
        eq(list, args.list),
        eq(listCounts.of, ''),
        eq(listCounts.value, ''),
        eq(listCounts.class, 0),
      ),
    )
    .limit(1),
);

/**
 * The number of rows of an account that are neither deleted nor hidden with their parent, as triggers keep it: exact inside a
 * transaction.
 * @param list the table, which has no drafts
 */
export function heldCount(reader: Reader, account_id: string, list: string): Awaitable<number> {
  return chain(readHeld.first(reader, { account_id, list }), (row) => row?.count ?? 0);
}

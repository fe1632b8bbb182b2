import { sql } from 'drizzle-orm';
import type { Reader } from '../../db/database.ts';
import { always, EntityQueries } from '../../db/entity-table.ts';
import { accountScope } from '../../world/account-scope.ts';
import { lineItemCuratedCategories } from './table.ts';

export const lineItemCuratedCategoryQueries = new EntityQueries(
  lineItemCuratedCategories,
  accountScope(lineItemCuratedCategories.account_id),
  {
    not_deleted: always(
      sql`${lineItemCuratedCategories.deleted} = 0 AND ${lineItemCuratedCategories.parent_deleted} = 0`,
    ),
  },
  ['parent_deleted'],
);

const OF_LINE_ITEM = `SELECT "id" FROM "line_item_curated_categories"
  WHERE "account_id" = ? AND "line_item_id" = ? AND "deleted" = 0 LIMIT 1`;

/** The id of what gives a line item its curated category now. */
export async function curatedCategoryOf(
  reader: Reader,
  account_id: string,
  line_item_id: string,
): Promise<string | undefined> {
  const [row] = await reader.query(OF_LINE_ITEM, [account_id, line_item_id]);
  return row && String(row[0]);
}

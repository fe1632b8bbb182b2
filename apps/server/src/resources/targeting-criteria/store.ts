import { sql } from 'drizzle-orm';
import type { Reader } from '../../db/database.ts';
import { always, amongIds, EntityQueries } from '../../db/entity-table.ts';
import { accountScope } from '../../world/account-scope.ts';
import { targetingCriteria } from './table.ts';

/** A targeting criterion as it is stored. */
export type TargetingCriterionRow = typeof targetingCriteria.$inferSelect;

export const targetingCriterionQueries = new EntityQueries(
  targetingCriteria,
  accountScope(targetingCriteria.account_id),
  {
    line_item_ids: amongIds('line_item_ids', targetingCriteria.line_item_id),
    targeting_criterion_ids: amongIds('targeting_criterion_ids', targetingCriteria.id),
    not_deleted: always(sql`${targetingCriteria.deleted} = 0 AND ${targetingCriteria.parent_deleted} = 0`),
  },
  ['automatic', 'parent_deleted'],
);

/** More than a line item can have, by the limits of each type. */
const ALL = 1_000_000;

/** The criteria of a line item that are not deleted, in the order of their creation. */
export async function criteriaOf(
  reader: Reader,
  account_id: string,
  line_item_id: string,
): Promise<readonly TargetingCriterionRow[]> {
  const page = await targetingCriterionQueries.page(
    reader,
    account_id,
    { count: ALL, sort_by: ['created_at-asc'], with_total_count: false },
    { line_item_ids: [line_item_id], not_deleted: true },
  );
  return page?.data ?? [];
}

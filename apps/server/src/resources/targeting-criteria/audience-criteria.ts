import { and, eq, inArray } from 'drizzle-orm';
import { type Awaitable, chain } from '../../awaitable.ts';
import { query } from '../../db/query-builder.ts';
import { statement } from '../../db/statement.ts';
import type { AccountReader } from '../../world/account-store.ts';
import { targetingCriteria } from './table.ts';

const { account_id, deleted, line_item_id, parent_deleted, targeting_type, targeting_value } = targetingCriteria;

const listLineItems = statement({ account_id, targeting_value }, (args) =>
  query
    .selectDistinct({ line_item_id })
    .from(targetingCriteria)
    .where(
      and(
        eq(account_id, args.account_id),
        eq(targeting_value, args.targeting_value),
        // The conditions of the index.
        eq(deleted, false),
        inArray(targeting_type, ['CUSTOM_AUDIENCE', 'CUSTOM_AUDIENCE_EXPANDED']),
        eq(parent_deleted, false),
      ),
    ),
);

/** The ids of the line items of an account that target an audience or leave it out. */
export function lineItemsOfAudience(account: AccountReader, custom_audience_id: string): Awaitable<string[]> {
  return chain(account.all(listLineItems, { targeting_value: custom_audience_id }), (rows) =>
    rows.map((row) => row.line_item_id),
  );
}

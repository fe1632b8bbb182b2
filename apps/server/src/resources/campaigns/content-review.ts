import { and, eq, getTableColumns, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { EntityRegistry } from '../../db/entity-registry.ts';
import type { ScopedWriter } from '../../db/scoped-writer.ts';
import { statement, type WriteStatement } from '../../db/statement.ts';
import type { AccountWriter } from '../../world/account-store.ts';
import { campaign } from './entity.ts';
import { campaigns } from './table.ts';

type SetContentReview = WriteStatement<{ readonly account_id: string; readonly id: string }, ScopedWriter>;

const statements = new WeakMap<EntityRegistry, SetContentReview>();

/** Every child of a campaign with an `approval_status` is reviewed before it is shown. */
function setContentReview(entities: EntityRegistry): SetContentReview {
  const known = statements.get(entities);
  if (known) return known;
  const reviews = entities.below(campaign).flatMap(({ entity: { table }, isBelow }) => {
    const { approval_status }: Readonly<Record<string, SQLiteColumn>> = getTableColumns(table);
    if (!approval_status || !table.parent_deleted) return [];
    const isShown = and(isBelow, eq(table.deleted, false), eq(table.parent_deleted, false));
    return [sql`SELECT ${approval_status} AS "approval_status" FROM ${table} WHERE ${isShown}`];
  });
  const { account_id, id, deleted } = campaigns;
  const made = statement(
    { account_id, id },
    (args) => {
      const isCampaign = and(eq(account_id, args.account_id), eq(id, args.id), eq(deleted, false));
      return sql`UPDATE ${campaigns} SET "content_review_problem" =
        (SELECT count(*) > 0 AND coalesce(sum("approval_status" = 'ACCEPTED'), 0) = 0 FROM (${sql.join(reviews, sql` UNION ALL `)}))
      WHERE ${isCampaign}`;
    },
    (args) => args.id,
  );
  statements.set(entities, made);
  return made;
}

/**
 * Stores whether a campaign has something to show of which nothing was accepted; to be called after each change of reviewed
 * entities. Derived, so it is not a change of the campaign.
 */
export async function reviewContent(account: AccountWriter, campaign_id: string): Promise<void> {
  await account.run(setContentReview(account.entities), { id: campaign_id });
}

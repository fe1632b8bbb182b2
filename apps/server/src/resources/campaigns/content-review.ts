import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { EntityRegistry } from '../../db/entity-registry.ts';
import type { ScopedWriter } from '../../db/scoped-writer.ts';
import { statement, type WriteStatement } from '../../db/statement.ts';
import type { AccountWriter } from '../../world/account-store.ts';
import { campaign } from './entity.ts';
import { campaigns } from './table.ts';

const { account_id, id, deleted, content_review_problem } = campaigns;

const isCampaign = (args: { readonly account_id: SQL; readonly id: SQL }) =>
  and(eq(account_id, args.account_id), eq(id, args.id), eq(deleted, false));

const removeProblem = statement(
  { account_id, id },
  (args) => sql`UPDATE ${campaigns} SET "content_review_problem" = 0
    WHERE ${and(isCampaign(args), eq(content_review_problem, true))}`,
  (args) => args.id,
);

type SetContentReview = WriteStatement<{ readonly account_id: string; readonly id: string }, ScopedWriter>;

const statements = new WeakMap<EntityRegistry, SetContentReview>();

/** Every child of a campaign with an `approval_status` is reviewed before it is shown. */
function setContentReview(entities: EntityRegistry): SetContentReview {
  const known = statements.get(entities);
  if (known) return known;
  const shown = entities.below(campaign).flatMap(({ entity: { table }, isBelow }) => {
    const { approval_status }: Readonly<Record<string, SQLiteColumn>> = getTableColumns(table);
    if (!approval_status || !table.parent_deleted) return [];
    const isShown = and(isBelow, eq(table.deleted, false), eq(table.parent_deleted, false));
    return [{ table, isShown, isAccepted: and(isShown, eq(approval_status, 'ACCEPTED')) }];
  });
  // Neither goes on after the first row that it finds: of thousands of creatives, usually all are accepted.
  const exists = shown.map(({ table, isShown }) => sql`EXISTS (SELECT 1 FROM ${table} WHERE ${isShown})`);
  const accepted = shown.map(({ table, isAccepted }) => sql`EXISTS (SELECT 1 FROM ${table} WHERE ${isAccepted})`);
  const made = statement(
    { account_id, id },
    (args) => sql`UPDATE ${campaigns}
      SET "content_review_problem" = NOT (${sql.join(accepted, sql` OR `)}) AND (${sql.join(exists, sql` OR `)})
      WHERE ${isCampaign(args)}`,
    (args) => args.id,
  );
  statements.set(entities, made);
  return made;
}

/**
 * Stores whether a campaign has something to show of which nothing was accepted; to be called after each change of reviewed
 * entities, unless {@link contentAccepted} is. Derived, so it is not a change of the campaign.
 */
export async function reviewContent(account: AccountWriter, campaign_id: string): Promise<void> {
  await account.run(setContentReview(account.entities), { id: campaign_id });
}

/** The same after something was added that is accepted. It looks at no other, so it costs the same beside thousands. */
export async function contentAccepted(account: AccountWriter, campaign_id: string): Promise<void> {
  await account.run(removeProblem, { id: campaign_id });
}

import { LineItemTargeting, type LookedAt, typesOfGroup } from '@broadside/core/resources/targeting-criteria';
import { and, count, eq, getTableColumns } from 'drizzle-orm';
import { type Awaitable, chain, together } from '../../awaitable.ts';
import { query } from '../../db/query-builder.ts';
import { statement } from '../../db/statement.ts';
import { among, types } from '../../db/value-types.ts';
import type { AccountReader } from '../../world/account-store.ts';
import { type TargetingCriterionRow, targetingCriterion } from './entity.ts';
import { targetingCriteria } from './table.ts';

/** Returns the criteria of a line item that are not deleted, in the order of their creation. */
export function criteriaOf(account: AccountReader, line_item_id: string): Awaitable<TargetingCriterionRow[]> {
  return account.of(targetingCriterion).every({ line_item_ids: [line_item_id] });
}

const { account_id, deleted, line_item_id, targeting_type, targeting_value } = targetingCriteria;
const ofLineItem = { account_id, line_item_id, targeting_types: types.texts };

// Conditions of an index that also has value and operator: all of these cost the same however many criteria there are of other
// types, and the first two of other values.
const listSameValue = statement({ ...ofLineItem, targeting_value }, (args) =>
  query
    .select(getTableColumns(targetingCriteria))
    .from(targetingCriteria)
    .where(
      and(
        eq(account_id, args.account_id),
        eq(line_item_id, args.line_item_id),
        among(targeting_type, args.targeting_types),
        eq(targeting_value, args.targeting_value),
        eq(deleted, false),
      ),
    ),
);

const listTypes = statement(ofLineItem, (args) =>
  query
    .select(getTableColumns(targetingCriteria))
    .from(targetingCriteria)
    .where(
      and(
        eq(account_id, args.account_id),
        eq(line_item_id, args.line_item_id),
        among(targeting_type, args.targeting_types),
        eq(deleted, false),
      ),
    ),
);

const countTypes = statement(ofLineItem, (args) =>
  query
    .select({ criteria: count() })
    .from(targetingCriteria)
    .where(
      and(
        eq(account_id, args.account_id),
        eq(line_item_id, args.line_item_id),
        among(targeting_type, args.targeting_types),
        eq(deleted, false),
      ),
    )
    .limit(1),
);

/** Returns those criteria of a line item that a change of one is checked against. */
export function targetingLookedAt(
  account: AccountReader,
  { line_item_id, targeting_value }: Pick<TargetingCriterionRow, 'line_item_id' | 'targeting_value'>,
  looked: LookedAt,
): Awaitable<LineItemTargeting<TargetingCriterionRow>> {
  const { group, types: whole } = looked;
  const of = (targeting_types: readonly string[]) => ({ line_item_id, targeting_types });
  const found = together([
    account.all(listSameValue, { ...of(looked.same_value), targeting_value }),
    whole.length === 0 ? [] : account.all(listTypes, of(whole)),
    group && account.first(countTypes, of(typesOfGroup(group))),
  ]);
  return chain(found, ([same, others, counted]) => {
    const held = group && { group, count: counted?.criteria ?? 0 };
    return new LineItemTargeting<TargetingCriterionRow>([...same, ...others], held);
  });
}

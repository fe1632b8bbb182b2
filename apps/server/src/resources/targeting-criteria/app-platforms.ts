/** Platform criteria derived from the apps of a line item (specification C, Line items; reference 9.4). */
import { appPlatforms, platforms } from '@broadside/core/data';
import { checkCriterion, LineItemTargeting } from '@broadside/core/resources/targeting-criteria';
import type { AccountWriter } from '../../world/account-store.ts';
import type { LineItemRow } from '../line-items/find.ts';
import { criteriaOf } from './criteria-of.ts';
import { targetingCriterion } from './entity.ts';

type App = keyof typeof appPlatforms;

const apps: readonly App[] = ['ios', 'android'];

function identifierOf(line_item: LineItemRow | undefined, app: App): string | null {
  return line_item?.[`${app}_app_store_identifier`] ?? null;
}

/**
 * Adds the platform of an app that a line item has begun to promote, and removes it with the app. Our choices: a criterion
 * that the advertiser created is kept, and one that the advertiser deleted is not added again; nothing is added that is
 * incompatible with the existing criteria, such as devices of the platform.
 * @param before the line item before a change; `undefined` for a new one
 */
export async function targetAppPlatforms(
  account: AccountWriter,
  before: LineItemRow | undefined,
  after: LineItemRow,
): Promise<void> {
  const begun = apps.filter((app) => identifierOf(before, app) === null && identifierOf(after, app) !== null);
  const ended = apps.filter((app) => identifierOf(before, app) !== null && identifierOf(after, app) === null);
  if (begun.length === 0 && ended.length === 0) return;
  const criteria = before ? await criteriaOf(account, after.id) : [];
  const targeting = new LineItemTargeting(criteria);
  for (const app of ended) {
    const made = criteria.find((row) => row.automatic && row.targeting_value === appPlatforms[app]);
    if (made) await account.of(targetingCriterion).delete(made);
  }
  for (const app of begun) {
    const targeting_value = appPlatforms[app];
    const terms = { targeting_type: 'PLATFORM', operator_type: 'EQ', targeting_value } as const;
    const state = { line_item: after, targeting, has_curated_category: false, in_batch: false };
    if (targeting.find(terms) || checkCriterion(terms, state).length > 0) continue;
    await account.of(targetingCriterion).insert({
      ...terms,
      line_item_id: after.id,
      name: platforms.find(targeting_value)?.name ?? targeting_value,
      automatic: true,
    });
  }
}

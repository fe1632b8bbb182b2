/**
 * Rules on line items (specification C, Line item create parameters; reference, section 9). They check the state after a
 * request, so creating and updating share them.
 */
import { type Issue, invalidParameter } from '../../wire/issues.ts';
import { show } from '../../wire/show.ts';
import { checkBudgets, checkFlight } from './budgets.ts';
import { checkCategories } from './categories.ts';
import { unexpected } from './issues.ts';
import { objectiveRules } from './objectives.ts';
import { checkPlacements, checkPublisherNetwork } from './placements.ts';
import { checkBid, checkBidStrategy, checkGoal, checkPayBy } from './pricing.ts';
import type { LineItemSurroundings, NewLineItem } from './surroundings.ts';

/**
 * Checks the state of a line item after a request. Rules that depend on the campaign are applied only to parameters that the
 * caller sent: a campaign whose budget was lowered must not prevent renaming its line items (our choice).
 */
export function checkLineItem(lineItem: NewLineItem, around: LineItemSurroundings): LineItemIssue[] {
  return checks.flatMap((check): LineItemIssue[] => check(lineItem, around));
}

const checks = [
  checkProductType,
  checkSibling,
  checkPlacements,
  checkPublisherNetwork,
  checkCategories,
  checkApp,
  checkAdvertiser,
  checkGoal,
  checkBidStrategy,
  checkBid,
  checkPayBy,
  checkFrequencyCap,
  checkBudgets,
  checkFlight,
] as const;

/** Any issue of {@link checkLineItem}. */
export type LineItemIssue = ReturnType<(typeof checks)[number]>[number];

function checkProductType({ objective, product_type }: NewLineItem): Issue<'INVALID_PARAMETER'>[] {
  const { product_types } = objectiveRules[objective];
  if (product_types.includes(product_type)) return [];
  return [unexpected('product_type', product_type, product_types, `objective ${objective}`)];
}

function checkSibling(lineItem: NewLineItem, { sibling }: LineItemSurroundings): Issue<'INVALID_PARAMETER'>[] {
  if (!sibling) return [];
  return (['objective', 'product_type'] as const)
    .filter((name) => lineItem[name] !== sibling[name])
    .map((name) =>
      invalidParameter(
        name,
        lineItem[name],
        `Expected ${sibling[name]}, got ${show(lineItem[name])} for ${name}: all line items of a campaign share it`,
      ),
    );
}

function checkApp({
  objective,
  android_app_store_identifier,
  ios_app_store_identifier,
}: NewLineItem): Issue<'MISSING_PARAMETER'>[] {
  if (!objectiveRules[objective].needs_app) return [];
  if (android_app_store_identifier !== null || ios_app_store_identifier !== null) return [];
  return [
    {
      error: 'MISSING_PARAMETER',
      parameter: 'android_app_store_identifier',
      message: `"android_app_store_identifier" or "ios_app_store_identifier" is required with objective ${objective}`,
    },
  ];
}

/** The specification leaves open which users are allowed; our choice is the promotable users of the account. */
function checkAdvertiser(
  lineItem: NewLineItem,
  { given, is_promotable }: LineItemSurroundings,
): Issue<'INVALID_PARAMETER' | 'INVALID_USER_ID'>[] {
  const { objective, advertiser_user_id } = lineItem;
  if (!given.has('advertiser_user_id')) return [];
  if (objective === 'PREROLL_VIEWS') {
    if (is_promotable) return [];
    const message = `Expected a promotable user of the account, got ${show(advertiser_user_id)} for advertiser_user_id`;
    return [{ error: 'INVALID_USER_ID', parameter: 'advertiser_user_id', value: advertiser_user_id, message }];
  }
  const message = `"advertiser_user_id" applies to objective PREROLL_VIEWS only; leave it out for ${objective}`;
  return [invalidParameter('advertiser_user_id', advertiser_user_id, message)];
}

function checkFrequencyCap({
  objective,
  frequency_cap,
  duration_in_days,
}: NewLineItem): Issue<'INCLUSIVE_PARAMETERS' | 'INVALID_PARAMETER'>[] {
  const cap = { frequency_cap, duration_in_days };
  const names = (['frequency_cap', 'duration_in_days'] as const).filter((name) => cap[name] !== null);
  if (!objectiveRules[objective].frequency_cap) {
    const capped = Object.entries(objectiveRules).flatMap(([name, rule]) => (rule.frequency_cap ? [name] : []));
    return names.map((name) =>
      invalidParameter(
        name,
        cap[name],
        `"${name}" applies to objective ${capped.join(', ')} only; leave it out for ${objective}`,
      ),
    );
  }
  const [present] = names;
  if (present === undefined || names.length === 2) return [];
  const absent = present === 'frequency_cap' ? 'duration_in_days' : 'frequency_cap';
  const message = `"${present}" needs "${absent}" beside it: a cap is a number of views in a period`;
  return [{ error: 'INCLUSIVE_PARAMETERS', parameter: present, value: cap[present], message }];
}

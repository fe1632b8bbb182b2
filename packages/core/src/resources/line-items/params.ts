import type * as z from 'zod';
import { object } from '../../wire/object.ts';
import { boolean, id, int, list, micro, numericId, oneOf, oneOfInt, removable, text, time } from '../../wire/types.ts';
import { entityStatuses } from '../campaigns/entity.ts';
import {
  audienceExpansions,
  bidStrategies,
  changeableGoals,
  goals,
  objectives,
  placements,
  productTypes,
} from './entity.ts';

export const line_item_id = id().describe('The line item.');

const domain = () =>
  text({
    max: 253,
    pattern: /^(?!-)([a-zA-Z0-9-]{1,63}\.)+[a-zA-Z0-9-]{2,63}$/,
    format: 'a domain without protocol, such as example.com',
  });

const iosIdentifier = () => text({ max: 30, pattern: /^\d+$/, format: 'the numeric part of the iOS store identifier' });

/** IAB category ids; an advertiser business category contains up to a few dozen of them. */
const categories = () => list(text({ max: 20 }), { max: 400 });

/** Maximum number of impressions for each person in a period; the period is 1, 7 or 30 days. */
const cap = { frequency_cap: int({ min: 1, max: 1000 }), duration_in_days: oneOfInt([1, 7, 30]) };

/** Only some values of `pay_by` can be chosen; the others follow from objective and goal (reference 9.1). */
const chosenPayBy = () => oneOf(['APP_CLICK', 'IMPRESSION', 'LINK_CLICK']);

/** Parameters for creating a line item, without the account (specification C, Line item create parameters; reference 9.1). */
export const LineItemCreate = object(() => ({
  campaign_id: id().describe('The campaign that it belongs to.'),
  objective: oneOf(objectives).describe('What the advertiser wants to reach. All line items of a campaign share it.'),
  product_type: oneOf(productTypes).describe('What is promoted. All line items of a campaign share it.'),
  placements: list(oneOf(placements), { max: placements.length }).describe('Where the advertisement appears.'),
  start_time: time().describe('When the flight begins.'),
  end_time: time().describe('When the flight ends.'),
  name: text().optional().describe('The name: 1 to 255 characters.'),
  advertiser_domain: domain()
    .optional()
    .describe('Domain without protocol; required with placement PUBLISHER_NETWORK.'),
  advertiser_user_id: numericId()
    .optional()
    .describe('The user in whose name a PREROLL_VIEWS advertisement appears; the FULL promotable user when left out.'),
  android_app_store_identifier: text()
    .optional()
    .describe('The app, in the Android store. APP_INSTALLS and APP_ENGAGEMENTS need at least one app.'),
  ios_app_store_identifier: iosIdentifier()
    .optional()
    .describe('The app, in the iOS store (numeric part). APP_INSTALLS and APP_ENGAGEMENTS need at least one app.'),
  audience_expansion: oneOf(audienceExpansions).optional().describe('How far the audience may be widened.'),
  bid_amount_local_micro: micro().optional().describe('The bid, in micros; required with bid strategy MAX or TARGET.'),
  bid_strategy: oneOf(bidStrategies)
    .optional()
    .describe(
      'AUTO ignores the bid; MAX is not for REACH or FOLLOWERS; TARGET is for REACH, FOLLOWERS, WEBSITE_CLICKS.',
    ),
  categories: categories()
    .optional()
    .describe('IAB category ids; required with placement PUBLISHER_NETWORK and with objective PREROLL_VIEWS.'),
  daily_budget_amount_local_micro: micro()
    .optional()
    .describe('What is spent in a day, in micros. Only with budget optimization LINE_ITEM of the campaign.'),
  duration_in_days: cap.duration_in_days.optional().describe('The period of the frequency cap: 1, 7 or 30.'),
  entity_status: oneOf(entityStatuses).default('ACTIVE').describe('The state to begin in.'),
  frequency_cap: cap.frequency_cap
    .optional()
    .describe('Views for each person and period. REACH, ENGAGEMENTS, VIDEO_VIEWS and PREROLL_VIEWS only.'),
  goal: oneOf(goals).optional().describe('What delivery is optimized for; follows from the objective when left out.'),
  pay_by: chosenPayBy().optional().describe('What is charged for; follows from objective and goal when left out.'),
  primary_web_event_tag: text().optional().describe('The conversion event; required with goal WEBSITE_CONVERSIONS.'),
  standard_delivery: boolean()
    .optional()
    .describe('Spend evenly (true, the default) or as fast as possible. Only with budget optimization LINE_ITEM.'),
  total_budget_amount_local_micro: micro()
    .optional()
    .describe("What is spent in all, in micros; at most the campaign's total budget."),
}));

/** Parameters for updating a line item, without account and line item (reference 9.2); what is not given stays unchanged. */
export const LineItemChanges = object(() => ({
  advertiser_domain: removable(domain()).optional().describe('Domain without protocol; empty to remove.'),
  advertiser_user_id: numericId().optional().describe('The user in whose name a PREROLL_VIEWS advertisement appears.'),
  android_app_store_identifier: removable(text())
    .optional()
    .describe('The app, in the Android store; empty to remove.'),
  ios_app_store_identifier: removable(iosIdentifier())
    .optional()
    .describe('The app, in the iOS store; empty to remove.'),
  audience_expansion: removable(oneOf(audienceExpansions)).optional().describe('How far to widen; empty to remove.'),
  bid_amount_local_micro: removable(micro()).optional().describe('The bid, in micros; empty to remove.'),
  bid_strategy: oneOf(bidStrategies).optional().describe('How the bid is used.'),
  categories: removable(categories()).optional().describe('IAB category ids; empty to remove.'),
  daily_budget_amount_local_micro: removable(micro()).optional().describe('What is spent in a day; empty to remove.'),
  duration_in_days: removable(cap.duration_in_days).optional().describe('The period of the cap; empty to remove.'),
  end_time: time().optional().describe('When the flight ends.'),
  entity_status: oneOf(['ACTIVE', 'PAUSED']).optional().describe('The new state. A line item never returns to DRAFT.'),
  frequency_cap: removable(cap.frequency_cap).optional().describe('Views for each person and period; empty to remove.'),
  goal: oneOf(changeableGoals).optional().describe('What delivery is optimized for.'),
  name: removable(text()).optional().describe('The new name; empty to remove.'),
  pay_by: chosenPayBy().optional().describe('What is charged for. APP_INSTALLS line items only.'),
  start_time: time().optional().describe('When the flight begins.'),
  total_budget_amount_local_micro: removable(micro()).optional().describe('What is spent in all; empty to remove.'),
}));

export type LineItemCreate = z.output<typeof LineItemCreate>;
export type LineItemChanges = z.output<typeof LineItemChanges>;

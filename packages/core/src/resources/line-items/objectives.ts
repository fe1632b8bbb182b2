/** The values that each objective of a line item allows (specification C, Line item create parameters; reference, section 9). */
import type { BidStrategy, Goal, Objective, PayBy, ProductType } from './entity.ts';

/** A goal and the values of `pay_by` that it allows, the default first. */
interface GoalRule {
  readonly goal: Goal;
  readonly pay_by: readonly [PayBy, ...PayBy[]];
}

export interface ObjectiveRule {
  readonly product_types: readonly ProductType[];
  /** The default first. */
  readonly goals: readonly [GoalRule, ...GoalRule[]];
  readonly bid_strategies: readonly BidStrategy[];
  /** The bid strategy of a line item that is given a bid and no strategy. */
  readonly bid_strategy_with_bid: BidStrategy;
  readonly frequency_cap: boolean;
  readonly needs_app: boolean;
}

/**
 * The values that each objective allows (specification C; reference 9.3). Our choices: objectives whose display creatives
 * the specification describes may have product type MEDIA beside PROMOTED_POSTS; APP_PURCHASES is paid for as APP_INSTALLS
 * is, WEBSITE_CONVERSIONS as LINK_CLICKS is, and views of 6 and 15 seconds as VIDEO_VIEW is.
 */
export const objectiveRules: Readonly<Record<Objective, ObjectiveRule>> = {
  APP_ENGAGEMENTS: {
    product_types: ['PROMOTED_POSTS', 'MEDIA'],
    goals: [
      { goal: 'APP_CLICKS', pay_by: ['APP_CLICK'] },
      { goal: 'APP_INSTALLS', pay_by: ['APP_CLICK'] },
    ],
    bid_strategies: ['AUTO', 'MAX'],
    bid_strategy_with_bid: 'MAX',
    frequency_cap: false,
    needs_app: true,
  },
  APP_INSTALLS: {
    product_types: ['PROMOTED_POSTS', 'MEDIA'],
    goals: [
      { goal: 'APP_CLICKS', pay_by: ['APP_CLICK'] },
      { goal: 'APP_INSTALLS', pay_by: ['IMPRESSION', 'APP_CLICK'] },
      { goal: 'APP_PURCHASES', pay_by: ['IMPRESSION', 'APP_CLICK'] },
    ],
    bid_strategies: ['AUTO', 'MAX'],
    bid_strategy_with_bid: 'MAX',
    frequency_cap: false,
    needs_app: true,
  },
  REACH: {
    product_types: ['PROMOTED_POSTS'],
    goals: [
      { goal: 'MAX_REACH', pay_by: ['IMPRESSION'] },
      { goal: 'REACH_WITH_ENGAGEMENT', pay_by: ['IMPRESSION'] },
    ],
    bid_strategies: ['AUTO', 'TARGET'],
    bid_strategy_with_bid: 'TARGET',
    frequency_cap: true,
    needs_app: false,
  },
  FOLLOWERS: {
    product_types: ['PROMOTED_ACCOUNT'],
    goals: [{ goal: 'FOLLOWERS', pay_by: ['FOLLOW'] }],
    bid_strategies: ['AUTO', 'TARGET'],
    bid_strategy_with_bid: 'TARGET',
    frequency_cap: false,
    needs_app: false,
  },
  ENGAGEMENTS: {
    product_types: ['PROMOTED_POSTS'],
    goals: [{ goal: 'ENGAGEMENT', pay_by: ['ENGAGEMENT'] }],
    bid_strategies: ['AUTO', 'MAX'],
    bid_strategy_with_bid: 'MAX',
    frequency_cap: true,
    needs_app: false,
  },
  VIDEO_VIEWS: {
    product_types: ['PROMOTED_POSTS'],
    goals: [
      { goal: 'VIDEO_VIEW', pay_by: ['VIEW'] },
      { goal: 'VIEW_3S_100PCT', pay_by: ['VIEW_3S_100PCT'] },
      { goal: 'VIEW_6S', pay_by: ['VIEW'] },
      { goal: 'VIEW_15S', pay_by: ['VIEW'] },
    ],
    bid_strategies: ['AUTO', 'MAX'],
    bid_strategy_with_bid: 'MAX',
    frequency_cap: true,
    needs_app: false,
  },
  PREROLL_VIEWS: {
    product_types: ['MEDIA'],
    goals: [
      { goal: 'PREROLL', pay_by: ['VIEW_3S_100PCT'] },
      { goal: 'PREROLL_STARTS', pay_by: ['VIEW_3S_100PCT'] },
      { goal: 'VIEW_3S_100PCT', pay_by: ['VIEW_3S_100PCT'] },
      { goal: 'VIEW_6S', pay_by: ['VIEW_3S_100PCT'] },
      { goal: 'VIEW_15S', pay_by: ['VIEW_3S_100PCT'] },
    ],
    bid_strategies: ['AUTO', 'MAX'],
    bid_strategy_with_bid: 'MAX',
    frequency_cap: true,
    needs_app: false,
  },
  WEBSITE_CLICKS: {
    product_types: ['PROMOTED_POSTS', 'MEDIA'],
    goals: [
      { goal: 'LINK_CLICKS', pay_by: ['IMPRESSION', 'LINK_CLICK'] },
      { goal: 'SITE_VISITS', pay_by: ['IMPRESSION'] },
      { goal: 'WEBSITE_CONVERSIONS', pay_by: ['IMPRESSION', 'LINK_CLICK'] },
    ],
    bid_strategies: ['AUTO', 'MAX', 'TARGET'],
    bid_strategy_with_bid: 'MAX',
    frequency_cap: false,
    needs_app: false,
  },
};

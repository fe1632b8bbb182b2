/** Line items as a caller would create and update them, and the errors that the rules find. */
import { expect, it } from 'vitest';
import type * as z from 'zod';
import type { StoredCampaign } from '../../campaigns/entity.ts';
import type { BidStrategy, Goal, LineItem, Objective, PayBy, ProductType } from '../entity.ts';
import { LineItemChanges, LineItemCreate } from '../params.ts';
import { changeLineItem, resolveLineItem } from '../resolve.ts';
import { checkLineItem, type LineItemIssue } from '../rules.ts';
import type { LineItemSurroundings } from '../surroundings.ts';

export type CreateInput = Partial<z.input<typeof LineItemCreate>>;
export type ChangesInput = z.input<typeof LineItemChanges>;
export type Campaign = Pick<
  StoredCampaign,
  | 'id'
  | 'funding_instrument_id'
  | 'budget_optimization'
  | 'currency'
  | 'daily_budget_amount_local_micro'
  | 'total_budget_amount_local_micro'
>;

export interface Around {
  readonly campaign?: Partial<Campaign>;
  readonly sibling?: LineItemSurroundings['sibling'];
  readonly funding?: Partial<LineItemSurroundings['funding']>;
  readonly is_promotable?: boolean;
}

/** A funding instrument without limits of amount and time. */
const FUNDING: LineItemSurroundings['funding'] = {
  type: 'PARTNER_MANAGED',
  start_time: '2020-01-01T00:00:00Z',
  end_time: null,
  credit_limit_local_micro: null,
  credit_remaining_local_micro: null,
  funded_amount_local_micro: null,
};

export const PER_CAMPAIGN: Campaign = {
  id: '8wku2',
  funding_instrument_id: 'lygyi',
  budget_optimization: 'CAMPAIGN',
  currency: 'USD',
  daily_budget_amount_local_micro: null,
  total_budget_amount_local_micro: null,
};
export const PER_LINE_ITEM: Around = { campaign: { budget_optimization: 'LINE_ITEM' } };

/** The FULL promotable user of the account. */
export const ADVERTISER = '1503831318555086849';

// The tables of the specification and the reference (9.3), repeated here so that a mistake in the source is found.
export interface Row {
  readonly types: readonly ProductType[];
  /** Goals with the defaults of `pay_by`, without and with TARGET. */
  readonly goals: readonly [Goal, PayBy, PayBy?][];
  readonly strategies: readonly BidStrategy[];
  readonly cap: boolean;
}
export const expectedRules: Readonly<Record<Objective, Row>> = {
  APP_ENGAGEMENTS: {
    types: ['PROMOTED_POSTS', 'MEDIA'],
    goals: [
      ['APP_CLICKS', 'APP_CLICK'],
      ['APP_INSTALLS', 'APP_CLICK'],
    ],
    strategies: ['AUTO', 'MAX'],
    cap: false,
  },
  APP_INSTALLS: {
    types: ['PROMOTED_POSTS', 'MEDIA'],
    goals: [
      ['APP_CLICKS', 'APP_CLICK'],
      ['APP_INSTALLS', 'IMPRESSION'],
      ['APP_PURCHASES', 'IMPRESSION'],
    ],
    strategies: ['AUTO', 'MAX'],
    cap: false,
  },
  REACH: {
    types: ['PROMOTED_POSTS'],
    goals: [
      ['MAX_REACH', 'IMPRESSION'],
      ['REACH_WITH_ENGAGEMENT', 'IMPRESSION'],
    ],
    strategies: ['AUTO', 'TARGET'],
    cap: true,
  },
  FOLLOWERS: {
    types: ['PROMOTED_ACCOUNT'],
    goals: [['FOLLOWERS', 'FOLLOW']],
    strategies: ['AUTO', 'TARGET'],
    cap: false,
  },
  ENGAGEMENTS: {
    types: ['PROMOTED_POSTS'],
    goals: [['ENGAGEMENT', 'ENGAGEMENT']],
    strategies: ['AUTO', 'MAX'],
    cap: true,
  },
  VIDEO_VIEWS: {
    types: ['PROMOTED_POSTS'],
    goals: [
      ['VIDEO_VIEW', 'VIEW'],
      ['VIEW_3S_100PCT', 'VIEW_3S_100PCT'],
      ['VIEW_6S', 'VIEW'],
      ['VIEW_15S', 'VIEW'],
    ],
    strategies: ['AUTO', 'MAX'],
    cap: true,
  },
  PREROLL_VIEWS: {
    types: ['MEDIA'],
    goals: [
      ['PREROLL', 'VIEW_3S_100PCT'],
      ['PREROLL_STARTS', 'VIEW_3S_100PCT'],
      ['VIEW_3S_100PCT', 'VIEW_3S_100PCT'],
      ['VIEW_6S', 'VIEW_3S_100PCT'],
      ['VIEW_15S', 'VIEW_3S_100PCT'],
    ],
    strategies: ['AUTO', 'MAX'],
    cap: true,
  },
  WEBSITE_CLICKS: {
    types: ['PROMOTED_POSTS', 'MEDIA'],
    goals: [
      ['LINK_CLICKS', 'IMPRESSION', 'LINK_CLICK'],
      ['SITE_VISITS', 'IMPRESSION'],
      ['WEBSITE_CONVERSIONS', 'IMPRESSION', 'LINK_CLICK'],
    ],
    strategies: ['AUTO', 'MAX', 'TARGET'],
    cap: false,
  },
};

/** A valid line item of each objective. */
function valid(objective: Objective): z.input<typeof LineItemCreate> {
  const [product_type = 'PROMOTED_POSTS'] = expectedRules[objective].types;
  const needed: CreateInput = objective.startsWith('APP_')
    ? { ios_app_store_identifier: '333903271' }
    : objective === 'PREROLL_VIEWS'
      ? { categories: ['IAB18'] }
      : {};
  return {
    campaign_id: '8wku2',
    objective,
    product_type,
    placements: ['ALL_ON_PLATFORM'],
    start_time: '2026-02-01T00:00:00Z',
    end_time: '2026-03-01T00:00:00Z',
    ...needed,
  };
}

export function resolve(input: CreateInput, around: Around = {}) {
  const params = LineItemCreate.parse({ ...valid(input.objective ?? 'ENGAGEMENTS'), ...input });
  const campaign = { ...PER_CAMPAIGN, ...around.campaign };
  return resolveLineItem(params, { campaign, advertiser_user_id: ADVERTISER });
}

export function stored(input: CreateInput, around: Around = {}): LineItem {
  const time = '2026-01-15T08:00:00Z';
  return { id: 'bw2rq', created_at: time, updated_at: time, ...resolve(input, around) };
}

function surroundings(given: object, around: Around): LineItemSurroundings {
  const campaign = { ...PER_CAMPAIGN, ...around.campaign };
  const names = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  const funding = { ...FUNDING, ...around.funding };
  const { sibling, is_promotable = true } = around;
  return { campaign, sibling, funding, is_promotable, given: new Set(names) };
}

export function issuesOfNew(input: CreateInput, around: Around = {}): LineItemIssue[] {
  const given = { ...valid(input.objective ?? 'ENGAGEMENTS'), ...input };
  return checkLineItem(resolve(input, around), surroundings(given, around));
}

export function errorsOfNew(input: CreateInput, around: Around = {}): string[] {
  return issuesOfNew(input, around).map(({ error, parameter }) => `${error} ${parameter}`);
}

export function change(current: LineItem, changes: ChangesInput, { campaign }: Around = {}): LineItem {
  return changeLineItem(current, LineItemChanges.parse(changes), { ...PER_CAMPAIGN, ...campaign });
}

/** The errors of a change; `later` is the state of the campaign at the time of the change. */
export function errorsOfChange(current: LineItem, changes: ChangesInput, later: Around = {}): string[] {
  const issues = checkLineItem(change(current, changes, later), surroundings(changes, later));
  return issues.map(({ error, parameter }) => `${error} ${parameter}`);
}

export type Case = [title: string, input: CreateInput, errors: string[], around?: Around];

export function newLineItems(cases: readonly Case[]): void {
  it.each(cases)('%s', (_title, input, errors, around) => {
    expect(errorsOfNew(input, around)).toEqual(errors);
  });
}

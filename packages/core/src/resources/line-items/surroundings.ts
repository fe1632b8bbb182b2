/** A line item that is to be stored, and what the rules hold it against. */
import type { StoredCampaign } from '../campaigns/entity.ts';
import type { FundingInstrument } from '../funding-instruments/entity.ts';
import type { Means } from '../funding-instruments/rules.ts';
import type { LineItem } from './entity.ts';

/** A line item before the store gives it an id and times. */
export type NewLineItem = Omit<LineItem, 'id' | 'created_at' | 'updated_at'>;

/** What a line item is held against. */
export interface LineItemSurroundings {
  readonly campaign: Pick<
    StoredCampaign,
    'budget_optimization' | 'daily_budget_amount_local_micro' | 'total_budget_amount_local_micro'
  >;
  /** What pays for the campaign. */
  readonly funding: Means & Pick<FundingInstrument, 'start_time' | 'end_time'>;
  /** Whether `advertiser_user_id` is a promotable user of the account; only looked at where the caller sent it. */
  readonly is_promotable: boolean;
  /** Any other line item of the campaign that is not deleted. */
  readonly sibling: Pick<LineItem, 'objective' | 'product_type'> | undefined;
  /**
   * The names of the parameters that the caller sent. A new line item is told from a changed one by `objective`, which is
   * required on creation and no parameter of a change.
   */
  readonly given: ReadonlySet<string>;
}

/** Whether the line item is being created. */
export function isNew({ given }: LineItemSurroundings): boolean {
  return given.has('objective');
}

/** A line item to be stored, and the state that the rules check it against. */
import type { StoredCampaign } from '../campaigns/entity.ts';
import type { FundingInstrument } from '../funding-instruments/entity.ts';
import type { Means } from '../funding-instruments/rules.ts';
import type { LineItem } from './entity.ts';

/** A line item before it is stored and gets an id and times. */
export type NewLineItem = Omit<LineItem, 'id' | 'created_at' | 'updated_at'>;

/** State that the rules check a line item against. */
export interface LineItemSurroundings {
  readonly campaign: Pick<
    StoredCampaign,
    'budget_optimization' | 'daily_budget_amount_local_micro' | 'total_budget_amount_local_micro'
  >;
  /** The funding instrument of the campaign. */
  readonly funding: Means & Pick<FundingInstrument, 'start_time' | 'end_time'>;
  /** True where `advertiser_user_id` is a promotable user of the account; only checked if the caller sent it. */
  readonly is_promotable: boolean;
  /** Any other line item of the campaign that is not deleted. */
  readonly sibling: Pick<LineItem, 'objective' | 'product_type'> | undefined;
  /**
   * The names of the parameters that the caller sent. `objective` distinguishes creation from update: it is required on
   * creation and not a parameter of an update.
   */
  readonly given: ReadonlySet<string>;
}

/** Reports whether the line item is being created. */
export function isNew({ given }: LineItemSurroundings): boolean {
  return given.has('objective');
}

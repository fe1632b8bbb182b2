import type { Reject } from '@broadside/core';
/** The line items whose targeting a call changes, each read once. */
import {
  type CriterionState,
  checkTargeting,
  LineItemTargeting,
  type TargetingFault,
} from '@broadside/core/resources/targeting-criteria';
import type { AccountWriter } from '../../world/account-store.ts';
import { lineItemCuratedCategory } from '../line-item-curated-categories/find.ts';
import { findLineItem, type LineItemRow, lineItem } from '../line-items/find.ts';
import { criteriaOf } from './criteria-of.ts';
import type { TargetingCriterionRow } from './entity.ts';

/** A line item with its criteria in their current state during the call. */
interface LineItemState extends Omit<CriterionState, 'targeting' | 'in_batch'> {
  readonly targeting: LineItemTargeting<TargetingCriterionRow>;
}

/** The states of a call. */
export class LineItemStates {
  readonly #account: AccountWriter;
  readonly #states = new Map<string, LineItemState>();
  /** Errors from before the call, for which it is not rejected. */
  readonly #old = new Map<LineItemState, ReadonlySet<string>>();

  constructor(account: AccountWriter) {
    this.#account = account;
  }

  /** Returns the state of a line item that a caller names. */
  async of(reject: Reject<'LINE_ITEM_NOT_FOUND'>, line_item_id: string): Promise<LineItemState> {
    return this.#states.get(line_item_id) ?? this.#load(await findLineItem(reject, this.#account, line_item_id));
  }

  /** Returns the state of the line item of a stored criterion, which always exists. */
  async ofStored({ line_item_id }: TargetingCriterionRow): Promise<LineItemState> {
    const known = this.#states.get(line_item_id);
    if (known) return known;
    const row = await this.#account.of(lineItem).get(line_item_id);
    if (!row) throw new TypeError(`there is no line item ${line_item_id}`);
    return this.#load(row);
  }

  async #load(line_item: LineItemRow): Promise<LineItemState> {
    const { id: line_item_id } = line_item;
    const targeting = new LineItemTargeting(await criteriaOf(this.#account, line_item_id));
    const has_curated_category =
      (await this.#account.of(lineItemCuratedCategory).existing({ line_item_id })) !== undefined;
    const state = { line_item, targeting, has_curated_category };
    this.#states.set(line_item_id, state);
    this.#old.set(state, new Set(checkTargeting(targeting).map(keyOf)));
    return state;
  }

  /** Returns the new errors of the criteria of each line item taken together, after all changes of the call. */
  errors(): (TargetingFault & { readonly line_item_id: string })[] {
    return [...this.#states].flatMap(([line_item_id, state]) =>
      checkTargeting(state.targeting)
        .filter((error) => !this.#old.get(state)?.has(keyOf(error)))
        .map((error) => ({ ...error, line_item_id })),
    );
  }
}

function keyOf({ targeting_type, targeting_value }: TargetingFault): string {
  return `${targeting_type} ${targeting_value}`;
}

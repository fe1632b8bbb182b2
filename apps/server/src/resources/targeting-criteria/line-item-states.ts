import type { Reject } from '@broadside/core';
/** The line items whose targeting a call changes, each read once. */
import {
  type CriterionState,
  checkTargeting,
  LineItemTargeting,
  type LookedAt,
  lookedAtByCreation,
  lookedAtByDeletion,
  type TargetingFault,
} from '@broadside/core/resources/targeting-criteria';
import type { AccountWriter } from '../../world/account-store.ts';
import { lineItemCuratedCategory } from '../line-item-curated-categories/find.ts';
import { findLineItem, type LineItemRow, lineItem } from '../line-items/find.ts';
import { criteriaOf, targetingLookedAt } from './criteria-of.ts';
import type { TargetingCriterionRow } from './entity.ts';

/** A line item with its criteria in their current state during the call. */
interface LineItemState extends Omit<CriterionState, 'targeting' | 'in_batch'> {
  readonly targeting: LineItemTargeting<TargetingCriterionRow>;
}

/** The members of a criterion that say what it is checked against. */
type Changed = Pick<TargetingCriterionRow, 'line_item_id' | 'targeting_type' | 'targeting_value'>;

/** The states of a call. */
export class LineItemStates {
  readonly #account: AccountWriter;
  readonly #changes: 'one' | 'several';
  readonly #states = new Map<string, LineItemState>();
  /** Errors from before the call, for which it is not rejected. */
  readonly #old = new Map<LineItemState, ReadonlySet<string>>();

  /** @param changes how many criteria the call changes: for one, those are read that it is checked against */
  constructor(account: AccountWriter, changes: 'one' | 'several') {
    this.#account = account;
    this.#changes = changes;
  }

  /** Returns the state of the line item that is to get a criterion. */
  async of(reject: Reject<'LINE_ITEM_NOT_FOUND'>, criterion: Changed): Promise<LineItemState> {
    const { line_item_id } = criterion;
    const known = this.#states.get(line_item_id);
    if (known) return known;
    return this.#load(
      await findLineItem(reject, this.#account, line_item_id),
      criterion,
      lookedAtByCreation(criterion),
    );
  }

  /** Returns the state of the line item of a criterion that is to be deleted. It always exists. */
  async ofStored(criterion: TargetingCriterionRow): Promise<LineItemState> {
    const { line_item_id } = criterion;
    const known = this.#states.get(line_item_id);
    if (known) return known;
    const row = await this.#account.of(lineItem).get(line_item_id);
    if (!row) throw new TypeError(`there is no line item ${line_item_id}`);
    return this.#load(row, criterion, lookedAtByDeletion(criterion));
  }

  async #load(line_item: LineItemRow, criterion: Changed, looked: LookedAt): Promise<LineItemState> {
    const { id: line_item_id } = line_item;
    const isOne = this.#changes === 'one';
    const targeting = isOne
      ? await targetingLookedAt(this.#account, criterion, looked)
      : new LineItemTargeting(await criteriaOf(this.#account, line_item_id));
    const has_curated_category =
      (looked.curated_category || !isOne) &&
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

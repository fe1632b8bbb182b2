/** The line items that a call changes the targeting of, each read once. */
import { type CriterionGround, checkTargeting, LineItemTargeting, type TargetingFault } from '@broadside/core/rules';
import type { AccountWriter } from '../../world/account-store.ts';
import { findLineItem } from '../line-items/handlers.ts';
import type { TargetingCriterionRow } from './store.ts';

/** A line item with its criteria, as the call has left them so far. */
interface Sheet extends Omit<CriterionGround, 'targeting' | 'in_batch'> {
  readonly targeting: LineItemTargeting<TargetingCriterionRow>;
}

/** The sheets of a call. */
export class LineItemSheets {
  readonly #account: AccountWriter;
  readonly #sheets = new Map<string, Sheet>();
  /** Faults that stood before the call, which is not held against them. */
  readonly #old = new Map<Sheet, ReadonlySet<string>>();

  constructor(account: AccountWriter) {
    this.#account = account;
  }

  /** The sheet of a line item. @throws ApiError LINE_ITEM_NOT_FOUND */
  async of(line_item_id: string): Promise<Sheet> {
    const known = this.#sheets.get(line_item_id);
    if (known) return known;
    const line_item = await findLineItem(this.#account, line_item_id, false);
    const targeting = new LineItemTargeting(await this.#account.criteriaOf(line_item_id));
    const has_curated_category = (await this.#account.curatedCategoryOf(line_item_id)) !== undefined;
    const sheet = { line_item, targeting, has_curated_category };
    this.#sheets.set(line_item_id, sheet);
    this.#old.set(sheet, new Set(checkTargeting(targeting).map(keyOf)));
    return sheet;
  }

  /** What is wrong with the criteria of the line items taken together, now that the call has done all it does. */
  faults(): (TargetingFault & { readonly line_item_id: string })[] {
    return [...this.#sheets].flatMap(([line_item_id, sheet]) =>
      checkTargeting(sheet.targeting)
        .filter((fault) => !this.#old.get(sheet)?.has(keyOf(fault)))
        .map((fault) => ({ ...fault, line_item_id })),
    );
  }
}

function keyOf({ targeting_type, targeting_value }: TargetingFault): string {
  return `${targeting_type} ${targeting_value}`;
}

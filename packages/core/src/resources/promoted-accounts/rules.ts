/** Rules on promoting accounts. */
import type { Issue } from '../../wire/issues.ts';
import type { LineItem } from '../line-items/entity.ts';

type Kind = Pick<LineItem, 'id' | 'product_type'>;

/**
 * Rejects a list request for line items none of which can have promoted accounts (specification C, Promoted accounts). The
 * id of a line item that does not exist is only a filter, as elsewhere, and not a reason.
 */
export function checkPromotedAccountFilter(lineItems: readonly Kind[]): Issue<'INCOMPATIBLE_LINE_ITEM'>[] {
  if (lineItems.length === 0 || lineItems.some(({ product_type }) => product_type === 'PROMOTED_ACCOUNT')) return [];
  return [
    {
      error: 'INCOMPATIBLE_LINE_ITEM',
      parameter: 'line_item_ids',
      value: lineItems.map(({ id }) => id),
      message: 'None of these line items can have promoted accounts; name one of product type PROMOTED_ACCOUNT',
    },
  ];
}

/**
 * Checks the user to be promoted. Our reading of "promotable": the account's FULL promotable user. A REPOSTS_ONLY user lends
 * posts, not an account. A user who does not exist is rejected with the same error, so that the existence of users cannot be
 * probed.
 */
export function checkPromotedAccount(
  lineItem: Kind,
  user_id: string,
  full: string | null,
): Issue<'INCOMPATIBLE_LINE_ITEM' | 'INVALID_USER'>[] {
  const issues: Issue<'INCOMPATIBLE_LINE_ITEM' | 'INVALID_USER'>[] = [];
  if (lineItem.product_type !== 'PROMOTED_ACCOUNT') {
    issues.push({
      error: 'INCOMPATIBLE_LINE_ITEM',
      parameter: 'line_item_id',
      value: lineItem.id,
      message: `Expected a line item of product type PROMOTED_ACCOUNT, got one of ${lineItem.product_type} for line_item_id`,
    });
  }
  if (user_id !== full) {
    issues.push({
      error: 'INVALID_USER',
      parameter: 'user_id',
      value: user_id,
      message: `Expected the FULL promotable user of the account${full === null ? '' : ` (${full})`}, got ${user_id} for user_id`,
    });
  }
  return issues;
}

/** Which line items can promote an account, and whose account. */
import type { Issue } from '../../wire/issues.ts';
import type { LineItem } from '../line-items/entity.ts';

type Kind = Pick<LineItem, 'id' | 'product_type'>;

/**
 * Refuses a list for line items none of which can have promoted accounts (specification C, Promoted accounts). An id without
 * a line item filters, as everywhere, and is no reason.
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
 * Checks a user who is to be promoted. Our reading of "promotable": the account's FULL promotable user. A REPOSTS_ONLY user
 * lends posts, not an account; and who does not exist is refused alike, so that nobody is found out.
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

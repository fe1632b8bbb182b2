import type { ErrorEntries } from '../../wire/base-errors.ts';

export const errors = {
  INCOMPATIBLE_LINE_ITEM: { status: 400, message: 'The line item cannot take this' },
  INVALID_PLACEMENT_TYPE: { status: 400, message: 'The placements are not valid for this line item' },
  INVALID_USER_ID: { status: 400, message: 'The user cannot be used here' },
  LINE_ITEM_NOT_FOUND: { status: 404, message: 'The account has no line item with this id' },
  TOO_MANY_LINE_ITEMS: { status: 400, message: 'The limit of line items has been reached' },
} as const satisfies ErrorEntries;

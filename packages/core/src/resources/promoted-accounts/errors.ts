import type { ErrorEntries } from '../../wire/base-errors.ts';

export const errors = {
  INVALID_USER: { status: 400, message: 'The user cannot be used here' },
  PROMOTED_ACCOUNT_NOT_FOUND: { status: 404, message: 'The account has no promoted account with this id' },
} as const satisfies ErrorEntries;

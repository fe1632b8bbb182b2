import type { ErrorEntries } from '../../wire/base-errors.ts';

export const errors = {
  ACCOUNT_MEDIA_NOT_FOUND: { status: 404, message: 'The account has no account media with this id' },
} as const satisfies ErrorEntries;

import type { ErrorEntries } from '../../wire/base-errors.ts';

export const errors = {
  PROMOTABLE_USER_NOT_FOUND: { status: 404, message: 'The account has no promotable user with this id' },
} as const satisfies ErrorEntries;

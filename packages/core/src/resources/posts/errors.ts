import type { ErrorEntries } from '../../wire/base-errors.ts';

export const errors = {
  DUPLICATE_POST: { status: 400, message: 'The last post of this user says the same' },
  POST_CANNOT_BE_BLANK: { status: 400, message: 'A post says something or shows something' },
} as const satisfies ErrorEntries;

import type { ErrorEntries } from '../../wire/base-errors.ts';

export const errors = {
  TAILORED_AUDIENCE_NOT_FOUND: { status: 404, message: 'The account has no audience with this id' },
} as const satisfies ErrorEntries;

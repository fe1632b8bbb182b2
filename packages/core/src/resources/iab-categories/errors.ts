import type { ErrorEntries } from '../../wire/base-errors.ts';

export const errors = {
  INVALID_IAB_CATEGORY: { status: 404, message: 'No IAB category with this id exists' },
} as const satisfies ErrorEntries;

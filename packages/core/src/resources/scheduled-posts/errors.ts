import type { ErrorEntries } from '../../wire/base-errors.ts';

export const errors = {
  SCHEDULED_POST_LIMIT_EXCEEDED: { status: 400, message: 'Too many posts are scheduled around this time' },
} as const satisfies ErrorEntries;

import type { ErrorEntries } from '../../wire/base-errors.ts';

export const errors = {
  INVALID_POST: { status: 400, message: 'The post cannot be used here' },
  POST_NOT_FOUND: { status: 404, message: 'No post with this id exists' },
  PROMOTED_POST_NOT_FOUND: { status: 404, message: 'The account has no promoted post with this id' },
} as const satisfies ErrorEntries;

import type { ErrorEntries } from '../../wire/base-errors.ts';

export const errors = {
  MEDIA_CREATIVE_NOT_FOUND: { status: 404, message: 'The account has no media creative with this id' },
} as const satisfies ErrorEntries;

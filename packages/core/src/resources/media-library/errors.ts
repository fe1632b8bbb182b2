import type { ErrorEntries } from '../../wire/base-errors.ts';

export const errors = {
  MEDIA_NOT_FOUND: { status: 404, message: 'The media library of the account has no media with this key' },
} as const satisfies ErrorEntries;

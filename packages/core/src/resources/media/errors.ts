import type { ErrorEntries } from '../../wire/base-errors.ts';

export const errors = {
  MEDIA_INVALID: { status: 400, number: 324, message: 'The media cannot be used' },
  UPLOAD_NOT_FOUND: { status: 400, number: 325, message: 'No upload with this id belongs to the caller' },
} as const satisfies ErrorEntries;

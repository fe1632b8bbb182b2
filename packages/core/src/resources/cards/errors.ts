import type { ErrorEntries } from '../../wire/base-errors.ts';

export const errors = {
  CARD_NOT_FOUND: { status: 404, message: 'The account has no card with this id' },
  INVALID_IMAGE: { status: 400, message: 'The image does not fit here' },
  INVALID_MEDIA: { status: 400, message: 'The media do not fit here' },
  UNKNOWN_CARD_TYPE: { status: 400, message: 'There is no such type of cards' },
} as const satisfies ErrorEntries;

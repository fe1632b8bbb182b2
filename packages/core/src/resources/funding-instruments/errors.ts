import type { ErrorEntries } from '../../wire/base-errors.ts';

export const errors = {
  FUNDING_INSTRUMENT_EXCEEDS_AVAILABLE_CREDIT_LIMIT: {
    status: 403,
    message: 'The amount is above the credit of the funding instrument',
  },
  FUNDING_INSTRUMENT_NOT_FOUND: { status: 404, message: 'The account has no funding instrument with this id' },
  INVALID_FUNDING_INSTRUMENT: { status: 400, message: 'The funding instrument cannot be used' },
} as const satisfies ErrorEntries;

import type { ErrorEntries } from '../../wire/base-errors.ts';

export const errors = {
  CALLBACK_NOT_APPROVED: {
    status: 403,
    number: 415,
    message: 'Callback URL not approved for this client application.',
  },
  OOB_NOT_PERMITTED: { status: 403, number: 417, message: 'The client application may not use the PIN flow (oob)' },
} as const satisfies ErrorEntries;

import type { ErrorEntries } from '../../wire/base-errors.ts';

export const errors = {
  CAMPAIGN_NOT_FOUND: { status: 404, message: 'The account has no campaign with this id' },
  TOO_MANY_CAMPAIGNS: { status: 400, message: 'The account has reached its limit of active campaigns' },
} as const satisfies ErrorEntries;

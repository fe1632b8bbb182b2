import type { ErrorEntries } from '../../wire/base-errors.ts';

export const errors = {
  INVALID_TARGETING_TYPE: { status: 400, message: 'There is no such targeting type' },
  INVALID_TV_SHOW_LOCATIONS: { status: 400, message: 'Targeting a TV show needs a location in its market' },
  TARGETING_CRITERION_NOT_FOUND: { status: 404, message: 'The account has no targeting criterion with this id' },
  TV_SHOW_OUTSIDE_MARKET: { status: 400, message: 'The TV show is not on in the locations that are targeted' },
} as const satisfies ErrorEntries;

/** Parameters of the operations on the clock of a world. */

import type * as z from 'zod';
import { object } from '../../../wire/object.ts';
import { boolean, decimal, oneOf, preciseTime, text } from '../../../wire/types.ts';
import { DURATION, DURATION_FORM, MAX_DURATION_LENGTH } from './duration.ts';
import { CLOCKS_END, limitsClocks, RATES } from './entity.ts';

/** Changes of a clock. What is left out stays as it is. */
export const clockSet = object(() => ({
  now: preciseTime()
    .optional()
    .describe(
      'The time to set it to, not before its present one. All that is due until then happens in order, each at its own time.',
    ),
  rate: decimal(RATES)
    .optional()
    .describe(
      `How many seconds of the world pass in a second, until the clock stops at ${CLOCKS_END}. A frozen clock stays frozen, and runs at this rate later.`,
    ),
  frozen: boolean().optional().describe('`true` stops the clock where it is, `false` lets it run on at its rate.'),
  limits: oneOf(limitsClocks).optional().describe('The time by which windows of rate limits pass.'),
}));
export type ClockSet = z.output<typeof clockSet>;

/** How far a clock is advanced: one of the three. */
export const clockAdvance = object(() => ({
  by: text({ max: MAX_DURATION_LENGTH, pattern: DURATION, format: DURATION_FORM })
    .optional()
    .describe(
      'An ISO 8601 duration, such as `P90D`, `PT36H` or `P1M`. Months and years are those of the calendar, in UTC.',
    ),
  to: preciseTime().optional().describe('The time to advance to, not before the present one.'),
  next: boolean().optional().describe('`true` advances to the next thing that happens.'),
}));
export type ClockAdvance = z.output<typeof clockAdvance>;

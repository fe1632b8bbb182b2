import * as z from 'zod';
import { object } from '../../wire/object.ts';
import { int } from '../../wire/types.ts';
import { SMALLEST_AUDIENCE } from './size.ts';

export const AudienceEstimate = object(() => ({
  audience_size: z
    .object({
      min: int({ min: 0 }).describe('At least so many people match.'),
      max: int({ min: 0 }).describe('At most so many.'),
    })
    .describe(
      `Bounds of the number of people: it is cut to its first two digits for min, and max is one higher in the second of them. Fewer than ${SMALLEST_AUDIENCE} people are always shown as 0 to ${SMALLEST_AUDIENCE}.`,
    ),
}));
export type AudienceEstimate = z.output<typeof AudienceEstimate>;

import * as z from 'zod';
import { object } from '../../../wire/object.ts';
import { int } from '../../../wire/types.ts';
import { HashWarning } from './hash-warning.ts';

/** The result of a batch of users (specification B, Other shapes named). */
export const UsersCounts = object(() => ({
  success_count: int({ min: 0 }).describe('The number of user records that were stored.'),
  total_count: int({ min: 0 }).describe('The number of user records that were sent; equal to `success_count`.'),
  warnings: z
    .array(HashWarning)
    .optional()
    .describe(
      'In development mode: the first 100 hashes that came of identifiers of people of the platform by a known mistake. Left out when there are none.',
    ),
  warning_count: int({ min: 0 }).optional().describe('The number of such hashes, with `warnings` only.'),
}));
export type UsersCounts = z.output<typeof UsersCounts>;

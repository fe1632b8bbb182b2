import * as z from 'zod';
import { int } from '../../../wire/types.ts';

/** The result of a batch of users (specification B, Other shapes named). */
export const UsersCounts = z.object({
  success_count: int({ min: 0 }).describe('The number of user records that were stored.'),
  total_count: int({ min: 0 }).describe('The number of user records that were sent; equal to `success_count`.'),
});
export type UsersCounts = z.output<typeof UsersCounts>;

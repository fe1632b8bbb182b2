import type * as z from 'zod';
import { systemMembers } from '../../operation/entity.ts';
import { object } from '../../wire/object.ts';
import { boolean, id, int, list, oneOf, text } from '../../wire/types.ts';
import { audienceReasons } from '../custom-audiences/entity.ts';

/** The name of every do-not-reach list (reference, audiences section 8). */
export const DO_NOT_REACH_LIST = 'Do Not Reach List';

/** A do-not-reach list: the people whom no campaign of its account reaches (reference, audiences section 8). */
export const DoNotReachList = object(() => ({
  id: id().describe('The list.'),
  name: oneOf([DO_NOT_REACH_LIST]).describe('The name, which is the same for all lists.'),
  description: text().nullable().describe('What the list is about.'),
  list_size: int()
    .nullable()
    .describe('How many people of the platform are on it, cut to two digits; null until processed and when too small.'),
  targetable: boolean().describe('False: a list is left out of all campaigns of the account, and never targeted.'),
  reasons_not_targetable: list(oneOf(audienceReasons), { min: 0, max: audienceReasons.length }).describe(
    'PROCESSING while changes of its people are being counted, TOO_SMALL with fewer than 100 matched people.',
  ),
  ...systemMembers({
    created_at: 'When the list was created.',
    updated_at: 'When the list last changed.',
    deleted: 'Whether the list has been deleted.',
  }),
}));
export type DoNotReachList = z.output<typeof DoNotReachList>;

/** A stored list. */
export interface StoredDoNotReachList
  extends Pick<DoNotReachList, 'id' | 'description' | 'created_at' | 'updated_at' | 'deleted'> {
  /** Its people changed, and were not counted since. */
  readonly processing: boolean;
  /** Exact number of people of the platform on it who were active in 90 days; null before the first count. */
  readonly matched_count: number | null;
}

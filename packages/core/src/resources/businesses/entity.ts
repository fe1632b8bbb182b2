import type * as z from 'zod';
import { object } from '../../wire/object.ts';
import { id, list, text, time } from '../../wire/types.ts';

/**
 * A business, which accounts belong to. The specification shows its id and name on accounts only (specification C,
 * Account), so the rest is our choice.
 */
export const Business = object(() => ({
  id: id().describe('The business.'),
  name: text().describe('What it is called: 1 to 255 characters, unique in any case of letters.'),
  account_ids: list(id(), { min: 0, max: Number.MAX_SAFE_INTEGER }).describe('The accounts that belong to it, by id.'),
  created_at: time().describe('When it was created.'),
  updated_at: time().describe('When it last changed.'),
}));
export type Business = z.output<typeof Business>;

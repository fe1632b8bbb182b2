import type * as z from 'zod';
import { object } from '../../../wire/object.ts';
import { int, oneOf, text } from '../../../wire/types.ts';
import { identifierKinds } from '../identifiers/kinds.ts';

/** A hash that came of an identifier by a known mistake, as development mode reports it (our choice). */
export const HashWarning = object(() => ({
  operation: int({ min: 0 }).describe('The position of the operation in the request, from 0.'),
  user: int({ min: 0 }).describe('The position of the user in the operation, from 0.'),
  field: oneOf(identifierKinds).describe('The kind of the identifier.'),
  index: int({ min: 0 }).describe('The position of the hash in the field, from 0.'),
  mistake: text().describe('The id of the mistake, by which the guide on hashing lists it.'),
  message: text().describe('What was done, and what to do instead.'),
}));
export type HashWarning = z.output<typeof HashWarning>;

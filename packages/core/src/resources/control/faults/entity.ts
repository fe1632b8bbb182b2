/** A rule of faults as the control interface shows it. */

import type * as z from 'zod';
import { object } from '../../../wire/object.ts';
import { boolean, int, text, time } from '../../../wire/types.ts';
import { FaultEffect, FaultMatch } from './params.ts';

/** A rule, and how often it fired. */
export const Fault = object(() => ({
  id: text().describe('The rule. Ids of a world are never used again.'),
  match: FaultMatch.describe('The calls that it concerns.'),
  effect: FaultEffect.describe('What happens to them.'),
  times: int().nullable().describe('How often it fires at most; null where it has no end.'),
  until: time().nullable().describe('The time of the world until which it fires; null where it has no end.'),
  created_at: time().describe('When it was created, by the time of the world.'),
  matched: int().describe('How many calls it was asked about that it concerns.'),
  fired: int().describe('How often it fired.'),
  active: boolean().describe('False once it has fired as often, or as long, as it is to, or has met its first calls.'),
}));
export type Fault = z.output<typeof Fault>;

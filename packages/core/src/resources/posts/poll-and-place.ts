/** Polls and places of data retrieval (reference, data retrieval sections 8 and 9). */

import * as z from 'zod';
import { object } from '../../wire/object.ts';
import { decimal, instant, int, list, oneOf, text } from '../../wire/types.ts';

export const Poll = object(() => ({
  id: text().describe('The poll.'),
  options: z
    .array(
      z.object({
        position: int({ min: 1 }).describe('From 1.'),
        label: text().describe('What can be chosen.'),
        votes: int({ min: 0 }).describe('Who chose it.'),
      }),
    )
    .describe('What can be chosen.'),
  duration_minutes: int({ min: 5, max: 10_080 }).optional().describe('How long it is open.'),
  end_datetime: instant().optional().describe('When it ends.'),
  voting_status: oneOf(['open', 'closed']).optional().describe('Whether it is open.'),
}));
export type Poll = z.output<typeof Poll>;

export const Place = object(() => ({
  id: text().describe('The place.'),
  full_name: text().describe('Its name, with what it lies in.'),
  contained_within: list(text(), { max: 100 }).optional().describe('What it lies in.'),
  country: text().optional().describe('Its country.'),
  country_code: text().optional().describe('ISO 3166-1 code of the country.'),
  geo: z
    .object({
      type: oneOf(['Feature']).describe('Always Feature.'),
      bbox: z.array(decimal()).describe('West, south, east, north.'),
    })
    .optional()
    .describe('Its outline.'),
  name: text().optional().describe('Its name.'),
  place_type: oneOf(['poi', 'neighborhood', 'city', 'admin', 'country', 'unknown']).optional().describe('What it is.'),
}));

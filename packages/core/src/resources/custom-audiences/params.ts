import type * as z from 'zod';
import { object } from '../../wire/object.ts';
import { id, removable, text } from '../../wire/types.ts';

export const custom_audience_id = id().describe('The custom audience.');

const name = text().describe('The name: 1 to 255 characters, unique in the account; case does not matter.');

/**
 * Parameters for creating an audience, without the account (specification B, Custom audiences). The bounds of the description
 * are our choice.
 */
export const CustomAudienceCreate = object(() => ({
  name,
  description: text().optional().describe('What the audience is about: up to 255 characters.'),
}));

/** Parameters for updating an audience, without the account and the audience; what is not given stays unchanged. */
export const CustomAudienceChanges = object(() => ({
  name: name.optional(),
  description: removable(text()).optional().describe('What the audience is about; empty to remove.'),
}));

export type CustomAudienceCreate = z.output<typeof CustomAudienceCreate>;
export type CustomAudienceChanges = z.output<typeof CustomAudienceChanges>;

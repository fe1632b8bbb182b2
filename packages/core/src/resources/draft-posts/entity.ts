import type * as z from 'zod';
import { computed } from '../../wire/computed.ts';
import { object } from '../../wire/object.ts';
import { boolean, list, numericId, oneOf, text, time } from '../../wire/types.ts';

/** A post that is not published: an advertiser writes it, looks at it and changes it (reference, creatives section 7). */
export const DraftPost = object(() => ({
  id: numericId().describe('The draft post.'),
  name: text().nullable().describe('The name by which advertisers find it; people do not see it.'),
  text: text({ min: 0, max: 25_000 }).describe('The text; empty when there is none.'),
  user_id: numericId().describe('The user in whose name it is written.'),
  nullcast: boolean().describe('Whether it is for promotion only, and shown in no timeline.'),
  card_uri: text().nullable().describe('The card that it shows.'),
  media_keys: list(text({ max: 64 }), { min: 0, max: 4 }).describe('The media that it shows.'),
  created_at: time().describe('When the draft was created.'),
  updated_at: computed(time().describe('When the draft last changed.')),
  status: oneOf(['DELETED']).optional().describe('Present in the response to its deletion only.'),
}));
/** The response to showing a draft to its reader. */
export const DraftPreview = object(() => ({
  message: text().describe('In how many browsers the notification appears, in words.'),
}));

export type DraftPost = z.output<typeof DraftPost>;

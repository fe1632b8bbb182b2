import type * as z from 'zod';
import { computed } from '../../wire/computed.ts';
import { object } from '../../wire/object.ts';
import { boolean, list, numericId, oneOf, text, time } from '../../wire/types.ts';

/** SCHEDULED until its time; then SUCCESS or FAILED. DELETED only in the response to its deletion. */
export const scheduledStatuses = ['SCHEDULED', 'SUCCESS', 'FAILED', 'DELETED'] as const;

/** The reason why a scheduled post was not published. Our choice: the reference shows the status alone. */
export const PublicationFailure = object(() => ({
  code: text().describe('An error as calls report it, such as INVALID_MEDIA.'),
  message: text({ max: 1000 }).describe('What was wrong with the post at its time.'),
}));
export type PublicationFailure = z.output<typeof PublicationFailure>;

const shape = () => ({
  id: numericId().describe('The scheduled post; not the post that becomes of it.'),
  name: text().nullable().describe('The name by which advertisers find it; people do not see it.'),
  text: text({ min: 0, max: 25_000 }).describe('The text; empty when there is none.'),
  user_id: numericId().describe('The user in whose name it is published.'),
  scheduled_at: time().describe('When it is published: a whole minute.'),
  scheduled_status: computed(
    oneOf(scheduledStatuses).describe(
      'SCHEDULED until its time, then SUCCESS or FAILED; DELETED in the response to its deletion.',
    ),
  ),
  completed_at: computed(time().nullable().describe('When it was published.')),
  post_id: computed(numericId().nullable().describe('The published post.')),
  nullcast: boolean().describe('Whether it is for promotion only, and shown in no timeline.'),
  card_uri: text().nullable().describe('The card that it shows.'),
  media_keys: list(text({ max: 64 }), { min: 0, max: 4 }).describe('The media that it shows.'),
  failure: computed(PublicationFailure.optional().describe('Why it was not published; present when it FAILED.')),
  created_at: time().describe('When the post was scheduled.'),
  updated_at: computed(time().describe('When the scheduled post last changed.')),
});

/** Named, so that declarations of operations do not repeat its members. */
export interface ScheduledPostSchema extends z.ZodObject<ReturnType<typeof shape>> {}

/** A post that is published at a time (reference, creatives section 8). */
export const ScheduledPost: ScheduledPostSchema = object(shape);
export type ScheduledPost = z.output<typeof ScheduledPost>;

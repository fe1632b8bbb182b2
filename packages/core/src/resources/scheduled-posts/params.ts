import { id, minute } from '../../wire/types.ts';

export const scheduled_post_id = id().describe('The scheduled post.');

export const scheduled_at = minute().describe(
  'When it is published: later than now, and up to 365 days ahead. A whole minute; seconds are taken off.',
);

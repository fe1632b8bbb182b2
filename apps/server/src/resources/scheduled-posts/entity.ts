import { defineEntity, type RowOf } from '../../db/entity.ts';
import { beginsWith, equals, isFlag, isOneOf } from '../../db/filters.ts';
import { foldName } from '../../db/fold-name.ts';
import { scheduledPosts } from './table.ts';

export const scheduledPost = defineEntity({
  name: 'SCHEDULED_POST',
  table: scheduledPosts,
  missing: {
    // The reference has no error of its own for it (conventions section 7).
    error: 'NOT_FOUND',
    parameter: 'scheduled_post_id',
    message: (id) => `There is no scheduled post "${id.slice(0, 100)}" in the account`,
  },
  filters: {
    name: beginsWith(scheduledPosts.name_folded),
    nullcast: isFlag(scheduledPosts.nullcast),
    post_ids: isOneOf(scheduledPosts.id),
    user_id: equals(scheduledPosts.user_id),
  },
  computed: { name_folded: ({ name }) => (name === null ? null : foldName(name)) },
  derived: { publishing: false },
  internal: ['contributor_id'],
});

export type ScheduledPostRow = RowOf<typeof scheduledPost>;

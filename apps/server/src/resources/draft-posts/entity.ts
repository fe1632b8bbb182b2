import { defineEntity, type RowOf } from '../../db/entity.ts';
import { beginsWith, equals, isFlag, isOneOf } from '../../db/filters.ts';
import { foldName } from '../../db/fold-name.ts';
import { draftPosts } from './table.ts';

export const draftPost = defineEntity({
  name: 'DRAFT_POST',
  table: draftPosts,
  quota: 'draft_posts',
  missing: {
    // The reference has no error of its own for it (conventions section 7).
    error: 'NOT_FOUND',
    parameter: 'draft_post_id',
    message: (id) => `There is no draft post "${id.slice(0, 100)}" in the account`,
  },
  filters: {
    name: beginsWith(draftPosts.name_folded),
    nullcast: isFlag(draftPosts.nullcast),
    post_ids: isOneOf(draftPosts.id),
    user_id: equals(draftPosts.user_id),
  },
  computed: { name_folded: ({ name }) => (name === null ? null : foldName(name)) },
});

export type DraftPostRow = RowOf<typeof draftPost>;

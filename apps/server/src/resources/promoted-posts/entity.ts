import { defineEntity, type RowOf } from '../../db/entity.ts';
import { isOneOf } from '../../db/filters.ts';
import { lineItem } from '../line-items/find.ts';
import { promotedPosts } from './table.ts';

export const promotedPost = defineEntity({
  name: 'PROMOTED_POST',
  table: promotedPosts,
  quota: 'promoted_posts',
  parent: { entity: lineItem, column: promotedPosts.line_item_id },
  missing: { error: 'PROMOTED_POST_NOT_FOUND', parameter: 'promoted_post_id' },
  filters: {
    line_item_ids: isOneOf(promotedPosts.line_item_id),
    promoted_post_ids: isOneOf(promotedPosts.id),
  },
  internal: ['paused'],
  key: ['line_item_id', 'post_id'],
});

export type PromotedPostRow = RowOf<typeof promotedPost>;

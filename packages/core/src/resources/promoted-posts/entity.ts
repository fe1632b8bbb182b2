import type * as z from 'zod';
import { systemMembers } from '../../operation/entity.ts';
import { object } from '../../wire/object.ts';
import { id, numericId, oneOf } from '../../wire/types.ts';
import { approvalStatuses } from '../accounts/entity.ts';
import { entityStatuses } from '../campaigns/entity.ts';

/** The parameter that identifies one. */
export const promoted_post_id = id().describe('The promoted post; not the post itself.');

/** A promoted post (specification C, Promoted entities and creatives). */
export const PromotedPost = object(() => ({
  id: promoted_post_id,
  line_item_id: id().describe('The line item that promotes it.'),
  post_id: numericId().describe('The post that is shown; a repost where the post is of a REPOSTS_ONLY user.'),
  entity_status: oneOf(entityStatuses).describe('What the advertiser set.'),
  approval_status: oneOf(approvalStatuses).describe('What the review of it came to.'),
  ...systemMembers({
    created_at: 'When the post was attached to the line item.',
    deleted: 'Whether the post has been detached.',
  }),
}));
export type PromotedPost = z.output<typeof PromotedPost>;

/** The attributes that lists of promoted posts and accounts can be sorted by (reference, conventions section 4). */
export const promotedSortable = ['created_at', 'updated_at', 'deleted', 'paused'] as const;

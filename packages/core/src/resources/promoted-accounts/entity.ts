import * as z from 'zod';
import { systemMembers } from '../../operation/entity.ts';
import { id, numericId, oneOf } from '../../wire/types.ts';
import { approvalStatuses } from '../accounts/entity.ts';
import { entityStatuses } from '../campaigns/entity.ts';

/** A promoted account (specification C, Promoted entities and creatives). */
export const PromotedAccount = z.object({
  id: id().describe('The promoted account; not the user.'),
  line_item_id: id().describe('The line item that promotes it.'),
  user_id: numericId().describe('The user whom people are asked to follow.'),
  entity_status: oneOf(entityStatuses).describe('What the advertiser set.'),
  approval_status: oneOf(approvalStatuses).describe('What the review of it came to.'),
  ...systemMembers({
    created_at: 'When the user was attached to the line item.',
    deleted: 'Whether the user has been detached.',
  }),
});
export type PromotedAccount = z.output<typeof PromotedAccount>;

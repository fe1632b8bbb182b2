import type * as z from 'zod';
import { systemMembers } from '../../operation/entity.ts';
import { object } from '../../wire/object.ts';
import { id, numericId, oneOf } from '../../wire/types.ts';
import { approvalStatuses } from '../accounts/entity.ts';
import { entityStatuses } from '../campaigns/entity.ts';

/** The parameter that identifies one. */
export const promoted_account_id = id().describe('The promoted account; not the user.');

/** A promoted account (specification C, Promoted entities and creatives). */
export const PromotedAccount = object(() => ({
  id: promoted_account_id,
  line_item_id: id().describe('The line item that promotes it.'),
  user_id: numericId().describe('The user whom people are asked to follow.'),
  entity_status: oneOf(entityStatuses).describe('What the advertiser set.'),
  approval_status: oneOf(approvalStatuses).describe('What the review of it came to.'),
  ...systemMembers({
    created_at: 'When the user was attached to the line item.',
    deleted: 'Whether the user has been detached.',
  }),
}));
export type PromotedAccount = z.output<typeof PromotedAccount>;

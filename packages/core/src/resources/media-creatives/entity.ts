import type * as z from 'zod';
import { systemMembers } from '../../operation/entity.ts';
import { object } from '../../wire/object.ts';
import { id, oneOf, text } from '../../wire/types.ts';
import { creativeTypes } from '../account-media/entity.ts';
import { approvalStatuses } from '../accounts/entity.ts';
import { entityStatuses } from '../campaigns/entity.ts';

/** The parameter that identifies one. */
export const media_creative_id = id().describe('The media creative.');

/** A media creative (specification C, Promoted entities and creatives). */
export const MediaCreative = object(() => ({
  id: media_creative_id,
  line_item_id: id().describe('The line item that shows it.'),
  account_media_id: id().describe('The account media that it shows.'),
  landing_url: text({ max: 2000 }).nullable().describe('Where a display image leads; null for a PREROLL video.'),
  creative_type: oneOf(creativeTypes).describe('What the account media are used as.'),
  entity_status: oneOf(entityStatuses).describe('What the advertiser set.'),
  approval_status: oneOf(approvalStatuses).describe('What the review of it came to.'),
  ...systemMembers({
    created_at: 'When the media were attached to the line item.',
    deleted: 'Whether the media creative has been deleted.',
  }),
}));
export type MediaCreative = z.output<typeof MediaCreative>;

import type * as z from 'zod';
import { systemMembers } from '../../operation/entity.ts';
import { computed } from '../../wire/computed.ts';
import { object } from '../../wire/object.ts';
import { id, oneOf, text, time } from '../../wire/types.ts';

export const industryTypes = [
  'AGENCY',
  'BUSINESS_TO_BUSINESS',
  'ONLINE_SERVICES',
  'EDUCATION',
  'FINANCIAL',
  'HEALTH',
  'GOVERNMENT',
  'MEDIA',
  'MOBILE',
  'RESTAURANT',
  'RETAIL',
  'TECHNOLOGY',
  'TRAVEL',
  'OTHER',
] as const;

export const approvalStatuses = ['ACCEPTED', 'UNDER_REVIEW', 'REJECTED'] as const;
export type ApprovalStatus = (typeof approvalStatuses)[number];

/** An advertising account (specification C, Account). */
export const Account = object(() => ({
  id: id().describe('The account.'),
  name: text().describe('The name of the account.'),
  business_name: text().nullable().describe('The business that the account belongs to.'),
  business_id: id().nullable().describe('The id of that business.'),
  timezone: text().describe('IANA name of the time zone in which days are billed.'),
  timezone_switch_at: computed(
    time().nullable().describe('When that time zone took effect; null when it never changed.'),
  ),
  industry_type: oneOf(industryTypes)
    .nullable()
    .optional()
    .describe('The industry; in answers to reading or updating one account only.'),
  approval_status: computed(oneOf(approvalStatuses).describe('Whether the account may advertise.')),
  ...systemMembers({
    created_at: 'When the account was created.',
    updated_at: 'When the account last changed.',
    deleted: 'Whether the account has been deleted.',
  }),
}));
export type Account = z.output<typeof Account>;

/** The attributes that lists of accounts can be sorted by (reference, conventions section 4). */
export const accountSortable = ['created_at', 'updated_at', 'deleted', 'name'] as const;

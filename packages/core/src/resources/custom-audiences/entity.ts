import * as z from 'zod';
import { systemMembers } from '../../operation/entity.ts';
import { computed } from '../../wire/computed.ts';
import { object } from '../../wire/object.ts';
import { boolean, id, int, list, oneOf, text } from '../../wire/types.ts';
import { segments } from './flexible/segments.ts';
import type { SegmentGroup } from './flexible/tree.ts';

/** Types of audiences (reference, audiences section 3). CRM ones are lists of people that an advertiser uploads. */
export const audienceTypes = ['CRM', 'WEB', 'MOBILE', 'FLEXIBLE', 'MOBILE_AUDIENCE'] as const;
export type AudienceType = (typeof audienceTypes)[number];

/** The types of audiences that are combined from other audiences. */
export const flexibleTypes = ['FLEXIBLE', 'MOBILE_AUDIENCE'] as const satisfies readonly AudienceType[];
export type FlexibleType = (typeof flexibleTypes)[number];

/** The ways in which targeting names an audience: by its type, or as left out. */
const targetableTypes = [
  'CRM',
  'EXCLUDED_CRM',
  'WEB',
  'EXCLUDED_WEB',
  'MOBILE',
  'EXCLUDED_MOBILE',
  'FLEXIBLE',
  'EXCLUDED_FLEXIBLE',
  'MOBILE_AUDIENCE',
  'EXCLUDED_MOBILE_AUDIENCE',
] as const satisfies readonly (AudienceType | `EXCLUDED_${AudienceType}`)[];
export type TargetableType = (typeof targetableTypes)[number];

/** Reasons why an audience cannot be targeted, in the order in which they are reported. */
export const audienceReasons = ['PROCESSING', 'TOO_SMALL'] as const;
export type AudienceReason = (typeof audienceReasons)[number];

/** Permissions of an account on an audience. The owner has READ_WRITE. */
export const permissionLevels = ['READ_ONLY', 'READ_WRITE'] as const;
export type PermissionLevel = (typeof permissionLevels)[number];

/** Whose audiences a list shows. */
export const permissionScopes = ['OWNER', 'SHARED'] as const;

/** The definition of a flexible audience (reference, audiences section 7). */
const AudienceMetadata = object(() => ({
  custom_audience_id: id().describe('The audience.'),
  account_id: id().describe('The account that owns it.'),
  name: text().describe('The name of the audience.'),
  audience_source: oneOf(['FLEXIBLE_AUDIENCE']).describe('Where its members come from.'),
  upload_status: oneOf(['UPLOADED']).describe('The state of its definition.'),
  segments: segments().describe('The tree of audiences that it combines, with defaults filled in.'),
}));

const shape = () => ({
  id: id().describe('The audience.'),
  name: text().describe('The name of the audience; unique among those of its account that are not deleted.'),
  description: text().nullable().describe('What the audience is about.'),
  audience_type: oneOf(audienceTypes).describe('Where its members come from.'),
  audience_size: computed(
    int()
      .nullable()
      .describe(
        'How many people of the platform are in it, cut to two digits; null until processed and when too small.',
      ),
  ),
  targetable: computed(boolean().describe('Whether line items can target it now.')),
  targetable_types: computed(
    list(oneOf(targetableTypes), { max: 2 }).describe('How targeting names it, included and excluded.'),
  ),
  reasons_not_targetable: computed(
    list(oneOf(audienceReasons), { min: 0, max: audienceReasons.length }).describe(
      'PROCESSING while changes of its members are being counted, TOO_SMALL with fewer than 100 matched people.',
    ),
  ),
  permission_level: oneOf(permissionLevels).describe('What the account of the path may do with it.'),
  owner_account_id: id().describe('The account that owns it.'),
  is_owner: boolean().describe('Whether that is the account of the path.'),
  partner_source: oneOf(['OTHER']).describe('The partner that its members come from.'),
  metadata: z
    .array(AudienceMetadata)
    .optional()
    .describe('How it is made up; present on audiences that are combined from others.'),
  ...systemMembers({
    created_at: 'When the audience was created.',
    updated_at: 'When the audience last changed.',
    deleted: 'Whether the audience has been deleted.',
  }),
});

/** Named, so that declarations of operations do not repeat its members. */
export interface CustomAudienceSchema extends z.ZodObject<ReturnType<typeof shape>> {}

/** A custom audience (reference, audiences section 3). */
export const CustomAudience: CustomAudienceSchema = object(shape);
export type CustomAudience = z.output<typeof CustomAudience>;

/** A campaign whose line items target an audience (reference, audiences section 6). */
export const TargetedCampaign = object(() => ({
  campaign_id: id().describe('The campaign.'),
  campaign_name: text().describe('The name of the campaign.'),
  line_items: z
    .array(
      z.object({
        id: id().describe('The line item.'),
        name: text().nullable().describe('The name of the line item.'),
        servable: boolean().describe('Whether the line item is served now.'),
      }),
    )
    .describe('Its line items that target the audience or leave it out, in the order of their creation.'),
}));
export type TargetedCampaign = z.output<typeof TargetedCampaign>;

/** The attributes that lists of audiences can be sorted by. */
export const audienceSortable = ['created_at', 'updated_at', 'name'] as const;

/** A stored audience. */
export interface StoredAudience
  extends Pick<
    CustomAudience,
    'id' | 'name' | 'description' | 'audience_type' | 'partner_source' | 'created_at' | 'updated_at' | 'deleted'
  > {
  /** The account that owns it. */
  readonly account_id: string;
  /** The tree of a flexible audience; null for others. */
  readonly segments: SegmentGroup | null;
  /** Its members changed, and were not counted since. */
  readonly processing: boolean;
  /** Exact number of people of the platform in it who were active in 90 days; null before the first count. */
  readonly matched_count: number | null;
  /** Added to that number for other accounts; see `countFor`. */
  readonly size_offset: number;
}

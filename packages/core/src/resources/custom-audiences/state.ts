/** The state of an audience, and the audience as an account sees it (reference, audiences section 3). */
import { cutToTwoDigits } from '../audience-estimate/size.ts';
import type { AudienceReason, AudienceType, CustomAudience, PermissionLevel, StoredAudience } from './entity.ts';
import { flexibleTypes } from './entity.ts';
import type { SegmentGroup } from './flexible/tree.ts';

/** The least number of matched people with which an audience can be targeted. */
export const SMALLEST_TARGETABLE = 100;

/** The facts derived from the members of an audience. */
export type AudienceState = Pick<CustomAudience, 'targetable' | 'reasons_not_targetable' | 'audience_size'>;

/**
 * Decides the state of an audience. One that is counted again stays as targetable as it was, and lists PROCESSING until it
 * is counted (our choice: otherwise nothing would show that its size is out of date).
 */
export function audienceState({
  processing,
  matched_count,
  deleted,
}: Pick<StoredAudience, 'processing' | 'matched_count' | 'deleted'>): AudienceState {
  if (deleted) return { targetable: false, reasons_not_targetable: ['TOO_SMALL'], audience_size: null };
  const isLargeEnough = matched_count !== null && matched_count >= SMALLEST_TARGETABLE;
  const reasons: AudienceReason[] = [];
  if (processing) reasons.push('PROCESSING');
  if (!isLargeEnough) reasons.push('TOO_SMALL');
  return {
    targetable: isLargeEnough,
    reasons_not_targetable: reasons,
    audience_size: isLargeEnough ? cutToTwoDigits(matched_count) : null,
  };
}

/** Returns whether an audience of a type is combined from other audiences. */
export function isFlexible(type: AudienceType): boolean {
  return flexibleTypes.some((flexible) => flexible === type);
}

/** The account that looks at an audience. */
export interface Viewer {
  readonly account_id: string;
  readonly permission_level: PermissionLevel;
}

/**
 * Returns the number of matched people as an account gets to know it. Other accounts than the owner get a blurred one, from
 * which they cannot tell whether one person is among them.
 */
export function countFor(
  { account_id, matched_count, size_offset }: Pick<StoredAudience, 'account_id' | 'matched_count' | 'size_offset'>,
  viewer_account_id: string,
): number | null {
  return matched_count === null || account_id === viewer_account_id
    ? matched_count
    : Math.max(0, matched_count + size_offset);
}

/** Returns an audience as an account sees it. */
export function displayAudience(stored: StoredAudience, viewer: Viewer): CustomAudience {
  const { id, name, description, audience_type, partner_source, created_at, updated_at, deleted } = stored;
  return {
    id,
    name,
    description,
    audience_type,
    ...audienceState({ ...stored, matched_count: countFor(stored, viewer.account_id) }),
    targetable_types: [audience_type, `EXCLUDED_${audience_type}`],
    permission_level: viewer.permission_level,
    owner_account_id: stored.account_id,
    is_owner: viewer.account_id === stored.account_id,
    partner_source,
    ...(stored.segments ? { metadata: [metadataOf(stored, stored.segments)] } : {}),
    created_at,
    updated_at,
    deleted,
  };
}

function metadataOf({ id, account_id, name }: StoredAudience, segments: SegmentGroup) {
  const source = { audience_source: 'FLEXIBLE_AUDIENCE', upload_status: 'UPLOADED' } as const;
  return { custom_audience_id: id, account_id, name, ...source, segments };
}

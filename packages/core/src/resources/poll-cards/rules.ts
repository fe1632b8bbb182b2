/** Rules on poll cards (reference, creatives section 6). */
import type { Issue } from '../../wire/issues.ts';
import type { FeatureKey } from '../features/entity.ts';
import type { MediaKind } from '../media/categories.ts';
import type { PollCardType, StoredPoll } from './entity.ts';

/** The feature that an account needs for polls with media (specification B, Poll cards). */
const MEDIA_FEATURE = 'PROMOTED_MEDIA_POLLS' satisfies FeatureKey;

/** The parameters of a poll. */
interface GivenPoll {
  readonly name: string;
  readonly duration_in_minutes: number;
  readonly first_choice: string;
  readonly second_choice: string;
  readonly third_choice?: string | undefined;
  readonly fourth_choice?: string | undefined;
  readonly media_key?: string | undefined;
}

/** An issue of a poll. */
export type PollIssue = Issue<'FEATURE_NOT_AVAILABLE' | 'INCLUSIVE_PARAMETERS'>;

/** Checks a new poll: choices without a gap, and media only with the feature for them. */
export function checkPoll(
  poll: Pick<GivenPoll, 'third_choice' | 'fourth_choice' | 'media_key'>,
  features: readonly FeatureKey[],
): PollIssue[] {
  const issues: PollIssue[] = [];
  if (poll.fourth_choice !== undefined && poll.third_choice === undefined) {
    const message = '"fourth_choice" follows "third_choice"; give that too';
    issues.push({
      error: 'INCLUSIVE_PARAMETERS',
      parameter: 'fourth_choice',
      value: poll.fourth_choice,
      message,
    });
  }
  if (poll.media_key !== undefined && !features.includes(MEDIA_FEATURE)) {
    const message = `Polls with an image or a video need the account feature ${MEDIA_FEATURE}, which the account does not have; leave media_key out`;
    issues.push({ error: 'FEATURE_NOT_AVAILABLE', parameter: 'media_key', value: poll.media_key, message });
  }
  return issues;
}

/** Returns a new poll as stored. @param kind that of the media that it shows, if it shows any */
export function resolvePoll(
  given: GivenPoll,
  kind: MediaKind | undefined,
): Omit<StoredPoll, 'id' | 'card_uri' | 'created_at' | 'updated_at' | 'deleted'> {
  return {
    name: given.name,
    card_type: pollCardType(kind),
    first_choice: given.first_choice,
    second_choice: given.second_choice,
    third_choice: given.third_choice ?? null,
    fourth_choice: given.fourth_choice ?? null,
    duration_in_minutes: given.duration_in_minutes,
    media_key: given.media_key ?? null,
  };
}

function pollCardType(kind: MediaKind | undefined): PollCardType {
  if (kind === undefined) return 'TEXT_POLLS';
  return kind === 'video' ? 'VIDEO_POLLS' : 'IMAGE_POLLS';
}

/**
 * Rules on the content of advertisers' posts, and on who may post it (specification B, Posts; reference, creatives section
 * 10). Drafts and scheduled posts share them.
 */
import type { Permission } from '../../operation/access.ts';
import { weightLimit } from '../../text/limits.ts';
import { weightedLength } from '../../text/weighted-length.ts';
import { type Issue, invalidParameter, missingParameter } from '../../wire/issues.ts';
import { isStorable } from '../../wire/types.ts';
import type { MediaKind } from '../media/categories.ts';
import type { PromotableUser } from '../promotable-users/entity.ts';

/** Maximum length of the advertiser's name for a post (specification B, Limits). */
export const MAX_POST_NAME = 80;
/** Maximum number of images in a post (specification B, Limits). */
export const MAX_POST_IMAGES = 4;

/** Calls to action of a video. */
export const videoCtas = ['VISIT_SITE', 'WATCH_NOW'] as const;
/** One of {@link videoCtas}. */
export type VideoCta = (typeof videoCtas)[number];

/** A caller who posts in the name of a user. */
export interface Posting {
  /** Null for the operator, who may post for anybody promotable. */
  readonly caller: { readonly user_id: string; readonly permissions: readonly Permission[] } | null;
  /** The user in whose name the post is made. */
  readonly as_user_id: string;
  /** The part of that user's posts that the account may promote; undefined if nothing. */
  readonly promotable_user_type: PromotableUser['promotable_user_type'] | undefined;
  /** Promoted only: not shown in timelines. */
  readonly nullcast: boolean;
}

/**
 * Checks that a caller may post in the name of a user: of the account's FULL user as that user or with POST_COMPOSER, of
 * another promotable user as that user only (our choice: POST_COMPOSER is given for the advertiser); in public as
 * oneself only.
 */
export function checkPosting({
  caller,
  as_user_id,
  promotable_user_type,
  nullcast,
}: Posting): Issue<'ACTION_NOT_ALLOWED' | 'INVALID_USER_ID'>[] {
  if (promotable_user_type === undefined) {
    const message = `The account may not post in the name of user ${as_user_id}; use its FULL promotable user`;
    return [{ error: 'INVALID_USER_ID', parameter: 'as_user_id', value: as_user_id, message }];
  }
  if (caller === null || caller.user_id === as_user_id) return [];
  if (!nullcast) {
    const message = `Only user ${as_user_id} can post in public in the name of user ${as_user_id}; leave out nullcast, or set it to true`;
    return [{ error: 'ACTION_NOT_ALLOWED', parameter: 'nullcast', value: nullcast, message }];
  }
  if (promotable_user_type === 'FULL' && caller.permissions.includes('POST_COMPOSER')) return [];
  const others = promotable_user_type === 'FULL' ? ', or a user with the permission POST_COMPOSER,' : '';
  const message = `Only user ${as_user_id}${others} may create posts in the name of user ${as_user_id}`;
  return [{ error: 'ACTION_NOT_ALLOWED', parameter: 'as_user_id', value: as_user_id, message }];
}

/** Content of a post, as a caller gives it. */
export interface PostContent {
  readonly text?: string | undefined;
  readonly media_keys?: readonly string[] | undefined;
  readonly card_uri?: string | undefined;
}

/** Checks the text of a post: a post without media says something, and no more than fits. */
export function checkPostText({
  text,
  media_keys = [],
}: PostContent): Issue<'INVALID_POST' | 'MISSING_PARAMETER' | 'POST_CANNOT_BE_BLANK'>[] {
  if (text === undefined) return media_keys.length > 0 ? [] : [missingParameter('text', 'without media_keys')];
  if (text.trim() === '') {
    if (media_keys.length > 0) return [];
    const message = 'A post without media_keys says something: give text';
    return [{ error: 'POST_CANNOT_BE_BLANK', parameter: 'text', value: text, message }];
  }
  const { weighted_length, fault } = weightedLength(text);
  if (fault === undefined && isStorable(text)) return [];
  const message =
    fault === 'too_long'
      ? `The text has a length of ${weighted_length}; a post has up to ${weightLimit}, where a link counts 23 and most letters beyond Latin count 2`
      : 'The text contains characters that no post can have';
  return [{ error: 'INVALID_POST', parameter: 'text', message }];
}

/**
 * Checks that a post shows a card or media, not both (our choice: a card has media of its own, which take the place of
 * those of the post).
 */
export function checkCardOrMedia({ media_keys = [], card_uri }: PostContent): Issue<'EXCLUSIVE_PARAMETERS'>[] {
  if (card_uri === undefined || media_keys.length === 0) return [];
  const message = 'A post shows a card or media, not both; leave out card_uri or media_keys';
  return [{ error: 'EXCLUSIVE_PARAMETERS', parameter: 'card_uri', message }];
}

/** Checks which media a post shows together (specification B, Limits). @param kinds one for each of `media_keys` */
export function checkMediaMix(kinds: readonly MediaKind[]): Issue<'INVALID_MEDIA'>[] {
  const images = kinds.filter((kind) => kind === 'photo').length;
  if (images === kinds.length ? images <= MAX_POST_IMAGES : kinds.length === 1) return [];
  const message = `A post shows up to ${MAX_POST_IMAGES} images, or one animated GIF, or one video`;
  return [{ error: 'INVALID_MEDIA', parameter: 'media_keys', message }];
}

/** The texts of a post about its video. */
export interface VideoTexts {
  readonly video_cta?: VideoCta | undefined;
  readonly video_cta_value?: string | undefined;
  readonly video_description?: string | undefined;
  readonly video_title?: string | undefined;
}

/**
 * Checks what a post says about its video. The call to action and its address come together, and all of it takes a video (our
 * choice: the specification does not relate them).
 * @param kinds one for each of the post's media
 */
export function checkVideo(
  texts: VideoTexts,
  kinds: readonly MediaKind[],
): Issue<'INCLUSIVE_PARAMETERS' | 'INVALID_PARAMETER'>[] {
  const { video_cta, video_cta_value } = texts;
  const issues: Issue<'INCLUSIVE_PARAMETERS' | 'INVALID_PARAMETER'>[] = [];
  if ((video_cta === undefined) !== (video_cta_value === undefined)) {
    const missing = video_cta === undefined ? 'video_cta' : 'video_cta_value';
    const message = `video_cta and video_cta_value come together; give ${missing} too`;
    issues.push({ error: 'INCLUSIVE_PARAMETERS', parameter: missing, message });
  }
  if (video_cta_value !== undefined && !isWebAddress(video_cta_value)) {
    const message = 'video_cta_value is the address that the call to action opens: http or https';
    issues.push(invalidParameter('video_cta_value', video_cta_value, message));
  }
  if (kinds.includes('video')) return issues;
  const { video_description, video_title } = texts;
  for (const [name, value] of Object.entries({ video_cta, video_cta_value, video_description, video_title })) {
    if (value === undefined) continue;
    issues.push(invalidParameter(name, value, `${name} describes a video: give one in media_keys, or leave it out`));
  }
  return issues;
}

/** Characters that no address contains: spaces, controls, and marks that would end it in a page. */
const NO_ADDRESS = /[\s\p{Cc}\p{Cf}"<>\\^`{|}]/u;

/** Returns whether a text is an http or https address with a host and without credentials. */
function isWebAddress(value: string): boolean {
  return (
    !NO_ADDRESS.test(value) && /^https?:\/\/(?:\[[0-9a-f:.]+\]|[^\s/?#@:[\]]+)(?::\d{1,5})?(?:[/?#]|$)/i.test(value)
  );
}

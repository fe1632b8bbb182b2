/** Publishing a post of an advertiser, now or at the time for which it was scheduled. */
import type { Reject } from '@broadside/core';
import type { MediaKind } from '@broadside/core/resources/media';
import {
  checkCardOrMedia,
  checkMediaMix,
  checkPostText,
  checkVideo,
  type ReplySettings,
  type VideoTexts,
} from '@broadside/core/resources/posts';
import type { Actor } from '../../db/change-log.ts';
import { detectLanguage } from '../../posts/detect-language.ts';
import { type NewPost, PostRejectedError } from '../../posts/new-post.ts';
import type { AccountStore } from '../../world/account-store.ts';
import type { Environment } from '../../world/environment.ts';
import type { World } from '../../world/world.ts';
import { requireCard } from '../all-cards/find.ts';
import { addToLibrary, findAddable, findLibraryMedia } from '../media-library/find.ts';
import { pollToPost } from '../poll-cards/find.ts';

/** The client of advertisers' posts. */
export const ADVERTISERS_SOURCE = 'Broadside Ads';

/** Errors with which the content of a post can be rejected. */
type PublishError =
  | 'CARD_NOT_FOUND'
  | 'DUPLICATE_POST'
  | 'EXCLUSIVE_PARAMETERS'
  | 'INCLUSIVE_PARAMETERS'
  | 'INVALID_MEDIA'
  | 'INVALID_PARAMETER'
  | 'INVALID_POST'
  | 'MEDIA_NOT_FOUND'
  | 'MISSING_PARAMETER'
  | 'POST_CANNOT_BE_BLANK'
  | 'QUOTA_EXCEEDED';

/** The platform on which a post is published, and its composer. */
export interface Publisher {
  readonly world: World;
  readonly environment: Environment;
  readonly account: AccountStore;
  readonly actor: Actor;
  readonly reject: Reject<PublishError>;
}

/** A post of an advertiser. It was checked that it may be made in the name of its author. */
export interface AdvertiserPost extends VideoTexts {
  /** The author. */
  readonly user_id: string;
  /** The person who composed it; null for the operator. */
  readonly contributor_id: string | null;
  readonly text?: string | undefined;
  readonly media_keys?: readonly string[] | undefined;
  readonly card_uri?: string | undefined;
  readonly name?: string | undefined;
  readonly nullcast: boolean;
  readonly reply_settings?: ReplySettings | undefined;
}

/**
 * Publishes a post for an advertiser: checks its content and adds its media to the account's library, then makes the post.
 * @param key publishes once: a later call with the same key gives the post of the first, whatever else it says
 * @returns the id of the post
 */
export async function publishPost(publisher: Publisher, post: AdvertiserPost, key?: string): Promise<string> {
  const { world, environment, account, actor, reject } = publisher;
  const published = key === undefined ? undefined : await world.posts.published(key);
  if (published !== undefined) return published;
  const { user_id, contributor_id, text = '', media_keys = [], card_uri, ...others } = post;
  reject.check([...checkPostText(post), ...checkCardOrMedia(post)]);
  const kinds = await checkMedia(publisher, contributor_id, media_keys);
  reject.check([...checkMediaMix(kinds), ...checkVideo(post, kinds)]);
  const card = card_uri === undefined ? undefined : await requireCard(reject, account, card_uri);
  const created: NewPost = {
    ...others,
    author_id: user_id,
    contributor_id: contributor_id === null || contributor_id === user_id ? undefined : contributor_id,
    text,
    media_keys,
    library_media: new Set(media_keys),
    card: card && { ...card, environment, account_id: account.account_id },
    poll: card && (await pollToPost(account, card.card_uri)),
    lang: await detectLanguage(text),
    source: ADVERTISERS_SOURCE,
  };
  const options = { key, rejectDuplicate: true };
  return rejecting(reject, async () => {
    await world.posts.verify(created, options);
    const adding = { account, world, actor, user_id: contributor_id };
    await addToLibrary(reject, adding, media_keys, 'media_keys');
    return world.posts.create(actor, created, options);
  });
}

/** Checks that media are in the library, or may be added to it. @returns their kinds, in the order of the keys */
async function checkMedia(
  { world, account, reject }: Publisher,
  contributor_id: string | null,
  media_keys: readonly string[],
): Promise<MediaKind[]> {
  const held = await findLibraryMedia(account, world, media_keys);
  const others = media_keys.filter((key) => !held.has(key));
  const { media, issues } = await findAddable(account, world, contributor_id, others, 'media_keys');
  reject.check(issues);
  return media_keys.flatMap((key) => (held.get(key) ?? media.get(key))?.kind ?? []);
}

/** Converts the rejection of a post by the store to an error of the catalogue. */
async function rejecting<Result>(reject: Reject<PublishError>, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof PostRejectedError)) throw error;
    const { parameter, reason, message } = error;
    const name = parameter === 'media_keys' ? 'INVALID_MEDIA' : 'INVALID_POST';
    throw reject.error({ error: reason === 'duplicate' ? 'DUPLICATE_POST' : name, parameter, message });
  }
}

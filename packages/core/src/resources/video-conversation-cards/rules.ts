/** The values of video conversation cards, new ones and changed ones. */
import { changed } from '../../operation/changes.ts';
import {
  type ConversationChanges,
  type ConversationCreate,
  changeConversation,
  resolveConversation,
} from '../conversation-cards/rules.ts';
import type { StoredVideoConversation } from './entity.ts';

type SystemMember = 'id' | 'card_uri' | 'created_at' | 'updated_at' | 'deleted';

/** The values of a card that callers determine. */
export type VideoConversationContent = Omit<StoredVideoConversation, SystemMember>;

/** Media beside the video. */
type FurtherMedia = 'poster_media_key' | 'unlocked_image_media_key' | 'unlocked_video_media_key';

/** Returns the values of a new card. */
export function resolveVideoConversation(
  given: ConversationCreate & { readonly media_key: string } & {
    readonly [Name in FurtherMedia]?: string | undefined;
  },
): VideoConversationContent {
  return {
    ...resolveConversation(given),
    media_key: given.media_key,
    poster_media_key: given.poster_media_key ?? null,
    unlocked_image_media_key: given.unlocked_image_media_key ?? null,
    unlocked_video_media_key: given.unlocked_video_media_key ?? null,
  };
}

/** Returns the values of a card after a change; null removes one. */
export function changeVideoConversation(
  current: VideoConversationContent,
  changes: ConversationChanges & { readonly media_key?: string | undefined } & {
    readonly [Name in FurtherMedia]?: string | null | undefined;
  },
): VideoConversationContent {
  return {
    ...changeConversation(current, changes),
    media_key: changes.media_key ?? current.media_key,
    poster_media_key: changed(current.poster_media_key, changes.poster_media_key),
    unlocked_image_media_key: changed(current.unlocked_image_media_key, changes.unlocked_image_media_key),
    unlocked_video_media_key: changed(current.unlocked_video_media_key, changes.unlocked_video_media_key),
  };
}

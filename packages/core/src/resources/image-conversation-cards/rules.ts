/** The values of image conversation cards, new ones and changed ones. */
import { changed } from '../../operation/changes.ts';
import {
  type ConversationChanges,
  type ConversationCreate,
  changeConversation,
  resolveConversation,
} from '../conversation-cards/rules.ts';
import type { StoredImageConversation } from './entity.ts';

type SystemMember = 'id' | 'card_uri' | 'created_at' | 'updated_at' | 'deleted';

/** The values of a card that callers determine. */
export type ImageConversationContent = Omit<StoredImageConversation, SystemMember>;

/** Returns the values of a new card. */
export function resolveImageConversation(
  given: ConversationCreate & {
    readonly media_key: string;
    readonly unlocked_image_media_key?: string | undefined;
  },
): ImageConversationContent {
  return {
    ...resolveConversation(given),
    media_key: given.media_key,
    unlocked_image_media_key: given.unlocked_image_media_key ?? null,
  };
}

/** Returns the values of a card after a change; null removes one. */
export function changeImageConversation(
  current: ImageConversationContent,
  changes: ConversationChanges & {
    readonly media_key?: string | undefined;
    readonly unlocked_image_media_key?: string | null | undefined;
  },
): ImageConversationContent {
  return {
    ...changeConversation(current, changes),
    media_key: changes.media_key ?? current.media_key,
    unlocked_image_media_key: changed(current.unlocked_image_media_key, changes.unlocked_image_media_key),
  };
}

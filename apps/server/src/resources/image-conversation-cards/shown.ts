import {
  displayImageConversation,
  type ImageConversationCard,
} from '@broadside/core/resources/image-conversation-cards';
import { type Awaitable, chain } from '../../awaitable.ts';
import { ShownRows } from '../../world/shown-rows.ts';
import { readCardMedia } from '../card-media/find.ts';
import type { Showing } from '../cards/find.ts';
import type { ImageConversationRow } from './entity.ts';

const shown = new ShownRows<ImageConversationRow, ImageConversationCard>();

/** Returns cards as responses show them, in the same order. */
export function showImageConversations(
  showing: Showing,
  rows: readonly ImageConversationRow[],
): Awaitable<ImageConversationCard[]> {
  const keys = rows.flatMap((row) => [row.media_key, row.unlocked_image_media_key]);
  return chain(readCardMedia(showing, keys), (media) =>
    rows.map((row) => {
      const own = media.get(row.media_key);
      const unlocked = media.optional(row.unlocked_image_media_key)?.url;
      return shown.show(row, [own, unlocked], () => displayImageConversation(row, own, unlocked));
    }),
  );
}

/** Returns a card as responses show it. */
export function showImageConversation(showing: Showing, row: ImageConversationRow): Awaitable<ImageConversationCard> {
  return chain(showImageConversations(showing, [row]), ([card]) => {
    if (card) return card;
    throw new TypeError('one card is shown as one');
  });
}

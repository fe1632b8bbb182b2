import {
  displayImageConversation,
  type ImageConversationCard,
} from '@broadside/core/resources/image-conversation-cards';
import { readCardMedia } from '../card-media/find.ts';
import type { Showing } from '../cards/find.ts';
import type { ImageConversationRow } from './entity.ts';

/** Returns cards as responses show them, in the same order. */
export async function showImageConversations(
  showing: Showing,
  rows: readonly ImageConversationRow[],
): Promise<ImageConversationCard[]> {
  const keys = rows.flatMap((row) => [row.media_key, row.unlocked_image_media_key]);
  const media = await readCardMedia(showing, keys);
  return rows.map((row) =>
    displayImageConversation(row, media.get(row.media_key), media.optional(row.unlocked_image_media_key)?.url),
  );
}

/** Returns a card as responses show it. */
export async function showImageConversation(
  showing: Showing,
  row: ImageConversationRow,
): Promise<ImageConversationCard> {
  const [card] = await showImageConversations(showing, [row]);
  if (card) return card;
  throw new TypeError('one card is shown as one');
}

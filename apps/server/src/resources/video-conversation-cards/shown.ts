import {
  displayVideoConversation,
  type VideoConversationCard,
} from '@broadside/core/resources/video-conversation-cards';
import { readCardMedia } from '../card-media/find.ts';
import type { Showing } from '../cards/find.ts';
import type { VideoConversationRow } from './entity.ts';

/** Returns cards as responses show them, in the same order. */
export async function showVideoConversations(
  showing: Showing,
  rows: readonly VideoConversationRow[],
): Promise<VideoConversationCard[]> {
  const keys = rows.flatMap((row) => [
    row.media_key,
    row.poster_media_key,
    row.unlocked_image_media_key,
    row.unlocked_video_media_key,
  ]);
  const media = await readCardMedia(showing, keys);
  return rows.map((row) => {
    const { url, poster_url, owner_user_id } = media.get(row.media_key);
    const poster = media.optional(row.poster_media_key)?.url ?? poster_url;
    const unlocked = {
      image: media.optional(row.unlocked_image_media_key)?.url,
      video: media.optional(row.unlocked_video_media_key)?.url,
    };
    return displayVideoConversation(row, { url, owner_user_id, poster_url: poster }, unlocked);
  });
}

/** Returns a card as responses show it. */
export async function showVideoConversation(
  showing: Showing,
  row: VideoConversationRow,
): Promise<VideoConversationCard> {
  const [card] = await showVideoConversations(showing, [row]);
  if (card) return card;
  throw new TypeError('one card is shown as one');
}

import {
  displayVideoConversation,
  type VideoConversationCard,
} from '@broadside/core/resources/video-conversation-cards';
import { type Awaitable, chain } from '../../awaitable.ts';
import { ShownRows } from '../../world/shown-rows.ts';
import { readCardMedia } from '../card-media/find.ts';
import type { Showing } from '../cards/find.ts';
import type { VideoConversationRow } from './entity.ts';

const shown = new ShownRows<VideoConversationRow, VideoConversationCard>();

/** Returns cards as responses show them, in the same order. */
export function showVideoConversations(
  showing: Showing,
  rows: readonly VideoConversationRow[],
): Awaitable<VideoConversationCard[]> {
  const keys = rows.flatMap((row) => [
    row.media_key,
    row.poster_media_key,
    row.unlocked_image_media_key,
    row.unlocked_video_media_key,
  ]);
  return chain(readCardMedia(showing, keys), (media) =>
    rows.map((row) => {
      const { url, poster_url: still, owner_user_id } = media.get(row.media_key);
      const poster_url = media.optional(row.poster_media_key)?.url ?? still;
      const image = media.optional(row.unlocked_image_media_key)?.url;
      const video = media.optional(row.unlocked_video_media_key)?.url;
      return shown.show(row, [url, poster_url, owner_user_id, image, video], () =>
        displayVideoConversation(row, { url, owner_user_id, poster_url }, { image, video }),
      );
    }),
  );
}

/** Returns a card as responses show it. */
export function showVideoConversation(showing: Showing, row: VideoConversationRow): Awaitable<VideoConversationCard> {
  return chain(showVideoConversations(showing, [row]), ([card]) => {
    if (card) return card;
    throw new TypeError('one card is shown as one');
  });
}

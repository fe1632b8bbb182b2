import type * as z from 'zod';
import { object } from '../../wire/object.ts';
import { id, oneOf, text } from '../../wire/types.ts';
import {
  type Conversation,
  cardMembers,
  cardSystemMembers,
  conversationMembers,
  displayConversation,
  type StoredCard,
} from '../conversation-cards/entity.ts';

const shape = () => ({
  ...cardMembers.shape,
  card_type: oneOf(['VIDEO_CONVERSATION']).describe('The type of the card.'),
  media_key: text().describe('The video.'),
  media_url: text().describe('The address of the video.'),
  video_height: text().describe('The second part of the aspect ratio.'),
  video_width: text().describe('The first part of the aspect ratio.'),
  video_owner_id: id().describe('The user who uploaded the video.'),
  poster_media_url: text().optional().describe('The address of the still that is shown before the video plays.'),
  ...conversationMembers.shape,
  unlocked_image_url: text().optional().describe('The address of the image that people see who have posted.'),
  unlocked_video_url: text().optional().describe('The address of the video that people see who have posted.'),
  ...cardSystemMembers(),
});

/** Named, so that declarations of operations do not repeat its members. */
export interface VideoConversationCardSchema extends z.ZodObject<ReturnType<typeof shape>> {}

/**
 * A conversation card with a video (reference, creatives section 5). Optional members are absent when they are not set. The
 * addresses of unlocked media are our choice, like that of image conversation cards.
 */
export const VideoConversationCard: VideoConversationCardSchema = object(shape);
export type VideoConversationCard = z.output<typeof VideoConversationCard>;

/** The response to its deletion (reference, creatives section 5). */
export const DeletedVideoConversationCard = object(
  () =>
    VideoConversationCard.pick({
      name: true,
      id: true,
      created_at: true,
      updated_at: true,
      deleted: true,
      card_type: true,
    }).shape,
);

/** A conversation card with a video, as stored. */
export interface StoredVideoConversation extends StoredCard, Conversation {
  readonly media_key: string;
  /** Null where the still of the video is shown. */
  readonly poster_media_key: string | null;
  readonly unlocked_image_media_key: string | null;
  readonly unlocked_video_media_key: string | null;
}

/** A video of the platform, with the still that is shown before it plays. */
interface ShownVideo {
  readonly url: string;
  readonly poster_url: string | undefined;
  readonly owner_user_id: string;
}

/** Addresses of what is unlocked by posting, where there is anything. */
interface Unlocked {
  readonly image: string | undefined;
  readonly video: string | undefined;
}

/** Returns a card as responses show it. */
export function displayVideoConversation(
  card: StoredVideoConversation,
  video: ShownVideo,
  unlocked: Unlocked,
): VideoConversationCard {
  const { id: card_id, name, card_uri, media_key, created_at, updated_at, deleted } = card;
  return {
    id: card_id,
    name,
    card_uri,
    card_type: 'VIDEO_CONVERSATION',
    media_key,
    media_url: video.url,
    // The only ratio that a video of such a card can have.
    video_height: '9',
    video_width: '16',
    video_owner_id: video.owner_user_id,
    poster_media_url: video.poster_url,
    ...displayConversation(card),
    unlocked_image_url: unlocked.image,
    unlocked_video_url: unlocked.video,
    created_at,
    updated_at,
    deleted,
  };
}

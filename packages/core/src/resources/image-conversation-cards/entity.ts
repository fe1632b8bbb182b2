import type * as z from 'zod';
import { object } from '../../wire/object.ts';
import { oneOf, text } from '../../wire/types.ts';
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
  card_type: oneOf(['IMAGE_CONVERSATION']).describe('The type of the card.'),
  media_key: text().describe('The image.'),
  media_url: text().describe('The address of the image.'),
  image_display_height: text().describe('The height of the image in pixels.'),
  image_display_width: text().describe('The width of the image in pixels.'),
  ...conversationMembers.shape,
  unlocked_image_url: text().optional().describe('The address of the image that people see who have posted.'),
  ...cardSystemMembers(),
});

/** Named, so that declarations of operations do not repeat its members. */
export interface ImageConversationCardSchema extends z.ZodObject<ReturnType<typeof shape>> {}

/** A conversation card with an image (reference, creatives section 4). Optional members are absent when they are not set. */
export const ImageConversationCard: ImageConversationCardSchema = object(shape);
export type ImageConversationCard = z.output<typeof ImageConversationCard>;

/** The response to its deletion (reference, creatives section 4). */
export const DeletedImageConversationCard = object(
  () =>
    ImageConversationCard.pick({
      name: true,
      id: true,
      created_at: true,
      updated_at: true,
      deleted: true,
      card_type: true,
    }).shape,
);

/** A conversation card with an image, as stored. */
export interface StoredImageConversation extends StoredCard, Conversation {
  readonly media_key: string;
  readonly unlocked_image_media_key: string | null;
}

/** An image of the platform: its address, and its size in pixels. */
interface ShownImage {
  readonly url: string;
  readonly width: number;
  readonly height: number;
}

/** Returns a card as responses show it. @param unlocked the address of the image that is unlocked, if there is one */
export function displayImageConversation(
  card: StoredImageConversation,
  image: ShownImage,
  unlocked: string | undefined,
): ImageConversationCard {
  const { id, name, card_uri, media_key, created_at, updated_at, deleted } = card;
  return {
    id,
    name,
    card_uri,
    card_type: 'IMAGE_CONVERSATION',
    media_key,
    media_url: image.url,
    image_display_height: `${image.height}`,
    image_display_width: `${image.width}`,
    ...displayConversation(card),
    unlocked_image_url: unlocked,
    created_at,
    updated_at,
    deleted,
  };
}

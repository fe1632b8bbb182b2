/** The types of generic cards, and how they follow from what a card is made of (reference, creatives section 3). */
import type { MediaKind } from '../media/categories.ts';
import type { CardContent } from './components.ts';

/** The types of generic cards (specification B, Card types). */
export const cardTypes = [
  'IMAGE_APP',
  'IMAGE_CAROUSEL_APP',
  'IMAGE_CAROUSEL_WEBSITE',
  'IMAGE_MULTI_DEST_CAROUSEL_WEBSITE',
  'IMAGE_WEBSITE',
  'MIXED_MEDIA_MULTI_DEST_CAROUSEL_WEBSITE',
  'MIXED_MEDIA_SINGLE_DEST_CAROUSEL_APP',
  'MIXED_MEDIA_SINGLE_DEST_CAROUSEL_WEBSITE',
  'VIDEO_APP',
  'VIDEO_CAROUSEL_APP',
  'VIDEO_CAROUSEL_WEBSITE',
  'VIDEO_MULTI_DEST_CAROUSEL_WEBSITE',
  'VIDEO_WEBSITE',
] as const;
export type CardType = (typeof cardTypes)[number];

type Media = 'IMAGE' | 'VIDEO' | 'MIXED_MEDIA';

/**
 * Returns the type of a card.
 * @param kinds the kinds of its media: still images and videos, as `checkCardMedia` accepts them
 */
export function cardTypeOf(content: CardContent, kinds: readonly MediaKind[]): CardType {
  const videos = kinds.filter((kind) => kind === 'video').length;
  const media: Media = videos === 0 ? 'IMAGE' : videos === kinds.length ? 'VIDEO' : 'MIXED_MEDIA';
  if (content.slides) return `${media}_MULTI_DEST_CAROUSEL_WEBSITE`;
  const [{ type }, description] = content.components;
  const destination = description.type === 'BUTTON' ? 'APP' : 'WEBSITE';
  if (media === 'MIXED_MEDIA') return `MIXED_MEDIA_SINGLE_DEST_CAROUSEL_${destination}`;
  return type === 'MEDIA' ? `${media}_${destination}` : `${media}_CAROUSEL_${destination}`;
}

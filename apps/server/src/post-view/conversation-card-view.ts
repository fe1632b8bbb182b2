/** Conversation cards, and polls that nobody has posted yet, as a post shows them. */
import type { ImageConversationCard } from '@broadside/core/resources/image-conversation-cards';
import type { PollCard } from '@broadside/core/resources/poll-cards';
import type { VideoConversationCard } from '@broadside/core/resources/video-conversation-cards';
import type { CallView, ConversationCardView, PollCardView } from './card-view.ts';
import type { FindMedia } from './generic-card-view.ts';
import type { MediaView } from './media-view.ts';
import { hostOf, outwardUrl } from './outward-url.ts';

/** A conversation card of either kind. */
export function conversationCardView(
  card: ImageConversationCard | VideoConversationCard,
  media: FindMedia,
): ConversationCardView {
  const shown = media(card.media_key);
  const poster = card.card_type === 'VIDEO_CONVERSATION' ? ownPath(card.poster_media_url) : undefined;
  const video = card.card_type === 'VIDEO_CONVERSATION' ? card.unlocked_video_url : undefined;
  const link = card.thank_you_url === undefined ? null : outwardUrl(card.thank_you_url);
  return {
    kind: 'conversation',
    media: shown && poster !== undefined ? { ...shown, still: poster } : shown,
    title: card.title ?? null,
    calls: [
      ...callOf(card.first_cta, card.first_cta_post),
      ...callOf(card.second_cta, card.second_cta_post),
      ...callOf(card.third_cta, card.third_cta_post),
      ...callOf(card.fourth_cta, card.fourth_cta_post),
    ],
    thanks: {
      text: card.thank_you_text,
      link: link === null ? null : { host: hostOf(link), url: link },
      unlocked: [...mediaAt('photo', card.unlocked_image_url), ...mediaAt('video', video)],
    },
  };
}

function callOf(cta: string | undefined, post = ''): CallView[] {
  return cta === undefined ? [] : [{ tag: cta.startsWith('#') ? cta : `#${cta}`, post }];
}

/** A poll of a card: nobody votes before it is posted. @param now_ms the time of the world's clock */
export function pollCardView(card: PollCard, now_ms: number): PollCardView {
  const { first_choice, second_choice, third_choice, fourth_choice } = card;
  const ends_ms = Date.parse(card.end_time);
  const [image] = mediaAt('photo', card.image, sizeOf(card.image_display_width, card.image_display_height));
  const [video] = mediaAt('video', card.video_url, {}, card.video_poster_url);
  return {
    kind: 'poll',
    media: image ?? video ?? null,
    choices: [first_choice, second_choice, third_choice, fourth_choice].flatMap((label) =>
      label === undefined ? [] : [{ label, votes: 0 }],
    ),
    ends_ms,
    remaining_ms: Math.max(0, ends_ms - now_ms),
  };
}

interface Size {
  readonly width?: number | null;
  readonly height?: number | null;
}

function sizeOf(width: string | undefined, height: string | undefined): Size {
  return { width: width === undefined ? null : Number(width), height: height === undefined ? null : Number(height) };
}

/** Media by their path: the responses of these cards do not say their keys. */
function mediaAt(kind: MediaView['kind'], address: string | undefined, size: Size = {}, poster?: string): MediaView[] {
  const path = ownPath(address);
  if (path === undefined) return [];
  const { width = null, height = null } = size;
  return [
    { media_key: null, kind, path, content_type: null, still: ownPath(poster) ?? null, width, height, alt: null },
  ];
}

/** The path of media on this server; `undefined` for any other address. */
function ownPath(address: string | undefined): string | undefined {
  return address !== undefined && /^\/media\/[a-z0-9][a-z0-9._/-]*$/.test(address) ? address : undefined;
}

import type { Card } from '../cards/entity.ts';
import type { ImageConversationCard } from '../image-conversation-cards/entity.ts';
import type { PollCard } from '../poll-cards/entity.ts';
import type { VideoConversationCard } from '../video-conversation-cards/entity.ts';

/** A card of any kind as responses show it. `card_type` tells the kinds apart. */
export type AnyCard = Card | ImageConversationCard | VideoConversationCard | PollCard;

import type * as z from 'zod';
import { anyOf } from '../../wire/variants.ts';
import { Card } from '../cards/entity.ts';
import { ImageConversationCard } from '../image-conversation-cards/entity.ts';
import { PollCard } from '../poll-cards/entity.ts';
import { VideoConversationCard } from '../video-conversation-cards/entity.ts';

/** The schema of all kinds. An interface, so that declarations of operations name it and do not repeat its structure. */
export interface AnyCardSchema
  extends z.ZodUnion<
    readonly [typeof Card, typeof ImageConversationCard, typeof VideoConversationCard, typeof PollCard]
  > {}

/** A card of any kind as responses show it. `card_type` tells the kinds apart. */
export const AnyCard: AnyCardSchema = anyOf('card_type', [
  Card,
  ImageConversationCard,
  VideoConversationCard,
  PollCard,
]);
export type AnyCard = z.output<typeof AnyCard>;

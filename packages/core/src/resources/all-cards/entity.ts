import type { Card } from '../cards/entity.ts';

/** A card of any kind as responses show it. `card_type` tells the kinds apart. */
export type AnyCard = Card;

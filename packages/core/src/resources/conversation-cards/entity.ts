/** Members that the responses of image and video conversation cards share (reference, creatives sections 4 and 5). */

import { systemMembers } from '../../operation/entity.ts';
import { object } from '../../wire/object.ts';
import { id, text } from '../../wire/types.ts';

/** Maximum number of characters of a call to action; a # in front does not count. */
export const MAX_CTA = 20;

/**
 * Maximum number of characters of what people post (our choice). Links count 23 however long they are; more would take too long
 * to weigh, four texts in one request.
 */
export const MAX_POST_TEXT = 5000;

/** Maximum number of characters of a link. */
export const MAX_ADDRESS = 2000;

/** Members of every card. */
export const cardMembers = object(() => ({
  id: id().describe('The card.'),
  name: text().describe('The name for the account alone.'),
  card_uri: text().describe('The address by which posts take the card: card:// and a number of its own.'),
}));

/** The attributes that lists of cards of one kind can be sorted by. */
export const cardSortable = ['created_at', 'updated_at', 'name'] as const;

/** The system members of every card. */
export const cardSystemMembers = () =>
  systemMembers({
    created_at: 'When the card was created.',
    updated_at: 'When the card last changed.',
    deleted: 'Whether the card has been deleted.',
  });

// Links count 23 however long they are, so a text of 280 can have many characters.
const postedText = () => text({ max: MAX_POST_TEXT });

/** The texts of a conversation card. Optional members are absent when they are not set. */
export const conversationMembers = object(() => ({
  title: text().optional().describe('The title.'),
  first_cta: text().describe('The first call to action.'),
  first_cta_post: postedText().describe('What people post who choose it.'),
  second_cta: text().optional().describe('The second call to action.'),
  second_cta_post: postedText().optional().describe('What people post who choose it.'),
  third_cta: text().optional().describe('The third call to action.'),
  third_cta_post: postedText().optional().describe('What people post who choose it.'),
  fourth_cta: text().optional().describe('The fourth call to action.'),
  fourth_cta_post: postedText().optional().describe('What people post who choose it.'),
  thank_you_text: text().describe('What people read who have posted.'),
  thank_you_url: text({ max: MAX_ADDRESS }).optional().describe('Where they may go then.'),
}));

/** The texts of a conversation card, as stored. */
export interface Conversation {
  readonly name: string;
  readonly title: string | null;
  readonly first_cta: string;
  readonly first_cta_post: string;
  readonly second_cta: string | null;
  readonly second_cta_post: string | null;
  readonly third_cta: string | null;
  readonly third_cta_post: string | null;
  readonly fourth_cta: string | null;
  readonly fourth_cta_post: string | null;
  readonly thank_you_text: string;
  readonly thank_you_url: string | null;
}

/** Members that every stored card has. */
export interface StoredCard {
  readonly id: string;
  readonly name: string;
  readonly card_uri: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly deleted: boolean;
}

/** Returns what a card says as responses show it: what is not set is absent (reference, creatives section 4). */
export function displayConversation(conversation: Conversation) {
  return {
    title: conversation.title ?? undefined,
    first_cta: conversation.first_cta,
    first_cta_post: conversation.first_cta_post,
    second_cta: conversation.second_cta ?? undefined,
    second_cta_post: conversation.second_cta_post ?? undefined,
    third_cta: conversation.third_cta ?? undefined,
    third_cta_post: conversation.third_cta_post ?? undefined,
    fourth_cta: conversation.fourth_cta ?? undefined,
    fourth_cta_post: conversation.fourth_cta_post ?? undefined,
    thank_you_text: conversation.thank_you_text,
    thank_you_url: conversation.thank_you_url ?? undefined,
  };
}

/**
 * Parameters that image and video conversation cards share (specification B, Image conversation cards, Video conversation
 * cards). Poll cards share the name and the filters.
 */

import { ids } from '../../operation/list.ts';
import { object } from '../../wire/object.ts';
import { id, removable, text } from '../../wire/types.ts';
import { MAX_ADDRESS, MAX_CTA, MAX_POST_TEXT } from './entity.ts';

/** Maximum number of characters of the name of a card, and of a text by which names are filtered (specification B, Limits). */
const MAX_NAME = 80;

/** Maximum number of characters of the title and of the thanks. */
const MAX_SHORT_TEXT = 23;

export const card_id = id().describe('The card.');

/** The name of a card. */
export function cardName() {
  return text({ max: MAX_NAME }).describe(`The name for the account alone: 1 to ${MAX_NAME} characters.`);
}

/** Filters of the lists of cards of one kind. */
export const cardFilters = () => ({
  card_ids: ids('cards'),
  q: text({ max: MAX_NAME })
    .optional()
    .describe(`Only names that begin with this text of up to ${MAX_NAME} characters, in any case.`),
});

/** Media of the account's library by their key. */
export function libraryKey() {
  return text({ max: 64 });
}

// The # in front does not count, so the exact length is checked by the rules.
const cta = () => text({ max: MAX_CTA + 1 });
const post = () => text({ max: MAX_POST_TEXT });
const shortText = () => text({ max: MAX_SHORT_TEXT });
const address = () =>
  text({
    max: MAX_ADDRESS,
    pattern: /^https?:\/\/[^\s/?#]+\S*$/i,
    format: 'an address that begins with http:// or https://',
  });

const texts = {
  first_cta: `The first call to action, a hashtag: up to ${MAX_CTA} characters after the #.`,
  first_cta_post: 'What people post who choose the first call to action: up to 280 in weighted length.',
  second_cta: `The second call to action: up to ${MAX_CTA} characters, a # in front not counted. Required without a title.`,
  second_cta_post: 'What people post who choose the second call to action; required with it.',
  third_cta: `The third call to action: up to ${MAX_CTA} characters, a # in front not counted.`,
  third_cta_post: 'What people post who choose the third call to action; required with it.',
  fourth_cta: `The fourth call to action: up to ${MAX_CTA} characters, a # in front not counted.`,
  fourth_cta_post: 'What people post who choose the fourth call to action; required with it.',
  title: `The title: up to ${MAX_SHORT_TEXT} characters. Required without a second call to action.`,
  thank_you_text: `What people read who have posted: up to ${MAX_SHORT_TEXT} characters.`,
  thank_you_url: 'Where they may go then.',
} as const;

/** Parameters for creating a conversation card, without the account and the media. */
export const conversationCreate = object(() => ({
  name: cardName(),
  first_cta: cta().describe(texts.first_cta),
  first_cta_post: post().describe(texts.first_cta_post),
  second_cta: cta().optional().describe(texts.second_cta),
  second_cta_post: post().optional().describe(texts.second_cta_post),
  third_cta: cta().optional().describe(texts.third_cta),
  third_cta_post: post().optional().describe(texts.third_cta_post),
  fourth_cta: cta().optional().describe(texts.fourth_cta),
  fourth_cta_post: post().optional().describe(texts.fourth_cta_post),
  title: shortText().optional().describe(texts.title),
  thank_you_text: shortText().describe(texts.thank_you_text),
  thank_you_url: address().optional().describe(texts.thank_you_url),
}));

/**
 * Parameters for updating a conversation card, without the account, the card and the media. What is not given stays
 * unchanged; an empty value removes what a card can do without (our choice).
 */
export const conversationChanges = object(() => ({
  name: cardName().optional(),
  first_cta: cta().optional().describe(texts.first_cta),
  first_cta_post: post().optional().describe(texts.first_cta_post),
  second_cta: removable(cta()).optional().describe(`${texts.second_cta} Empty to remove it with its text.`),
  second_cta_post: removable(post()).optional().describe(texts.second_cta_post),
  third_cta: removable(cta()).optional().describe(`${texts.third_cta} Empty to remove it with its text.`),
  third_cta_post: removable(post()).optional().describe(texts.third_cta_post),
  fourth_cta: removable(cta()).optional().describe(`${texts.fourth_cta} Empty to remove it with its text.`),
  fourth_cta_post: removable(post()).optional().describe(texts.fourth_cta_post),
  title: removable(shortText()).optional().describe(`${texts.title} Empty to remove it.`),
  thank_you_text: shortText().optional().describe(texts.thank_you_text),
  thank_you_url: removable(address()).optional().describe(`${texts.thank_you_url} Empty to remove it.`),
}));

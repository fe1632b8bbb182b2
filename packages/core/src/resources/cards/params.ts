/** Parameters of generic cards (specification B, Cards). */

import type * as z from 'zod';
import { ids, MAX_IDS } from '../../operation/list.ts';
import { object } from '../../wire/object.ts';
import { boolean, id, list, oneOf, text } from '../../wire/types.ts';
import { cardTypes } from './card-types.ts';
import { cardLimits } from './components.ts';
import { components, slides } from './content.ts';

/** The card in the path. */
export const card_id = id().describe('The card.');

const name = text({ max: cardLimits.name }).describe('The name of the card.');

const content = object(() => ({
  components: components('sent')
    .optional()
    .describe('The media of the card, then its DETAILS with a website or its BUTTON with an app.'),
  slides: slides('sent')
    .optional()
    .describe('2 to 6 slides, each with a medium and DETAILS of its own; in the place of components.'),
}));

/** Parameters for creating a card, without the account. */
export const CardCreate = object(() => ({ name, ...content.shape }));
export type CardCreate = z.output<typeof CardCreate>;

/** Parameters for changing a card, without the account and the card. */
export const CardChanges = object(() => ({ name: name.optional(), ...content.shape }));
export type CardChanges = z.output<typeof CardChanges>;

/** Filters of lists. */
export const cardFilters = () => ({
  card_types: list(oneOf(cardTypes, { error: 'UNKNOWN_CARD_TYPE' }), { max: cardTypes.length })
    .optional()
    .describe('Only cards of these types.'),
  card_id: ids('cards'),
  card_uris: list(text(), { max: MAX_IDS }).optional().describe(`Only cards with these URIs: up to ${MAX_IDS}.`),
  include_legacy_cards: boolean()
    .default(false)
    .describe('Include cards that the interfaces before this one created; this platform has none.'),
  q: text({ max: 80 }).optional().describe('Only names that begin with this text, in any case.'),
});

/** Specification B, cards of all kinds. */
import type { OperationRows } from '../support/operation-row.ts';
import { type Requirements, typed, wire } from '../support/requirement.ts';

export const requirements: Requirements = {
  'B-ALL-CARDS-LIST': {
    clause: 'B Cards, GET cards/all; R creatives 3, cards/all',
    text: 'cards of all kinds are read by their URIs, each in its own shape, one for each URI found and in the order of the URIs',
    on: 'every adapter',
  },
  'B-ALL-CARDS-GET': {
    clause: 'B Cards, GET cards/all/:card_id',
    text: 'a card of any kind is read by its id, and by the number in its URI',
    on: 'every adapter',
  },
  'B-ALL-CARDS-BOUNDS': {
    clause: 'B Cards, GET cards/all, card_uris',
    text: 'card_uris is required and has up to 200 URIs',
    on: typed,
  },
  'B-ALL-CARDS-DELETED': {
    clause: 'B Cards, GET cards/all, with_deleted; R conventions 5, hard delete',
    text: 'a deleted card of components is shown with_deleted, and a conversation card or poll never again',
    on: 'every adapter',
  },
  'B-ALL-CARDS-FOREIGN': {
    clause: 'R creatives 3, unknown id',
    text: 'cards of another account are missing like those that do not exist',
    on: 'every adapter',
  },
  'B-ALL-CARDS-ENVELOPE': {
    clause: 'R creatives 3, cards/all; R conventions 2',
    text: 'the list has no next_cursor and the echo the URIs as an array',
    on: wire,
  },
  'B-CARDS-GENERIC-ONLY': {
    clause: 'B Cards, only cards created through POST cards are returned here',
    text: 'conversation cards and polls are not among the generic cards',
    on: 'every adapter',
  },
};

export const operations: OperationRows = {
  'all_cards.list': {
    route: 'GET /12/accounts/:account_id/cards/all',
    required: 'card_uris',
    optional: 'with_deleted',
    capability: 'creatives.read',
  },
  'all_cards.get': {
    route: 'GET /12/accounts/:account_id/cards/all/:card_id',
    optional: 'with_deleted',
    capability: 'creatives.read',
  },
};

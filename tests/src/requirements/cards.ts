/** Specification B, generic cards. */
import type { OperationRows } from '../support/operation-row.ts';
import { type Requirements, typed, wire } from '../support/requirement.ts';

export const requirements: Requirements = {
  'B-CARDS-CREATE': {
    clause: 'B Cards, POST; R creatives 3, fields',
    text: 'a card of components is created, and read by list and id, with a card_uri of its id',
    on: 'every adapter',
  },
  'B-CARDS-CONTENT': {
    clause: 'B Cards, POST components and slides',
    text: 'a card has exactly one of components and slides',
    on: 'every adapter',
  },
  'B-CARDS-NAME': {
    clause: 'B Cards, POST and PUT name; B Limits',
    text: 'a name is required and has 1 to 80 characters; several cards may have the same',
    on: 'every adapter',
  },
  'B-CARDS-COMPONENTS': {
    clause: 'B Card component structure',
    text: 'each type of component has its own members, and every mistake is reported with its place',
    on: 'every adapter',
  },
  'B-CARDS-ORDER': {
    clause: 'B Card component structure; R creatives 3, composition rule',
    text: 'a media component comes first, and exactly one DETAILS or BUTTON after it',
    on: 'every adapter',
  },
  'B-CARDS-SWIPEABLE': {
    clause: 'B Card component structure, SWIPEABLE_MEDIA; B Limits',
    text: 'swipeable media are 2 to 6',
    on: 'every adapter',
  },
  'B-CARDS-LABEL': {
    clause: 'B Card component structure, label object',
    text: 'a label has the type ENUM and one of seven values, and belongs to a BUTTON only',
    on: 'every adapter',
  },
  'B-CARDS-WEBSITE': {
    clause: 'B Destination objects, WEBSITE; R creatives 3, website url',
    text: 'a website belongs to DETAILS only, and its url, http or https, is returned in normal form',
    on: 'every adapter',
  },
  'B-CARDS-APP': {
    clause: 'B Destination objects, APP',
    text: 'an app belongs to a BUTTON only, has a country and an id of one store or both, and deep links only with theirs',
    on: 'every adapter',
  },
  'B-CARDS-SLIDES': {
    clause: 'B Card component structure, slides',
    text: 'slides are 2 to 6 complete cards of MEDIA and DETAILS',
    on: 'every adapter',
  },
  'B-CARDS-TYPES': {
    clause: 'B Card types; R creatives 3, card_type derivation',
    text: 'the 13 card types follow from media and destinations',
    on: 'every adapter',
  },
  'B-CARDS-LIBRARY': {
    clause: 'R creatives 3, media',
    text: "media of a card must be in the account's library, neither removed from it nor in that of another account only",
    on: 'every adapter',
  },
  'B-CARDS-MEDIA': {
    clause: 'R creatives 3, card media specification',
    text: 'images and videos must have the size, ratio and type of the specification of card media',
    on: 'every adapter',
  },
  'B-CARDS-METADATA': {
    clause: 'R creatives 3, component in a response',
    text: 'components are returned with the type, address and size of their media',
    on: 'every adapter',
  },
  'B-CARDS-UPDATE': {
    clause: 'B Cards, PUT; R creatives 3, PUT',
    text: 'an update replaces each member given entirely, components and slides each other',
    on: 'every adapter',
  },
  'B-CARDS-AS-ANSWERED': {
    clause: 'R creatives 3, component in a response',
    text: 'a card whose components are sent as they were returned stays as it is',
    on: 'every adapter',
  },
  'B-CARDS-DELETE': {
    clause: 'B Cards, DELETE; R creatives 3, deletes',
    text: 'a deleted card is shown with_deleted only, and cannot be changed or deleted again',
    on: 'every adapter',
  },
  'B-CARDS-FOREIGN': {
    clause: 'R creatives 3, unknown id',
    text: 'a card of another account is missing like one that does not exist',
    on: 'every adapter',
  },
  'B-CARDS-FILTER': {
    clause: 'B Cards, GET card_types, card_id, card_uris and q',
    text: 'cards are found by types, ids, URIs and the beginning of the name in any case',
    on: 'every adapter',
  },
  'B-CARDS-LEGACY': {
    clause: 'B Cards, GET include_legacy_cards',
    text: 'there are no legacy cards to include',
    on: 'every adapter',
  },
  'B-CARDS-LIST': {
    clause: 'B Cards, GET count, cursor, sort_by and with_deleted; R conventions 4, sortable attributes',
    text: 'cards are listed in pages of 100 unless asked otherwise, in any order',
    on: 'every adapter',
  },
  'B-CARDS-BOUNDS': {
    clause: 'B Cards, GET',
    text: 'count is 1 to 200, q has up to 80 characters, ids and URIs are up to 200, and an unknown type is UNKNOWN_CARD_TYPE',
    on: typed,
  },
  'B-CARDS-ENVELOPE': {
    clause: 'R conventions 2; R creatives 3, order of keys',
    text: 'the echo has the parameters of the path only, and a card its members in the order of the reference',
    on: wire,
  },
  'B-CARDS-BODY': {
    clause: 'B Cards, POST and PUT, JSON body',
    text: 'a card comes as a JSON object in the body and in no other way; any other body is a 400 or 415',
    on: wire,
  },
  'B-CARDS-HOSTILE': {
    clause: 'A Errors',
    text: 'deep, long and odd bodies are rejected with a 4xx and short errors',
    on: wire,
  },
};

export const operations: OperationRows = {
  'cards.list': {
    route: 'GET /12/accounts/:account_id/cards',
    optional: 'card_types card_id card_uris count cursor include_legacy_cards q sort_by with_deleted',
    sortable: 'created_at updated_at deleted name',
    capability: 'creatives.read',
  },
  'cards.get': {
    route: 'GET /12/accounts/:account_id/cards/:card_id',
    optional: 'with_deleted',
    capability: 'creatives.read',
  },
  'cards.create': {
    route: 'POST /12/accounts/:account_id/cards',
    required: 'name',
    optional: 'components slides',
    capability: 'creatives.write',
  },
  'cards.update': {
    route: 'PUT /12/accounts/:account_id/cards/:card_id',
    optional: 'name components slides',
    capability: 'creatives.write',
  },
  'cards.delete': {
    route: 'DELETE /12/accounts/:account_id/cards/:card_id',
    capability: 'creatives.write',
  },
};

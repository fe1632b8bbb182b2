/** Specification B, poll cards. */
import { type OperationRows, PAGE } from '../support/operation-row.ts';
import { type Requirements, typed, wire } from '../support/requirement.ts';

export const requirements: Requirements = {
  'B-POLL-CREATE': {
    clause: 'B Poll cards, POST; R creatives 6',
    text: 'a poll is created with a start_time, an end_time and a duration as text, and read by list and id; what is not set is absent',
    on: 'every adapter',
  },
  'B-POLL-REQUIRED': {
    clause: 'B Poll cards, POST; R creatives 6, required',
    text: 'name, duration_in_minutes, first_choice and second_choice of a poll are required',
    on: typed,
  },
  'B-POLL-BOUNDS': {
    clause: 'B Poll cards, duration_in_minutes; B Limits; R creatives 6',
    text: 'a poll lasts 5 to 10,080 minutes, and a choice has up to 25 characters',
    on: 'every adapter',
  },
  'B-POLL-CHOICES': {
    clause: 'R creatives 6, third_choice and fourth_choice',
    text: 'a poll has two, three or four choices, in order and without a gap',
    on: 'every adapter',
  },
  'B-POLL-END': {
    clause: 'B Other shapes named, end_time; R creatives 6',
    text: 'a poll starts when it is created, and ends after its duration by the clock of the world',
    on: 'every adapter',
  },
  'B-POLL-FEATURE': {
    clause: 'B Poll cards, media-forward polls; R creatives 6, media_key',
    text: 'a poll with media needs the feature PROMOTED_MEDIA_POLLS',
    on: 'every adapter',
  },
  'B-POLL-IMAGE': {
    clause: 'R creatives 6, image polls; R creatives 3, media specification',
    text: 'an image of a poll is in the library, 800 pixels wide or more and 1.91:1, and its address and size are in the response',
    on: 'every adapter',
  },
  'B-POLL-VIDEO': {
    clause: 'R creatives 6, video polls; R creatives 3, media specification',
    text: 'a video of a poll is in the library and 16:9, and its address, still, ratio and duration are in the response',
    on: 'every adapter',
  },
  'B-POLL-POSTED': {
    clause: 'B Poll cards, end_time; R data-retrieval 8; R creatives 6, DELETE',
    text: 'a poll that is posted is in data retrieval with its votes, closes at its end_time, and stays when its card is deleted',
    on: 'every adapter',
  },
  'B-POLL-DELETE': {
    clause: 'R creatives 6, DELETE; R conventions 5, hard delete',
    text: 'a deleted poll is gone, also with_deleted',
    on: 'every adapter',
  },
  'B-POLL-LIST': {
    clause: 'B Poll cards, GET',
    text: 'polls are filtered by ids and by the beginning of their name, sorted, counted and paged',
    on: 'every adapter',
  },
  'B-POLL-ECHO': {
    clause: 'R conventions 2, irregular echo, poll',
    text: 'the echo has the card_type: poll where one is read or deleted, and its type where it is created; the duration is a number',
    on: wire,
  },
  'B-POLL-IMMUTABLE': {
    clause: 'B Poll cards, no update',
    text: 'a poll cannot be changed: its path has no PUT',
    on: wire,
  },
};

const route = '/12/accounts/:account_id/cards/poll';

export const operations: OperationRows = {
  'poll_cards.list': {
    route: `GET ${route}`,
    optional: `card_ids q ${PAGE}`,
    sortable: 'created_at updated_at name',
    capability: 'creatives.read',
  },
  'poll_cards.get': { route: `GET ${route}/:card_id`, optional: 'with_deleted', capability: 'creatives.read' },
  'poll_cards.create': {
    route: `POST ${route}`,
    required: 'name duration_in_minutes first_choice second_choice',
    optional: 'third_choice fourth_choice media_key',
    capability: 'creatives.write',
  },
  'poll_cards.delete': { route: `DELETE ${route}/:card_id`, capability: 'creatives.write' },
};

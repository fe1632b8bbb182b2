/** Specification B, video conversation cards. */
import { type OperationRows, PAGE } from '../support/operation-row.ts';
import { type Requirements, typed, wire } from '../support/requirement.ts';

export const requirements: Requirements = {
  'B-VIDEO-TALK-CREATE': {
    clause: 'B Video conversation cards, POST; R creatives 5',
    text: 'a video conversation card is created, and read by list and id; what is not set is absent, and its card_uri has a number of its own',
    on: 'every adapter',
  },
  'B-VIDEO-TALK-REQUIRED': {
    clause: 'B Video conversation cards, field table',
    text: 'name, media_key, first_cta, first_cta_post and thank_you_text of a video conversation card are required',
    on: typed,
  },
  'B-VIDEO-TALK-PAIRS': {
    clause: 'B Video conversation cards, title and second_cta; *_cta_post',
    text: 'a title or a second call to action is required, and a text with each call to action',
    on: 'every adapter',
  },
  'B-VIDEO-TALK-BOUNDS': {
    clause: 'B Video conversation cards, rules of the fields; B Limits',
    text: 'calls to action have up to 20 characters beside the #, title and thanks 23, a name 80, and what is posted a weighted length of 280',
    on: 'every adapter',
  },
  'B-VIDEO-TALK-LIBRARY': {
    clause: 'B Video conversation cards, media_key',
    text: 'media come from the library of the account, and stay when they are deleted from it',
    on: 'every adapter',
  },
  'B-VIDEO-TALK-VIDEO': {
    clause: 'B Video conversation cards, media_key; R creatives 5',
    text: 'the video is 16:9, and the response has its ratio, owner, address and still',
    on: 'every adapter',
  },
  'B-VIDEO-TALK-UNLOCKED': {
    clause: 'B Video conversation cards, poster_media_key and unlocked media',
    text: 'a poster replaces the still, and unlocked media are given by key and returned by address',
    on: 'every adapter',
  },
  'B-VIDEO-TALK-UPDATE': {
    clause: 'B Video conversation cards, PUT',
    text: 'only what is given changes, the result follows the rules of creating, and an empty value removes what is optional',
    on: 'every adapter',
  },
  'B-VIDEO-TALK-DELETE': {
    clause: 'B Video conversation cards, DELETE; R conventions 5, hard delete',
    text: 'a deleted card is gone, also with_deleted',
    on: 'every adapter',
  },
  'B-VIDEO-TALK-LIST': {
    clause: 'B Video conversation cards, GET',
    text: 'cards are filtered by ids and by the beginning of their name, sorted, counted and paged',
    on: 'every adapter',
  },
  'B-VIDEO-TALK-ECHO': {
    clause: 'R conventions 2, irregular echo, video conversation',
    text: 'the echo has the card_type, in small letters where a card is read or deleted, and in capitals where it is written',
    on: wire,
  },
};

export const operations: OperationRows = {
  'video_conversation_cards.list': {
    route: 'GET /12/accounts/:account_id/cards/video_conversation',
    optional: `card_ids q ${PAGE}`,
    sortable: 'created_at updated_at name',
    capability: 'creatives.read',
  },
  'video_conversation_cards.get': {
    route: 'GET /12/accounts/:account_id/cards/video_conversation/:card_id',
    optional: 'with_deleted',
    capability: 'creatives.read',
  },
  'video_conversation_cards.create': {
    route: 'POST /12/accounts/:account_id/cards/video_conversation',
    required: 'name media_key first_cta first_cta_post thank_you_text',
    optional:
      'second_cta second_cta_post third_cta third_cta_post fourth_cta fourth_cta_post title thank_you_url poster_media_key unlocked_image_media_key unlocked_video_media_key',
    capability: 'creatives.write',
  },
  'video_conversation_cards.update': {
    route: 'PUT /12/accounts/:account_id/cards/video_conversation/:card_id',
    optional:
      'name media_key first_cta first_cta_post thank_you_text second_cta second_cta_post third_cta third_cta_post fourth_cta fourth_cta_post title thank_you_url poster_media_key unlocked_image_media_key unlocked_video_media_key',
    capability: 'creatives.write',
  },
  'video_conversation_cards.delete': {
    route: 'DELETE /12/accounts/:account_id/cards/video_conversation/:card_id',
    capability: 'creatives.write',
  },
};

/** Specification B, draft posts. */
import type { OperationRows } from '../support/operation-row.ts';
import { type Requirements, store, typed, wire } from '../support/requirement.ts';

export const requirements: Requirements = {
  'B-DRAFT-CREATE': {
    clause: 'B Draft posts, POST; R creatives 7',
    text: 'a draft is written in the name of a promotable user, promoted-only by default, and read by list and id',
    on: 'every adapter',
  },
  'B-DRAFT-ENVELOPE': {
    clause: 'R creatives 7; R conventions 2',
    text: 'the echo has as_user_id and the id of the draft as text, and media_keys as a list',
    on: wire,
  },
  'B-DRAFT-SAYS-SOMETHING': {
    clause: 'B Draft posts, POST, text; R creatives 10',
    text: 'a text is required without media, and one that is blank or too long is refused',
    on: 'every adapter',
  },
  'B-DRAFT-MEDIA': {
    clause: 'B Draft posts, POST, media_keys',
    text: 'a draft shows up to four images, or one GIF, or one video, all of the library of the account',
    on: 'every adapter',
  },
  'B-DRAFT-CARD': {
    clause: 'B Draft posts, POST, card_uri; 13 Cards',
    text: 'a draft shows a card of the account, and none of another account or that is deleted',
    on: 'every adapter',
  },
  'B-DRAFT-NAME': { clause: 'B Draft posts, name', text: 'a name has up to 80 characters', on: typed },
  'B-DRAFT-COMPOSER': {
    clause: 'B Posts; A Authentication 6',
    text: 'the user, or for the FULL user somebody with POST_COMPOSER, writes a draft, and organic ones the user alone',
    on: 'every adapter',
  },
  'B-DRAFT-UPDATE': {
    clause: 'B Draft posts, PUT',
    text: 'what is given changes, an empty card_uri or media_keys removes, and the result still says something',
    on: 'every adapter',
  },
  'B-DRAFT-DELETE': {
    clause: 'B Draft posts, DELETE; R creatives 7',
    text: 'a deleted draft is shown as DELETED once and is gone then',
    on: 'every adapter',
  },
  'B-DRAFT-LIST': {
    clause: 'B Draft posts, GET; R creatives 7',
    text: 'a list has the drafts of the FULL promotable user or of another one, 100 on a page and up to 200',
    on: 'every adapter',
  },
  'B-DRAFT-COUNT': { clause: 'B Draft posts, GET, count', text: 'a page has 1 to 200 drafts', on: typed },
  'B-DRAFT-TENANCY': {
    clause: '13 proof',
    text: 'drafts of another account are not there, whoever wrote them',
    on: 'every adapter',
  },
  'B-DRAFT-PREVIEW': {
    clause: 'B Draft posts, POST preview',
    text: 'a preview notifies the calling user in each browser where they are signed in, and says how many these are',
    on: 'every adapter',
  },
  'B-DRAFT-PREVIEW-ENVELOPE': {
    clause: 'R creatives 7; R conventions 1',
    text: 'the response to a preview has the echo and a message, and no data',
    on: wire,
  },
  'B-DRAFT-PREVIEW-ALONE': {
    clause: 'B Draft posts, POST preview',
    text: 'the notification opens a timeline with the draft, which the receiving user alone sees',
    on: store,
  },
  'B-DRAFT-RECORDED': {
    clause: 'C Account history',
    text: 'each change of a draft is recorded, its deletion too',
    on: store,
  },
};

export const operations: OperationRows = {
  'draft_posts.list': {
    route: 'GET /12/accounts/:account_id/draft_posts',
    optional: 'count cursor user_id',
    capability: 'creatives.read',
  },
  'draft_posts.get': {
    route: 'GET /12/accounts/:account_id/draft_posts/:draft_post_id',
    capability: 'creatives.read',
  },
  'draft_posts.create': {
    route: 'POST /12/accounts/:account_id/draft_posts',
    required: 'as_user_id',
    optional: 'text card_uri media_keys nullcast name',
    capability: 'creatives.write',
  },
  'draft_posts.update': {
    route: 'PUT /12/accounts/:account_id/draft_posts/:draft_post_id',
    optional: 'card_uri media_keys nullcast text name',
    capability: 'creatives.write',
  },
  'draft_posts.preview': {
    route: 'POST /12/accounts/:account_id/draft_posts/preview/:draft_post_id',
    capability: 'creatives.read',
  },
  'draft_posts.delete': {
    route: 'DELETE /12/accounts/:account_id/draft_posts/:draft_post_id',
    capability: 'creatives.write',
  },
};

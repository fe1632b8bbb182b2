/** Specification B, previews of posts. */
import type { OperationRows } from '../support/operation-row.ts';
import { type Requirements, served, typed, wire } from '../support/requirement.ts';

export const requirements: Requirements = {
  'B-PREVIEW-FRAME': {
    clause: 'B Post previews; R creatives 9',
    text: 'a preview is an iframe of the class post-preview, with an address of this server that carries its data',
    on: 'every adapter',
  },
  'B-PREVIEW-ORDER': {
    clause: 'B Post previews, post_ids; R creatives 9',
    text: 'previews come in the order of the ids; unknown ids and posts of another type are left out without an error',
    on: 'every adapter',
  },
  'B-PREVIEW-OWN': {
    clause: 'B Post previews',
    text: 'drafts and scheduled posts are those of the account, published posts those of its promotable users',
    on: 'every adapter',
  },
  'B-PREVIEW-200': {
    clause: 'B Limits; R creatives 9',
    text: 'one call has up to 200 ids, and more are rejected',
    on: 'every adapter',
  },
  'B-PREVIEW-REQUIRED': {
    clause: 'B Post previews',
    text: 'both parameters are required, and the type is one of three',
    on: typed,
  },
  'B-PREVIEW-ENVELOPE': {
    clause: 'R creatives 9; clients read no cursor',
    text: 'the envelope has the request and the data, and no cursor',
    on: wire,
  },
  'B-PREVIEW-SHOWS': {
    clause: 'B Post previews',
    text: 'the address shows the draft, the scheduled post or the published post as people would see it, without a session',
    on: 'every adapter',
  },
  'B-PREVIEW-SIGNED': {
    clause: 'our choice',
    text: 'an address that was changed shows nothing, and one that is older than 24 hours has expired',
    on: served,
  },
  'B-PREVIEW-GONE': {
    clause: 'our choice',
    text: 'the address of a post that was deleted since says so',
    on: served,
  },
  'B-PREVIEW-SITES': {
    clause: 'our choice',
    text: 'any page may frame a preview, unless the app lists the sites that may',
    on: served,
  },
};

export const operations: OperationRows = {
  'post_previews.list': {
    route: 'GET /12/accounts/:account_id/post_previews',
    required: 'post_ids post_type',
    capability: 'creatives.read',
  },
};

/** Specification C, promoted posts. */
import { type OperationRows, PAGE } from '../support/operation-row.ts';
import { type Requirements, store, wire } from '../support/requirement.ts';

export const requirements: Requirements = {
  'C-POST-CREATE': {
    clause: 'C Promoted posts, POST',
    text: 'posts are attached to a line item, one record for each, in the order given',
    on: 'every adapter',
  },
  'C-POST-ENVELOPE': {
    clause: 'C Promoted posts, POST; R conventions 1 and 2',
    text: 'the answer has the total count, the echo has numbers, and there is no PUT',
    on: wire,
  },
  'C-POST-50': { clause: 'C Limits', text: 'one call attaches up to 50 posts', on: 'every adapter' },
  'C-POST-ALL-OR-NONE': {
    clause: 'C Promoted posts, POST; R campaign-management 15',
    text: 'posts that cannot be promoted are all named, and then none is attached',
    on: 'every adapter',
  },
  'C-POST-AGAIN': {
    clause: 'R campaign-management 15',
    text: 'a post that the line item promotes already gives the record that is there',
    on: 'every adapter',
  },
  'C-POST-AUTHOR': {
    clause: 'C Promotable users',
    text: 'posts of others need them to be added as REPOSTS_ONLY, and the refusal says so',
    on: 'every adapter',
  },
  'C-POST-PROTECTED': {
    clause: 'C Promotable users',
    text: 'posts of protected users are not promoted',
    on: 'every adapter',
  },
  'C-POST-REPOST': {
    clause: 'C Promotable users',
    text: 'a post of a REPOSTS_ONLY user is promoted as a nullcasted repost whose id is returned',
    on: 'every adapter',
  },
  'C-POST-REPOST-COMPOSER': {
    clause: 'A Authentication 5 and 6; C Promotable users',
    text: 'the repost is made for the FULL user, somebody with POST_COMPOSER or the operator, and for nobody else',
    on: 'every adapter',
  },
  'C-POST-REPOST-ONCE': {
    clause: 'C Promotable users',
    text: 'promoting a post of another user again, or its repost, makes no second repost',
    on: 'every adapter',
  },
  'C-POST-REPOST-CRASH': {
    clause: 'C Promotable users; 5 what must work',
    text: 'a promotion that fails after the repost was made is completed by the next call with that repost',
    on: store,
  },
  'C-POST-REPOST-RACE': {
    clause: 'C Promotable users; 5 proof',
    text: 'calls at the same moment make one repost and one promoted post',
    on: store,
  },
  'C-POST-SUITS': {
    clause: 'C Promoted posts, POST; R campaign-management 9.5',
    text: 'a post must suit the objective of the line item: an app card, a video, a website card or a link',
    on: 'every adapter',
  },
  'C-POST-LINE': {
    clause: 'C Promoted posts, POST',
    text: 'posts are attached to line items that are there and promote posts',
    on: 'every adapter',
  },
  'C-POST-FILTER': {
    clause: 'C Promoted posts, GET',
    text: 'promoted posts are filtered by up to 200 line items and ids',
    on: 'every adapter',
  },
  'C-POST-DELETE': {
    clause: 'C States, promoted post DELETE',
    text: 'a deletion by the id of the promoted post detaches the post, which stays',
    on: 'every adapter',
  },
  'C-POST-OF-DELETED': {
    clause: 'C States, line item DELETE',
    text: 'promoted posts of a deleted line item or campaign are not deleted, and shown with_deleted only',
    on: 'every adapter',
  },
  'C-POST-TIMELINE': {
    clause: 'C Line items',
    text: 'a post attached to a PROMOTED_ACCOUNT line item adds the timeline to its placements',
    on: 'every adapter',
  },
};

export const operations: OperationRows = {
  'promoted_posts.list': {
    route: 'GET /12/accounts/:account_id/promoted_posts',
    optional: `line_item_ids promoted_post_ids ${PAGE}`,
    sortable: 'created_at updated_at deleted paused',
    capability: 'creatives.read',
  },
  'promoted_posts.get': {
    route: 'GET /12/accounts/:account_id/promoted_posts/:promoted_post_id',
    optional: 'with_deleted',
    capability: 'creatives.read',
  },
  'promoted_posts.create': {
    route: 'POST /12/accounts/:account_id/promoted_posts',
    required: 'line_item_id post_ids',
    capability: 'creatives.write',
  },
  'promoted_posts.delete': {
    route: 'DELETE /12/accounts/:account_id/promoted_posts/:promoted_post_id',
    capability: 'creatives.write',
  },
};

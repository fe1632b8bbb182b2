/** Specification B, scheduled posts. */
import type { OperationRows } from '../support/operation-row.ts';
import { type Requirements, store, typed, wire } from '../support/requirement.ts';

export const requirements: Requirements = {
  'B-SCHEDULED-CREATE': {
    clause: 'B Scheduled posts; R creatives 8',
    text: 'a post is scheduled in the name of a promotable user, promoted-only by default, and read by list and id',
    on: 'every adapter',
  },
  'B-SCHEDULED-ENVELOPE': {
    clause: 'R creatives 8; R conventions 2',
    text: 'the echo has as_user_id as a number, the id as text and scheduled_at as it is stored',
    on: wire,
  },
  'B-SCHEDULED-TIME': {
    clause: 'R creatives 8, granularity and date-only input',
    text: 'seconds are taken off, offsets are converted, and a date is its midnight',
    on: 'every adapter',
  },
  'B-SCHEDULED-HORIZON': {
    clause: 'R creatives 8, horizon',
    text: 'a post is scheduled later than now and up to 365 days ahead',
    on: 'every adapter',
  },
  'B-SCHEDULED-DENSITY': {
    clause: 'R creatives 8, density',
    text: 'an account has up to 30 posts in the 15 minutes around a time, published ones too and failed ones not',
    on: 'every adapter',
  },
  'B-SCHEDULED-DENSITY-RACE': {
    clause: 'R creatives 8, density',
    text: 'of many calls at the same moment as many succeed as there is room for',
    on: store,
  },
  'B-SCHEDULED-CONTENT': {
    clause: 'R creatives 8; B Posts',
    text: 'text, media and card follow the rules of posts when a post is scheduled',
    on: 'every adapter',
  },
  'B-SCHEDULED-NAME': { clause: 'B Scheduled posts, name', text: 'a name has up to 80 characters', on: typed },
  'B-SCHEDULED-COMPOSER': {
    clause: 'R creatives 8, permission',
    text: 'the user, or for the FULL user somebody with POST_COMPOSER, schedules posts, and organic ones the user alone',
    on: 'every adapter',
  },
  'B-SCHEDULED-PUBLISHED': {
    clause: 'R creatives 8, at scheduled_at; 13 Posts',
    text: 'at its time a post is published as written, once, and the scheduled post has its id and time',
    on: 'every adapter',
  },
  'B-SCHEDULED-ORDER': {
    clause: 'R creatives 8, at scheduled_at',
    text: 'posts that are due together after a jump of the clock are published in the order of their times',
    on: 'every adapter',
  },
  'B-SCHEDULED-FAILED': {
    clause: 'R creatives 8, invalid media mix; 13 Posts',
    text: 'a post that cannot be published at its time is FAILED, with the reason',
    on: 'every adapter',
  },
  'B-SCHEDULED-UPDATE': {
    clause: 'B Scheduled posts, PUT; R creatives 8, editable',
    text: 'what is given changes, an empty card_uri or media_keys removes, and the result still says something',
    on: 'every adapter',
  },
  'B-SCHEDULED-MOVED': {
    clause: 'B Scheduled posts, PUT, scheduled_at',
    text: 'a post that is moved, to an earlier or a later time, is published at the new one only',
    on: 'every adapter',
  },
  'B-SCHEDULED-LATE-CHANGE': {
    clause: 'R creatives 8, editable',
    text: 'from its time on a scheduled post cannot be changed',
    on: 'every adapter',
  },
  'B-SCHEDULED-DELETE': {
    clause: 'B Scheduled posts, DELETE; R creatives 8',
    text: 'a deleted one is shown as DELETED once, is gone then, and is not published',
    on: 'every adapter',
  },
  'B-SCHEDULED-LIST': {
    clause: 'R creatives 8, GET',
    text: 'a list has the scheduled posts of the FULL promotable user or of another one, 100 on a page and up to 200',
    on: 'every adapter',
  },
  'B-SCHEDULED-COUNT': { clause: 'R creatives 8, count', text: 'a page has 1 to 200 scheduled posts', on: typed },
  'B-SCHEDULED-TENANCY': {
    clause: '13 proof',
    text: 'scheduled posts of another account are not there',
    on: 'every adapter',
  },
  'B-SCHEDULED-ONCE': {
    clause: '13 Posts',
    text: 'whatever is scheduled, moved, deleted, and however the clock jumps and the server restarts, each post is published once at its time or not at all',
    on: store,
  },
  'B-SCHEDULED-CRASH': {
    clause: '13 Posts',
    text: 'a publication that is cut off at any step is completed once, whatever the clock says then',
    on: store,
  },
  'B-SCHEDULED-RETRIED': {
    clause: '13 Posts',
    text: 'a post that could be neither published nor refused is tried again, and FAILED after half an hour',
    on: store,
  },
  'B-SCHEDULED-WRITTEN-LATE': {
    clause: '13 Posts',
    text: 'a post that is written after its job is due is published, and a job without a post ends',
    on: store,
  },
  'B-SCHEDULED-DELETED-ACCOUNT': {
    clause: 'C States; 13 Posts',
    text: 'nothing is published for a deleted account',
    on: 'every adapter',
  },
  'B-SCHEDULED-RECORDED': {
    clause: 'C Account history',
    text: 'each change of a scheduled post is recorded, its publication and its deletion too',
    on: store,
  },
};

export const operations: OperationRows = {
  'scheduled_posts.list': {
    route: 'GET /12/accounts/:account_id/scheduled_posts',
    optional: 'count cursor user_id',
    capability: 'creatives.read',
  },
  'scheduled_posts.get': {
    route: 'GET /12/accounts/:account_id/scheduled_posts/:scheduled_post_id',
    capability: 'creatives.read',
  },
  'scheduled_posts.create': {
    route: 'POST /12/accounts/:account_id/scheduled_posts',
    required: 'scheduled_at as_user_id',
    optional: 'text card_uri media_keys nullcast name',
    capability: 'creatives.write',
  },
  'scheduled_posts.update': {
    route: 'PUT /12/accounts/:account_id/scheduled_posts/:scheduled_post_id',
    optional: 'card_uri media_keys nullcast scheduled_at text name',
    capability: 'creatives.write',
  },
  'scheduled_posts.delete': {
    route: 'DELETE /12/accounts/:account_id/scheduled_posts/:scheduled_post_id',
    capability: 'creatives.write',
  },
};

/** Specification C, what line items promote: promotable users, promoted posts and accounts, media creatives, account apps, curated categories of line items. */
import { operator, type Requirement, store, wire } from './requirement.ts';

export const promotion = {
  'C-PROMOTABLE-FULL': {
    clause: 'C Promotable users; R campaign-management 16',
    text: 'an account has exactly one FULL promotable user from its creation on',
    on: 'every adapter',
  },
  'C-PROMOTABLE-LIST': {
    clause: 'C Promotable users, GET',
    text: 'promotable users are read by list, filter and id',
    on: 'every adapter',
  },
  'C-PROMOTABLE-OPERATOR': {
    clause: 'C Promotable users',
    text: 'a user is added as REPOSTS_ONLY and removed by the operator; the FULL one stays',
    on: operator,
  },
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
    text: 'a post must suit the objective of the line item',
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
  'C-PROMOTED-ACCOUNT-CREATE': {
    clause: 'C Promoted accounts, POST',
    text: 'the FULL user is attached to a line item that finds followers',
    on: 'every adapter',
  },
  'C-PROMOTED-ACCOUNT-AGAIN': {
    clause: 'C States, promoted account POST',
    text: 'a user who is promoted already is left unchanged',
    on: 'every adapter',
  },
  'C-PROMOTED-ACCOUNT-REFUSED': {
    clause: 'C Promoted accounts, POST; R campaign-management 14',
    text: 'a user who cannot be promoted, or a line item that promotes no accounts, is refused and nothing stored',
    on: 'every adapter',
  },
  'C-PROMOTED-ACCOUNT-LIST': {
    clause: 'C Promoted accounts, GET',
    text: 'the list is filtered, and refused when none of the line items can have promoted accounts',
    on: 'every adapter',
  },
  'C-PROMOTED-ACCOUNT-DELETE': {
    clause: 'C States, promoted account DELETE',
    text: 'a deletion by the id of the record detaches the user',
    on: 'every adapter',
  },
  'C-PROMOTED-ACCOUNT-OF-DELETED': {
    clause: 'C States, line item DELETE',
    text: 'promoted accounts of a deleted line item or campaign are shown with_deleted only',
    on: 'every adapter',
  },
  'C-PROMOTED-ACCOUNT-WIRE': {
    clause: 'C Promoted accounts, POST; R conventions 2',
    text: 'the user is echoed as text, and there is no PUT',
    on: wire,
  },
  'C-CREATIVE-CREATE': {
    clause: 'C Media creatives, POST',
    text: 'account media are attached to a line item, once',
    on: 'every adapter',
  },
  'C-CREATIVE-LANDING': {
    clause: 'C Media creatives, POST landing_url',
    text: 'an address is required for WEBSITE_CLICKS, optional for other images, ignored for videos',
    on: 'every adapter',
  },
  'C-CREATIVE-LINE': {
    clause: 'C Media creatives, POST; R campaign-management 13',
    text: 'media and line items that do not fit or are not there are refused',
    on: 'every adapter',
  },
  'C-CREATIVE-FILTER': {
    clause: 'C Media creatives, GET',
    text: 'media creatives are filtered by campaign, line items and ids',
    on: 'every adapter',
  },
  'C-CREATIVE-DELETE': {
    clause: 'C States, media creative DELETE',
    text: 'a deleted media creative is gone, but for with_deleted',
    on: 'every adapter',
  },
  'C-CREATIVE-OF-DELETED': {
    clause: 'C States, line item DELETE',
    text: 'media creatives of a deleted line item or campaign are shown with_deleted only',
    on: 'every adapter',
  },
  'C-CREATIVE-MEDIA': {
    clause: 'C Media creatives; R creatives 2',
    text: 'uploaded media become account media of the type that their bytes have',
    on: operator,
  },
  'C-REVIEW': {
    clause: 'C Promoted entities and creatives, approval_status',
    text: 'a review changes the approval status of what is promoted',
    on: operator,
  },
  'C-CURATED-ITEM-CREATE': {
    clause: 'C Line item curated categories, POST',
    text: 'a line item is given a curated category, read by list and id',
    on: 'every adapter',
  },
  'C-CURATED-ITEM-REFUSED': {
    clause: 'C Curated categories; R campaign-management 11',
    text: 'a line item has one curated category, of a country that it targets, and no content categories beside it',
    on: 'every adapter',
  },
  'C-CURATED-ITEM-UPDATE': {
    clause: 'C Line item curated categories, PUT',
    text: 'the category or the line item can be changed, under the rules of creating',
    on: 'every adapter',
  },
  'C-CURATED-ITEM-DELETE': {
    clause: 'C States, line item curated category DELETE',
    text: 'a deleted one is gone, and the line item is free for another',
    on: 'every adapter',
  },
  'C-CURATED-ITEM-OF-DELETED': {
    clause: 'C States, line item DELETE',
    text: 'those of a deleted line item or campaign are shown with_deleted only',
    on: 'every adapter',
  },
  'C-REVIEW-CAMPAIGN': {
    clause: 'C Campaign, reasons_not_servable; R campaign-management 8',
    text: 'a campaign whose creatives are all refused or in review is not servable for CONTENT_REVIEW_PROBLEM',
    on: operator,
  },
  'C-APPS-LIST': { clause: 'C Account apps', text: 'the apps of the account are listed', on: 'every adapter' },
  'C-APPS-OPERATOR': {
    clause: 'C Account app',
    text: 'the operator adds, changes and removes apps of an account',
    on: operator,
  },
} as const satisfies Record<string, Requirement>;

/** Specification B, account media. */
import { type OperationRows, PAGE } from '../support/operation-row.ts';
import { type Requirements, typed } from '../support/requirement.ts';

export const requirements: Requirements = {
  'B-ACCOUNT-MEDIA-SOURCE': {
    clause: 'R creatives 2, source; R creatives 13, category to library',
    text: 'pre-roll videos and images of display sizes become account media once when they come into the library, others do not',
    on: 'every adapter',
  },
  'B-ACCOUNT-MEDIA-OBJECT': {
    clause: 'R creatives 2, object',
    text: 'a video has its media key and no address, an image its address and no video_id; both have media_key',
    on: 'every adapter',
  },
  'B-ACCOUNT-MEDIA-FILTER': {
    clause: 'B Account media, GET',
    text: 'account media are filtered by ids and creative types, sorted, counted and paged',
    on: 'every adapter',
  },
  'B-ACCOUNT-MEDIA-BOUNDS': {
    clause: 'B Account media, GET',
    text: 'account_media_ids takes up to 200 ids, count is 1 to 1000, creative_types takes known words',
    on: typed,
  },
  'B-ACCOUNT-MEDIA-DELETE': {
    clause: 'B Account media, DELETE; R creatives 2, delete; C States',
    text: 'deleted account media and the media creatives that show them are shown with_deleted only',
    on: 'every adapter',
  },
};

export const operations: OperationRows = {
  'account_media.list': {
    route: 'GET /12/accounts/:account_id/account_media',
    optional: `account_media_ids creative_types ${PAGE}`,
    sortable: 'created_at updated_at',
    capability: 'creatives.read',
  },
  'account_media.get': {
    route: 'GET /12/accounts/:account_id/account_media/:account_media_id',
    optional: 'with_deleted',
    capability: 'creatives.read',
  },
  'account_media.delete': {
    route: 'DELETE /12/accounts/:account_id/account_media/:account_media_id',
    capability: 'creatives.write',
  },
};

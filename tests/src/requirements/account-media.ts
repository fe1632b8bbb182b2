/** Specification B, account media. */
import { type OperationRows, PAGE } from '../support/operation-row.ts';
import type { Requirements } from '../support/requirement.ts';

export const requirements: Requirements = {};

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

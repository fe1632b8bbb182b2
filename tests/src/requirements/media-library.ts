/** Specification B, media library. */
import type { OperationRows } from '../support/operation-row.ts';
import type { Requirements } from '../support/requirement.ts';

export const requirements: Requirements = {};

export const operations: OperationRows = {
  'media_library.list': {
    route: 'GET /12/accounts/:account_id/media_library',
    optional: 'count cursor media_type q',
    capability: 'creatives.read',
  },
  'media_library.get': {
    route: 'GET /12/accounts/:account_id/media_library/:media_key',
    capability: 'creatives.read',
  },
  'media_library.create': {
    route: 'POST /12/accounts/:account_id/media_library',
    required: 'media_key',
    optional: 'description file_name name poster_media_key title',
    capability: 'creatives.write',
  },
  'media_library.update': {
    route: 'PUT /12/accounts/:account_id/media_library/:media_key',
    optional: 'description file_name name poster_media_key title',
    capability: 'creatives.write',
  },
  'media_library.delete': {
    route: 'DELETE /12/accounts/:account_id/media_library/:media_key',
    capability: 'creatives.write',
  },
};

import { defineEntity } from '../../db/entity.ts';
import { isOneOf } from '../../db/filters.ts';
import { accountMediaTable } from './table.ts';

/** Media of the platform that an account can show. */
export const accountMedia = defineEntity({
  name: 'ACCOUNT_MEDIA',
  table: accountMediaTable,
  missing: { error: 'ACCOUNT_MEDIA_NOT_FOUND', parameter: 'account_media_id' },
  filters: {
    account_media_ids: isOneOf(accountMediaTable.id),
    creative_types: isOneOf(accountMediaTable.creative_type),
  },
  key: ['media_key'],
});

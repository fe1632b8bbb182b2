import { defineEntity } from '../../db/entity.ts';
import { accountMediaTable } from './table.ts';

/** Media of the platform that an account can show. */
export const accountMedia = defineEntity({
  name: 'ACCOUNT_MEDIA',
  table: accountMediaTable,
  missing: { error: 'ACCOUNT_MEDIA_NOT_FOUND', parameter: 'account_media_id' },
  key: ['media_key'],
});

import { defineEntity } from '../../db/entity.ts';
import { accountApps } from './table.ts';

/** An app that is registered with an account. */
export const accountApp = defineEntity({
  name: 'ACCOUNT_APP',
  table: accountApps,
  missing: { error: 'NOT_FOUND', parameter: 'account_app_id', message: (id) => `The account has no app ${id}` },
  key: ['os_type', 'app_store_identifier'],
});

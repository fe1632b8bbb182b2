import { defineEntity } from '../../db/entity.ts';
import { isOneOf } from '../../db/filters.ts';
import { lineItem } from '../line-items/find.ts';
import { promotedAccounts } from './table.ts';

export const promotedAccount = defineEntity({
  name: 'PROMOTED_ACCOUNT',
  table: promotedAccounts,
  quota: 'promoted_accounts',
  parent: { entity: lineItem, column: promotedAccounts.line_item_id },
  missing: { error: 'PROMOTED_ACCOUNT_NOT_FOUND', parameter: 'promoted_account_id' },
  filters: {
    line_item_ids: isOneOf(promotedAccounts.line_item_id),
    promoted_account_ids: isOneOf(promotedAccounts.id),
  },
  internal: ['paused'],
  key: ['line_item_id', 'user_id'],
});

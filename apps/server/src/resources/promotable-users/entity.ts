import { defineEntity, type RowOf } from '../../db/entity.ts';
import { isOneOf } from '../../db/filters.ts';
import { promotableUsers } from './table.ts';

export const promotableUser = defineEntity({
  name: 'PROMOTABLE_USER',
  table: promotableUsers,
  missing: { error: 'PROMOTABLE_USER_NOT_FOUND', parameter: 'promotable_user_id' },
  filters: {
    promotable_user_ids: isOneOf(promotableUsers.id),
    user_ids: isOneOf(promotableUsers.user_id),
  },
  key: ['user_id'],
});

export type PromotableUserRow = RowOf<typeof promotableUser>;

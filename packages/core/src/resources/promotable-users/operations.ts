import { exampleSystemMembers } from '../../operation/entity.ts';
import { defineFamily, getOf, listOf } from '../../operation/family.ts';
import { ids } from '../../operation/list.ts';
import { PromotableUser, promotable_user_id } from './entity.ts';

export { errors } from './errors.ts';

export const examplePromotableUser = {
  id: '5wtj0',
  user_id: '1503831318555086857',
  promotable_user_type: 'REPOSTS_ONLY',
  ...exampleSystemMembers,
} as const;

const promotableUser = defineFamily({
  data: PromotableUser,
  key: { promotable_user_id },
  missing: 'PROMOTABLE_USER_NOT_FOUND',
  read: 'campaigns.read',
  write: 'account.write',
  rateLimit: 'ads.account_read',
  sortable: ['created_at', 'updated_at'],
  example: examplePromotableUser,
});

export const operations = {
  list: listOf(promotableUser, 'promotable_users.list', '/12/accounts/:account_id/promotable_users', {
    summary: 'List the users whose posts an account may promote',
    filters: () => ({ promotable_user_ids: ids('promotable users') }),
  }),
  get: getOf(promotableUser, 'promotable_users.get', '/12/accounts/:account_id/promotable_users/:promotable_user_id', {
    summary: 'Get one promotable user',
  }),
};

export const position = 60;

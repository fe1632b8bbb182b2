import * as z from 'zod';
import { defineOperation } from '../../operation/define.ts';
import { account_id, ids, listExclusive, listParams, with_deleted } from '../../operation/list.ts';
import { PromotableUser } from './entity.ts';

export { errors } from './errors.ts';

export const promotable_user_id = PromotableUser.shape.id;

/** A promotable user for examples. */
export const examplePromotableUser = {
  id: '5wtj0',
  user_id: '1503831318555086857',
  promotable_user_type: 'REPOSTS_ONLY',
  created_at: '2026-01-15T08:00:00Z',
  updated_at: '2026-01-15T08:00:00Z',
  deleted: false,
} as const;

const listPromotableUsers = defineOperation({
  id: 'promotable_users.list',
  summary: 'List the users whose posts an account may promote',
  http: { method: 'GET', path: '/12/accounts/:account_id/promotable_users' },
  access: { auth: 'user', capability: 'campaigns.read' },
  rateLimit: 'ads.account_read',
  envelope: 'list',
  params: z.object({
    promotable_user_ids: ids('promotable users'),
    ...listParams(['created_at', 'updated_at']),
  }),
  exclusive: listExclusive,
  data: PromotableUser,
  errors: ['ACCOUNT_DELETED'],
  example: { params: { account_id: '18ce54d4x5t' }, data: examplePromotableUser },
});

const getPromotableUser = defineOperation({
  id: 'promotable_users.get',
  summary: 'Get one promotable user',
  http: { method: 'GET', path: '/12/accounts/:account_id/promotable_users/:promotable_user_id' },
  access: { auth: 'user', capability: 'campaigns.read' },
  rateLimit: 'ads.account_read',
  envelope: 'entity',
  params: z.object({ account_id, promotable_user_id, with_deleted }),
  data: PromotableUser,
  errors: ['ACCOUNT_DELETED', 'PROMOTABLE_USER_NOT_FOUND'],
  example: { params: { account_id: '18ce54d4x5t', promotable_user_id: '5wtj0' }, data: examplePromotableUser },
});

export const operations = { list: listPromotableUsers, get: getPromotableUser };

export const position = 60;

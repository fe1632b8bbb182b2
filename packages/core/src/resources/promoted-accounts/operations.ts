import * as z from 'zod';
import { defineOperation } from '../../operation/define.ts';
import { account_id, ids, listExclusive, listParams, with_deleted } from '../../operation/list.ts';
import { numericId } from '../../wire/types.ts';
import { line_item_id } from '../line-items/params.ts';
import { promotedSortable } from '../promoted-posts/entity.ts';
import { PromotedAccount } from './entity.ts';

export { errors } from './errors.ts';

const promoted_account_id = PromotedAccount.shape.id;

const example = {
  id: '19pl2',
  line_item_id: 'bw2rs',
  user_id: '1503831318555086849',
  entity_status: 'ACTIVE',
  approval_status: 'ACCEPTED',
  created_at: '2026-01-15T08:00:00Z',
  updated_at: '2026-01-15T08:00:00Z',
  deleted: false,
} as const;

const listPromotedAccounts = defineOperation({
  id: 'promoted_accounts.list',
  summary: 'List the promoted accounts of an account',
  description: 'Refused when `line_item_ids` names line items and none of them can have promoted accounts.',
  http: { method: 'GET', path: '/12/accounts/:account_id/promoted_accounts' },
  access: { auth: 'user', capability: 'campaigns.read' },
  rateLimit: 'ads.core_read',
  envelope: 'list',
  params: z.object({
    line_item_ids: ids('line items'),
    promoted_account_ids: ids('promoted accounts'),
    ...listParams(promotedSortable),
  }),
  exclusive: listExclusive,
  data: PromotedAccount,
  errors: ['ACCOUNT_DELETED', 'INCOMPATIBLE_LINE_ITEM'],
  example: { params: { account_id: '18ce54d4x5t', line_item_ids: ['bw2rs'] }, data: example },
});

const getPromotedAccount = defineOperation({
  id: 'promoted_accounts.get',
  summary: 'Get one promoted account',
  http: { method: 'GET', path: '/12/accounts/:account_id/promoted_accounts/:promoted_account_id' },
  access: { auth: 'user', capability: 'campaigns.read' },
  rateLimit: 'ads.core_read',
  envelope: 'entity',
  params: z.object({ account_id, promoted_account_id, with_deleted }),
  data: PromotedAccount,
  errors: ['ACCOUNT_DELETED', 'PROMOTED_ACCOUNT_NOT_FOUND'],
  example: { params: { account_id: '18ce54d4x5t', promoted_account_id: '19pl2' }, data: example },
});

const createPromotedAccount = defineOperation({
  id: 'promoted_accounts.create',
  summary: 'Attach a user to a line item that finds followers',
  description: 'A user whom the line item promotes already is left as it is, and the record that is there is returned.',
  http: { method: 'POST', path: '/12/accounts/:account_id/promoted_accounts' },
  access: { auth: 'user', capability: 'campaigns.write' },
  rateLimit: 'ads.write',
  envelope: 'entity',
  params: z.object({
    account_id,
    line_item_id,
    user_id: numericId().describe('The user to promote: the FULL promotable user of the account.'),
  }),
  data: PromotedAccount,
  errors: ['ACCOUNT_DELETED', 'INCOMPATIBLE_LINE_ITEM', 'INVALID_USER', 'LINE_ITEM_NOT_FOUND'],
  example: {
    params: { account_id: '18ce54d4x5t', line_item_id: 'bw2rs', user_id: '1503831318555086849' },
    data: example,
  },
});

const deletePromotedAccount = defineOperation({
  id: 'promoted_accounts.delete',
  summary: 'Detach a user from its line item',
  description: 'Takes the id of the promoted account, not the `user_id`.',
  http: { method: 'DELETE', path: '/12/accounts/:account_id/promoted_accounts/:promoted_account_id' },
  access: { auth: 'user', capability: 'campaigns.write' },
  rateLimit: 'ads.write',
  envelope: 'entity',
  params: z.object({ account_id, promoted_account_id }),
  data: PromotedAccount,
  errors: ['ACCOUNT_DELETED', 'PROMOTED_ACCOUNT_NOT_FOUND'],
  example: {
    params: { account_id: '18ce54d4x5t', promoted_account_id: '19pl2' },
    data: { ...example, deleted: true },
  },
});

export const operations = {
  list: listPromotedAccounts,
  get: getPromotedAccount,
  create: createPromotedAccount,
  delete: deletePromotedAccount,
};

export const position = 80;

import * as z from 'zod';
import { defineOperation } from '../../operation/define.ts';
import { account_id } from '../../operation/list.ts';
import { numericId } from '../../wire/types.ts';
import { AccountAccess, permissionList } from './entity.ts';
import { exampleAccess } from './example.ts';

const user_id = numericId().describe('The user.');

// Specification A (Authentication 5) leaves giving access to a dashboard; administrators do it here (our choice of path).

const listUserAccess = defineOperation({
  id: 'user_access.list',
  summary: 'List the users who have a part in an account, and what they may do',
  http: { method: 'GET', path: '/12/accounts/:account_id/user_access' },
  access: { auth: 'user', capability: 'access.manage' },
  rateLimit: 'ads.account_read',
  envelope: 'values',
  params: z.object({ account_id }),
  data: AccountAccess,
  errors: ['ACCOUNT_DELETED'],
  example: { params: { account_id: '18ce54d4x5t' }, data: exampleAccess },
});

const grantUserAccess = defineOperation({
  id: 'user_access.grant',
  summary: 'Set what a user may do on an account',
  description:
    'Replaces what the user could do before. POST_COMPOSER needs another permission beside it, and an account keeps at least one ACCOUNT_ADMIN.',
  http: { method: 'PUT', path: '/12/accounts/:account_id/user_access/:user_id' },
  access: { auth: 'user', capability: 'access.manage' },
  rateLimit: 'ads.write',
  envelope: 'entity',
  params: z.object({
    account_id,
    user_id,
    permissions: permissionList().describe('The permissions that the user gets.'),
  }),
  data: AccountAccess,
  errors: ['ACCOUNT_DELETED', 'INCLUSIVE_PARAMETERS', 'USER_NOT_FOUND'],
  example: { params: { account_id: '18ce54d4x5t', ...exampleAccess }, data: exampleAccess },
});

const revokeUserAccess = defineOperation({
  id: 'user_access.revoke',
  summary: 'Take all access to an account from a user',
  description: 'Answers with what the user could do before. An account keeps at least one ACCOUNT_ADMIN.',
  http: { method: 'DELETE', path: '/12/accounts/:account_id/user_access/:user_id' },
  access: { auth: 'user', capability: 'access.manage' },
  rateLimit: 'ads.write',
  envelope: 'entity',
  params: z.object({ account_id, user_id }),
  data: AccountAccess,
  errors: ['ACCOUNT_DELETED', 'NOT_FOUND'],
  example: { params: { account_id: '18ce54d4x5t', user_id: exampleAccess.user_id }, data: exampleAccess },
});

export const operations = { list: listUserAccess, grant: grantUserAccess, revoke: revokeUserAccess };

export const position = 140;

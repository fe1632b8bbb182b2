import { account_id } from '../../operation/list.ts';
import { defineAccountRead, defineAccountWrite } from '../../operation/on-account.ts';
import { object } from '../../wire/object.ts';
import { numericId } from '../../wire/types.ts';
import { AccountAccess, permissionList } from './entity.ts';
import { exampleAccess } from './example.ts';

const user_id = numericId().describe('The user.');

// Specification A (Authentication 5) leaves granting access to a dashboard; administrators use this endpoint (path: our choice).

export const operations = {
  list: defineAccountRead('user_access.list', '/12/accounts/:account_id/user_access', {
    summary: 'List the users who have a part in an account, and what they may do',
    capability: 'access.manage',
    envelope: 'values',
    params: object(() => ({ account_id })),
    data: AccountAccess,
    example: { params: {}, data: exampleAccess },
  }),
  grant: defineAccountWrite('user_access.grant', 'PUT', '/12/accounts/:account_id/user_access/:user_id', {
    summary: 'Set what a user may do on an account',
    description:
      'Replaces what the user could do before. POST_COMPOSER needs another permission beside it, and an account keeps at least one ACCOUNT_ADMIN.',
    capability: 'access.manage',
    envelope: 'entity',
    params: object(() => ({
      account_id,
      user_id,
      permissions: permissionList().describe('The permissions that the user gets.'),
    })),
    data: AccountAccess,
    errors: ['INCLUSIVE_PARAMETERS', 'USER_NOT_FOUND'],
    example: { params: { ...exampleAccess }, data: exampleAccess },
  }),
  revoke: defineAccountWrite('user_access.revoke', 'DELETE', '/12/accounts/:account_id/user_access/:user_id', {
    summary: 'Take all access to an account from a user',
    description: 'Answers with what the user could do before. An account keeps at least one ACCOUNT_ADMIN.',
    capability: 'access.manage',
    envelope: 'entity',
    params: object(() => ({ account_id, user_id })),
    data: AccountAccess,
    errors: ['NOT_FOUND'],
    example: { params: { user_id: exampleAccess.user_id }, data: exampleAccess },
  }),
};

export const position = 140;

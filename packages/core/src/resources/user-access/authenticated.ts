import { account_id } from '../../operation/list.ts';
import { defineAccountRead } from '../../operation/on-account.ts';
import { object } from '../../wire/object.ts';
import { AccountAccess } from './entity.ts';
import { exampleAccess } from './example.ts';

export const operations = {
  get: defineAccountRead('authenticated_user_access.get', '/12/accounts/:account_id/authenticated_user_access', {
    summary: 'Get what the caller may do on an account',
    capability: 'account.read',
    envelope: 'entity',
    params: object(() => ({ account_id })),
    data: AccountAccess,
    errors: ['ACTION_NOT_ALLOWED'],
    example: { params: {}, data: exampleAccess },
  }),
};

export const position = 130;

import * as z from 'zod';
import { defineOperation } from '../../operation/define.ts';
import { account_id } from '../../operation/list.ts';
import { AccountAccess } from './entity.ts';
import { exampleAccess } from './example.ts';

const getAuthenticatedUserAccess = defineOperation({
  id: 'authenticated_user_access.get',
  summary: 'Get what the caller may do on an account',
  http: { method: 'GET', path: '/12/accounts/:account_id/authenticated_user_access' },
  access: { auth: 'user', capability: 'account.read' },
  rateLimit: 'ads.account_read',
  envelope: 'entity',
  params: z.object({ account_id }),
  data: AccountAccess,
  errors: ['ACCOUNT_DELETED', 'ACTION_NOT_ALLOWED'],
  example: { params: { account_id: '18ce54d4x5t' }, data: exampleAccess },
});

export const operations = { get: getAuthenticatedUserAccess };

export const position = 130;

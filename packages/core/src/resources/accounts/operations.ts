import * as z from 'zod';
import { defineOperation } from '../../operation/define.ts';
import { exampleSystemMembers } from '../../operation/entity.ts';
import { account_id, ids, listExclusive, listParams, q, with_deleted } from '../../operation/list.ts';
import { defineAccountRead, defineAccountWrite } from '../../operation/on-account.ts';
import { object } from '../../wire/object.ts';
import { oneOf, text } from '../../wire/types.ts';
import { Account, accountSortable, industryTypes } from './entity.ts';

const example = {
  id: '18ce54d4x5t',
  name: 'Sandbox account',
  business_name: null,
  business_id: null,
  timezone: 'America/Los_Angeles',
  timezone_switch_at: null,
  approval_status: 'ACCEPTED',
  ...exampleSystemMembers,
} as const;

const { account_id: _, ...pageParams } = listParams(accountSortable);

const listAccounts = defineOperation({
  id: 'accounts.list',
  summary: 'List the advertising accounts that the caller has access to',
  http: { method: 'GET', path: '/12/accounts' },
  access: { auth: 'user' },
  // The published rate limit for reads without an account is 5 in 15 minutes. Accounts are the root of the core entities, so
  // they get the limit of those (our reading: with the lower one, restarting a program a few times would exhaust it).
  rateLimit: 'ads.core_read',
  envelope: 'list',
  params: object(() => ({ account_ids: ids('accounts'), q, ...pageParams })),
  exclusive: listExclusive,
  data: Account,
  errors: [],
  example: { params: { count: 2, sort_by: ['name-asc'] }, data: example },
});

const createAccount = defineOperation({
  id: 'accounts.create',
  summary: 'Create an advertising account in the sandbox',
  description: 'The caller becomes its ACCOUNT_ADMIN and its FULL promotable user.',
  sandboxOnly: true,
  http: { method: 'POST', path: '/12/accounts' },
  access: { auth: 'user' },
  rateLimit: 'ads.write',
  envelope: 'entity',
  params: z.object({}),
  data: Account,
  errors: ['ACTION_NOT_ALLOWED'],
  example: { params: {}, data: example },
});

export const operations = {
  list: listAccounts,
  get: defineAccountRead('accounts.get', '/12/accounts/:account_id', {
    summary: 'Get one advertising account',
    capability: 'account.read',
    deletedAccount: true,
    rateLimit: 'ads.core_read',
    envelope: 'entity',
    params: object(() => ({ account_id, with_deleted })),
    data: Account,
    example: { params: {}, data: { ...example, industry_type: 'TECHNOLOGY' } },
  }),
  create: createAccount,
  update: defineAccountWrite('accounts.update', 'PUT', '/12/accounts/:account_id', {
    summary: 'Change the name or the industry of an advertising account',
    capability: 'account.write',
    envelope: 'entity',
    params: object(() => ({
      account_id,
      name: text().optional().describe('The new name: 1 to 255 characters.'),
      industry_type: oneOf(industryTypes).optional().describe('The industry of the advertiser.'),
    })),
    data: Account,
    example: {
      params: { name: 'Harbour Books', industry_type: 'RETAIL' },
      data: { ...example, name: 'Harbour Books', industry_type: 'RETAIL' },
    },
  }),
  delete: defineAccountWrite('accounts.delete', 'DELETE', '/12/accounts/:account_id', {
    summary: 'Delete an advertising account in the sandbox',
    description: 'Nothing below the account can be reached afterwards. This cannot be undone.',
    sandboxOnly: true,
    capability: 'account.write',
    envelope: 'entity',
    params: object(() => ({ account_id })),
    data: Account,
    example: { params: {}, data: { ...example, deleted: true } },
  }),
};

export const position = 10;

/** Operator operations on businesses, which accounts belong to: accounts of one business may share audiences. */

import { defineOperatorOperation } from '../../operation/define.ts';
import { count, cursor } from '../../operation/list.ts';
import { object } from '../../wire/object.ts';
import { id } from '../../wire/types.ts';
import { Account } from '../accounts/entity.ts';
import { operations as accountOperations } from '../accounts/operations.ts';
import { Business } from '../businesses/entity.ts';
import { environment } from './environment.ts';

const exampleAccount = accountOperations.get.example.data;

const exampleBusiness = {
  id: '1x4k',
  name: 'Harbour Group',
  account_ids: [exampleAccount.id],
  created_at: '2026-01-15T08:00:00Z',
  updated_at: '2026-01-15T08:00:00Z',
};

const createBusiness = defineOperatorOperation({
  id: 'admin.businesses.create',
  summary: 'Create a business, which accounts can belong to',
  procedure: 'mutation',
  envelope: 'entity',
  params: object(() => ({ environment, name: Business.shape.name })),
  data: Business,
  errors: ['ALREADY_EXISTS'],
  example: { params: { name: exampleBusiness.name }, data: { ...exampleBusiness, account_ids: [] } },
});

const listBusinesses = defineOperatorOperation({
  id: 'admin.businesses.list',
  summary: 'List businesses with their accounts, the first to be created first',
  procedure: 'query',
  envelope: 'list',
  params: object(() => ({ environment, count, cursor })),
  data: Business,
  errors: ['INVALID_PARAMETER'],
  example: { params: {}, data: exampleBusiness },
});

const assignBusiness = defineOperatorOperation({
  id: 'admin.businesses.assign',
  summary: 'Assign an account to a business, or to none',
  description:
    'The account shows id and name of the business, and leaves the one before. Without `business_id` it belongs to none ' +
    'afterwards. Audiences that are shared already stay shared.',
  procedure: 'mutation',
  envelope: 'entity',
  params: object(() => ({
    environment,
    account_id: id().describe('The advertising account.'),
    business_id: id().optional().describe('The business; left out, the account belongs to none.'),
  })),
  data: Account,
  errors: ['ACCOUNT_NOT_FOUND', 'NOT_FOUND'],
  example: {
    params: { account_id: exampleAccount.id, business_id: exampleBusiness.id },
    data: { ...exampleAccount, business_id: exampleBusiness.id, business_name: exampleBusiness.name },
  },
});

/** The operator's procedures for businesses. */
export const adminBusinesses = { create: createBusiness, list: listBusinesses, assign: assignBusiness };

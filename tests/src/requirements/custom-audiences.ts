/** Specification B, custom audiences. */
import { type OperationRows, PAGE } from '../support/operation-row.ts';
import type { Requirements } from '../support/requirement.ts';

export const requirements: Requirements = {
  'B-AUDIENCE-CREATE': {
    clause: 'B Custom audiences, POST; R audiences 3',
    text: 'a new audience is an empty placeholder that is being processed',
    on: 'every adapter',
  },
  'B-AUDIENCE-NAME': {
    clause: 'B Custom audiences, POST and PUT name; A Errors',
    text: 'a name is unique among the audiences of the account that are not deleted, whatever its case',
    on: 'every adapter',
  },
};

export const operations: OperationRows = {
  'custom_audiences.list': {
    route: 'GET /12/accounts/:account_id/custom_audiences',
    optional: `custom_audience_ids permission_scope q ${PAGE}`,
    sortable: 'created_at updated_at name',
    capability: 'audiences.read',
  },
  'custom_audiences.get': {
    route: 'GET /12/accounts/:account_id/custom_audiences/:custom_audience_id',
    optional: 'with_deleted',
    capability: 'audiences.read',
  },
  'custom_audiences.create': {
    route: 'POST /12/accounts/:account_id/custom_audiences',
    required: 'name',
    optional: 'description',
    capability: 'audiences.write',
  },
  'custom_audiences.batch': {
    route: 'POST /12/batch/accounts/:account_id/custom_audiences',
    required: 'operations',
    items: 10,
    itemParams: {
      Create: { required: 'name audience_type segments' },
      Update: { required: 'custom_audience_id', optional: 'name description audience_type segments' },
    },
    capability: 'audiences.write',
  },
  'custom_audiences.users': {
    route: 'POST /12/accounts/:account_id/custom_audiences/:custom_audience_id/users',
    required: 'operations',
    items: 2500,
    itemParams: {
      Update: { required: 'users', optional: 'effective_at expires_at' },
      Delete: { required: 'users', optional: 'effective_at expires_at' },
    },
    capability: 'audiences.write',
  },
  'custom_audiences.update': {
    route: 'PUT /12/accounts/:account_id/custom_audiences/:custom_audience_id',
    optional: 'name description',
    capability: 'audiences.write',
  },
  'custom_audiences.delete': {
    route: 'DELETE /12/accounts/:account_id/custom_audiences/:custom_audience_id',
    capability: 'audiences.write',
  },
};

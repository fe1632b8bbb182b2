/** Specification B, permissions on audiences, under the paths of versions 12 and 5. */
import type { OperationRows } from '../support/operation-row.ts';
import { type Requirements, store } from '../support/requirement.ts';

const PAGE = 'count cursor sort_by with_total_count';

export const requirements: Requirements = {
  'B-SHARE-CREATE': {
    clause: 'B Tailored audience permissions, POST; B States, no sharing permission; R audiences 2',
    text: 'the owner of an audience shares it with an account at a permission level',
    on: 'every adapter',
  },
  'B-SHARE-AGAIN': {
    clause: '5 What must work, permissions',
    text: 'sharing again with the same account changes the level of the permission, which keeps its id',
    on: 'every adapter',
  },
  'B-SHARE-LIST': {
    clause: 'B Tailored audience permissions, GET; R audiences 2',
    text: 'permissions are listed by granted accounts and ids, without those that are revoked',
    on: 'every adapter',
  },
  'B-SHARE-OWNER': {
    clause: 'B Tailored audience permissions; R audiences 2, caller is not the owner',
    text: 'an account that an audience is shared with sees its own permission, and can neither share nor revoke',
    on: 'every adapter',
  },
  'B-SHARE-STRANGER': {
    clause: 'B States, caller owns the audience',
    text: 'the audience of an account that shares nothing does not exist for any operation on permissions',
    on: 'every adapter',
  },
  'B-SHARE-BUSINESS': {
    clause: 'B States, accounts share a business; R audiences 2, different businesses',
    text: 'an audience is shared within a business, and outside of it by SHARE_AUDIENCE_OUTSIDE_BUSINESS only',
    on: 'every adapter',
  },
  'B-SHARE-UNKNOWN': {
    clause: 'B States, accounts share a business',
    text: 'an account that does not exist or is deleted has the response of one outside of the business',
    on: 'every adapter',
  },
  'B-SHARE-SELF': {
    clause: '5 What must work, permissions',
    text: 'an audience is not shared with its owner',
    on: 'every adapter',
  },
  'B-SHARE-REVOKE': {
    clause: 'B States, DELETE permission; R audiences 2, deleted',
    text: 'a revoked permission is shown as deleted once and gone; the audience can be shared anew',
    on: 'every adapter',
  },
  'B-SHARE-VERSIONS': {
    clause: 'B Tailored audience permissions (version 5), Custom audience permissions (version 12)',
    text: 'both versions have the same permissions, each under names of its own',
    on: 'every adapter',
  },
  'B-SHARE-DELETED': {
    clause: 'B States, custom audience DELETE',
    text: 'the permissions on an audience end with it',
    on: 'every adapter',
  },
  'B-SHARE-LEFT': {
    clause: 'B States, no sharing permission',
    text: 'a permission stays when an account leaves the business, and ends with the account of the owner',
    on: 'every adapter',
  },
  'B-SHARE-RACES': {
    clause: '5 Proof, races on grants',
    text: 'of permissions on one pair that are created at once one exists, and revoking at once leaves none or one',
    on: store,
  },
  'B-SHARED-SEEN': {
    clause: "B Custom audiences, permission_scope; R audiences 2, granted account's view",
    text: 'a shared audience is seen by SHARED and by id, with the level of its permission and its owner',
    on: 'every adapter',
  },
  'B-SHARED-LIST': {
    clause: 'B Custom audiences, GET list',
    text: 'audiences of several owners are one list, with filters, orders, pages and count as those of one account',
    on: 'every adapter',
  },
  'B-SHARED-WRITE': {
    clause: 'B States, permission_level; 5 What must work, permissions',
    text: 'READ_WRITE lets an account change name and description, READ_ONLY does not, and neither lets it delete',
    on: 'every adapter',
  },
};

export const operations: OperationRows = {
  'custom_audience_permissions.list': {
    route: 'GET /12/accounts/:account_id/custom_audiences/:custom_audience_id/permissions',
    optional: `granted_account_ids custom_audience_permission_ids ${PAGE}`,
    sortable: 'created_at updated_at',
    capability: 'audiences.read',
  },
  'custom_audience_permissions.create': {
    route: 'POST /12/accounts/:account_id/custom_audiences/:custom_audience_id/permissions',
    required: 'granted_account_id permission_level',
    capability: 'audiences.write',
  },
  'custom_audience_permissions.delete': {
    route:
      'DELETE /12/accounts/:account_id/custom_audiences/:custom_audience_id/permissions/:custom_audience_permission_id',
    capability: 'audiences.write',
  },
  'tailored_audience_permissions.list': {
    route: 'GET /5/accounts/:account_id/tailored_audiences/:tailored_audience_id/permissions',
    optional: `granted_account_ids tailored_audience_permission_ids ${PAGE}`,
    sortable: 'created_at updated_at',
    capability: 'audiences.read',
  },
  'tailored_audience_permissions.create': {
    route: 'POST /5/accounts/:account_id/tailored_audiences/:tailored_audience_id/permissions',
    required: 'granted_account_id permission_level',
    capability: 'audiences.write',
  },
  'tailored_audience_permissions.delete': {
    route:
      'DELETE /5/accounts/:account_id/tailored_audiences/:tailored_audience_id/permissions/:tailored_audience_permission_id',
    capability: 'audiences.write',
  },
};

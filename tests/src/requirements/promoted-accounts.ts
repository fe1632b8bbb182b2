/** Specification C, promoted accounts. */
import { type OperationRows, PAGE } from '../support/operation-row.ts';
import { type Requirements, wire } from '../support/requirement.ts';

export const requirements: Requirements = {
  'C-PROMOTED-ACCOUNT-CREATE': {
    clause: 'C Promoted accounts, POST',
    text: 'the FULL user is attached to a line item that finds followers',
    on: 'every adapter',
  },
  'C-PROMOTED-ACCOUNT-AGAIN': {
    clause: 'C States, promoted account POST',
    text: 'a user who is promoted already is left unchanged',
    on: 'every adapter',
  },
  'C-PROMOTED-ACCOUNT-REFUSED': {
    clause: 'C Promoted accounts, POST; R campaign-management 14',
    text: 'a user who cannot be promoted, or a line item that promotes no accounts, is refused and nothing stored',
    on: 'every adapter',
  },
  'C-PROMOTED-ACCOUNT-LIST': {
    clause: 'C Promoted accounts, GET',
    text: 'the list is filtered, and refused when none of the line items can have promoted accounts',
    on: 'every adapter',
  },
  'C-PROMOTED-ACCOUNT-DELETE': {
    clause: 'C States, promoted account DELETE',
    text: 'a deletion by the id of the record detaches the user',
    on: 'every adapter',
  },
  'C-PROMOTED-ACCOUNT-OF-DELETED': {
    clause: 'C States, line item DELETE',
    text: 'promoted accounts of a deleted line item or campaign are shown with_deleted only',
    on: 'every adapter',
  },
  'C-PROMOTED-ACCOUNT-WIRE': {
    clause: 'C Promoted accounts, POST; R conventions 2',
    text: 'the user is echoed as text, and there is no PUT',
    on: wire,
  },
};

export const operations: OperationRows = {
  'promoted_accounts.list': {
    route: 'GET /12/accounts/:account_id/promoted_accounts',
    optional: `line_item_ids promoted_account_ids ${PAGE}`,
    sortable: 'created_at updated_at deleted paused',
    capability: 'campaigns.read',
  },
  'promoted_accounts.get': {
    route: 'GET /12/accounts/:account_id/promoted_accounts/:promoted_account_id',
    optional: 'with_deleted',
    capability: 'campaigns.read',
  },
  'promoted_accounts.create': {
    route: 'POST /12/accounts/:account_id/promoted_accounts',
    required: 'line_item_id user_id',
    capability: 'campaigns.write',
  },
  'promoted_accounts.delete': {
    route: 'DELETE /12/accounts/:account_id/promoted_accounts/:promoted_account_id',
    capability: 'campaigns.write',
  },
};

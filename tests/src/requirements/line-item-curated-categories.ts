/** Specification C, curated categories of line items. */
import { type OperationRows, PAGE } from '../support/operation-row.ts';
import type { Requirements } from '../support/requirement.ts';

export const requirements: Requirements = {
  'C-CURATED-ITEM-CREATE': {
    clause: 'C Line item curated categories, POST',
    text: 'a line item is given a curated category, read by list and id',
    on: 'every adapter',
  },
  'C-CURATED-ITEM-REFUSED': {
    clause: 'C Curated categories; R campaign-management 11',
    text: 'a line item has one curated category, of a country that it targets, and no content categories beside it',
    on: 'every adapter',
  },
  'C-CURATED-ITEM-UPDATE': {
    clause: 'C Line item curated categories, PUT',
    text: 'the category or the line item can be changed, under the rules of creating',
    on: 'every adapter',
  },
  'C-CURATED-ITEM-DELETE': {
    clause: 'C States, line item curated category DELETE',
    text: 'a deleted one is gone, and the line item is free for another',
    on: 'every adapter',
  },
  'C-CURATED-ITEM-OF-DELETED': {
    clause: 'C States, line item DELETE',
    text: 'those of a deleted line item or campaign are shown with_deleted only',
    on: 'every adapter',
  },
};

export const operations: OperationRows = {
  'line_item_curated_categories.list': {
    route: 'GET /12/accounts/:account_id/line_item_curated_categories',
    optional: `${PAGE}`,
    sortable: 'created_at updated_at',
    capability: 'campaigns.read',
  },
  'line_item_curated_categories.get': {
    route: 'GET /12/accounts/:account_id/line_item_curated_categories/:line_item_curated_category_id',
    optional: 'with_deleted',
    capability: 'campaigns.read',
  },
  'line_item_curated_categories.create': {
    route: 'POST /12/accounts/:account_id/line_item_curated_categories',
    required: 'curated_category_id line_item_id',
    capability: 'campaigns.write',
  },
  'line_item_curated_categories.update': {
    route: 'PUT /12/accounts/:account_id/line_item_curated_categories/:line_item_curated_category_id',
    optional: 'curated_category_id line_item_id',
    capability: 'campaigns.write',
  },
  'line_item_curated_categories.delete': {
    route: 'DELETE /12/accounts/:account_id/line_item_curated_categories/:line_item_curated_category_id',
    capability: 'campaigns.write',
  },
};

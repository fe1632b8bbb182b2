/** Specification C, curated categories. */
import type { OperationRows } from '../support/operation-row.ts';
import { type Requirements, typed, wire } from '../support/requirement.ts';

export const requirements: Requirements = {
  'C-CURATED-LIST': {
    clause: 'C Curated categories, GET; R campaign-management 11',
    text: 'the list holds what is available in one of the countries asked for, or all, with all members',
    on: 'every adapter',
  },
  'C-CURATED-TOTAL': {
    clause: 'C Curated categories, GET; R conventions 1',
    text: 'total_count is there on every page, asked for or not',
    on: 'every adapter',
  },
  'C-CURATED-COUNTRIES': {
    clause: 'C Curated categories, country_codes; R campaign-management 11',
    text: 'up to 200 country codes of two capital letters are taken',
    on: typed,
  },
  'C-CURATED-GET': {
    clause: 'C Curated categories, GET one',
    text: 'one category is found by its id, and an unknown or deleted one is not',
    on: 'every adapter',
  },
  'C-CURATED-ECHO': {
    clause: 'R conventions 2, irregular echoes',
    text: 'the echo calls the id of a curated category `id`',
    on: wire,
  },
};

export const operations: OperationRows = {
  'curated_categories.list': {
    route: 'GET /12/accounts/:account_id/curated_categories',
    optional: 'country_codes cursor with_total_count',
    capability: 'account.read',
  },
  'curated_categories.get': {
    route: 'GET /12/accounts/:account_id/curated_categories/:curated_category_id',
    capability: 'account.read',
  },
};

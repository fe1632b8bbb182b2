/** Specification C, IAB categories. */
import type { OperationRows } from '../support/operation-row.ts';
import type { Requirements } from '../support/requirement.ts';

export const requirements: Requirements = {
  'C-LOOKUP-IAB': {
    clause: 'C Lookups without parameters, iab_categories; R campaign-management 12',
    text: 'the taxonomy has 392 categories, in its order, page by page, counted when asked for',
    on: 'every adapter',
  },
  'C-LOOKUP-IAB-CURSOR': {
    clause: 'A conventions 4; C Lookups without parameters, iab_categories',
    text: 'a cursor of another list, or one beside with_total_count, is refused',
    on: 'every adapter',
  },
};

export const operations: OperationRows = {
  'iab_categories.list': { route: 'GET /12/iab_categories', optional: 'count cursor with_total_count' },
};

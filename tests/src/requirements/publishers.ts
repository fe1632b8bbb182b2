/** Specification C, publishers. */
import type { OperationRows } from '../support/operation-row.ts';
import type { Requirements } from '../support/requirement.ts';

export const requirements: Requirements = {
  'C-LOOKUP-PUBLISHERS': {
    clause: 'C Lookups without parameters, publishers; R campaign-management 12',
    text: 'publishers come page by page, in the order in which they became publishers, under their present names',
    on: 'every adapter',
  },
};

export const operations: OperationRows = {
  'publishers.list': { route: 'GET /12/publishers', optional: 'count cursor' },
};

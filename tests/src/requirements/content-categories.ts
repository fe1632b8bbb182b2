/** Specification C, content categories. */
import type { OperationRows } from '../support/operation-row.ts';
import type { Requirements } from '../support/requirement.ts';

export const requirements: Requirements = {
  'C-LOOKUP-CONTENT': {
    clause: 'C Lookups without parameters, content_categories',
    text: 'there are 15 kinds of content, each with the IAB categories that target it',
    on: 'every adapter',
  },
};

export const operations: OperationRows = {
  'content_categories.list': { route: 'GET /12/content_categories' },
};

/** Specification C, advertiser business categories. */
import type { OperationRows } from '../support/operation-row.ts';
import type { Requirements } from '../support/requirement.ts';

export const requirements: Requirements = {
  'C-LOOKUP-BUSINESS': {
    clause: 'C Lookups without parameters, advertiser_business_categories',
    text: 'there are 16 kinds of business, each with the IAB categories that name it',
    on: 'every adapter',
  },
};

export const operations: OperationRows = {
  'advertiser_business_categories.list': { route: 'GET /12/advertiser_business_categories' },
};

/** Specification C, bidding rules. */
import type { OperationRows } from '../support/operation-row.ts';
import { type Requirements, store } from '../support/requirement.ts';

export const requirements: Requirements = {
  'C-BIDDING-RULES': {
    clause: 'C Bidding rules; R campaign-management 17',
    text: 'every currency that accounts are funded in has a rule, and can be asked for alone',
    on: 'every adapter',
  },
  'C-BIDDING-RULES-HOLD': {
    clause: 'C Limits, bid_amount_local_micro',
    text: 'a bid is taken or refused as the rule of its currency says',
    on: store,
  },
};

export const operations: OperationRows = {
  'bidding_rules.list': { route: 'GET /12/bidding_rules', optional: 'currency' },
};

/** Specification C, campaigns. */
import { type OperationRows, PAGE } from '../support/operation-row.ts';
import { operator, type Requirements, served, store, typed } from '../support/requirement.ts';

export const requirements: Requirements = {
  'C-CAMPAIGN-DEFAULTS': {
    clause: 'C Campaign create parameters',
    text: 'a new campaign has the stated defaults',
    on: 'every adapter',
  },
  'C-CAMPAIGN-STATUS': {
    clause: 'C States',
    text: 'a campaign begins ACTIVE, DRAFT or PAUSED and moves to ACTIVE or PAUSED',
    on: 'every adapter',
  },
  'C-CAMPAIGN-LENGTHS': {
    clause: 'C Limits',
    text: 'a name has up to 255 characters, an order number up to 50',
    on: typed,
  },
  'C-CAMPAIGN-BUDGETS': {
    clause: 'C Campaign create parameters',
    text: 'the daily budget is at most the total',
    on: 'every adapter',
  },
  'C-CAMPAIGN-DAILY': {
    clause: 'C Campaign create parameters',
    text: 'credit needs a daily budget',
    on: 'every adapter',
  },
  'C-CAMPAIGN-DELIVERY': {
    clause: 'C Campaign create parameters',
    text: 'delivery is set where the budget is',
    on: 'every adapter',
  },
  'C-CAMPAIGN-CURRENCY': {
    clause: 'C Campaign create parameters',
    text: 'the currency is that of the funding instrument',
    on: 'every adapter',
  },
  'C-CAMPAIGN-FUNDING': {
    clause: 'C Campaign create parameters',
    text: 'the funding instrument exists and is not deleted, and stays',
    on: 'every adapter',
  },
  'C-CAMPAIGN-FILTER': {
    clause: 'C Campaigns, GET',
    text: 'campaigns are found by id and by funding instrument',
    on: 'every adapter',
  },
  'C-CAMPAIGN-DRAFT': {
    clause: 'C Campaigns, GET with_draft',
    text: 'drafts are listed only on demand',
    on: 'every adapter',
  },
  'C-CAMPAIGN-DELETE': {
    clause: 'C States; A Errors',
    text: 'a deleted campaign cannot be changed or deleted again',
    on: 'every adapter',
  },
  'C-CAMPAIGN-SERVABLE': {
    clause: 'C Campaign; R campaign-management 8',
    text: 'servable, reasons and effective_status follow from the state',
    on: 'every adapter',
  },
  'C-CAMPAIGN-LIMIT': {
    clause: 'C Limits',
    text: '200 active campaigns, counting paused ones and no drafts or deleted ones',
    on: served,
  },
  'C-CAMPAIGN-LIMIT-RAISED': { clause: 'C Limits', text: 'a raised limit applies', on: served },
  'C-CAMPAIGN-LIMIT-CONCURRENT': {
    clause: '2 the slice',
    text: 'the limit is exact under concurrent requests',
    on: store,
  },
  'C-CAMPAIGN-LIMIT-BATCH': {
    clause: 'C Limits',
    text: 'a batch that passes the limit is refused at the item that does',
    on: served,
  },
  'C-CAMPAIGN-REQUIRED': {
    clause: 'C Campaign create parameters',
    text: 'name and funding instrument are required, and enumerations take their words only',
    on: 'every adapter',
  },
  'C-CAMPAIGN-UPDATE': {
    clause: 'C Campaigns, PUT',
    text: 'every optional field can be changed, and budgets and order number removed',
    on: 'every adapter',
  },
  'C-CAMPAIGN-LIMIT-ENDED': {
    clause: 'C Limits, inactive campaigns',
    text: 'campaigns that ended count no more, and come back only where there is room',
    on: served,
  },
  'C-CAMPAIGN-LIMIT-RACE': {
    clause: '5 Proof, concurrency',
    text: '100 clients that create, activate and batch at once leave exactly 200 active campaigns',
    on: served,
  },
  'C-CAMPAIGN-LIMIT-RACE-FLIGHTS': {
    clause: '5 Proof, concurrency',
    text: 'batches of campaigns and of line items race for the same room',
    on: served,
  },
  'C-REVIEW-CAMPAIGN': {
    clause: 'C Campaign, reasons_not_servable; R campaign-management 8',
    text: 'a campaign whose creatives are all refused or in review is not servable for CONTENT_REVIEW_PROBLEM',
    on: operator,
  },
};

export const operations: OperationRows = {
  'campaigns.list': {
    route: 'GET /12/accounts/:account_id/campaigns',
    optional: `campaign_ids funding_instrument_ids q with_draft ${PAGE}`,
    sortable:
      'created_at updated_at deleted name daily_budget_amount_local_micro total_budget_amount_local_micro standard_delivery',
    capability: 'campaigns.read',
  },
  'campaigns.get': {
    route: 'GET /12/accounts/:account_id/campaigns/:campaign_id',
    optional: 'with_deleted',
    capability: 'campaigns.read',
  },
  'campaigns.create': {
    route: 'POST /12/accounts/:account_id/campaigns',
    required: 'funding_instrument_id name',
    optional:
      'budget_optimization daily_budget_amount_local_micro entity_status purchase_order_number standard_delivery total_budget_amount_local_micro',
    capability: 'campaigns.write',
  },
  'campaigns.batch': {
    route: 'POST /12/batch/accounts/:account_id/campaigns',
    required: 'operations',
    items: 40,
    capability: 'campaigns.write',
  },
  'campaigns.update': {
    route: 'PUT /12/accounts/:account_id/campaigns/:campaign_id',
    optional:
      'name budget_optimization daily_budget_amount_local_micro entity_status purchase_order_number standard_delivery total_budget_amount_local_micro',
    capability: 'campaigns.write',
  },
  'campaigns.delete': {
    route: 'DELETE /12/accounts/:account_id/campaigns/:campaign_id',
    capability: 'campaigns.write',
  },
};

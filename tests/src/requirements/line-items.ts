/** Specification C, line items. */
import { type OperationRows, PAGE } from '../support/operation-row.ts';
import { type Requirements, served, store, typed, wire } from '../support/requirement.ts';

export const requirements: Requirements = {
  'C-LINE-DEFAULTS': {
    clause: 'C Line item create parameters; R campaign-management 9',
    text: 'a new line item has the stated defaults',
    on: 'every adapter',
  },
  'C-LINE-RULES': {
    clause: 'C Line item create parameters',
    text: 'each rule of the create table refuses what breaks it',
    on: 'every adapter',
  },
  'C-LINE-ACCEPTED': {
    clause: 'C Line item create parameters',
    text: 'each objective can be created with what it needs',
    on: 'every adapter',
  },
  'C-LINE-SHARED': {
    clause: 'C Line item create parameters',
    text: 'line items of a campaign share objective and product type',
    on: 'every adapter',
  },
  'C-LINE-UPDATE': {
    clause: 'C Line items, PUT; R campaign-management 9.2',
    text: 'what the reference lists can be changed and unset',
    on: 'every adapter',
  },
  'C-LINE-FILTER': {
    clause: 'C Line items, GET',
    text: 'line items are found by id, campaign and funding instrument',
    on: 'every adapter',
  },
  'C-LINE-DRAFT': {
    clause: 'C Line items, GET with_draft',
    text: 'drafts are listed only on demand',
    on: 'every adapter',
  },
  'C-LINE-DELETE': {
    clause: 'C States',
    text: 'a deleted line item cannot be changed or deleted again',
    on: 'every adapter',
  },
  'C-LINE-OF-DELETED': {
    clause: 'C States',
    text: 'line items of a deleted campaign are among the deleted ones',
    on: 'every adapter',
  },
  'C-LINE-LIMIT-100': { clause: 'C Limits', text: 'a campaign has up to 100 line items', on: served },
  'C-LINE-LIMIT-256': { clause: 'C Limits', text: 'an account has up to 256 active line items', on: served },
  'C-LINE-DELETE-FREE': { clause: 'C Limits', text: 'no limit keeps a line item from being deleted', on: served },
  'C-LINE-LIMIT-CONCURRENT': {
    clause: '2 the slice',
    text: 'the limits of line items are exact under concurrent requests',
    on: store,
  },
  'C-LINE-BATCH': {
    clause: 'R campaign-management 9.4, batch',
    text: 'a batch of line items creates, changes and deletes, and answers in the order of its items',
    on: 'every adapter',
  },
  'C-LINE-BATCH-ECHO': {
    clause: 'R campaign-management 9.4, batch echo',
    text: 'a batch echoes its line items with account_id, and placements as an array',
    on: wire,
  },
  'C-LINE-BATCH-ATOMIC': {
    clause: 'A conventions 7; R campaign-management 9.4',
    text: 'a batch of line items with a fault at any index changes nothing and names the index',
    on: 'every adapter',
  },
  'C-LINE-BATCH-FAULTS': {
    clause: 'A Errors; R campaign-management 9.4',
    text: 'a refused batch of line items names all faults of all items',
    on: 'every adapter',
  },
  'C-LINE-BATCH-TOGETHER': {
    clause: 'A conventions 7',
    text: 'each item of a batch is held against what the items before it leave behind',
    on: 'every adapter',
  },
  'C-LINE-BATCH-41': {
    clause: 'R campaign-management 9.4, batch of 40 items',
    text: 'a batch of 41 line items is refused as a whole',
    on: 'every adapter',
  },
  'C-LINE-BATCH-DRAFT': {
    clause: 'C Line item create parameters, entity_status',
    text: 'a batch begins line items in any state and none returns to DRAFT',
    on: 'every adapter',
  },
  'C-LINE-BATCH-LIMIT': {
    clause: 'C Limits',
    text: 'the limits of line items hold across the items of a batch',
    on: served,
  },
  'C-LINE-REQUIRED': {
    clause: 'C Line item create parameters',
    text: 'campaign, times, objective, placements and product type are required, and nothing else is',
    on: 'every adapter',
  },
  'C-LINE-NAME': { clause: 'R campaign-management 9.1', text: 'a name has 1 to 255 characters', on: typed },
  'C-LINE-PAY-BY': {
    clause: 'R campaign-management 9.1 and 9.3',
    text: 'pay_by is one of those of the goal, and changed for APP_INSTALLS only',
    on: 'every adapter',
  },
  'C-LINE-WORDS': {
    clause: 'C Line item create parameters, enumerations',
    text: 'a word that the table does not list is refused where one is expected',
    on: 'every adapter',
  },
  'C-LINE-STATUS': {
    clause: 'C States, line item',
    text: 'a line item begins ACTIVE, DRAFT or PAUSED and moves to ACTIVE or PAUSED',
    on: 'every adapter',
  },
  'C-LINE-STRATEGIES': {
    clause: 'C Line item create parameters, bid_strategy',
    text: 'MAX and TARGET are for their objectives only, and AUTO ignores the bid',
    on: 'every adapter',
  },
  'C-LINE-CAP': {
    clause: 'C Line item create parameters, frequency_cap and duration_in_days; C Limits',
    text: 'four objectives take a frequency cap, in 1, 7 or 30 days',
    on: 'every adapter',
  },
  'C-LINE-GOALS': {
    clause: 'C Line item create parameters, goal; R campaign-management 9.3',
    text: 'each objective takes its goals and no others, and has one by default',
    on: 'every adapter',
  },
  'C-LINE-BID': {
    clause: 'C Line item create parameters, bid_amount_local_micro; C Limits',
    text: 'a bid is greater than zero',
    on: 'every adapter',
  },
  'C-LINE-FORMATS': {
    clause: 'C Line item create parameters, advertiser_domain and ios_app_store_identifier',
    text: 'a domain has no protocol, an iOS identifier digits only',
    on: 'every adapter',
  },
  'C-LINE-BUSINESS': {
    clause: 'C Lookups without parameters, advertiser_business_categories',
    text: 'a PREROLL_VIEWS line item names one or two kinds of business by their IAB categories',
    on: 'every adapter',
  },
  'C-LINE-ADVERTISER': {
    clause: 'C Line item create parameters, advertiser_user_id',
    text: 'a PREROLL_VIEWS line item can name a promotable user of the account, another one nobody',
    on: 'every adapter',
  },
  'C-LINE-BUDGETS': {
    clause: 'R campaign-management 9.1 and 9.4',
    text: 'budgets and bid of a line item stay within those of the campaign, and the daily within the total',
    on: 'every adapter',
  },
  'C-LINE-RECHECKED': {
    clause: 'C Line items, PUT',
    text: 'a change is held against the rules on what it would leave behind',
    on: 'every adapter',
  },
  'C-LINE-LIMIT-RACE': {
    clause: '5 Proof, concurrency',
    text: '100 clients that create and batch at once leave exactly 100 line items in a campaign',
    on: served,
  },
  'C-LINE-LIMIT-RACE-ACTIVE': {
    clause: '5 Proof, concurrency',
    text: '100 clients that create, activate and batch at once leave exactly 256 active line items',
    on: served,
  },
  'C-LOOKUP-PLACEMENTS': {
    clause: 'C Lookups without parameters, placements',
    text: 'every valid combination of placements is listed, for all products or for one',
    on: 'every adapter',
  },
  'C-LOOKUP-PLACEMENTS-VALID': {
    clause: 'C Lookups without parameters, placements; C Line item create parameters, placements',
    text: 'a line item takes the combinations that are listed for its product, and no other',
    on: store,
  },
};

export const operations: OperationRows = {
  'line_items.list': {
    route: 'GET /12/accounts/:account_id/line_items',
    optional: `campaign_ids funding_instrument_ids line_item_ids q with_draft ${PAGE}`,
    sortable: 'created_at updated_at deleted bid_amount_local_micro',
    capability: 'campaigns.read',
  },
  'line_items.get': {
    route: 'GET /12/accounts/:account_id/line_items/:line_item_id',
    optional: 'with_deleted',
    capability: 'campaigns.read',
  },
  'line_items.create': {
    route: 'POST /12/accounts/:account_id/line_items',
    required: 'campaign_id objective product_type placements start_time end_time',
    optional:
      'name advertiser_domain advertiser_user_id android_app_store_identifier ios_app_store_identifier audience_expansion bid_amount_local_micro bid_strategy categories daily_budget_amount_local_micro duration_in_days entity_status frequency_cap goal pay_by primary_web_event_tag standard_delivery total_budget_amount_local_micro',
    capability: 'campaigns.write',
  },
  'line_items.batch': {
    route: 'POST /12/batch/accounts/:account_id/line_items',
    required: 'operations',
    items: 40,
    capability: 'campaigns.write',
  },
  'line_items.update': {
    route: 'PUT /12/accounts/:account_id/line_items/:line_item_id',
    optional:
      'advertiser_domain advertiser_user_id android_app_store_identifier ios_app_store_identifier audience_expansion bid_amount_local_micro bid_strategy categories daily_budget_amount_local_micro duration_in_days end_time entity_status frequency_cap goal name pay_by start_time total_budget_amount_local_micro',
    capability: 'campaigns.write',
  },
  'line_items.delete': {
    route: 'DELETE /12/accounts/:account_id/line_items/:line_item_id',
    capability: 'campaigns.write',
  },
  'line_items.placements': { route: 'GET /12/line_items/placements', optional: 'product_type' },
};

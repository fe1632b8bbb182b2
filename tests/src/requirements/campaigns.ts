/** Specification C, campaigns, and the hierarchy as a whole. */
import { type Requirement, served, store, typed } from './requirement.ts';

export const campaigns = {
  'C-HIERARCHY-MODEL': {
    clause: '5 model-based tests',
    text: 'after any sequence of changes, batches, waits and restarts the account reads as a plain model of it',
    on: 'every adapter',
  },
  'C-ENDPOINTS': {
    clause: 'C Endpoints; R campaign-management 8 and 9',
    text: 'each operation is at its path and takes the parameters of its row, no other, and requires those of the row',
    on: 'every adapter',
  },
  'C-ENDPOINTS-BATCH': {
    clause: 'C Campaigns, POST batch; R campaign-management 9.4, batch',
    text: 'the items of a batch take what the operations for one take',
    on: 'every adapter',
  },
  'C-SORTABLE': {
    clause: 'A conventions 4, sort_by; R conventions 4',
    text: 'each list sorts by the attributes of its row and by no other',
    on: 'every adapter',
  },
  'C-PERMISSIONS-EVERY': {
    clause: 'A Authentication 6; 5 What must work, permissions',
    text: 'each operation below an account asks for what its row says',
    on: 'every adapter',
  },
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
} as const satisfies Record<string, Requirement>;

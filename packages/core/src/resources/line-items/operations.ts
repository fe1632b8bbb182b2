import { batchOperations } from '../../operation/batch.ts';
import { exampleSystemMembers } from '../../operation/entity.ts';
import { batchOf, createOf, defineFamily, deleteOf, getOf, listOf, updateOf } from '../../operation/family.ts';
import { account_id, ids, q } from '../../operation/list.ts';
import { extended, object } from '../../wire/object.ts';
import { boolean } from '../../wire/types.ts';
import { listPlacements } from '../placements/operations.ts';
import { LineItem, lineItemSortable } from './entity.ts';
import { LineItemChanges, LineItemCreate, line_item_id } from './params.ts';

export { errors } from './errors.ts';

const lineItem = defineFamily({
  data: LineItem,
  key: { line_item_id },
  missing: 'LINE_ITEM_NOT_FOUND',
  read: 'campaigns.read',
  write: 'campaigns.write',
  sortable: lineItemSortable,
  example: {
    id: 'bw2rq',
    name: 'Readers in the north',
    campaign_id: '8wku2',
    funding_instrument_id: 'lygyi',
    advertiser_user_id: '1503831318555086849',
    objective: 'ENGAGEMENTS',
    product_type: 'PROMOTED_POSTS',
    placements: ['ALL_ON_PLATFORM'],
    start_time: '2026-02-01T00:00:00Z',
    end_time: '2026-03-01T00:00:00Z',
    goal: 'ENGAGEMENT',
    pay_by: 'ENGAGEMENT',
    bid_strategy: 'MAX',
    bid_amount_local_micro: 1_400_000,
    target_cpa_local_micro: null,
    primary_web_event_tag: null,
    daily_budget_amount_local_micro: null,
    total_budget_amount_local_micro: null,
    standard_delivery: null,
    duration_in_days: null,
    frequency_cap: null,
    entity_status: 'PAUSED',
    automatic_post_promotion: null,
    advertiser_domain: null,
    categories: [],
    android_app_store_identifier: null,
    ios_app_store_identifier: null,
    audience_expansion: null,
    currency: 'USD',
    creative_source: 'MANUAL',
    ...exampleSystemMembers,
  },
});

const ruleErrors = [
  'FUNDING_INSTRUMENT_EXCEEDS_AVAILABLE_CREDIT_LIMIT',
  'INCLUSIVE_PARAMETERS',
  'INVALID_DENOMINATION',
  'INVALID_IAB_CATEGORY',
  'INVALID_PARAMETER',
  'INVALID_PLACEMENT_TYPE',
  'INVALID_TIME_WINDOW',
  'INVALID_USER_ID',
  'MISSING_PARAMETER',
  'SPEND_EXCEEDS_BUDGET',
  'TOO_MANY_CAMPAIGNS',
  'TOO_MANY_LINE_ITEMS',
] as const;

const exampleCreate = {
  campaign_id: '8wku2',
  name: 'Readers in the north',
  objective: 'ENGAGEMENTS',
  product_type: 'PROMOTED_POSTS',
  placements: ['ALL_ON_PLATFORM'],
  bid_amount_local_micro: 1_400_000,
  start_time: '2026-02-01T00:00:00Z',
  end_time: '2026-03-01T00:00:00Z',
  entity_status: 'PAUSED',
} as const;

const batchItems = {
  max: 40,
  Create: LineItemCreate,
  Update: extended(LineItemChanges, () => ({ line_item_id })),
  Delete: object(() => ({ line_item_id })),
};

export const operations = {
  list: listOf(lineItem, 'line_items.list', '/12/accounts/:account_id/line_items', {
    summary: 'List the line items of an account',
    filters: () => ({
      campaign_ids: ids('campaigns'),
      funding_instrument_ids: ids('funding instruments'),
      line_item_ids: ids('line items'),
      q,
      with_draft: boolean().default(false).describe('Include line items in state DRAFT.'),
    }),
    example: { campaign_ids: ['8wku2'] },
  }),
  get: getOf(lineItem, 'line_items.get', '/12/accounts/:account_id/line_items/:line_item_id', {
    summary: 'Get one line item',
  }),
  create: createOf(lineItem, 'line_items.create', '/12/accounts/:account_id/line_items', {
    summary: 'Create a line item in a campaign',
    params: extended(LineItemCreate, () => ({ account_id })),
    errors: ['CAMPAIGN_NOT_FOUND', ...ruleErrors],
    example: { ...exampleCreate, placements: [...exampleCreate.placements] },
  }),
  batch: batchOf(lineItem, 'line_items.batch', '/12/batch/accounts/:account_id/line_items', {
    summary: 'Create, update and delete up to 40 line items, all or none of them',
    batch: batchItems,
    operations: () => batchOperations(batchItems),
    errors: ['CAMPAIGN_NOT_FOUND', 'LINE_ITEM_NOT_FOUND', 'REQUEST_TOO_COMPLEX', ...ruleErrors],
    example: [{ operation_type: 'Create', params: { ...exampleCreate, placements: [...exampleCreate.placements] } }],
  }),
  update: updateOf(lineItem, 'line_items.update', '/12/accounts/:account_id/line_items/:line_item_id', {
    summary: 'Change a line item',
    description: 'Only the parameters given change. An empty value removes a parameter that can be removed.',
    params: extended(LineItemChanges, () => ({ account_id, line_item_id })),
    errors: ['LINE_ITEM_NOT_FOUND', ...ruleErrors],
    example: { bid_amount_local_micro: 1_600_000 },
  }),
  delete: deleteOf(lineItem, 'line_items.delete', '/12/accounts/:account_id/line_items/:line_item_id', {
    summary: 'Delete a line item',
    description: 'This cannot be undone.',
  }),
  placements: listPlacements,
};

export const position = 50;
